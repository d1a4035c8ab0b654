"""Which parameters of a function must be tensors, judged by how its body uses them.

Only evidence that hardly anything but a tensor satisfies: a tensor-only method or attribute, the first argument of a
torch function. Names and positions alone prove nothing (a branch on an unannotated parameter broke in 0 of 305 places
of published packages).
"""

from __future__ import annotations

from functools import lru_cache

from analyzer.facts import body_facts
from analyzer.observe import observed
from analyzer.project import FunctionInfo, dotted

#: Methods and attributes that tensors have and arrays, numbers, strings and containers have not.
TENSOR_ONLY = frozenset(
    """unsqueeze unsqueeze_ permute contiguous masked_fill masked_fill_ masked_select softmax log_softmax sigmoid
    relu relu_ tanh_ detach requires_grad_ new_zeros new_ones new_full new_empty new_tensor index_select index_add
    index_add_ index_fill scatter scatter_ scatter_add scatter_add_ scatter_reduce gather topk chunk bmm baddbmm
    addmm type_as expand_as view_as reshape_as unbind narrow unfold unflatten is_cuda is_floating_point is_contiguous
    data_ptr backward grad_fn retain_grad numel new clamp_min clamp_max clamp_ logsumexp argwhere pow_ mul_ add_ sub_
    div_ copy_ fill_ zero_ normal_ uniform_ bernoulli bernoulli_ repeat_interleave float half bfloat16 double long
    cuda cpu isnan isinf isfinite logical_not logical_and logical_or sqrt rsqrt exp log neg sin cos abs_ erf floor ceil
    movedim transpose_ flip roll tril triu diag_embed cumsum masked_scatter masked_scatter_ index_put index_put_ mT
    expand select split_with_sizes unsafe_chunk matmul element_size numpy is_sparse is_quantized is_nested
    to_dense""".split()
)
#: numpy arrays have these too: evidence only where the file does not import numpy.
ARRAY_TOO = frozenset(
    """view reshape shape ndim sum mean max min any all argmax argmin flatten squeeze transpose clamp size dim std
        var prod nonzero round""".split()
)
#: Names whose mere `.shape` or `.sum()` also fits an array-free Module.
_FUNCTIONAL = ("torch.", "F.", "nn.functional.", "torch.nn.functional.")
_NOT_EVIDENCE = frozenset(
    """torch.is_tensor torch.tensor torch.as_tensor torch.from_numpy torch.zeros torch.ones torch.empty torch.full
    torch.arange torch.linspace torch.rand torch.randn torch.randint torch.randperm torch.eye torch.device torch.load
    torch.save torch.manual_seed torch.cat torch.stack torch.concat torch.hstack torch.vstack torch.Size torch.compile
    torch.no_grad torch.is_floating_point torch.where torch.pow torch.typename torch.einsum torch.finfo torch.iinfo
    torch.block_diag torch.meshgrid torch.cartesian_prod torch.broadcast_tensors torch.set_grad_enabled torch.Generator
    torch.cond torch.while_loop torch.Tensor torch.LongTensor torch.FloatTensor torch.BoolTensor torch.IntTensor
    torch.logspace torch.normal torch.tril_indices torch.triu_indices torch.hann_window
    torch.broadcast_shapes""".split()
)


def tensor_parameters(info: FunctionInfo) -> frozenset[str]:
    """Names of the parameters that the body uses as only tensors can be used."""
    return _tensor_parameters(info, observed(_arrays_too, info))


def array_parameters(info: FunctionInfo) -> frozenset[str]:
    """Names of the parameters that the body uses as only tensors and arrays can be used. In a function that is captured
    an array is as good as a tensor: TorchDynamo makes one of it."""
    facts = body_facts(info)
    used = {name for name, attribute in facts.attributes if attribute in TENSOR_ONLY or attribute in ARRAY_TOO}
    return frozenset(a.arg for a in info.parameters if a.arg in used | facts.multiplied) - _converted(info)


def _arrays_too(info: FunctionInfo) -> bool:
    """Whether what arrays have as well is no evidence here."""
    in_module = info.cls is not None and (
        "forward" in info.cls.methods or any((dotted(b) or "").endswith("Module") for b in info.cls.node.bases)
    )
    return not info.module.imports_torch or info.module.imports_numpy and not in_module


@lru_cache(maxsize=65536)
def _tensor_parameters(info: FunctionInfo, numpy_too: bool) -> frozenset[str]:
    names = {a.arg for a in info.parameters}
    facts = body_facts(info)
    found: set[str] = set()
    for name, attribute in facts.attributes:
        if name in names and (
            attribute in TENSOR_ONLY or (not numpy_too and attribute in ARRAY_TOO and info.cls is not None)
        ):
            found.add(name)
    for func, name in facts.first_arguments:
        if name in names and name not in found:
            callee = dotted(func)
            if callee is not None and callee.startswith(_FUNCTIONAL) and callee.count(".") <= 3:
                spelled = "torch." + callee.rsplit(".", 1)[1] if callee.startswith("torch.") else callee
                if spelled not in _NOT_EVIDENCE and callee.rsplit(".", 1)[1][:1].islower() and not _submodule(callee):
                    found.add(name)
    first = info.parameters[0].arg if info.parameters and info.cls is not None else None
    return frozenset(n for n in found if n != first) - _converted(info)


def _converted(info: FunctionInfo) -> frozenset[str]:
    found = body_facts(info).converted
    return frozenset(name for name, func in found if (dotted(func) or "").rsplit(".", 1)[-1] in _CONVERSIONS)


#: `x = torch.tensor(x)`: what was turned into a tensor need not have been one.
_CONVERSIONS = frozenset("tensor as_tensor from_numpy asarray stack cat Tensor".split())


def _submodule(callee: str) -> bool:
    return callee.startswith(
        ("torch.cuda.", "torch.distributed.", "torch.jit.", "torch.utils.", "torch.random.", "torch.backends.")
    )
