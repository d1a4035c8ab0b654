"""A project and a history of changes to it: refactorings, which make nothing new, and changes that do."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Files = dict[str, str]

START: Files = {
    "net.py": """\
import torch

import losses


def score(x):
    return x.mean() * 2


def positive(x: torch.Tensor) -> bool:
    return x.sum() > 0


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(4, 4)
        self.threshold = 0.5
        self.calls = 0

    def encode(self, x: torch.Tensor):
        h = self.lin(x)
        if h.sum() > self.threshold:
            h = h * 2
        if h.max() > 3:
            h = h - 1
        return h

    def decode(self, x: torch.Tensor):
        peak = x.max()
        value = peak.item()
        print("decoded", value)
        return x * value

    def forward(self, x: torch.Tensor):
        h = self.encode(x)
        if score(h) > 1:
            h = h + 1
        total = losses.total(h, x)
        return self.decode(h) + total


net = torch.compile(Net())
net(torch.rand(2, 4))
""",
    "losses.py": """\
import torch


def total(a: torch.Tensor, b: torch.Tensor):
    loss = (a - b).abs().mean()
    if loss.isnan():
        loss = loss * 0
    scale = float(loss)
    kept = a[a > 0]
    return loss * scale + kept.sum()


def unused(a: torch.Tensor):
    return a.tolist()
""",
    "train.py": """\
import torch


@torch.compile
def step(x: torch.Tensor, y: torch.Tensor):
    diff = x - y
    worst = diff.max().item()
    if worst > 2:
        print("far off")
    for i in range(int(y.sum())):
        x = x + i
    return x


step(torch.rand(3), torch.rand(3))
""",
}


@dataclass(frozen=True)
class Step:
    """One commit. `new`: the (code, expression) of each finding that is new with it, `fixed`: how many it ends."""

    title: str
    change: Callable[[Files], None]
    new: tuple[tuple[str, str], ...] = ()
    fixed: int = 0


def replaced(*rows: tuple[str, str, str]) -> Callable[[Files], None]:
    """(file, old, new), every occurrence of each."""

    def change(files: Files) -> None:
        for name, old, new in rows:
            assert old in files[name], (name, old)
            files[name] = files[name].replace(old, new)

    return change


def moved(old: str, new: str) -> Callable[[Files], None]:
    """A file under another name."""

    def change(files: Files) -> None:
        files[new] = files.pop(old)

    return change


def function_moved(name: str, source: str, target: str, before: str) -> Callable[[Files], None]:
    """A top-level function, or a method within a file, taken to another place: before some text."""

    def change(files: Files) -> None:
        lines = files[source].split("\n")
        nodes = ast.walk(ast.parse(files[source]))
        node = next(n for n in nodes if isinstance(n, ast.FunctionDef) and n.name == name)
        first, last = node.lineno - 1, node.end_lineno
        block = [*lines[first:last], ""]
        files[source] = "\n".join([*lines[:first], *lines[last:]])
        assert before in files[target], before
        files[target] = files[target].replace(before, "\n".join(block) + "\n" + before, 1)

    return change


def formatted(width: int) -> Callable[[Files], None]:
    """`ruff format` with lines of another length."""

    def change(files: Files) -> None:
        for name, text in files.items():
            layout = ["--line-length", str(width), "--config", "format.skip-magic-trailing-comma=true"]
            command = [sys.executable, "-m", "ruff", "format", "--isolated", *layout, "-"]
            files[name] = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout

    return change


def both(*changes: Callable[[Files], None]) -> Callable[[Files], None]:
    """Several changes in one commit."""

    def change(files: Files) -> None:
        for one in changes:
            one(files)

    return change


def appended(name: str, text: str) -> Callable[[Files], None]:
    """More code at a file's end."""

    def change(files: Files) -> None:
        files[name] = files.get(name, "") + text

    return change


def lines_on_top(name: str) -> Callable[[Files], None]:
    """A comment and a docstring that move every line."""

    def change(files: Files) -> None:
        files[name] = '"""What this file is for.\n\nAnd more of it.\n"""\n# pylint: skip-file\n\n' + files[name]

    return change


HISTORY: tuple[Step, ...] = (
    Step("comments and a docstring", lines_on_top("net.py")),
    Step("a local renamed", replaced(("losses.py", "loss", "err"), ("losses.py", "err * scale", "err * scale"))),
    Step("another local renamed", replaced(("train.py", "worst", "largest"), ("train.py", "diff", "delta"))),
    Step(
        "parameters renamed",
        replaced(
            ("train.py", "x: torch", "inputs: torch"),
            ("train.py", "x - y", "inputs - y"),
            ("train.py", "x = x + i", "inputs = inputs + i"),
            ("train.py", "return x", "return inputs"),
        ),
    ),
    Step("reformatted to narrow lines", formatted(30)),
    Step("reformatted to wide lines", formatted(120)),
    Step("methods reordered", function_moved("decode", "net.py", "net.py", "    def encode(")),
    Step("methods reordered again", function_moved("forward", "net.py", "net.py", "    def decode(")),
    Step("a class renamed", replaced(("net.py", "Net(", "Detector("))),
    Step("a method renamed", replaced(("net.py", "encode", "embed"))),
    Step("a function renamed", replaced(("net.py", "score", "rating"))),
    Step(
        "a second break in one function",
        replaced(("net.py", "h = h * 2", "h = h * 2\n        if h.min() < -3:\n            h = h + 3")),
        new=(("CAP101", "h.min() < -3"),),
    ),
    Step("a file renamed", both(moved("losses.py", "criteria.py"), replaced(("net.py", "losses", "criteria")))),
    Step(
        "a variable for an expression",
        replaced(("net.py", "        if h.max() > 3:", "        biggest = h.max()\n        if biggest > 3:")),
    ),
    Step(
        "a variable less",
        replaced(("net.py", "        peak = x.max()\n        value = peak.item()", "        value = x.max().item()")),
    ),
    Step(
        "a helper for a condition",
        both(
            replaced(("net.py", "if h.sum() > self.threshold:", "if self.large(h):")),
            replaced(
                (
                    "net.py",
                    "    def embed(",
                    "    def large(self, t):\n        return t.sum() > self.threshold\n\n    def embed(",
                )
            ),
        ),
    ),
    Step(
        "a function moved into another file",
        both(
            function_moved("total", "criteria.py", "train.py", "@torch.compile"),
            replaced(("net.py", "criteria", "train")),
        ),
    ),
    Step(
        "one copied break",
        replaced(("train.py", "    scale = float(err)", "    scale = float(err)\n    scale = scale + float(err)")),
        new=(("CAP110", "float(err)"),),
    ),
    Step(
        "a helper for a few statements",
        replaced(
            (
                "net.py",
                '        value = x.max().item()\n        print("decoded", value)\n        return x * value',
                "        return self.scaled(x)\n\n    def scaled(self, t: torch.Tensor):\n"
                "        value = t.max().item()\n"
                '        print("decoded", value)\n        return t * value',
            )
        ),
    ),
    Step("a break fixed", replaced(("train.py", "kept = a[a > 0]", "kept = torch.where(a > 0, a, 0)")), fixed=1),
    Step("a file renamed again", both(moved("train.py", "training.py"), replaced(("net.py", "train", "training")))),
    Step("a local renamed in a method", replaced(("net.py", "value", "top"))),
    Step(
        "a function and its local renamed at once",
        replaced(("training.py", "step", "advance"), ("training.py", "largest", "extreme")),
    ),
    Step("an attribute renamed", replaced(("net.py", "threshold", "limit"))),
    Step(
        "type hints and decorators", replaced(("training.py", "b: torch.Tensor):", "b: torch.Tensor) -> torch.Tensor:"))
    ),
    Step(
        "another condition under one variable",
        replaced(("training.py", "    if extreme > 2:", "    if extreme > 2 or delta.std() > 1:")),
        new=(("CAP101", "delta.std() > 1"),),
    ),
    Step(
        "a class moved into a package",
        both(
            moved("net.py", "models/net.py"),
            replaced(("models/net.py", "import torch\n", "import torch\nimport sys\n")),
        ),
    ),
    Step(
        "code above and blank lines", replaced(("models/net.py", "class Detector(", "LIMIT = 3\n\n\n\nclass Detector("))
    ),
    Step(
        "a class renamed with all its methods reordered",
        both(
            replaced(("models/net.py", "Detector", "Finder")),
            function_moved("embed", "models/net.py", "models/net.py", "    def forward("),
        ),
    ),
    Step(
        "a new function",
        appended(
            "training.py",
            """

@torch.compile
def check(z: torch.Tensor):
    return z.sum().item()


check(torch.rand(2))
""",
        ),
        new=(("CAP110", "z.sum().item()"),),
    ),
    Step(
        "an import renamed",
        replaced(
            ("models/net.py", "import training\n", "import training as fit\n"),
            ("models/net.py", "training.total", "fit.total"),
        ),
    ),
    Step(
        "loops and helpers renamed",
        replaced(("training.py", "for i in", "for step in"), ("training.py", "inputs + i", "inputs + step")),
    ),
    Step(
        "a function wrapped in a class",
        replaced(
            ("training.py", "def total(a", "class Criterion:\n  @staticmethod\n  def total(a"),
            ("training.py", "    err = (a", "      err = (a"),
            ("training.py", "    if err.isnan", "      if err.isnan"),
            ("training.py", "        err = err * 0", "          err = err * 0"),
            ("training.py", "    scale = float", "      scale = float"),
            ("training.py", "    scale = scale", "      scale = scale"),
            ("training.py", "    kept = ", "      kept = "),
            ("training.py", "    return err", "      return err"),
            ("models/net.py", "fit.total", "fit.Criterion.total"),
        ),
    ),
    Step("reformatted at the end", formatted(88)),
    Step("the helper taken back", replaced(("models/net.py", "self.large(h)", "h.sum() > self.limit"))),
    Step(
        "a read fixed and another one made in its place",
        replaced(("training.py", "return z.sum().item()", "return z.sum() + float(z.std())")),
        new=(("CAP110", "float(z.std())"),),
        fixed=1,
    ),
)


def write(files: Files, folder: Path) -> None:
    """The files of a commit, and no others."""
    for path in folder.rglob("*.py"):
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
