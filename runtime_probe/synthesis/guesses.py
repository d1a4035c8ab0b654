"""First guesses for the arguments of a call, parameter by parameter, best first."""

from __future__ import annotations

import inspect
import re
import types
from typing import Any, Dict, Iterator, List, Optional

import torch

from runtime_probe import subject
from runtime_probe.synthesis import configuration, documented, kinds
from runtime_probe.synthesis.argument import Argument, Group, Tensor, Text
from runtime_probe.synthesis.layers import BATCH, LENGTH, Leaf, Sizes, first_leaf, leaves_of, shapes_for
from runtime_probe.synthesis.tables import look_up
from runtime_probe.synthesis.usage import Use, passed_on, uses

_TEMPLATE = re.compile(r"^(normal|uniform|ones|zeros|ints|full)\[([^\]]*)\](?::(\w+))?(?:<(\w+))?$")
_VALUES = (bool, int, float, str)
#: What a function of a graph calls the features of its nodes.
_NODE_FEATURES = ("x", "h", "feat", "features", "node_feat", "node_features", "x_dict", "z", "inputs", "input")


class Guesses:
    """Candidates for the parameters of `function`; `module`: the built module whose layers tell sizes, or None."""

    def __init__(self, function: Any, owner: Any, space: types.ModuleType) -> None:
        function = self.function = _receiver(function, owner)
        self._space = space
        self._owner = owner
        self._leaves = leaves_of(owner)
        self.sizes = Sizes(owner, self._leaves)
        self.uses: Dict[str, Use] = uses(function)
        self._kinds = kinds.annotations_of(function)
        self._documented = documented.shapes(function, type(owner) if owner is not None else None)
        self.parameters = self._signature()
        self._graph = any(len(name) > 1 and "ints[2,e]<v" in look_up("call_names", name) for name in self.parameters)
        self._symbols: Dict[str, int] = {}
        self._cache: Dict[str, List[Argument]] = {}

    def _signature(self) -> Dict[str, inspect.Parameter]:
        try:
            found = dict(inspect.signature(self.function).parameters)
        except (TypeError, ValueError):
            return {}
        if found and next(iter(found)) == "self" and not inspect.ismethod(self.function):
            found.pop("self")
        return found

    @property
    def named(self) -> Dict[str, inspect.Parameter]:
        """The parameters that can be given by name or position."""
        return {n: p for n, p in self.parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}

    @property
    def positional(self) -> List[str]:
        """The names that can be given by position, in order."""
        return [n for n, p in self.parameters.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]

    @property
    def required(self) -> List[str]:
        """The parameters without a default."""
        return [n for n, p in self.named.items() if p.default is p.empty]

    @property
    def optional(self) -> List[str]:
        """The parameters with a default of None: arguments that may turn out to be needed."""
        return [n for n, p in self.named.items() if p.default is None]

    def of(self, name: str) -> List[Argument]:
        """Candidates for a parameter, each once."""
        if name not in self._cache:
            found: List[Argument] = []
            for candidate in self._every(name):
                if candidate not in found:
                    found.append(candidate)
                if len(found) >= 12:
                    break
            self._cache[name] = found
        return self._cache[name]

    def _every(self, name: str) -> Iterator[Argument]:
        kind = self._kinds.get(name)
        parts = kinds.members(kind) if kind is not None else []
        use = self.uses.get(name, Use())
        for part in parts:
            dims = kinds.jaxtyping_dims(part)
            if dims is not None:
                yield self._jaxtyped(*dims)
        tensor = not parts or any(kinds.is_tensor(part) for part in parts)
        dtype = next((d for d in map(kinds.tensor_dtype, parts) if d), None)
        plain = [part for part in parts if not kinds.is_tensor(part)]
        if not tensor:
            yield from self._of_kinds(name, plain, use)
        if use.attributes and not tensor and not plain or (use.attributes and not parts and len(use.attributes) > 1):
            yield Group(tuple(self._first(a) for a in use.attributes), "object", tuple(use.attributes))
        if use.keys and not tensor:
            yield Group(tuple(self._first(key) for key in use.keys), "dict", tuple(use.keys))
        if tensor or (not plain and not use.attributes) or not self._concrete(plain):
            for candidate in self._tensors(name, use, dtype):
                if dtype in ("int64", "int32") and isinstance(candidate, Tensor) and candidate.is_float:
                    candidate = Tensor(candidate.shape[:2], "ints", high=self.sizes.of("vocabulary"))
                elif dtype == "float32" and isinstance(candidate, Tensor) and not candidate.is_float:
                    candidate = Tensor(candidate.shape)
                elif dtype == "bool" and isinstance(candidate, Tensor) and not candidate.is_bool:
                    candidate = Tensor(candidate.shape, "ones", "bool")
                yield candidate
        if use.keys:
            yield Group(tuple(self._first(key) for key in use.keys), "dict", tuple(use.keys))
        if tensor and plain:
            yield from self._of_kinds(name, plain, use)

    @staticmethod
    def _concrete(parts: List[Any]) -> bool:
        known = [part for part in parts if not isinstance(part, str)]
        return any(part in _VALUES or kinds.element(part) is not None for part in known)

    def _first(self, name: str) -> Argument:
        return next(iter(self._tensors(name, Use(), None)), Tensor((BATCH, LENGTH)))

    def _of_kinds(self, name: str, types_: List[Any], use: Use) -> Iterator[Argument]:
        """Arguments of annotated types: containers of tensors, settings, plain values."""
        named = [text for text in look_up("call_names", name) if not _TEMPLATE.match(text)]
        for kind in types_:
            container = kinds.element(kind)
            if container is not None and any(map(kinds.is_tensor, container[1])):
                item = self._first(name.rstrip("s") if len(name) > 2 else name)
                if container[0] == "dict":
                    keys = tuple(use.keys) or ("x",)
                    yield Group(tuple(self._first(key) for key in keys), "dict", keys)
                elif container[0] == "list":
                    yield Group((item, item))
                else:
                    yield Group(tuple(item for _ in container[1]), "tuple")
            elif configuration.looks_like_configuration(kind):
                for text in configuration.expressions(kind, self._space):
                    yield Text(text)
        defaults = self.parameters[name].default if name in self.parameters else None
        if isinstance(defaults, _VALUES):
            yield Text(repr(defaults))
        for constant in use.constants:
            if any(type(constant) is kind for kind in types_):
                yield Text(repr(constant))
        for kind in types_:
            for text in kinds.values(kind, self._space, named):
                yield Text(text)

    def _jaxtyped(self, word: str, dims: List[str]) -> Tensor:
        shape = []
        for dim in dims:
            if dim in ("...", "_") or (dim.startswith("*") and len(dims) > 1):
                continue
            shape.append(self._symbol(dim.split("=")[-1].strip("#*?")))
        if re.match(r"U?Int|Integer|Long", word):
            return Tensor(tuple(shape), "ints", high=self.sizes.of("vocabulary"))
        if word.startswith("Bool"):
            return Tensor(tuple(shape), "ones", "bool")
        return Tensor(tuple(shape), dtype={"Float64": "float64", "Complex": "complex64"}.get(word))

    def _symbol(self, name: str) -> int:
        """The same symbol has the same size in all annotations; another symbol may have another one."""
        if name not in self._symbols:
            self._symbols[name] = self.sizes.named(name)
        return self._symbols[name]

    def _tensors(self, name: str, use: Use, dtype: Optional[str]) -> Iterator[Argument]:
        leaf = next((found for found in (first_leaf(self._owner, a) for a in use.applied) if found), None)
        for symbols in self._documented.get(name, []):
            shape = tuple(self._symbol(s) for s in symbols)
            by_name = self._by_name(name)
            like = next((t for t in by_name if isinstance(t, Tensor) and not t.is_float), None)
            if dtype in ("int64", "int32") or (dtype is None and documented.says_integers(self.function, name)):
                high = like.high if like is not None and like.fill == "ints" else self.sizes.of("vocabulary")
                yield Tensor(shape, "ints", high=high)
            elif like is not None and dtype != "float32" and by_name[0] is like:
                yield like.with_shape(shape)
            else:
                yield Tensor(shape)
        named = self._by_name(name)
        if self._graph and name in _NODE_FEATURES:
            yield Tensor((self.sizes.named("v"), leaf.size if leaf is not None else self.sizes.of("features")))
        if leaf is not None and not (named and isinstance(named[0], Tensor) and not named[0].is_float):
            yield from self._ranked(list(shapes_for(leaf, self.sizes.image)), use)
        yield from self._ranked(named, use)
        if use.counted:
            yield Text("4")
        if use.called:
            yield Text("torch.nn.Identity()")
        general: List[Argument] = []
        seen: List[str] = []
        for leaf in self._leaves:
            if leaf.kind not in seen:
                seen.append(leaf.kind)
                general += shapes_for(leaf, self.sizes.image)
        yield from self._ranked(general, use)
        yield from self._ranked([Tensor((2, 8)), Tensor((2, 8, 32)), Tensor((8,)), Tensor((2, 3, 32, 32))], use)

    @staticmethod
    def _ranked(candidates: List[Argument], use: Use) -> Iterator[Argument]:
        """Those of the rank that the source unpacks come first."""
        wanted = set(use.ranks[:1])
        if wanted and not any(isinstance(c, Tensor) and len(c.shape) in wanted for c in candidates):
            for rank in wanted:
                tensor = next((c for c in candidates if isinstance(c, Tensor)), None)
                if tensor is not None and rank >= 1:
                    yield tensor.with_shape(with_rank(tensor.shape, rank))
        fitting = [c for c in candidates if isinstance(c, Tensor) and len(c.shape) in wanted]
        yield from fitting
        yield from (c for c in candidates if c not in fitting)

    def _by_name(self, name: str) -> List[Argument]:
        return [self._template(text) for text in look_up("call_names", name)]

    def _template(self, text: str) -> Argument:
        match = _TEMPLATE.match(text)
        if match is None:
            return Text(text)
        fill, dims, dtype, high = match.groups()
        symbols = [d for d in dims.split(",") if d]
        spatial = {"h", "w"} & set(symbols)
        channels = [leaf for leaf in self._leaves if leaf.kind == "channels" and leaf.rank == 2]
        shape = tuple(
            self._symbol(s) if s.isdigit() or s in ("b", "t", "v", "e") else
            (channels[0].size if spatial and s == "c" and channels and not self._has("num_channels") else
             self.sizes.named("num_channels" if s == "c" else s))
            for s in symbols
        )  # fmt: skip
        if fill == "full":
            return Text(f"torch.full(({shape[0]},), {dtype if dtype and dtype.isdigit() else LENGTH})")
        bound = 2
        if high is not None:
            bound = int(high) if high.isdigit() else self._bound(high)
        return Tensor(shape, fill, dtype, bound)

    def _has(self, attribute: str) -> bool:
        config = getattr(self._owner, "config", None)
        return isinstance(getattr(config, attribute, None), int)

    def _bound(self, name: str) -> int:
        return self.sizes.of(name) if name == "vocabulary" else self.sizes.named(name)


def _receiver(function: Any, owner: Any, depth: int = 3) -> Any:
    """Where a function only hands on `*args`, the method that takes them by name; else the function itself."""
    if depth and not _names_of(function):
        for name in passed_on(function):
            method = _receiver(getattr(owner, name, None), owner, depth - 1)
            if method is not None and _names_of(method):
                return method
    return function


def _names_of(function: Any) -> List[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name != "self"]


def with_rank(shape: Any, rank: int) -> Any:
    """Sizes of another rank that keep the first and the last ones."""
    sizes = tuple(shape)
    if len(sizes) >= rank:
        return sizes[:1] + sizes[len(sizes) - rank + 1 :] if rank > 1 else sizes[-1:]
    if not sizes:
        return (BATCH,) + (LENGTH,) * (rank - 1)
    if len(sizes) == 1:
        return (BATCH,) + (LENGTH,) * (rank - 2) + sizes
    return sizes[:-1] + (LENGTH,) * (rank - len(sizes)) + sizes[-1:]


def channels_first(shape: Any, rank: int, leaves: List[Leaf]) -> Any:
    """Sizes of a batch of images, signals or volumes of that rank."""
    channels = next((leaf.size for leaf in leaves if leaf.kind == "channels"), 3)
    spatial = {3: 64, 4: 32, 5: 16}.get(rank, 32)
    return (BATCH, channels) + (spatial,) * (rank - 2)


def owner_of(function: Any) -> Any:
    """The module that a bound method or a module belongs to."""
    if isinstance(function, torch.nn.Module):
        return function
    owner = subject.owner_of(function)
    return owner if owner is not function else None
