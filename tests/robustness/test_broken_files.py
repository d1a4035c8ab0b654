"""Broken, deep and huge files: what is untouched keeps its findings, and nothing takes long."""

from __future__ import annotations

import time

import pytest

from analyzer.api import Options, Report, Surroundings, analyze
from analyzer.suppress import suppress

GOOD = """\
@torch.compile
def {name}(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x + 1
    return x - 1


"""
HEAD, TAIL = "import torch\n\n" + GOOD.format(name="first"), "\n\n" + GOOD.format(name="last")
PATH = "/nowhere/m.py"

BROKEN = {
    "bracket in a function": "def h(x):\n    return foo(x\n",
    "bracket": "y = [1, 2\n",
    "brace in a function": "def h(x):\n    d = {'a': 1,\n    return d\n",
    "string": 'def h(x):\n    s = "abc\n    return s\n',
    "long string": 'def h(x):\n    s = """abc\n    return s\n',
    "f-string": 'def h(x):\n    return f"{x"\n',
    "indentation": "def h(x):\n  a = 1\n      b = 2\n",
    "dedent": "def h(x):\n        a = 1\n    b = 2\n",
    "tabs": "def h(x):\n\tif x:\n        return 1\n",
    "half a def": "def h(\n",
    "a def without colon": "def h(x)\n    pass\n",
    "a def without body": "def h(x):\n",
    "def": "def\n",
    "a class without body": "class A:\n",
    "half a method": "class A:\n    def f(self, x):\n        return x +\n\n    def g(self, x):\n        return x\n",
    "a dot": "def h(x):\n    x.\n",
    "try": "def h(x):\n    try:\n        x\n",
    "try in a method": "class A:\n    def f(self, x):\n        try:\n            x\n\n    def g(self): pass\n",
    "a module's try": "try:\n    x = 1\n",
    "with": "def h(x):\n    with x:\n",
    "decorator": "@torch.compile(\ndef h(x): return x\n",
    "@": "@\ndef h(x): pass\n",
    "return": "return 3\n",
    "import": "from torch import\n",
    "open import": "from . import (a,\n",
    "conflict": "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\n",
    "many": "".join(f"def h{i}(x):\n    return (x\n" for i in range(60)),
    "deep blocks": "".join(" " * i + "if 1:\n" for i in range(300)) + " " * 300 + "pass\n",
    "deep brackets": "x = " + "(" * 5000 + "1" + ")" * 5000 + "\n",
    "long number": "n = " + "9" * 5000 + "\n",
}
#: Newer than some Python that runs the tests: understood by every one.
NEW = {
    "3.11": "def h(*args: *Ts):\n    try:\n        y = a[*b, 1]\n    except* ValueError as e:\n        pass\n",
    "3.12": "def h[T: (int, str), *Ts, **P](x: T) -> T:\n    return f\"{'a' + f'{x}'}\"\n\n\ntype X[T] = list[T]\n",
    "3.13": "class A[T = int]: pass\n",
    "3.14": 'def h(x):\n    try:\n        return t"{x} {x!r:>10}"\n    except A, B.c:\n        pass\n',
}


def report(text: str) -> Report:
    return analyze([PATH], Options(), {PATH: text}, None, Surroundings(frozenset([PATH]), (PATH,)))


def lines(text: str) -> set[int]:
    """The lines of the two tests of `first` and `last`."""
    return {number for number, line in enumerate(text.split("\n"), 1) if line == "    if x.sum() > 0:"}


@pytest.mark.parametrize("kind", BROKEN)
def test_functions_around_a_broken_one_keep_their_findings(kind: str) -> None:
    text = HEAD + BROKEN[kind] + TAIL
    found = report(text)
    assert {f.line for f in found.findings if f.code == "CAP101"} == lines(text)
    assert found.errors
    assert {error.kind for error in found.errors} <= {"syntax", "nested"}


@pytest.mark.parametrize("version", NEW)
def test_syntax_newer_than_the_running_python_is_understood(version: str) -> None:
    text = HEAD + NEW[version] + TAIL
    found = report(text)
    assert found.errors == []
    assert {f.line for f in found.findings if f.code == "CAP101"} == lines(text)


@pytest.mark.parametrize("deep", ["x" + ".a()" * 3000, "+".join(["1"] * 20000), "-" * 3000 + "1"])
def test_deep_expressions_cost_one_line_of_error_at_most(deep: str) -> None:
    text = HEAD + f"def h(x):\n    return {deep}\n" + TAIL
    found = report(text)
    assert len(found.errors) <= 1
    assert {error.kind for error in found.errors} <= {"nested"}
    assert {f.line for f in found.findings if f.code == "CAP101"} == lines(text)


@pytest.mark.parametrize(
    "data",
    [
        "[" + ", ".join(map(str, range(250_000))) + "]",
        "[" + ", ".join(f"'{i}'" for i in range(150_000)) + "]",
        "{" + ", ".join(f"'{i}': {i}" for i in range(120_000)) + "}",
    ],
    ids=["numbers", "texts", "table"],
)
def test_data_on_one_line_takes_no_time_to_speak_of(data: str) -> None:
    text = HEAD + f"DATA = {data}\n" + TAIL.replace("> 0:", "> 0:  # capture: ignore")
    began = time.process_time()
    found = report(text)
    left = suppress(PATH, text, found.findings)
    assert time.process_time() - began < 10
    assert [f.line for f in left] == [5]


def test_a_class_captured_at_module_level_has_its_own_name() -> None:
    text = (
        "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        print(x)\n"
        "        return x\n\n\n"
        "torch.compile(Net())(torch.ones(3))\n"
    )
    (finding,) = report(text).findings
    assert finding.function == "Net.forward"
    assert finding.roots == [f"{PATH}::Net.forward"]


@pytest.mark.parametrize("called", ["", "first(torch.ones(3))\n"])
def test_provenance_says_that_a_parameter_is_a_tensor(called: str) -> None:
    (finding,) = report(HEAD + called).findings
    assert finding.provenance[0].text == "x is a tensor: parameter of first"
