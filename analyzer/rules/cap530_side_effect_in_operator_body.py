"""CAP530: side effects in the body of a higher-order operator."""

from __future__ import annotations

from analyzer.flow.events import AttributeStore, GlobalStore
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance


class SideEffectInOperatorBody(Rule):
    """Side effects in the body of a higher-order operator.

    ## What it does
    Finds assignments to globals, attributes and outer containers in functions given to `torch.cond`, `while_loop` and
    `torch.utils.checkpoint.checkpoint`.

    ## Why it matters
    The body becomes a graph of its own, which must not change anything outside: torch.compile breaks (checkpoint) or refuses
    (cond, while_loop).

    ## Use instead
    Return the value and assign it outside.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0067, GB0040, GB0041; measured on torch 2.13.
    """

    code, name = "CAP530", "side-effect-in-operator-body"
    outcomes = {"dynamo": "graph_break", "fullgraph": "refused", "export": "refused"}
    graph_breaks = ("GB0067", "GB0040", "GB0041", "GB0014")
    examples = [
        Bad(
            """
from torch.utils.checkpoint import checkpoint

SEEN = []


def block(x):
    SEEN.append(x.shape[0])  # CAP530
    return x.sin()


def fn(x):
    return checkpoint(block, x, use_reentrant=False).sum()
""",
            inputs="torch.ones(3, requires_grad=True)",
            outcomes={"export": "unknown"},
        ),
        Good(
            """
from torch.utils.checkpoint import checkpoint


def block(x):
    return x.sin()


def fn(x):
    return checkpoint(block, x, use_reentrant=True).sum()
""",
            inputs="torch.ones(3, requires_grad=True)",
        ),
    ]

    def on_global_store(self, event: GlobalStore, report: Reporter) -> None:
        if event.context.region:
            report(event, f"a {event.context.region} body must not change anything outside")

    def on_attribute_store(self, event: AttributeStore, report: Reporter) -> None:
        if event.context.region and isinstance(event.owner, Instance) and not event.owner.fresh:
            report(event, f"a {event.context.region} body must not change anything outside")
