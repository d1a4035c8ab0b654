"""What TorchScript does not know, as measured (`benchmarks/knowledge/measure_script.py`), and the methods it knows."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache

HERE = os.path.dirname(__file__)

#: Callables that TorchScript refuses with every argument, beside those of the table.
REFUSED_CALLS = frozenset(
    """torch.Tensor torch.finfo torch.iinfo torch.Generator torch.cuda.is_available torch.cuda.synchronize
    torch.cuda.empty_cache
    torch.cuda.current_device torch.cuda.device_count torch.cuda.memory_allocated
    torch.utils.checkpoint.checkpoint torch.vmap
    torch.cond torch.enable_grad torch.inference_mode torch.func.vmap torch.func.grad torch.func.functional_call
    torch.nn.Parameter torch.save torch.load functools.partial functools.reduce copy.copy copy.deepcopy
    collections.deque collections.Counter
    collections.defaultdict itertools.product itertools.chain itertools.accumulate itertools.combinations
    itertools.permutations
    itertools.repeat itertools.islice itertools.count itertools.cycle""".split()
)
REFUSED_PREFIXES = (
    "torch.distributions.",
    "torch.func.",
    "torch.distributed.",
    "torch.multiprocessing.",
    "torch._dynamo.",
)
#: Builtins that are known, but not for what they are usually given.
REFUSED_BUILTINS = frozenset(
    "reversed map filter set frozenset bytes bytearray memoryview object id slice property vars".split()
)
#: Methods of modules that are Python code which does not compile.
MODULE_METHODS_REFUSED = frozenset(
    """parameters named_parameters buffers named_buffers state_dict load_state_dict train eval register_buffer
    register_parameter register_module add_module requires_grad_ zero_grad to cuda cpu half float double bfloat16
    register_forward_hook register_forward_pre_hook get_submodule get_parameter get_buffer""".split()
)
CONTEXTS = frozenset(
    """torch.no_grad torch.autocast torch.amp.autocast torch.cuda.amp.autocast torch.cpu.amp.autocast
    torch.amp.autocast_mode.autocast
    torch.autograd.profiler.record_function torch.profiler.record_function torch.autograd.profiler.profile
    torch.jit.strict_fusion""".split()
)
STR_METHODS = frozenset(
    """capitalize center count endswith expandtabs find format index isalnum isalpha isdecimal isdigit
    isidentifier islower
    isnumeric isprintable isspace istitle isupper join ljust lower lstrip partition replace rfind rindex rjust
    rpartition rsplit
    rstrip split splitlines startswith strip swapcase title upper zfill""".split()
)
LIST_METHODS = frozenset("append clear copy count extend index insert pop remove reverse sort".split())
DICT_METHODS = frozenset("clear copy get items keys pop popitem setdefault update values".split())
#: Methods that tensors lack and containers or texts have: evidence that a Tensor is not what is meant.
_BOOL_OF_STR = frozenset(n for n in STR_METHODS if n.startswith("is") or n in ("startswith", "endswith"))
_INT_OF_STR = frozenset("count find index rfind rindex".split())
_LIST_OF_STR = frozenset("split rsplit splitlines".split())


def str_method(name: str) -> str:
    """What a method of a text returns: bool, int, str, list or tuple."""
    if name in _BOOL_OF_STR:
        return "bool"
    if name in _INT_OF_STR:
        return "int"
    if name in _LIST_OF_STR:
        return "list"
    return "tuple" if name in ("partition", "rpartition") else "str"


@lru_cache(maxsize=1)
def refused() -> Mapping[str, str]:
    """Qualified name → what TorchScript said."""
    with open(os.path.join(HERE, "script_refused.tsv"), encoding="utf-8") as stream:
        rows = [line.rstrip("\n").split("\t") for line in stream][1:]
    return {row[0]: row[1] for row in rows if len(row) > 1}


@lru_cache(maxsize=1)
def tensor_names() -> frozenset[str]:
    """Public attributes and methods of torch.Tensor."""
    with open(os.path.join(HERE, "script_tensor.txt"), encoding="utf-8") as stream:
        return frozenset(stream.read().split())
