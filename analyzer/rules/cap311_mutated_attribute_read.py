"""CAP311: an attribute that captured code changes and reads."""

from __future__ import annotations

from analyzer.fixes import offers
from analyzer.flow.events import StateChange
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.state_rule import explained, outcomes_of


class MutatedAttributeRead(Rule):
    """An attribute that captured code both changes and reads.

    ## What it does
    Finds attributes of modules (and of objects that they hold) that `forward` updates from their own old value:
    `self.step += 1`, `self.state["n"] += 1`, `self.average = 0.9 * self.average + 0.1 * x`.

    ## Why it matters
    TorchDynamo treats an `int` or `str` attribute of an `nn.Module` as a constant and guards on its value. A counter
    misses the guard on every call: the function is compiled again up to the recompile limit (8) and runs eagerly from
    then on, even if nothing but the counter itself reads it. torch.jit.trace and torch.fx run the update once, while
    capturing; afterwards the attribute never changes, so that every later call computes with the first value.

    ## Use instead
    A registered buffer that is updated in place: `self.step.add_(1)`, `self.average.lerp_(x, 0.1)`. For a counter that
    only logs, count in the training loop.

    ## Fix safety
    A counter that only arithmetic reads becomes a buffer outside of the state dict: unsafe, since its readers get a
    tensor.

    ## References
    Registry id GB0039 (the recompile limit); `torch._dynamo.config.allow_unspec_int_on_nn_module`; measured on torch
    2.13.
    """

    code, name = "CAP311", "mutated-attribute-read"
    outcomes = {
        "dynamo": "recompiles",
        "fullgraph": "recompiles",
        "trace": "silently_wrong",
        "fx": "silently_wrong",
        "export": "silently_wrong",
    }
    examples = [
        Bad(
            """
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0

    def forward(self, x):
        self.step += 1  # CAP311
        return x * self.step
""",
            fixed="""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.tensor(0), persistent=False)

    def forward(self, x):
        self.step.add_(1)
        return x * self.step
""",
            entry="Net()",
            variants=("torch.ones(3)",) * 9,
        ),
        Bad(
            """
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1  # CAP311
        return x * 2
""",
            fixed="""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.tensor(0), persistent=False)

    def forward(self, x):
        self.calls.add_(1)
        return x * 2
""",
            entry="Net()",
            variants=("torch.ones(3)",) * 9,
            outcomes={"trace": "unknown", "fx": "unknown", "export": "unknown"},
            title="a counter that nothing else reads recompiles as well",
        ),
        Bad(
            """
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.phase = 0

    def forward(self, x):
        out = x * self.phase
        self.phase = (self.phase + 1) % 4  # CAP311
        return out
""",
            entry="Net()",
            variants=("torch.ones(3)",) * 9,
        ),
        Bad(
            """
import torch
from torch import nn


class Ema(nn.Module):
    def __init__(self):
        super().__init__()
        self.average = torch.zeros(3)

    def forward(self, x):
        self.average = 0.9 * self.average + 0.1 * x  # CAP311
        return x - self.average
""",
            entry="Ema()",
            variants=("torch.ones(3)",) * 3,
            outcomes={"dynamo": "captured", "fullgraph": "captured"},
        ),
        Bad(
            """
from torch import nn


class Difference(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None

    def forward(self, x):
        previous = x if self.last is None else self.last
        self.last = x * 0.5  # CAP311
        return x - previous
""",
            entry="Difference()",
            variants=("torch.ones(3)",) * 3,
            outcomes={"dynamo": "unknown", "fullgraph": "unknown"},
        ),
        Bad(
            """
from torch import nn


class Tracker:
    def __init__(self):
        self.calls = 0


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.tracker = Tracker()

    def forward(self, x):
        self.tracker.calls += 1  # CAP311
        return x * self.tracker.calls
""",
            entry="Net()",
            variants=("torch.ones(3)",) * 9,
        ),
        Good(
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        self.step.add_(1)
        return x * self.step
""",
            entry="Net()",
            variants=("torch.ones(3)",) * 3,
        ),
        Good(
            """
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        self.width = x.shape[-1]
        return self.scaled(x)

    def scaled(self, x):
        return x / self.width
""",
            entry="Net()",
            title="set before it is read in the same call",
        ),
        Good(
            """
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.flip = False

    def forward(self, x):
        self.flip = not self.flip
        return x * 2
""",
            entry="Net()",
            variants=("torch.ones(3)",) * 5,
            outcomes={"dynamo": "unknown"},
            title="two values: one recompilation",
        ),
        Good(
            """
import torch
from torch import nn


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = None

    def forward(self, x):
        if self.table is None:
            self.table = torch.arange(3.0)
        return x + self.table
""",
            entry="Table()",
            variants=("torch.ones(3)",) * 2,
            outcomes={"dynamo": "guarded"},
            title="filled once",
        ),
    ]

    def on_state_change(self, event: StateChange, report: Reporter) -> None:
        if event.lives not in ("module", "object", "argument") or event.how == "method":
            return
        outcomes = outcomes_of(event)
        if outcomes:
            fix = offers.buffer(report, event.statement) if event.lives == "module" else None
            report(event, explained(event, outcomes), value=event.before, outcomes=outcomes, fix=fix)
