"""A file run as a program: every capture call of the file is seen, with the arguments of the program's own calls."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest

from tests.probe.zygote import Zygote

pytestmark = pytest.mark.truth

PROGRAM = """\
import torch
from torch import nn


@torch.jit.script
def helper(x):
    return x * 2


class Net(nn.Module):
    def forward(self, x):
        return helper(x)


def traced(x):
    return x[x > 0]


def compiled(x):
    return x + 1




if __name__ == "__main__":
    net = torch.jit.script(Net())
    net(torch.ones(2, 3))
    net(torch.ones(4, 3))
    print(helper(torch.ones(5)))
    torch.jit.trace(traced, (torch.ones(6),))
    symbolic = torch.fx.symbolic_trace(nn.Tanh())
    symbolic(torch.ones(7))
    torch.compile(compiled)(torch.ones(8))
    torch.compile(compiled)(torch.ones(9))
    torch.export.export(torch.nn.ReLU(), (torch.ones(10),))
"""


@pytest.fixture(scope="module")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    started = Zygote(tmp_path_factory.mktemp("probe"))
    yield started
    assert started.close() == 0


def test_each_capture_is_one_entry_with_its_real_inputs(zygote: Zygote, tmp_path: pathlib.Path) -> None:
    """Captures that torch makes of its own (a trace checks itself, a script scripts what it calls) are none."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    found = zygote.ask(path, None)
    assert [(e["entry"], e["inputs"], e["status"], e["synthesised"]) for e in found] == [
        ("Net", ["(float32[2, 3])"], "ok", False),
        ("helper", ["(float32[5])"], "ok", False),
        ("traced", ["(float32[6])"], "ok", False),
        ("Tanh", ["(float32[7])"], "ok", False),
        ("compiled", ["(float32[8])"], "ok", False),
        ("compiled", ["(float32[9])"], "ok", False),
        ("ReLU", ["(float32[10])"], "ok", False),
    ]
    assert [e["matrix"]["dynamo"]["outcome"] for e in found][2:5] == ["graph_break", "captured", "captured"]
    assert {e["output"].strip() for e in found} == {"tensor([2., 2., 2., 2., 2.])"}


NESTED = """\
import torch


def make(k):
    def body(x):
        return x * k

    return body


@torch.compile
def drive(x):
    for k in range(3):
        x = torch.compile(make(k))(x)
    return x


@torch.compile
def skipped(x):
    for k in range(2):
        print(k)
        x = torch.compile(make(k))(x)
    return x


if __name__ == "__main__":
    drive(torch.ones(3))
    skipped(torch.ones(3))
"""


def test_a_capture_call_inside_of_a_capture_is_torchs_own(zygote: Zygote, tmp_path: pathlib.Path) -> None:
    """TorchDynamo knows `torch.compile` and goes on; what is skipped runs without generated code; imports that eager
    code causes there are no frames of the program."""
    path = tmp_path / "nested.py"
    path.write_text(NESTED, encoding="utf-8")
    drive, skipped = zygote.ask(path, None)
    assert (drive["matrix"]["dynamo"]["outcome"], len(drive["frames"])) == ("captured", 1)
    assert skipped["matrix"]["dynamo"]["outcome"] == "skipped_frame"
    assert {frame["path"] for frame in skipped["frames"]} == {str(path)}
    assert [frame["function"] for frame in skipped["frames"] if frame["graphs"]] == ["make.body", "make.body"]


SEVERAL = """\
import torch


def helper(x):
    return x * 2


@torch.compile
def clean(x):
    return helper(x).relu() + 1


@torch.compile
def broken(x):
    y = x * 2
    print("hi")
    return y + 1


@torch.compile
def sized(x, k: int):
    b, d = x.shape
    for _ in range(k):
        x = x * k
    return x.reshape(b * d)


if __name__ == "__main__":
    clean(torch.randn(3))
    broken(torch.randn(3))
    for b in (3, 4, 5):
        sized(torch.randn(b, 4), 2)
    again = torch.compile(clean)
    again(torch.randn(3))
"""


def test_an_entry_tells_of_its_own_compilations_alone(zygote: Zygote, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "several.py"
    path.write_text(SEVERAL, encoding="utf-8")
    clean, broken, sized, again = zygote.ask(path, None)
    traced = [{one["function"] for one in entry["traced"]} for entry in (clean, broken, sized)]
    assert traced == [{"helper", "clean"}, {"broken"}, {"sized"}]
    assert [bool(entry["sizes"]) for entry in (clean, broken, sized)] == [False, False, True]
    assert [bool(entry["loops"]) for entry in (clean, broken, sized)] == [False, False, True]
    lines = [{span[0] for span in entry["evaluated"][str(path)]} for entry in (clean, broken, sized)]
    assert not lines[0] & lines[1] | lines[1] & lines[2]
    # Its code was made already: it holds as long as that does.
    assert again["traced"] == clean["traced"]
    # Graphs are counted in each entry.
    numbers = [[g["id"] for f in entry["frames"] for g in f["graphs"]] for entry in (clean, broken, sized)]
    assert [found[:2] for found in numbers] == [[0], [0, 1], [0, 1]]


def test_what_is_not_asked_for_runs_under_dynamo_alone(zygote: Zygote, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "several.py"
    path.write_text(SEVERAL, encoding="utf-8")
    found = zygote.ask(path, None, parts=("dynamo", "trace", "perturb"), options={"only": ["sized"]})
    assert [(e["entry"], sorted(e["matrix"])) for e in found] == [
        ("clean", ["dynamo"]),
        ("broken", ["dynamo"]),
        ("sized", ["dynamo", "trace"]),
        ("clean", ["dynamo"]),
    ]
    assert [bool(e["matrix"]["dynamo"]["perturbed"]) for e in found] == [False, False, True, False]


def test_what_a_program_changes_of_its_globals_is_not_blamed_on_the_capture(
    zygote: Zygote, tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "stepped.py"
    path.write_text(
        "import torch\n\nweight = torch.ones(3)\n\n\n@torch.compile\ndef stepped(x):\n    weight.mul_(2)\n"
        "    return x * weight\n\n\nstepped(torch.ones(3))\n",
        encoding="utf-8",
    )
    (found,) = zygote.ask(path, None, parts=("dynamo", "perturb"))
    perturbed = {p["change"]: p["outcome"] for p in found["matrix"]["dynamo"]["perturbed"]}
    assert perturbed["called again"] == "captured"
    assert "silently_wrong" not in perturbed.values()
