"""CAP901: a keyword, mode, backend or option that a capture API does not know."""

from __future__ import annotations

import ast

from analyzer.dependence import conditional
from analyzer.flow.events import Capture
from analyzer.knowledge.capture_apis import closest, elsewhere, names
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Const, Map


class UnknownCaptureArgument(Rule):
    """A keyword, mode, backend or option that a capture API does not know.

    ## What it does
    Checks the keywords of `torch.compile`, `torch.export.export`, `torch.jit.trace`, `torch.jit.script`,
    `torch.fx.symbolic_trace` and `torch.onnx.export`, and the `mode=`, `backend=` and `options=` of `torch.compile`,
    against those of the target version of torch.

    ## Why it matters
    The call raises before anything is captured. Guides and generated code spell such names wrongly
    (`mode="reduceoverhead"`, `torch.compile(model, dynamic_shapes=True)`), and the error comes only when the program
    runs.

    ## Use instead
    The name that the message suggests; `torch._inductor.list_mode_options()`, `torch._inductor.list_options()` and
    `torch._dynamo.list_backends()` list the others.

    ## Fix safety
    No fix is offered.

    ## References
    `torch.compile` and `torch._TorchCompileInductorWrapper` in torch/__init__.py; measured on torch 2.13.
    """

    code, name = "CAP901", "unknown-capture-argument"
    outside = True
    outcomes = {"dynamo": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    return x + 1


def main():
    return torch.compile(fn, mode="reduceoverhead")  # CAP901
""",
            outcomes={"dynamo": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x):
    return x + 1


def main():
    return torch.compile(fn, dynamic_shapes=True)  # CAP901
""",
            outcomes={"dynamo": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x):
    return x + 1


def main():
    return torch.compile(fn, options={"max_autotne": True})  # CAP901
""",
            outcomes={"dynamo": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x):
    return x + 1


def main():
    return torch.compile(fn, mode="max-autotune", options={"max_autotune": True})  # CAP901
""",
            outcomes={"dynamo": "unknown"},
        ),
        Good(
            """
import torch


def fn(x):
    return x + 1


def main():
    return torch.compile(fn, mode="reduce-overhead", dynamic=True)
""",
        ),
    ]

    def on_capture(self, event: Capture, report: Reporter) -> None:
        capture = event.capture
        node = capture.node
        if not isinstance(node, ast.Call) or isinstance(node.func, ast.Attribute) and node.func.attr == "partial":
            return
        api = capture.api
        outcomes: dict[Frontend, Outcome] = {next(iter(capture.frontends), "dynamo"): "refused"}
        known = names("keyword", api, report.torch)
        if not known:
            return
        for keyword in node.keywords:
            if (
                keyword.arg is not None
                and keyword.arg not in known
                and not (keyword.arg.startswith("_") or api == "torch.compile" and _is_method(node))
            ):
                other = elsewhere("keyword", api, keyword.arg, report.torch)
                if other and conditional(report.tree, node):
                    continue  # that may be a question about the release
                message = f"{api} has no argument `{keyword.arg}`{other or closest(keyword.arg, known)}"
                report(event, message, node=keyword.value, outcomes=outcomes)
        if api == "torch.compile":
            self._compile(event, node, report)

    def _compile(self, event: Capture, node: ast.Call, report: Reporter) -> None:
        values = {k.arg: (k.value, event.kwargs.get(k.arg)) for k in node.keywords if k.arg is not None}
        for kind in ("mode", "backend"):
            place, value = values.get(kind, (None, None))
            if place is None or not isinstance(value, Const) or not isinstance(value.value, str):
                continue
            known = names(kind, "torch.compile", report.torch)
            likely = closest(value.value, known)
            if value.value not in known and (kind == "mode" or likely):  # backends may be registered by packages
                report(event, f'torch.compile has no {kind} "{value.value}"{likely}', node=place)
        place, options = values.get("options", (None, None))
        if place is not None and isinstance(options, Map):
            known = names("config", "torch._inductor.config", report.torch)
            backend = values.get("backend", (None, None))[1]
            inductor = backend is None or isinstance(backend, Const) and backend.value == "inductor"
            for key in options.items if inductor else ():
                if isinstance(key, str) and key.replace("-", "_") not in known and closest(key, known):
                    report(event, f'torch.compile has no option "{key}"{closest(key, known)}', node=place)
            mode = values.get("mode", (None, None))[1]
            if isinstance(mode, Const) and mode.value is not None:
                report(event, "torch.compile takes `mode` or `options`, not both", node=place)


def _is_method(node: ast.Call) -> bool:
    """`model.compile(...)`: the method of another library may be meant."""
    return isinstance(node.func, ast.Attribute) and not (
        isinstance(node.func.value, ast.Name) and node.func.value.id == "torch"
    )
