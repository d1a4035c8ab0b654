"""CAP902: a compiler setting that does not exist, or has a new name."""

from __future__ import annotations

from analyzer.dependence import conditional
from analyzer.flow.events import AttributeStore
from analyzer.knowledge.capture_apis import closest, elsewhere, names
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import External

_OWNERS = ("torch._dynamo.config", "torch._inductor.config")


class UnknownCompilerConfig(Rule):
    """A compiler setting that does not exist.

    ## What it does
    Finds assignments to `torch._dynamo.config.NAME` and `torch._inductor.config.NAME` where the target version of
    torch has no such name.

    ## Why it matters
    The assignment raises `AttributeError`. Names change between versions; old ones such as `cache_size_limit` (now
    `recompile_limit`) live on as aliases and are not reported.

    ## Use instead
    The name that the message suggests.

    ## Fix safety
    No fix is offered.

    ## References
    torch/_dynamo/config.py and torch/_inductor/config.py of each release from 2.6 to 2.14. A name that another release
    has is not reported in an `if` or `try`, which may ask for the release.
    """

    code, name = "CAP902", "unknown-compiler-config"
    outside = True
    outcomes = {"dynamo": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    return x + 1


def main():
    torch._dynamo.config.recompile_limt = 32  # CAP902
    return torch.compile(fn)
""",
            outcomes={"dynamo": "unknown"},
        ),
        Good(
            """
import torch


def fn(x):
    return x + 1


def main():
    torch._dynamo.config.cache_size_limit = 32
    torch._dynamo.config.recompile_limit = 32
    return torch.compile(fn)
""",
        ),
    ]

    def on_attribute_store(self, event: AttributeStore, report: Reporter) -> None:
        owner = event.owner
        if not isinstance(owner, External):
            return
        base = next((o for o in _OWNERS if owner.name == o or owner.name.startswith(o + ".")), None)
        if base is None:
            return
        name = f"{owner.name}.{event.attribute}"[len(base) + 1 :]
        known = names("config", base, report.torch)
        if name in known or any(k.startswith(name + ".") for k in known):
            return
        other = elsewhere("config", base, name, report.torch)
        if other and conditional(report.tree, event.node):
            return  # that may be a question about the release
        report(event, f"{base} has no setting `{name}`{other or closest(name, known)}")
