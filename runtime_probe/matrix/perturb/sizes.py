"""Changes of sizes: the dimensions of the arguments that vary together, and other sizes for them."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Tuple

import torch

from runtime_probe.matrix.perturb.change import Change, Dimension, label, leaves_of
from runtime_probe.subject import Instance

#: How many sizes of the arguments are varied at most, batch first.
MOST = 5
#: How many sizes one sweep goes through: more than the 8 recompilations that torch 2.13 allows.
SWEEP = 10

Group = Tuple[Dimension, ...]


def groups(instance: Instance) -> List[List[Group]]:
    """For each size of the arguments, the dimensions that may have to change together with it, likely ones first."""
    sizes: Dict[Dimension, int] = {}
    for path, leaf in leaves_of(instance):
        if isinstance(leaf, torch.Tensor) and leaf.layout is torch.strided:
            sizes.update({(path, d): size for d, size in enumerate(leaf.shape)})
    found: Dict[Tuple[int, int], List[Group]] = {}
    for (path, d), size in sorted(sizes.items(), key=lambda item: item[0][1]):
        alike = tuple(k for k, other in sizes.items() if other == size and k[1] == d)
        anywhere = tuple(k for k, other in sizes.items() if other == size)
        tried = found.setdefault((d, size), [])
        for group in (alike, anywhere, ((path, d),)):
            if group not in tried:
                tried.append(group)
    return list(found.values())[:MOST]


def size_of(instance: Instance, group: Group) -> int:
    """The size that a group of dimensions has in the capturing call."""
    by_path = dict(leaves_of(instance))
    path, d = group[0]
    return int(by_path[path].shape[d])


def resized(instance: Instance, group: Group, size: int) -> Change:
    """The capturing call with another size for a group of dimensions."""
    old = size_of(instance, group)
    names = ", ".join(f"{label(path, instance)}.shape[{d}]" for path, d in group[:3])
    more = ", …" if len(group) > 3 else ""
    return Change(f"{names}{more}: {old} → {size}", _to_size(group, size), group)


def growths(old: int) -> Iterator[int]:
    """Larger sizes to try: one more, or where that does not fit, multiples."""
    yield old + 1
    if old:
        yield from (old * 2, old * 3)


def sweep(instance: Instance, group: Group, step: int) -> List[Change]:
    """The capturing call with one size after the other."""
    old = size_of(instance, group)
    return [resized(instance, group, old + step * n) for n in range(1, SWEEP + 1)]


def _to_size(group: Group, size: int) -> Callable[[str, Any], Any]:
    def leaf(path: str, value: Any) -> Any:
        for other, d in group:
            if other == path:
                value = _resize(value, d, size)
        return value

    return leaf


def _resize(tensor: torch.Tensor, d: int, size: int) -> torch.Tensor:
    """A tensor cut at a size, or with its first slices repeated up to it: its values stay as plausible as they were."""
    with torch.no_grad():
        old = tensor.shape[d]
        plain = tensor.detach()
        if size <= old:
            plain = plain.narrow(d, 0, size)
        elif old == 0:
            plain = plain.new_zeros([size if n == d else s for n, s in enumerate(plain.shape)])
        else:
            plain = plain.index_select(d, torch.arange(size, device=plain.device) % old)
        return plain.clone().requires_grad_(tensor.requires_grad)
