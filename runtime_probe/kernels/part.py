"""The part `kernels`: what Inductor makes of the first call, for this machine or for `options["gpu"]`."""

from __future__ import annotations

import time
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch

from runtime_probe.job import Emit, Job, describe, one_line
from runtime_probe.kernels import inductor

inductor.one_process()

from runtime_probe.kernels.collect import Collector, collecting  # noqa: E402
from runtime_probe.kernels.gpu import devices, measure, ptx, stand_in, user_kernels  # noqa: E402
from runtime_probe.kernels.gpu.devices import Device  # noqa: E402
from runtime_probe.kernels.without_breaks import variant_of, with_own_lines  # noqa: E402
from runtime_probe.matrix.reference import reference_of  # noqa: E402
from runtime_probe.report import GraphCost, Kernel, KernelError, Skip  # noqa: E402
from runtime_probe.subject import Called, Instance, Subject  # noqa: E402

#: The part of its time after which nothing new is compiled.
_ENOUGH = 0.6


def run(subject: Subject, emit: Emit, job: Job) -> None:
    """Expects a process of its own."""
    _Run(subject, emit, job).run()


class _Run:
    def __init__(self, subject: Subject, emit: Emit, job: Job) -> None:
        self.subject = subject
        self.emit = emit
        self.job = job
        self.until = time.monotonic() + job.limits.of_part("kernels") * _ENOUGH
        self.kernels: List[Kernel] = []
        self.costs: List[GraphCost] = []
        self.skips: List[Skip] = []

    def run(self) -> None:
        device = self._device()
        lacking = inductor.missing()
        blind = f"{', '.join(lacking)} is not there" if lacking else checked()
        with inductor.own_caches():
            if blind:
                self._note(f"this torch does not let the probe see its kernels: {blind}")
            else:
                self._collect(device)
                if device is not None:
                    self._assemble(device)
            self._own_kernels(device)

    def _device(self) -> Optional[Device]:
        """The target to generate code for; none where the program's own device is meant."""
        wanted = self.job.options.get("gpu")
        if not wanted:
            return None
        try:
            device = devices.lookup(str(wanted).lower())
            stand_in.require_triton()
        except KeyError:
            self._note(f"--gpu {wanted} is not known: choose one of {', '.join(devices.known())}")
            return None
        except stand_in.NoTriton as error:
            self._note(str(error))
            return None
        return device

    def _collect(self, device: Optional[Device]) -> None:
        found, called = self._called(device)
        if called.error is not None and not found.graphs:
            self._note(f"no kernels: {called.text}")
        elif not found.graphs:
            found = self._without_breaks(device) or found
        self.kernels, self.costs, self.skips = _told(found)
        for error in found.errors():
            self._note(one_line(error, 400))
        self._tell()

    def _without_breaks(self, device: Optional[Device]) -> Optional[Collector]:
        """Of a program of which nothing is captured."""
        variant = variant_of(self.subject, self.job.options.get("fixes") or (), self.until - time.monotonic())
        if variant is not None:
            with variant.swap():
                found, called = self._called(device)
            if called.error is None and found.graphs:
                with_own_lines(found.kernels(), variant)
                lines = ", ".join(str(place.line) for place in variant.places)
                these = "the break at line" if len(variant.places) == 1 else "the breaks at lines"
                self._note(f"nothing of the first call is captured: the kernels are those without {these} {lines}")
                return found
        self._note("no kernels: nothing of the first call is captured")
        return None

    def _called(self, device: Optional[Device]) -> Tuple[Collector, Called]:
        """The first call, and what was generated for it."""
        reference = reference_of(self.subject, self.job.limits.part)
        instance = self.subject.fresh()
        kept = {name: instance.settings[name] for name in ("dynamic",) if name in instance.settings}
        with collecting(device) as found, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # advice about a GPU that is not here
            function = instance.function if reference.captures else torch.compile(instance.function, **kept)
            called = instance.call(function, 0)
        if device is None and any(kernel["target"] != "cpu" for kernel in found.kernels()):
            _measure(found.kernels(), instance, function)
        return found, called

    def _assemble(self, device: Device) -> None:
        """PTX of each kernel."""
        left = 0
        with stand_in.pretended(device):
            for row in [row for row in self.kernels if row["language"] == "triton"]:
                if time.monotonic() > self.until:
                    left += 1
                    continue
                try:
                    made = ptx.of_inductor(row["source"], row["name"])
                    row["ptx"], row["registers"], row["spills"] = True, made.registers, made.spills
                except Exception as error:
                    row["ptx"] = False
                    self._note(one_line(f"{row['name']} does not compile for {device.key}: {describe(error)}", 300))
        if left:
            self._note(f"{left} kernels were not compiled to PTX for want of time: give more with --budget")
        self._tell()

    def _own_kernels(self, device: Optional[Device]) -> None:
        if not user_kernels.there_are(self.subject):
            return
        left = max(1.0, self.until - time.monotonic())
        found = user_kernels.compile_launched(self.subject, device or devices.lookup("h100"), left)
        self.kernels += found.kernels
        self._tell()
        self._tell_errors(found.errors)
        for note in found.notes:
            self._note(note)
        if time.monotonic() < self.until:
            self._tell_errors(user_kernels.interpret(self.subject, max(1.0, self.until - time.monotonic())))

    def _tell(self) -> None:
        self.emit(
            {"event": "kernels", "kernels": self.kernels, "summary": self.costs, "cudagraphs": self.skips},
        )

    def _tell_errors(self, errors: List[KernelError]) -> None:
        if errors:
            self.emit({"event": "kernel_errors", "errors": errors})

    def _note(self, message: str) -> None:
        self.emit({"event": "note", "message": message})


def _measure(kernels: Sequence[Kernel], instance: Instance, function: Callable[..., Any]) -> None:
    """On a GPU that is here."""
    args, kwargs = instance.arguments(0)
    spent = measure.by_name(lambda: function(*args, **kwargs))
    for row in kernels:
        if row["name"] in spent:
            row["measured_us"] = round(spent[row["name"]], 3)


def _told(found: Collector) -> Any:
    found.explain_breaks()
    return found.kernels(), found.costs(), found.skips()


_checked: Dict[str, str] = {}


def checked() -> str:
    """What is wrong with what can be seen here, by a program of which all is known; "" if nothing is."""
    if "" not in _checked:
        try:
            with inductor.own_caches():
                _checked[""] = _check()
        except Exception as error:
            _checked[""] = describe(error)
    return _checked[""]


def _check() -> str:
    def known(x: Any) -> Any:
        return x.relu() + 1

    with collecting(None) as found, torch.no_grad():
        torch.compile(known)(torch.ones(8))
    torch._dynamo.reset()
    kernels = found.kernels()
    errors = found.errors()
    if errors:
        return errors[0]
    if len(kernels) != 1 or kernels[0]["launches"] != 1:
        return "one launch was expected of a known program"
    if sorted(kernels[0]["nodes"]) != ["add", "relu"]:
        return "kernels do not tell what they compute"
    return ""


def warm() -> None:
    """What every fork would do for itself."""
    checked()
