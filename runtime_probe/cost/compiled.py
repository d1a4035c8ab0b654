"""`torch.compile` for measuring: the program's own settings, nothing shared between variants, a cache of our own."""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import tempfile
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

import torch

from runtime_probe.matrix.fullgraph import compiled as compiled_eagerly
from runtime_probe.matrix.reference import Reference
from runtime_probe.subject import Instance

_PREFIX = "capture-lsp-inductor-"
_LOCK = "in-use"
_CACHES = ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR")


def prepare() -> None:
    """Inductor, so that it can run in a fork: compilations here, one after the other, in no pool of processes."""
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    importlib.import_module("torch._inductor.compile_fx")
    config: Any = importlib.import_module("torch._inductor.config")
    config.compile_threads = 1


def allow_variants(count: int) -> None:
    """Code that all variants share, as that of torch's own modules, may be compiled once for each, and as often as ever
    for every one of them."""
    config: Any = torch._dynamo.config
    for name in ("recompile_limit", "cache_size_limit"):
        limit = getattr(config, name, None)
        if limit is not None:
            setattr(config, name, limit * max(1, count))
            return


def use_threads(wanted: Optional[int]) -> int:
    """Set how many threads operators use: as many as torch would, were it started by itself, unless told otherwise.
    Only in a process of its own, behind the last fork."""
    if wanted is None:
        try:
            wanted = len(os.sched_getaffinity(0))
        except AttributeError:
            wanted = os.cpu_count() or 1
    torch.set_num_threads(max(1, wanted))
    return torch.get_num_threads()


@contextlib.contextmanager
def fresh_cache(like: Optional[str] = None) -> Iterator[str]:
    """Inside, Inductor's cache is an empty folder, or a copy of another, removed afterwards. Those of processes that
    were killed go, too. The precompiled C++ header is not in it: torch keeps it for all."""
    folder = tempfile.mkdtemp(prefix=_PREFIX)
    if like is not None:
        shutil.copytree(like, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(_LOCK))
    before = {name: os.environ.get(name) for name in _CACHES}
    with _held(folder) as sweep:
        if sweep:
            _sweep()
        os.environ.update({_CACHES[0]: folder, _CACHES[1]: os.path.join(folder, "triton")})
        try:
            yield folder
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value
            shutil.rmtree(folder, ignore_errors=True)


def _lock_of(folder: str) -> str:
    return os.path.join(folder, _LOCK)


@contextlib.contextmanager
def _held(folder: str) -> Iterator[bool]:
    """Inside, the folder is known to be in use; False where that cannot be told (Windows)."""
    with open(_lock_of(folder), "w") as lock:
        try:
            import fcntl
        except ImportError:
            yield False
            return
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield True


def _sweep() -> None:
    """Remove the folders whose processes have ended without doing so."""
    import fcntl

    with os.scandir(tempfile.gettempdir()) as entries:
        left = [entry.path for entry in entries if entry.name.startswith(_PREFIX)]
    for folder in left:
        with contextlib.suppress(OSError), open(_lock_of(folder)) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)


def warm_up() -> None:
    """Compile something tiny: what Inductor finds out once for a machine is not the program's cost."""

    def tiny(x: Any) -> Any:
        return x * 2 + 1

    torch.compile(tiny, backend="inductor")(torch.ones(8))
    torch._dynamo.reset()


def for_timing(instance: Instance, captures: bool, **more: Any) -> Callable[..., Any]:
    """The function compiled as the program does it, else with the defaults; `more` goes before either. A program that
    compiles by itself is left alone."""
    if captures:
        return instance.function  # type: ignore[no-any-return]
    settings = {**instance.settings, **more}
    backend, named = _own_backend(settings)
    return torch.compile(instance.function, backend=backend, **named)


def _own_backend(settings: Dict[str, Any]) -> Tuple[Any, Dict[str, Any]]:
    """A backend that equals no other, since Dynamo reuses what was compiled by an equal one; and the other settings."""
    named = {name: value for name, value in settings.items() if name not in ("backend", "mode", "options")}
    backend, mode, options = settings.get("backend", "inductor"), settings.get("mode"), settings.get("options")
    dynamic = settings.get("dynamic")
    try:
        if backend == "inductor":
            mode = mode or (None if options else "default")
            wrapper: Any = torch._TorchCompileInductorWrapper(mode, options, dynamic)  # type: ignore[no-untyped-call]
        else:
            wrapper = torch._TorchCompileWrapper(backend, mode, options, dynamic)  # type: ignore[no-untyped-call]
    except AttributeError:  # not on this torch
        return backend, {name: value for name, value in settings.items() if name != "backend"}

    def call(module: Any, inputs: Any) -> Any:
        return wrapper(module, inputs)

    call.__name__ = str(backend if isinstance(backend, str) else getattr(backend, "__name__", backend))  # in errors
    return call, named


def without_code(instance: Instance, captures: bool) -> Callable[..., Any]:
    """The function under Dynamo alone: for what breaks and what comes out, no code is generated."""
    made: Callable[..., Any] = compiled_eagerly(instance, Reference(captures=captures))
    return made
