"""Programs whose objects, tensors and settings are out of the ordinary: what the probe says of them is still true."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.probe.zygote import Zygote

PROGRAM = """\
import collections

import torch
from torch import nn

Pair = collections.namedtuple("Pair", "new old")


class Answers:
    '''Fails for every name that it does not have, with an error of its own.'''

    def __getattr__(self, name):
        raise RuntimeError("no " + name)

    def __call__(self, x):
        return x + 1


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("nothing to say")


class Net(nn.Module):
    def forward(self, x):
        return x + 1


class Coder:
    @torch.compile
    def encode(self, x):
        return x + 1


answers = Answers()
scripted = torch.jit.script(nn.Linear(3, 3))


def same(x):
    return x


def pair(x):
    return Pair(x + 1, x)


def local_class(x):
    class Local(torch.Tensor):
        pass

    return x.as_subclass(Local)


def sets_device(x):
    torch.set_default_device("meta")
    return x + 1


def interrupts(x):
    raise KeyboardInterrupt


def silent(x):
    raise Silent
"""


@pytest.fixture(scope="module")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    started = Zygote(tmp_path_factory.mktemp("probe"))
    yield started
    assert started.close() == 0


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("program") / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def _outcomes(zygote: Zygote, path: pathlib.Path, entry: str, *inputs: str) -> dict[str, Any]:
    more = {"inputs": list(inputs)} if inputs else {}
    (found,) = zygote.ask(path, entry, parts=["dynamo", "trace"], **more)
    assert (found["status"], found["message"]) == ("ok", "")
    return {name: row["outcome"] for name, row in found["matrix"].items()}


@pytest.mark.parametrize(
    ("entry", "dynamo", "trace"),
    [
        ("scripted", "refused", "captured"),  # torch.compile takes no module of TorchScript
        ("answers", "refused", "refused"),  # both ask it for names
        ("Coder().encode", "captured", "captured"),  # compiled in its class: it stays bound
        ("pair", "captured", "captured"),  # a trace gives a plain tuple that shares the same memory
        ("local_class", "graph_break", "captured"),
        ("sets_device", "captured", "captured"),  # capturing runs it once: its inputs are of the default of before
    ],
)
def test_objects(zygote: Zygote, program: pathlib.Path, entry: str, dynamo: str, trace: str) -> None:
    assert _outcomes(zygote, program, entry) == {"dynamo": dynamo, "trace": trace}


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2", "uint16", "uint32", "uint64"])
def test_newer_dtypes(zygote: Zygote, program: pathlib.Path, dtype: str) -> None:
    inputs = f"torch.ones(3).to(torch.{dtype})"
    assert _outcomes(zygote, program, "same", inputs) == {"dynamo": "captured", "trace": "captured"}


@pytest.mark.parametrize(("entry", "message"), [("interrupts", "KeyboardInterrupt"), ("silent", "Silent")])
def test_errors_without_a_text(zygote: Zygote, program: pathlib.Path, entry: str, message: str) -> None:
    (found,) = zygote.ask(program, entry)
    assert found["status"] == "failed"
    assert found["message"].endswith(message)


def test_objects_that_fail_for_every_name_do_not_hide_the_others(zygote: Zygote, program: pathlib.Path) -> None:
    (found,) = zygote.ask(program, "Net", inputs=[])
    assert (found["status"], found["synthesised"]) == ("ok", True)
    assert found["matrix"]["dynamo"]["outcome"] == "captured"


@pytest.mark.parametrize("name", ["torch", "json", "runtime_probe"])
def test_files_named_like_what_the_probe_needs(zygote: Zygote, tmp_path: pathlib.Path, name: str) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text("import torch\n\ndef fn(x):\n    return x + 1\n", encoding="utf-8")
    (found,) = zygote.ask(path, "fn", module=name, parts=["dynamo", "trace", "paths"])
    assert (found["status"], found["message"]) == ("ok", "")
    assert found["matrix"]["dynamo"]["outcome"] == "captured"


def test_interrupt_while_it_is_imported(zygote: Zygote, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "stops.py"
    path.write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    (found,) = zygote.ask(path)
    assert (found["status"], found["message"]) == ("failed", "KeyboardInterrupt (stops.py:1)")


def test_a_generator_is_not_captured(zygote: Zygote, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "yields.py"
    path.write_text("def fn(x):\n    yield x + 1\n", encoding="utf-8")
    (found,) = zygote.ask(path)
    assert found["frames"][0]["skipped"]
    assert found["matrix"]["dynamo"]["outcome"] == "skipped_frame"


RUN = """\
import os
import sys

import torch


@torch.compile
def once(x):
    return x + 1


"""


def _run(zygote: Zygote, folder: pathlib.Path, program: str) -> list[dict[str, Any]]:
    path = folder / "program.py"
    path.write_text(RUN + program, encoding="utf-8")
    return zygote.ask(path, None)


@pytest.mark.parametrize("end", ["sys.exit(0)", "sys.exit()", "torch.compile(once)(torch.ones(2, 2))"])
def test_programs_that_end_well(zygote: Zygote, tmp_path: pathlib.Path, end: str) -> None:
    found = _run(zygote, tmp_path, f"once(torch.ones(3))\n{end}\n")[0]
    assert (found["status"], found["message"]) == ("ok", "")
    assert found["matrix"]["dynamo"]["outcome"] == "captured"


def test_a_program_that_closes_all_descriptors_keeps_its_files(zygote: Zygote, tmp_path: pathlib.Path) -> None:
    """The numbers of the probe's descriptors go to files of the program: nothing of the probe's is written there."""
    kept = tmp_path / "kept"
    kept.mkdir()
    program = f"""\
once(torch.ones(3))
os.closerange(3, 1000)
files = [open({str(kept)!r} + "/%d" % number, "w") for number in range(40)]
once(torch.ones(4))
once(torch.ones(2, 2))
"""
    found = _run(zygote, tmp_path, program)
    assert (found[0]["status"], found[0]["message"]) == ("killed", "the program closed the descriptors of the probe")
    assert found[-1]["matrix"]["dynamo"]["outcome"] == "captured"
    assert [path.stat().st_size for path in kept.iterdir()] == [0] * 40
