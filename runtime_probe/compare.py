"""Plain copies of what a call returned or changed, and the first difference between two of them."""

from __future__ import annotations

import dataclasses
import types
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Dict, List, Optional, Tuple

import torch
from torch._subclasses.fake_tensor import FakeTensor

from runtime_probe.structure import tensors

#: Relative and absolute tolerance by dtype: a captured graph may fuse and reorder what eager rounds step by step.
TOLERANCE: Dict[torch.dtype, Tuple[float, float]] = {
    torch.float64: (1e-7, 1e-7),
    torch.complex128: (1e-7, 1e-7),
    torch.float32: (1e-4, 1e-5),
    torch.complex64: (1e-4, 1e-5),
    torch.float16: (2e-3, 1e-3),
    torch.bfloat16: (2e-2, 1e-2),
}
#: Of what is not in the table: numbers of eight bits.
COARSE = (1e-1, 1e-1)
RELATIVE, ABSOLUTE = TOLERANCE[torch.float32]
DEEPEST = 8


@dataclasses.dataclass(frozen=True)
class Opaque:
    """A value that is compared by its type alone."""

    kind: str

    def __repr__(self) -> str:
        return f"<{self.kind}>"


def snapshot(value: Any, depth: int = 0) -> Any:
    """A copy that later calls cannot change: tensors detached and cloned, containers rebuilt."""
    if depth > DEEPEST:
        return Opaque("...")
    if isinstance(value, torch.Tensor):
        return _tensor(value)
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, torch.dtype, torch.device)):
        return value
    if isinstance(value, Mapping):
        return {_key(k): snapshot(v, depth + 1) for k, v in value.items()}
    if isinstance(value, (list, tuple, deque)):
        return [snapshot(v, depth + 1) for v in value]
    if isinstance(value, (set, frozenset)):
        return sorted(repr(_key(v)) for v in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: snapshot(getattr(value, f.name, None), depth + 1) for f in dataclasses.fields(value)}
    if isinstance(value, torch.nn.Module):
        return {name: _tensor(t) for name, t in value.state_dict().items() if isinstance(t, torch.Tensor)}
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return ["numpy", str(value.dtype), value.tolist()]
    if isinstance(value, types.SimpleNamespace):
        return snapshot(vars(value), depth + 1)
    if isinstance(value, Iterator):  # whoever iterates does not see of which type it is
        return Opaque("iterator")
    return Opaque(type(value).__name__)


def _key(key: Any) -> Any:
    return key if isinstance(key, (str, int, float, bool, tuple, type(None))) else Opaque(type(key).__name__)


def _tensor(value: torch.Tensor) -> Any:
    try:
        with torch.no_grad():
            plain = value.detach()
            if hasattr(plain, "__tensor_flatten__") and not isinstance(plain, FakeTensor):
                return {name: _tensor(getattr(plain, name)) for name in plain.__tensor_flatten__()[0]}
            if plain.is_sparse or plain.layout is not torch.strided:
                plain = plain.to_dense()
            return _plain(plain.clone())
    except Exception:
        return Opaque(type(value).__name__)


def _plain(value: torch.Tensor) -> torch.Tensor:
    """The same data as a tensor of torch's own: the program's subclasses may compare otherwise, and a class that was
    made within a function does not go from process to process."""
    if type(value) is torch.Tensor or isinstance(value, FakeTensor):
        return value
    with torch._C.DisableTorchFunctionSubclass():
        return value.as_subclass(torch.Tensor)


def difference(expected: Any, got: Any, where: str = "result", exact: bool = False) -> Optional[str]:
    """What differs first between two snapshots, or None. A number equals a tensor without dimensions that holds it."""
    if isinstance(expected, torch.Tensor) and isinstance(got, torch.Tensor):
        return _tensor_difference(expected, got, where, exact)
    if isinstance(expected, torch.Tensor) or isinstance(got, torch.Tensor):
        tensor, other = (expected, got) if isinstance(expected, torch.Tensor) else (got, expected)
        if isinstance(other, (bool, int, float)) and tensor.dim() == 0 and tensor.device.type != "meta":
            if _close(tensor.item(), other, exact):
                return None
        return f"{where}: {_show(expected)} became {_show(got)}"
    if isinstance(expected, dict) and isinstance(got, dict):
        if sorted(map(repr, expected)) != sorted(map(repr, got)):
            return f"{where}: keys {list(expected)} became {list(got)}"
        return _first(difference(v, got[k], f"{where}[{k!r}]", exact) for k, v in expected.items())
    if isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            return f"{where}: {len(expected)} items became {len(got)}"
        return _first(difference(a, b, f"{where}[{i}]", exact) for i, (a, b) in enumerate(zip(expected, got)))
    if isinstance(expected, (int, float)) and isinstance(got, (int, float)):
        return None if _close(expected, got, exact) else f"{where}: {expected!r} became {got!r}"
    same = type(expected) is type(got) and expected == got
    return None if same else f"{where}: {_show(expected)} became {_show(got)}"


def _close(expected: float, got: float, exact: bool) -> bool:
    if expected == got or (expected != expected and got != got):
        return True
    return not exact and abs(expected - got) <= ABSOLUTE + RELATIVE * abs(expected)


def _tensor_difference(expected: torch.Tensor, got: torch.Tensor, where: str, exact: bool) -> Optional[str]:
    if expected.dtype != got.dtype:
        return f"{where}: dtype {expected.dtype} became {got.dtype}"
    if expected.shape != got.shape:
        return f"{where}: shape {list(expected.shape)} became {list(got.shape)}"
    if expected.device != got.device:
        return f"{where}: device {expected.device} became {got.device}"
    if expected.device.type == "meta":
        return None
    if expected.is_floating_point() or expected.is_complex():
        relative, absolute = (0.0, 0.0) if exact else TOLERANCE.get(expected.dtype, COARSE)
        wide = (expected, got) if expected.dtype in TOLERANCE else (expected.float(), got.float())
        same = torch.allclose(*wide, rtol=relative, atol=absolute, equal_nan=True)
    else:
        same = torch.equal(expected, got)
    return None if same else f"{where}: {_show(expected)} became {_show(got)}"


def shared_memory(result: Any, arguments: Any) -> List[str]:
    """Which tensors of a result share memory with a tensor of the arguments, or with an earlier one of the result."""
    owners: Dict[int, str] = {}
    found = []
    for path, tensor in tensors(arguments):
        address = _address(tensor)
        if address:
            owners.setdefault(address, "argument" + path)
    for path, tensor in tensors(result):
        address = _address(tensor)
        if address and owners.setdefault(address, "result" + path) != "result" + path:
            found.append(f"result{path} shares memory with {owners[address]}")
    return found


def _address(tensor: torch.Tensor) -> int:
    try:
        return tensor.untyped_storage().data_ptr()
    except (RuntimeError, NotImplementedError, AttributeError):  # sparse, fake and wrapped tensors have none
        return 0


def shown(value: Any, most: int = 200) -> str:
    """A snapshot as text on one line."""
    return _show(value, most)


def _first(differences: Any) -> Optional[str]:
    return next((d for d in differences if d is not None), None)


def _show(value: Any, most: int = 90) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= most else text[: most - 3] + "..."
