"""Reads of tensor data by the program, answered by someone else.

Dynamo's bytecode really executes the jump on a tensor between two graphs, and calls `Tensor.item` there. So replacing
these methods on `torch.Tensor` is enough to decide what the program sees; Dynamo itself looks methods up by name and
does not notice.
"""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

import torch
from torch._subclasses.fake_tensor import FakeTensor

from runtime_probe.paths.sites import Site, reader, site_of

Value = Union[bool, int, float]
#: Lists with more elements than this are read as they are, beyond it.
MOST_ELEMENTS = 8


class Read(NamedTuple):
    """A read that awaits its answer. `kind`: bool, int or float. `natural`: what the tensor holds; None if nothing can
    tell (a fake tensor). `low`, `high`: the range of its dtype, where that is small."""

    kind: str
    site: Site
    natural: Optional[Value]
    low: Optional[int] = None
    high: Optional[int] = None


#: Answers a read with a bool, an int or a float, as its kind says.
Answer = Callable[[Read], Any]

_METHODS = ("__bool__", "item", "__int__", "__float__", "__index__", "is_nonzero", "tolist")
_KIND = {"__bool__": "bool", "is_nonzero": "bool", "__int__": "int", "__index__": "int", "__float__": "float"}
_BACKENDS = ("CPU", "CUDA")


def kind_of(dtype: torch.dtype) -> Optional[str]:
    """What an element is in Python; None for complex numbers, which decide nothing."""
    if dtype is torch.bool:
        return "bool"
    if dtype.is_complex:
        return None
    return "float" if dtype.is_floating_point else "int"


def _range_of(dtype: torch.dtype) -> Tuple[Optional[int], Optional[int]]:
    return {torch.bool: (0, 1), torch.uint8: (0, 255), torch.int8: (-128, 127)}.get(dtype, (None, None))


@contextlib.contextmanager
def answered(answer: Answer, names: Dict[int, str], fake_mode: Any = None) -> Iterator[None]:
    """Inside, every read of tensor data in the program's own code is put to `answer`. `fake_mode`: see `fakes`."""
    kinds = [torch.Tensor] if fake_mode is None else [torch.Tensor, FakeTensor]
    methods = [(kind, name) for kind in kinds for name in _METHODS if kind is torch.Tensor or name in kind.__dict__]
    before = [(kind, name, kind.__dict__.get(name)) for kind, name in methods]
    for kind, name in methods:
        setattr(kind, name, _untraced(_replacement(name, answer, names)))
    put = _compared(answer, names)
    comparisons = None
    if fake_mode is None:
        comparisons = _comparisons(put)
    else:
        fake_mode.compare = _untraced(lambda natural: put(natural, fake=True))
    try:
        yield
    finally:
        for kind, name, method in before:
            if method is None:
                delattr(kind, name)
            else:
                setattr(kind, name, method)
        if comparisons is not None:
            comparisons._destroy()
        if fake_mode is not None:
            fake_mode.compare = None


def _replacement(name: str, answer: Answer, names: Dict[int, str]) -> Callable[..., Any]:
    base = getattr(torch.Tensor, name)

    def read(tensor: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        kind = _KIND.get(name) or kind_of(tensor.dtype)
        frame = None if kind is None or _is_tracing() else reader()
        if frame is None:
            return base(tensor, *args, **kwargs)
        if name == "tolist":
            return _list(tensor, base, answer, frame, names)
        natural = _natural(tensor, lambda: base(tensor, *args, **kwargs))
        return answer(Read(str(kind), site_of(frame, names), natural, *_range_of(tensor.dtype)))

    read.__name__ = name
    return read


def _untraced(function: Callable[..., Any]) -> Callable[..., Any]:
    disabled: Callable[..., Any] = torch._dynamo.disable(function)  # type: ignore[no-untyped-call]
    return disabled


def _is_tracing() -> bool:
    return torch._guards.TracingContext.try_get() is not None


def _natural(tensor: torch.Tensor, read: Callable[[], Any]) -> Any:
    """What a tensor holds; None for one without data. Errors of the read are the program's own."""
    return None if tensor.numel() == 1 and _without_data(tensor) else read()


def _without_data(tensor: torch.Tensor) -> bool:
    return tensor.device.type == "meta" or isinstance(tensor, FakeTensor)


def _list(tensor: torch.Tensor, base: Any, answer: Answer, frame: Any, names: Dict[int, str]) -> Any:
    """`tolist`: the first elements are reads of their own."""
    kind, limits = str(kind_of(tensor.dtype)), _range_of(tensor.dtype)
    if _without_data(tensor):
        elements: List[Any] = [None] * tensor.numel()
    else:
        elements = base(tensor.reshape(-1))
    read = [
        answer(Read(kind, site_of(frame, names, f"[{number}]"), natural, *limits))
        if number < MOST_ELEMENTS or natural is None
        else natural
        for number, natural in enumerate(elements)
    ]
    return _shaped(read, list(tensor.shape))


def _shaped(elements: List[Any], shape: List[int]) -> Any:
    if not shape:
        return elements[0]
    if len(shape) == 1:
        return elements
    step = len(elements) // shape[0] if shape[0] else 0
    return [_shaped(elements[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def _compared(answer: Answer, names: Dict[int, str]) -> Callable[..., bool]:
    def put(natural: Callable[[], bool], fake: bool = False) -> bool:
        frame = None if _is_tracing() else reader()
        if frame is None:
            return natural()
        return bool(answer(Read("bool", site_of(frame, names), None if fake else natural())))

    return put


def _comparisons(put: Callable[..., bool]) -> Any:
    """`torch.equal` and `torch.allclose` give a bool at once. Dynamo knows these functions by identity, so they are
    replaced below Python, as kernels."""

    def equal(one: torch.Tensor, other: torch.Tensor) -> bool:
        return put(lambda: one.shape == other.shape and _all(one == other))

    def allclose(
        one: torch.Tensor, other: torch.Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
    ) -> bool:
        return put(lambda: _all(torch.isclose(one, other, rtol, atol, equal_nan)))

    try:
        library: Any = torch.library.Library("aten", "IMPL")  # type: ignore[no-untyped-call]
        for name, kernel in (("equal", equal), ("allclose", allclose)):
            for backend in _BACKENDS:
                library.impl(name, _untraced(kernel), backend)
    except (RuntimeError, AttributeError):  # not on this torch: such calls are answered by what they find
        return None
    return library


def _all(tensor: torch.Tensor) -> bool:
    return bool(torch._C.TensorBase.item(tensor.all()))
