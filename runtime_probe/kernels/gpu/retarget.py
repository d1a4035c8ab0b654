"""A graph of the processor made into one of a GPU that is not here: its tensors become fakes there."""

from __future__ import annotations

import copy
from typing import Any, Iterable, List, Tuple

import torch
from torch.utils import _pytree as pytree

GPU = torch.device("cuda", 0)
_HERE = ("cpu", "meta")


def moved(module: Any, inputs: Iterable[Any]) -> Tuple[Any, List[Any]]:
    """A copy of a graph of ATen, and its inputs, on the GPU."""
    made = duplicate(module)
    for node in made.graph.nodes:
        for key in ("val", "example_value"):
            if key in node.meta:
                node.meta[key] = pytree.tree_map(fake, node.meta[key])
        node.args = torch.fx.node.map_aggregate(node.args, _device)
        node.kwargs = torch.fx.node.map_aggregate(node.kwargs, _device)
    made.recompile()
    return made, [fake(value) for value in inputs]


def duplicate(module: Any) -> Any:
    """A graph module that may be rewritten. What belongs to a graph of numpy cannot be copied beside fakes: there the
    nodes are, and modules inside stay the same."""
    try:
        return copy.deepcopy(module)
    except RuntimeError:
        made = torch.fx.GraphModule(module, copy.deepcopy(module.graph))
        made.meta.update(module.meta)
        return made


def fake(value: Any) -> Any:
    """A fake tensor on the GPU for one of the processor; anything else as it is."""
    from torch._subclasses.fake_tensor import FakeTensor
    from torch.utils._mode_utils import no_dispatch

    if not isinstance(value, FakeTensor) or value.fake_device.type not in _HERE:
        return value
    with torch.no_grad(), no_dispatch():
        meta = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")
        return FakeTensor(value.fake_mode, meta, GPU)


def _device(argument: Any) -> Any:
    return GPU if isinstance(argument, torch.device) and argument.type in _HERE else argument
