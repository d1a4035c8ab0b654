"""What the layers of a built module say of the sizes that it takes."""

from __future__ import annotations

import dataclasses
from typing import Any, Iterator, List, Optional, Tuple

import torch

from runtime_probe.synthesis.argument import Shape, Tensor
from runtime_probe.synthesis.tables import look_up

#: A size that a name asks for on the module or its configuration is believed up to here.
LARGEST = 4096

_LAZY: Tuple[Any, ...] = (torch.nn.UninitializedParameter, torch.nn.parameter.UninitializedBuffer)

BATCH, LENGTH, IMAGE, CHANNELS, FEATURES, VOCABULARY = 2, 8, 32, 3, 32, 10


@dataclasses.dataclass(frozen=True)
class Leaf:
    """The first thing a layer wants: `kind` is features, channels, or vocabulary; `rank` the spatial dimensions of a
    convolution."""

    kind: str
    size: int
    rank: int = 0


def leaf_of(module: torch.nn.Module) -> Optional[Leaf]:
    """What one layer wants, if it says so."""
    nn = torch.nn
    if isinstance(module, nn.Linear):
        return Leaf("features", module.in_features)
    if isinstance(module, nn.modules.conv._ConvNd):
        return Leaf("channels", module.in_channels, len(module.kernel_size))
    if isinstance(module, (nn.Embedding, nn.EmbeddingBag)):
        return Leaf("vocabulary", module.num_embeddings)
    if isinstance(module, (nn.RNNBase, nn.RNNCellBase)):
        return Leaf("features", module.input_size)
    if isinstance(module, nn.MultiheadAttention):
        return Leaf("features", module.embed_dim)
    if isinstance(module, (nn.LayerNorm, getattr(nn, "RMSNorm", nn.LayerNorm))):
        return Leaf("features", int(tuple(module.normalized_shape)[-1]))  # type: ignore[arg-type]
    if isinstance(module, nn.modules.batchnorm._BatchNorm) and module.num_features:
        rank = {"BatchNorm2d": 2, "BatchNorm3d": 3, "InstanceNorm2d": 2}.get(type(module).__name__, 0)
        return Leaf("channels" if rank else "features", module.num_features, rank)
    if isinstance(module, nn.GroupNorm):
        return Leaf("channels", module.num_channels, 2)
    return None


def leaves_of(module: Any) -> List[Leaf]:
    """What the layers of a module want, in the order in which they were registered, each once."""
    found: List[Leaf] = []
    if not isinstance(module, torch.nn.Module):
        return found
    for inner in module.modules():
        leaf = leaf_of(inner)
        if leaf is not None and leaf.size > 0 and leaf not in found:
            found.append(leaf)
    if not found:
        for parameter in module.parameters():
            if isinstance(parameter, _LAZY):
                continue
            found += [Leaf("features", size) for size in reversed(parameter.shape) if size > 1]
    return found[:64]


def shapes_for(leaf: Leaf, image: int) -> Iterator[Tensor]:
    """Arguments that a layer is likely to take, best first."""
    if leaf.kind == "vocabulary":
        yield Tensor((BATCH, LENGTH), "ints", high=leaf.size)
        yield Tensor((BATCH,), "ints", high=leaf.size)
        yield Tensor((LENGTH,), "ints", high=leaf.size)
    elif leaf.kind == "channels":
        spatial = {1: 64, 2: image, 3: 16}.get(leaf.rank, image)
        yield Tensor((BATCH, leaf.size) + (spatial,) * leaf.rank)
        if leaf.rank == 2:
            yield Tensor((BATCH, leaf.size, 64, 64))
    else:
        yield Tensor((BATCH, leaf.size))
        yield Tensor((BATCH, LENGTH, leaf.size))


class Sizes:
    """Sizes of named dimensions for one module; the same name always gets the same size."""

    def __init__(self, module: Any, leaves: List[Leaf]) -> None:
        self._module = module
        self._leaves = leaves
        self.image = self._attribute("image_size", "img_size", "resolution", "input_resolution", "sample_size") or IMAGE

    def of(self, kind: str) -> int:
        """features, channels, vocabulary or image."""
        if kind == "image":
            return self.image
        sizes = [leaf.size for leaf in self._leaves if leaf.kind == kind]
        if kind == "vocabulary" and sizes:
            return min(sizes)
        default = {"features": FEATURES, "channels": CHANNELS, "vocabulary": VOCABULARY}[kind]
        return sizes[0] if sizes else default

    def named(self, symbol: str) -> int:
        """The size that a symbol such as `batch_size`, `C`, `3` or `H/8` stands for."""
        name = symbol.strip().lower().strip("*#_ ")
        if name.isdigit():
            return max(int(name), 1) if int(name) <= LARGEST else LARGEST
        own = self._attribute(name)
        if own is not None and len(name) > 2:
            return own
        entries = look_up("dims", name)
        if not entries:
            return self.of("features")
        return int(entries[0]) if entries[0].isdigit() else self.of(entries[0])

    def shape(self, symbols: List[str]) -> Shape:
        """The sizes of several symbols."""
        return tuple(self.named(symbol) for symbol in symbols)

    def _attribute(self, *names: str) -> Optional[int]:
        config = getattr(self._module, "config", None)
        for name in names:
            for owner in (self._module, config):
                value = owner.get(name) if isinstance(owner, dict) else getattr(owner, name, None)
                if isinstance(value, (tuple, list)) and value:
                    value = value[0]
                if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST:
                    return value
        return None


def first_leaf(module: Any, attribute: str) -> Optional[Leaf]:
    """What the submodule of that name wants first."""
    inner = getattr(module, attribute, None)
    found = leaves_of(inner)
    return found[0] if found else None


def uninitialised(module: Any) -> bool:
    """Whether it has lazy parameters, which get their sizes from the first real call."""
    if not isinstance(module, torch.nn.Module):
        return False
    return any(isinstance(p, _LAZY) for p in [*module.parameters(), *module.buffers()])
