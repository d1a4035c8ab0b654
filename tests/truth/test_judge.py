"""The judge on programs whose fate under torch 2.13 is known, and the comparison of claims with verdicts."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from analyzer.rule import Bad, Good, Rule
from tests.truth.claims import Case, may_resume, mismatches, root_of, statement_lines, without_marks
from tests.truth.client import Pool, request_of

pytestmark = pytest.mark.truth

BRANCH = """\
def fn(x):
    y = x.sin()
    if y.sum() > 0:
        return y + 1
    return y - 1
"""
LOOP = """\
def fn(x):
    y = x.sin()
    for i in range(2):
        y = y + 1
        print("step", i)
    return y
"""
TRY = """\
def fn(x):
    y = x.sin()
    try:
        print("value")
        y = y.cos()
    except ValueError:
        pass
    return y + 1
"""
COUNTER = """\
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls
"""
UNREAD_STATE = COUNTER.replace("return x * self.calls", "return x * 2")
FROZEN_SIZE = """\
def fn(x):
    return x.reshape(int(x.shape[0]), -1) * float(x.shape[0])
"""
RANDOM = """\
import random

def fn(x):
    return x * random.random()
"""
CLOCK = """\
import time

def fn(x):
    return x * time.perf_counter()
"""
DTYPE = """\
import torch

def fn(x):
    return torch.zeros(3) + x.size(0)
"""
MUTATES = """\
def fn(x, seen):
    seen.append(1)
    return x + len(seen)
"""
ITEM = """\
def fn(x):
    return x * x.sum().item()
"""
STAR = """\
def fn(*args):
    return args[0] + args[1]
"""
HELPER = """\
def helper(x):
    print(x.shape)
    return x + 1

def fn(x):
    y = x.sin()
    for _ in range(2):
        y = helper(y)
    return y
"""
KERNEL = """\
import triton
import triton.language as tl

@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    for i in range(n):
        if i > 3:
            return
    tl.store(x_ptr + offsets, 1.0)
"""
DRIVER = """\
import torch

def step(k):
    return lambda x: x * k

def fn(x):
    for k in range(4):
        x = torch.compile(step(k))(x)
    return x
"""


@dataclasses.dataclass(frozen=True)
class Known:
    name: str
    source: str
    frontend: str
    outcome: str
    lines: tuple[int, ...] | None = None
    ids: frozenset[str] = frozenset()
    entry: str = "fn"
    inputs: str = "torch.ones(3)"
    variants: tuple[str, ...] = ()


NEGATIVE = ("-torch.ones(3)",)
LONGER = ("torch.ones(4)", "torch.ones(5)", "torch.ones(6)")
KNOWN = [
    Known("branch", BRANCH, "dynamo", "graph_break", (3,), frozenset({"GB0170"}), variants=NEGATIVE),
    Known("branch", BRANCH, "fullgraph", "refused", (3,), frozenset({"GB0170"})),
    Known("branch", BRANCH, "trace", "silently_wrong", (3,), variants=NEGATIVE),
    Known("branch-same-arm", BRANCH, "trace", "captured", (3,)),
    Known("branch", BRANCH, "fx", "refused", (3,)),
    Known("branch", BRANCH, "script", "captured", variants=NEGATIVE),
    Known("branch", BRANCH, "export", "refused", (3,)),
    Known("loop", LOOP, "dynamo", "skipped_frame", (5,), frozenset({"GB0059", "GB7000"})),
    Known("try", TRY, "dynamo", "skipped_frame", (4,), frozenset({"GB0059"})),
    Known("helper-in-loop", HELPER, "dynamo", "skipped_frame", None, frozenset({"GB7000"})),
    Known("counter", COUNTER, "dynamo", "recompiles", (9,), entry="Net()", variants=("torch.ones(3)",) * 3),
    Known("counter", COUNTER, "trace", "silently_wrong", entry="Net()"),
    Known("counter", COUNTER, "fx", "silently_wrong", entry="Net"),
    Known("counter", COUNTER, "script", "captured", entry="Net()"),
    Known("counter", COUNTER, "export", "silently_wrong", entry="Net().forward"),
    Known("unread-state", UNREAD_STATE, "trace", "silently_wrong", entry="Net()"),
    Known("size", FROZEN_SIZE, "dynamo", "guarded", variants=LONGER),
    Known("size", FROZEN_SIZE, "trace", "silently_wrong", variants=LONGER),
    Known("random", RANDOM, "trace", "silently_wrong"),
    Known("random", RANDOM, "dynamo", "graph_break", (4,)),
    Known("clock", CLOCK, "trace", "silently_wrong"),
    Known("clock", CLOCK, "dynamo", "graph_break", (4,)),
    Known("dtype", DTYPE, "export", "captured", variants=LONGER),
    Known("list", MUTATES, "dynamo", "captured", inputs="(torch.ones(3), [])"),
    Known("item", ITEM, "dynamo", "graph_break", (2,)),
    Known("item", ITEM, "fullgraph", "captured", variants=("torch.zeros(3)",)),
    Known("item", ITEM, "trace", "silently_wrong", variants=("2 * torch.ones(3)",)),
    Known("star", STAR, "export", "captured", inputs="(torch.ones(3), torch.ones(3))"),
    Known("driver", DRIVER, "dynamo", "guarded", variants=("torch.ones(3)",)),
    Known("kernel", KERNEL, "triton", "refused", (8,), entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 16})'),
    Known("kernel", KERNEL.replace("return", "n += 1"), "triton", "captured", entry="kernel"),
    Known("cudagraph", BRANCH, "cudagraph", "unknown"),
    Known("endless", "def fn(x):\n    while True:\n        pass\n", "dynamo", "unknown"),
    Known("dies", "import os\ndef fn(x):\n    os.abort()\n", "dynamo", "unknown"),
    Known("broken", "def fn(x):\n    raise KeyError(x)\n", "trace", "unknown", (2,)),
]


@pytest.mark.parametrize("known", KNOWN, ids=lambda k: f"{k.name}-{k.frontend}")
def test_known_programs(known: Known, judges: Pool) -> None:
    timeout = 5.0 if known.name == "endless" else 120.0
    request = request_of(known.source, known.entry, known.inputs, known.variants, [known.frontend], timeout=timeout)
    verdict = judges.judge(request)["verdicts"][known.frontend]
    assert verdict["outcome"] == known.outcome, verdict
    if known.lines is not None:
        assert tuple(dict.fromkeys(verdict["lines"]))[: len(known.lines)] == known.lines, verdict
    assert known.ids <= set(verdict["ids"]), verdict


def test_frontends_do_not_disturb_one_another(judges: Pool) -> None:
    frontends = ["trace", "dynamo", "fx", "export", "dynamo"]
    alone = [judges.judge(request_of(COUNTER, "Net()", "torch.ones(3)", [], [f]))["verdicts"][f] for f in frontends]
    together = judges.judge(request_of(COUNTER, "Net()", "torch.ones(3)", [], frontends))["verdicts"]
    assert [v["outcome"] for v in alone] == [together[f]["outcome"] for f in frontends]


def test_two_versions_are_compared(judges: Pool) -> None:
    request = request_of(BRANCH, "fn", "torch.ones(3)", ["-torch.ones(3)"], ["same"])
    where = "import torch\ndef fn(x):\n    y = x.sin()\n    return torch.where(y.sum() > 0, y + 1, y - 1)\n"
    assert judges.judge({**request, "other": where})["verdicts"]["same"]["outcome"] == "captured"
    other = where.replace("y - 1", "y - 2")
    assert judges.judge({**request, "other": other})["verdicts"]["same"]["outcome"] == "silently_wrong"


class Branch(Rule):
    code, name = "CAP101", "branch"
    outcomes = {"dynamo": "graph_break", "trace": "silently_wrong", "script": "captured"}
    graph_breaks = ("GB0170",)


MARKED = BRANCH.replace("> 0:", "> 0:  # CAP101")


def case(source: str, rule: type[Rule] = Branch, **more: Any) -> Case:
    return Case(rule, "bad", 1, Bad(source, variants=NEGATIVE, **more))


def test_true_claims_pass_and_false_ones_are_told(judges: Pool) -> None:
    true = case(MARKED)
    assert true.marked == [3]
    assert mismatches(true, judges.judge(true.request())["verdicts"]) == []

    false = case(MARKED, outcomes={"script": "refused"})
    (told,) = mismatches(false, judges.judge(false.request())["verdicts"])
    assert told.startswith("script: claimed refused, PyTorch: captured")

    elsewhere = case(BRANCH.replace("x.sin()", "x.sin()  # CAP101"))
    (told,) = mismatches(elsewhere, judges.judge(elsewhere.request())["verdicts"])
    assert "no break on a marked line [2]" in told

    class OtherId(Branch):
        graph_breaks = ("GB0059",)

    wrong_id = case(MARKED, OtherId)
    (told,) = mismatches(wrong_id, judges.judge(wrong_id.request())["verdicts"])
    assert "carries none of ['GB0059']" in told

    not_judged = case(MARKED, outcomes={"script": "unknown", "dynamo": "unknown"})
    assert set(not_judged.claims) == {"trace"}


def test_good_examples_claim_that_dynamo_captures() -> None:
    assert Case(Branch, "good", 1, Good(BRANCH)).claims == {"dynamo": "captured"}


def test_marks_and_roots() -> None:
    assert without_marks(MARKED) == BRANCH.strip()
    assert root_of("fn", BRANCH) == "fn"
    assert root_of("Net(3)", COUNTER) == "Net.forward"
    assert root_of("Net().encode", COUNTER) == "Net.encode"
    assert root_of("(kernel, {}, {})", KERNEL) == "kernel"
    assert root_of("torch.nn.ReLU()", COUNTER) is None
    text = "def f(x):\n    if (\n        x\n    ):\n        g(\n            x,\n        )\n"
    assert statement_lines(text, 3) == {2, 3, 4}
    assert statement_lines(text, 6) == {5, 6, 7}
    assert statement_lines(KERNEL, 5) == {4, 5}
    assert may_resume(case(MARKED))
    assert not may_resume(case(LOOP.replace("print(", "print(  # CAP101\n            ")))
