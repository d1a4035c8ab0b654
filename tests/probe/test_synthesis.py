"""Inputs made up for small modules and functions of many kinds, and what is said where none is found."""

from __future__ import annotations

import logging
import pathlib
import re

import pytest
import torch

from runtime_probe.subject import ExpressionSubject, LoadedFile
from runtime_probe.synthesis import (
    NoInputs,
    capture_inputs,
    declared_inputs,
    file_entries,
    synthesise,
    with_init,
)

FOLDER = pathlib.Path(__file__).parents[1] / "data" / "synthesis"
KINDS = [
    "Perceptron", "Flattened", "Signal", "Volume", "Words", "ShortPositions", "Attention", "CrossAttention",
    "TextTransformer", "Patches", "FixedImage", "MultipleOf", "WithConfig", "WithUnannotatedConfig", "WithArguments",
    "WithSettingsDict", "WithEnum", "WithMode", "WithActivation", "Nested", "Sizes", "OptionalNeeded", "Lazy", "Double",
    "OwnParameter", "Typed", "Documented", "Example", "ListInput", "DictInput", "ObjectInput", "Graph", "Diffusion",
    "HandsOn", "Caching", "DataDependent", "masked_mean", "branch_on_value", "repeated", "choose", "pairwise", "images",
]  # fmt: skip


@pytest.fixture(scope="module")
def modules() -> LoadedFile:
    return LoadedFile(str(FOLDER / "modules.py"), "synthesis_modules")


def _file(folder: pathlib.Path, source: str, name: str = "synthesis_given") -> LoadedFile:
    path = folder / "program.py"
    path.write_text(source)
    return LoadedFile(str(path), name)


@pytest.mark.truth
@pytest.mark.parametrize("entry", KINDS)
def test_runs_with_made_up_inputs(modules: LoadedFile, entry: str) -> None:
    found = synthesise(modules, entry, None, 60)
    assert len(found.inputs) == 1
    assert found.tries >= 1
    assert found.entry.startswith(entry)
    subject = ExpressionSubject(modules, found.entry, found.inputs).fresh()
    called = subject.call(subject.function, 0)
    assert called.error is None, f"{found}: {called.text}"


@pytest.mark.truth
@pytest.mark.parametrize(
    "entry, inputs",
    [
        ("Words", "(torch.randint(0, 50, (2, 8)),)"),
        ("Flattened", "(torch.randn(2, 1, 28, 28),)"),
        ("FixedImage", "(torch.randn(2, 4, 48, 48),)"),
        ("Typed", "(torch.randn(2, 8, 13), torch.ones(2, 8, dtype=torch.bool))"),
        ("Documented", "(torch.randn(2, 5, 32, 32), torch.randn(2, 1))"),
        ("Example", "dict(x=torch.rand(3, 17), strength=0.25)"),
        ("Double", "(torch.randn(2, 9, dtype=torch.float64),)"),
        ("branch_on_value", "(torch.randn(()),)"),
    ],
)
def test_the_chosen_inputs(modules: LoadedFile, entry: str, inputs: str) -> None:
    assert synthesise(modules, entry, None, 60).inputs == [inputs]


@pytest.mark.truth
def test_constructor_arguments_are_shown(modules: LoadedFile) -> None:
    assert synthesise(modules, "Example", None, 60).entry == "Example(width=17)"
    assert synthesise(modules, "Volume", None, 60).entry == "Volume()"
    assert synthesise(modules, "WithMode", None, 60).entry in ("WithMode(mode='zigzag')", "WithMode(mode='spiral')")


@pytest.mark.truth
def test_configurations_are_made_small(modules: LoadedFile) -> None:
    built = modules.evaluate(synthesise(modules, "WithConfig", None, 60).entry)
    assert sum(p.numel() for p in built.parameters()) < 200_000
    assert len(built.layers) == 2


@pytest.mark.truth
def test_given_constructor_arguments_are_kept(modules: LoadedFile) -> None:
    found = synthesise(modules, "Perceptron", "(21, 4, 3)", 60)
    assert (found.entry, found.inputs) == ("Perceptron(21, 4, 3)", ["(torch.randn(2, 21),)"])
    assert synthesise(modules, "Perceptron(19, 4, 3)", None, 60).inputs == ["(torch.randn(2, 19),)"]


@pytest.mark.truth
def test_a_method_of_a_class(modules: LoadedFile) -> None:
    found = synthesise(modules, "HandsOn.encode", None, 60)
    assert found.entry == "HandsOn().encode"
    assert found.inputs[0].startswith("(torch.randint(0, 9, ")


@pytest.mark.parametrize(
    "init, entry",
    [
        ("(3, 4)", "Net(3, 4)"),
        ("(3,)", "Net(3)"),
        ("{'a': 1, 'b': [2]}", "Net(a=1, b=[2])"),
        ("dict(a=1)", "Net(a=1)"),
        ("Config()", "Net(Config())"),
    ],
)
def test_constructor_arguments_as_a_call(init: str, entry: str) -> None:
    assert with_init("Net", init) == entry


@pytest.mark.truth
def test_fake_tensors_do_not_stay_behind_and_nothing_is_logged(
    modules: LoadedFile, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        found = synthesise(modules, "Caching", None, 60)
    assert found.inputs == ["(torch.randn(2, 5),)"]
    assert not caplog.records
    assert logging.getLogger("torch").level != logging.CRITICAL + 1


IMPOSSIBLE = """
import torch
from torch import nn

class Picky(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
    def forward(self, x):
        y = self.fc(x)
        raise RuntimeError("server is away")

class Handle(nn.Module):
    def __init__(self, connection):
        super().__init__()
        connection.open_transaction("x").commit()
    def forward(self, x):
        return x

class Slow(nn.Module):
    def __init__(self, n):
        super().__init__()
        raise OSError("no device")
    def forward(self, x):
        return x

class Huge(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(1 << 20, 1 << 20)
    def forward(self, x):
        return self.fc(x)

number = 3
"""


@pytest.mark.truth
@pytest.mark.parametrize(
    "entry, stage, text",
    [
        ("Picky", "inputs", "no inputs found in .* tries; last failure: RuntimeError: server is away; give --inputs"),
        ("Handle", "constructor", "no constructor arguments found in .* attribute 'open_transaction'; give --init"),
        ("Slow", "constructor", "last failure: OSError: no device; give --init"),
        ("Huge", "constructor", r"last failure: too large: Huge\(\) has 109951\d+ parameters; give --init"),
        ("number", "inputs", "number is a int, which cannot be called"),
    ],
)  # fmt: skip
def test_what_is_said_when_nothing_runs(tmp_path: pathlib.Path, entry: str, stage: str, text: str) -> None:
    file = _file(tmp_path, IMPOSSIBLE)
    with pytest.raises(NoInputs, match=text) as caught:
        synthesise(file, entry, None, 30)
    assert caught.value.stage == stage


@pytest.mark.truth
def test_an_unknown_entry_is_an_error_of_its_own(modules: LoadedFile) -> None:
    with pytest.raises(NameError, match="Nowhere"):
        synthesise(modules, "Nowhere", None, 5)


@pytest.mark.truth
def test_the_time_limit_holds(tmp_path: pathlib.Path) -> None:
    source = "import time\ndef f(x):\n    time.sleep(0.2)\n    raise RuntimeError(f'sizes must match {x.shape}')\n"
    with pytest.raises(NoInputs) as caught:
        synthesise(_file(tmp_path, source), "f", None, 1.0)
    assert caught.value.tries < 20


@pytest.mark.truth
def test_entries_of_a_file() -> None:
    file = LoadedFile(str(FOLDER / "entries.py"), "synthesis_entries")
    assert file_entries(file) == ["model", "step", "Other", "Whole", "loss", "annotated"] or file_entries(file) == [
        "model", "step", "Whole", "Other", "loss", "annotated",
    ]  # fmt: skip


DECLARED = '''
import torch

# capture: inputs(torch.ones(2, 3), scale=2.0)
# capture: inputs(torch.ones(5, 3), 4.0)
# a note
@torch.no_grad()
def f(x, scale):
    return x * scale


class Net(torch.nn.Module):
    # capture: inputs(torch.zeros(1))
    def encode(self, x):
        return x


# capture: inputs((torch.ones(1), None),)
class Other(torch.nn.Module):
    def forward(self, pair):
        """# capture: inputs(1)"""
        return pair[0]


def g(x):  # capture: inputs(7)
    return x
'''


def test_inputs_in_comments(tmp_path: pathlib.Path) -> None:
    assert declared_inputs(DECLARED) == {
        "f": ["dict(x=torch.ones(2, 3), scale=2.0)", "(torch.ones(5, 3), 4.0)"],
        "Net.encode": ["(torch.zeros(1),)"],
        "Other": ["((torch.ones(1), None),)"],
    }
    file = _file(tmp_path, DECLARED)
    instance = ExpressionSubject(file, "f", declared_inputs(DECLARED)["f"]).fresh()
    assert instance.call(instance.function, 0).value.tolist() == [[2.0] * 3] * 2
    assert instance.call(instance.function, 1).value.shape == (5, 3)


def test_a_comment_that_cannot_be_read() -> None:
    with pytest.raises(SyntaxError, match=r"line 1: the inputs of this comment cannot be read: inputs\(1 \+\)"):
        declared_inputs("# capture: inputs(1 +)\ndef f(x):\n    return x\n")
    with pytest.raises(SyntaxError, match="line 1: more inputs than f has parameters"):
        declared_inputs("# capture: inputs(1, 2, y=3)\ndef f(x):\n    return x\n")
    assert declared_inputs("def f(:\n") == {}


@pytest.mark.truth
def test_inputs_from_a_function(tmp_path: pathlib.Path) -> None:
    source = "import torch\ndef f(x):\n    return x\ndef capture_inputs():\n    return {'f': (torch.ones(3),)}\n"
    file = _file(tmp_path, source)
    assert capture_inputs(file, ["f"]) == {"f": ["capture_inputs()['f']"]}
    instance = ExpressionSubject(file, "f", ["capture_inputs()['f']"]).fresh()
    assert instance.call(instance.function, 0).value.tolist() == [1.0, 1.0, 1.0]
    alone = _file(tmp_path, source.replace("{'f': (torch.ones(3),)}", "(torch.ones(3),)"), "synthesis_alone")
    assert capture_inputs(alone, ["f", "g"]) == {"f": ["capture_inputs()"]}
    keywords = _file(tmp_path, source.replace("{'f': (torch.ones(3),)}", "{'x': 1}"), "synthesis_keywords")
    assert capture_inputs(keywords, ["f"]) == {"f": ["capture_inputs()"]}
    none = _file(tmp_path, "def f(x):\n    return x\n", "synthesis_none")
    assert capture_inputs(none, ["f"]) is None


def test_no_package_or_class_is_named() -> None:
    """The rules are general: nothing of what the benchmark measures is named in them."""
    root = pathlib.Path(__file__).parents[2]
    folder = root / "runtime_probe" / "synthesis"
    words = set()
    for path in [*folder.glob("*.py"), *folder.glob("*.tsv")]:
        words |= set(re.findall(r"\w+", path.read_text()))
    lines = (root / "benchmarks" / "synthesis" / "classes.tsv").read_text().splitlines()[1:]
    assert len(lines) > 60
    own_of_torch = set(dir(torch.nn)) | set(dir(torch))
    for line in lines:
        package, _, module, target, _ = line.split("\t")
        named = {package.replace("-", "_"), module.split(".")[0], target.split(".")[0]}
        assert not (named & words) - own_of_torch, line
