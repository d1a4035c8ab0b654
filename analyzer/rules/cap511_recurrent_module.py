"""CAP511: nn.LSTM, nn.GRU and nn.RNN in captured code."""

from __future__ import annotations

from analyzer.flow.events import AttributeLoad, Call
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Bound, Instance, Value

RECURRENT = frozenset({"torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN", "torch.nn.RNNBase"})


class RecurrentModule(Rule):
    """nn.LSTM, nn.GRU and nn.RNN in captured code.

    ## What it does
    Finds calls of recurrent modules, of their methods, and reads of their attributes.

    ## Why it matters
    TorchDynamo does not trace these modules (`torch._dynamo.config.allow_rnn` is off): the graph ends at each use.

    ## Use instead
    `nn.LSTMCell` and `nn.GRUCell` are captured; `torch._dynamo.config.allow_rnn = True` if you accept its limits.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB0014; measured on torch 2.13.
    """

    code, name = "CAP511", "recurrent-module"
    calls = ("torch.nn.",)
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0014",)
    strict_export = "captured"
    examples = [
        Bad(
            """
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 6, batch_first=True)

    def forward(self, x):
        out, _ = self.rnn(x * 2)  # CAP511
        return out[:, -1]
""",
            entry="Encoder()",
            inputs="torch.randn(2, 5, 4)",
            outcomes={"dynamo": "skipped_frame"},
        ),
        Bad(
            """
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, bidirectional=True):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.encoder = nn.GRU(4, 6, bidirectional=bidirectional)
        self.head = nn.Linear(12, 3)

    def encode(self, x):
        return self.encoder(x)[0]  # CAP511

    def forward(self, tokens):
        return self.head(self.encode(self.embed(tokens)))
""",
            title="in a helper",
            entry="Tagger()",
            inputs="torch.tensor([[1, 2], [3, 4]])",
            outcomes={"dynamo": "skipped_frame"},
        ),
        Bad(
            """
import torch
from torch import nn


class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.RNN(4, 4), nn.RNN(4, 4)])

    def forward(self, x):
        for layer in self.layers:
            x, _ = layer(x)  # CAP511
        return x
""",
            title="in a loop the whole forward runs eagerly",
            entry="Stacked()",
            inputs="torch.randn(5, 2, 4)",
            outcomes={"dynamo": "skipped_frame"},
        ),
        Good(
            """
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 6)

    def forward(self, x):
        h, c = self.cell(x, (torch.zeros(2, 6), torch.zeros(2, 6)))
        return h
""",
            entry="Cell()",
            inputs="torch.randn(2, 4)",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "captured",
            },
        ),
        Good(
            """
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(4, 2, batch_first=True)

    def forward(self, x):
        return self.layer(x)
""",
            entry="Encoder().eval()",
            inputs="torch.randn(2, 3, 4)",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "captured",
            },
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        name = event.name
        if name.endswith(".__call__"):
            name = name[: -len(".__call__")]
        owner = event.callee.owner if isinstance(event.callee, Bound) else None
        if name in RECURRENT and event.name.endswith(".__call__") or owner is not None and _is_recurrent(owner):
            # the module breaks where it is looked up, before its arguments are there
            report(
                event,
                "TorchDynamo does not trace recurrent modules",
                outcomes={**self.claims(report.torch), "dynamo": "skipped_frame"},
            )

    def on_attribute_load(self, event: AttributeLoad, report: Reporter) -> None:
        if _is_recurrent(event.value):
            report(event, "TorchDynamo does not trace recurrent modules")


def _is_recurrent(value: Value) -> bool:
    return isinstance(value, Instance) and value.name in RECURRENT and not value.fresh
