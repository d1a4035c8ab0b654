"""Running a call: on fake tensors, which have sizes and no data, and on real ones."""

from __future__ import annotations

import contextlib
import logging
import time
import warnings
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import torch

from runtime_probe.subject import LoadedFile, as_arguments, owner_of, reseed
from runtime_probe.synthesis.argument import Call
from runtime_probe.synthesis.blame import Failure, read

_FAKE_ERRORS = ("DataDependentOutputException", "DynamicOutputShapeException", "UnsupportedOperatorException",
                "UnsupportedFakeTensorException", "GuardOnDataDependentSymNode", "MetadataMismatchError",
                "DataDependentError", "UserError")  # fmt: skip
_FAKE_WORDS = ("fake", "Fake", "meta tensor", "Meta", "data-dependent", "data pointer", "storage")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No warnings, and nothing from torch's loggers, which print a traceback for each error on fake tensors."""
    logger = logging.getLogger("torch")
    level, disabled = logger.level, logging.root.manager.disable
    logger.setLevel(logging.CRITICAL + 1)
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
        logging.disable(disabled)


def fake_mode() -> Any:
    """A mode in which new tensors are fake, and the module's real ones are taken for their sizes."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    return FakeTensorMode(allow_non_fake_inputs=True)


class Trials:
    """Calls of one entry. `entry` is evaluated afresh for each real call."""

    def __init__(self, file: LoadedFile, entry: str, make: Callable[[], Any]) -> None:
        self._file = file
        self.entry = entry
        self.make = make
        self._function: Any = None
        self.count = 0
        self.fakes = True
        self.slowest = 0.0

    @property
    def function(self) -> Any:
        """The object to be called on fake tensors."""
        if self._function is None:
            reseed(0)
            self._function = self.make()
        return self._function

    def fake(self, call: Call) -> Tuple[bool, Optional[Failure]]:
        """(whether fake tensors can tell, the failure or None)."""
        if not self.fakes:
            return False, None
        try:
            mode = fake_mode()
        except Exception:  # a torch without fake tensors
            self.fakes = False
            return False, None
        failure, error = self._run(self.function, call.text(), call, mode)
        if _holds_fakes(self.function):
            self._function = None
        if error is None or failure is None:
            return True, None
        name = type(error).__name__
        doubtful = name in _FAKE_ERRORS or any(word in str(error) for word in _FAKE_WORDS)
        return not doubtful, failure

    def real(self, call: Call) -> Optional[Failure]:
        """The failure on real tensors, or None."""
        return self.run_text(call.text(), call)

    def run_text(self, inputs: str, call: Optional[Call] = None) -> Optional[Failure]:
        """The failure of a call given as an expression, on a fresh object, or None."""
        reseed(0)
        try:
            function = self.make()
        except (Exception, SystemExit) as error:
            return read(error, {})
        start = time.monotonic()
        failure, _ = self._run(function, inputs, call, None)
        self.slowest = max(self.slowest, time.monotonic() - start)
        return failure

    def _run(
        self, function: Any, inputs: str, call: Optional[Call], mode: Any
    ) -> Tuple[Optional[Failure], Optional[BaseException]]:
        self.count += 1
        tensors: Dict[int, str] = {}
        reached = [0]

        def step(*_: Any) -> None:
            reached[0] += 1

        hook = torch.nn.modules.module.register_module_forward_pre_hook(step)
        try:
            with contextlib.ExitStack() as stack:
                stack.enter_context(quiet())
                if mode is not None:
                    stack.enter_context(mode)
                    stack.enter_context(torch.no_grad())
                args, kwargs = as_arguments(self._file.evaluate(inputs))
                tensors = _owners(args, kwargs, call)
                function(*args, **kwargs)
        except (Exception, SystemExit) as error:
            return read(error, tensors, reached[0]), error
        finally:
            hook.remove()
        return None, None


def _owners(args: Tuple[Any, ...], kwargs: Dict[str, Any], call: Optional[Call]) -> Dict[int, str]:
    """`id` of each argument, and of each tensor in it, → its parameter."""
    names = [name for name, _ in call.arguments] if call is not None else []
    found: Dict[int, str] = {}

    def visit(value: Any, name: str) -> None:
        if isinstance(value, torch.Tensor):
            found[id(value)] = name
        elif isinstance(value, (list, tuple)):
            for inner in value:
                visit(inner, name)
        elif isinstance(value, dict):
            for inner in value.values():
                visit(inner, name)

    for name, value in [*zip(names, args), *kwargs.items()]:
        visit(value, name)
    return found


def _holds_fakes(function: Any) -> bool:
    """Whether a call on fake tensors left one of them behind in the module."""
    from torch._subclasses.fake_tensor import FakeTensor

    owner = owner_of(function)
    if isinstance(owner, torch.nn.Module):
        holders: List[Any] = list(owner.modules())
    elif owner is not function:
        holders = [owner]
    else:
        return False
    for holder in holders:
        state = getattr(holder, "__dict__", {})
        for value in [*state.values(), *state.get("_buffers", {}).values(), *state.get("_parameters", {}).values()]:
            if isinstance(value, (list, tuple)):
                value = next(iter(value), None)
            elif isinstance(value, dict):
                value = next(iter(value.values()), None)
            if isinstance(value, FakeTensor):
                return True
    return False
