"""Makes Inductor and Triton believe in a GPU that is not here, for as long as code is generated for it.

Nothing can be run on it: PyTorch's own operations stay on the processor, or on fakes. All is put back at the end.
"""

from __future__ import annotations

import contextlib
import importlib
from types import SimpleNamespace
from typing import Any, Dict, Iterator, Tuple
from unittest import mock

import torch

from runtime_probe.kernels.gpu.devices import Device

#: Modules whose functions remember what they found out about the hardware.
_REMEMBERING = ("torch.utils._triton", "torch._inductor.utils", "torch._inductor.runtime.hints")


class NoTriton(Exception):
    """Code for a GPU is generated in Triton, which is not installed."""


def _properties(device: Device) -> SimpleNamespace:
    major, minor = device.capability
    return SimpleNamespace(
        name=device.name,
        major=major,
        minor=minor,
        multi_processor_count=device.processors,
        warp_size=32,
        regs_per_multiprocessor=65536,
        max_threads_per_multi_processor=device.threads,
        max_threads_per_block=1024,
        total_memory=int(device.memory * 1e9),
        shared_memory_per_block=48 << 10,
        shared_memory_per_block_optin=device.shared,
        shared_memory_per_multiprocessor=device.shared + (1 << 10),
        L2_cache_size=device.cache,
        is_integrated=0,
        is_multi_gpu_board=0,
        gcnArchName="",
        uuid=f"no {device.key}",
        pci_bus_id=0,
    )


def _runtime(device: Device) -> Dict[str, Any]:
    """What `torch.cuda` answers."""
    properties = _properties(device)
    major, minor = device.capability

    def nothing(*_: Any, **__: Any) -> None:
        """There is nothing to wait for or to switch to."""

    def give(value: Any) -> Any:
        return lambda *_, **__: value

    return {
        "is_available": give(True),
        "is_initialized": give(False),
        "is_bf16_supported": give(True),
        "device_count": give(1),
        "current_device": give(0),
        "get_device_properties": give(properties),
        "get_device_capability": give((major, minor)),
        "get_device_name": give(device.name),
        "get_arch_list": give([f"sm_{major}{minor}"]),
        "synchronize": nothing,
        "_lazy_init": nothing,
        "_is_compiled": give(True),
        "_exchange_device": give(0),
        "_maybe_exchange_device": give(0),
        "device": lambda *_, **__: contextlib.nullcontext(),
        "get_rng_state": lambda *_, **__: torch.zeros(16, dtype=torch.uint8),
        "set_rng_state": nothing,
        "_set_rng_state_offset": nothing,
    }


def _interface(device: Device) -> Dict[str, Any]:
    """What Dynamo's and Inductor's own view of CUDA answers."""
    properties = _properties(device)
    answers: Dict[str, Any] = {
        "is_available": True,
        "device_count": 1,
        "current_device": 0,
        "get_compute_capability": device.capability[0] * 10 + device.capability[1],
        "get_raw_stream": 0,
        "synchronize": None,
        "is_bf16_supported": True,
        "is_triton_capable": True,
        "raise_if_triton_unavailable": None,
        "get_device_properties": properties,
        "exchange_device": 0,
        "maybe_exchange_device": 0,
    }
    return {name: staticmethod(lambda *_, _value=value, **__: _value) for name, value in answers.items()}


class Driver:
    """What Triton asks of the driver of a GPU while it compiles."""

    def __init__(self, device: Device) -> None:
        self._device = device
        limits = {"max_shared_mem": device.shared, "multiprocessor_count": device.processors, "warpSize": 32}
        self.utils = SimpleNamespace(get_device_properties=lambda *_: limits)

    def get_current_target(self) -> Any:
        from triton.backends.compiler import GPUTarget

        major, minor = self._device.capability
        return GPUTarget("cuda", major * 10 + minor, 32)

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, _: int) -> None:
        """There is one."""

    def get_current_stream(self, *_: Any) -> int:
        return 0

    def get_device_capability(self, *_: Any) -> Tuple[int, int]:
        return self._device.capability

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cuda", 0)

    def get_device_interface(self) -> Any:
        return torch.cuda


def require_triton() -> None:
    """Raises NoTriton with what to do about it."""
    try:
        importlib.import_module("triton.backends.compiler")
    except Exception as error:
        raise NoTriton(f"kernels for a GPU need triton, which cannot be imported here ({error})") from None


@contextlib.contextmanager
def driver(device: Device) -> Iterator[None]:
    """Inside, Triton compiles for the device."""
    from triton.runtime.driver import driver as config

    kept = {name: value for name, value in vars(config).items() if name in ("_active", "active")}
    config.set_active(Driver(device))
    try:
        yield
    finally:
        if "_active" in kept:
            config._active = kept["_active"]
        else:  # releases with one attribute: a proxy that looks for a driver when it is asked
            config.active = kept.get("active")


@contextlib.contextmanager
def pretended(device: Device) -> Iterator[None]:
    """Inside, Inductor generates code for the device, and Triton compiles it."""
    from torch._dynamo import device_interface

    require_triton()
    cuda = device_interface.CudaInterface
    interfaces = getattr(device_interface, "device_interfaces")  # noqa: B009  # not exported
    with contextlib.ExitStack() as undo:

        def put(owner: Any, name: str, value: Any, create: bool = True) -> None:
            undo.enter_context(mock.patch.object(owner, name, value, create=create))

        for name, value in _runtime(device).items():
            put(torch.cuda, name, value)
        for name, value in _interface(device).items():
            put(cuda, name, value)
        put(cuda, "device", lambda *_, **__: contextlib.nullcontext())
        put(cuda.Worker, "get_device_properties", staticmethod(lambda *_, **__: _properties(device)))
        put(cuda.Worker, "current_device", staticmethod(lambda: 0))
        put(torch.version, "cuda", torch.version.cuda or "12.8")
        put(torch._C, "_cuda_getCurrentRawStream", lambda *_: 0)
        put(device_interface, "_device_initialized", True)
        undo.enter_context(mock.patch.dict(interfaces, {"cuda": cuda, "cuda:0": cuda}))
        _patterns_on_cpu(put)
        _hardware(put, device)
        _seeds(put)
        _copies(put)
        undo.enter_context(driver(device))
        _forget()
        undo.callback(_forget)
        yield


def _patterns_on_cpu(put: Any) -> None:
    """The patterns that Inductor looks for are traced once, on tensors of their own."""
    for module, name in (
        ("torch._inductor.fx_passes.fuse_attention", "_sfdp_init"),
        ("torch._inductor.fx_passes.pad_mm", "_pad_mm_init"),
    ):
        with contextlib.suppress(ImportError, AttributeError):
            found = importlib.import_module(module)
            real = getattr(found, name)
            put(found, name, lambda *_, _real=real, **__: _real(torch.device("cpu")))


def _hardware(put: Any, device: Device) -> None:
    from torch._inductor import utils

    for name, value in (("get_gpu_dram_gbps", device.bandwidth), ("get_gpu_shared_memory", device.shared)):
        if hasattr(utils, name):
            put(utils, name, lambda *_, _value=value, **__: _value)
    with contextlib.suppress(ImportError):
        helpers = importlib.import_module("torch._inductor.runtime.triton_helpers")
        put(helpers, "set_driver_to_gpu", lambda *_, **__: None)


def _seeds(put: Any) -> None:
    """The seed of one random operation is picked by an index, which PyTorch would do on the GPU even to a fake."""
    with contextlib.suppress(ImportError, AttributeError):
        importlib.import_module("torch._inductor.inductor_prims")
        from torch._prims import TensorMeta

        def picked(seeds: Any, index: int) -> Any:
            return TensorMeta(shape=[], strides=[], dtype=seeds.dtype, device=seeds.device)

        put(torch.ops.prims.inductor_lookup_seed.default, "prim_meta_impl", picked, False)


def _copies(put: Any) -> None:
    """Copying into a fake on the GPU: the method starts the GPU first, the operation itself does not."""

    def copied(into: Any, source: Any, non_blocking: bool = False) -> Any:
        return torch.ops.aten.copy_.default(into, source, non_blocking)

    put(torch.Tensor, "copy_", copied)


def _forget() -> None:
    """Drop what was remembered about the hardware."""
    for name in _REMEMBERING:
        module = importlib.import_module(name)
        for value in list(vars(module).values()):
            members = list(vars(value).values()) if isinstance(value, type) else []
            for found in (value, *(getattr(member, "__func__", member) for member in members)):
                clear = getattr(found, "cache_clear", None)
                if callable(clear) and getattr(found, "__module__", name) == name:
                    clear()
