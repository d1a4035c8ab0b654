"""`capture-lsp probe` and `check --probe`, as commands, with the real compiler."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from capture_lsp.cli.parser import build
from capture_lsp.cli.probe_command import report_form
from capture_lsp.config.schema import CHECK_FORMATS, FORMATS
from capture_lsp.config.settings import Resolver
from capture_lsp.errors import UserError
from capture_lsp.probe.targets import PROBED, Target, Work, batch, module_of, parse, request
from tests.cli.conftest import Done, Project

pytestmark = pytest.mark.truth

NET = """\
import sys
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.gate = nn.Linear(width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.gate(x).sum() > 0:
            return x + 1
        return x - 1


def whole(x: torch.Tensor) -> torch.Tensor:
    return x * 2


if __name__ == "__main__":
    print("arguments", sys.argv[1:])
    torch.compile(whole)(torch.ones(2))
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project.with_our_path(tmp_path)
    made.write("net.py", NET)
    return made


def probe(project: Project, *arguments: str, stdin: bytes = b"") -> Done:
    return project.run("probe", "--python", sys.executable, *arguments, stdin=stdin)


@pytest.mark.parametrize("form", [form for form in CHECK_FORMATS if form not in FORMATS])
def test_a_format_that_is_set_for_check_alone_is_said_not_to_be_used(
    project: Project, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write("capture-lsp.toml", f'output-format = "{form}"\n')
    settings = Resolver(str(project.root), {}).for_folder(str(project.root))
    assert report_form(settings, quiet=False) == "full"
    note = f"note: capture-lsp.toml sets output-format '{form}', which is for findings: this is 'full'; "
    assert capsys.readouterr().err.startswith(note)
    assert report_form(settings, quiet=True) == "full"
    assert capsys.readouterr().err == ""
    project.write("capture-lsp.toml", 'output-format = "concise"\n')
    settings = Resolver(str(project.root), {}).for_folder(str(project.root))
    assert (report_form(settings, quiet=False), capsys.readouterr().err) == ("concise", "")


def test_a_batch_of_targets_in_the_json_form(project: Project) -> None:
    rows = [
        {"target": "net.py::Net()", "inputs": ["torch.ones(2, 4)", "torch.ones(3, 4)"]},
        {"target": "net.py::Net", "inputs": ["torch.ones(2, 8)"], "init": "dict(width=8)"},
        {"target": "gone.py::fn"},
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    done = probe(project, "--batch", "-", "--jobs", "2", "--no-paths", "--no-perturb", "--output-format", "json",
                 "net.py", "--", "--flag", "x", stdin=lines.encode())  # fmt: skip
    report = done.json
    assert done.status == 2  # one file is missing
    assert {k: report[k] for k in ("version", "device", "support")} == {
        "version": 1,
        "device": "cpu",
        "support": "full",
    }
    assert report["errors"] == [{"path": "gone.py", "line": 1, "kind": "unreadable", "message": "no such file"}]
    whole, net, wide = report["entries"]
    assert [e["target"] for e in report["entries"]] == ["net.py", "net.py::Net()", "net.py::Net"]
    assert [e["status"] for e in report["entries"]] == ["ok"] * 3
    assert "arguments ['--flag', 'x']" in whole["output"]
    assert whole["entry"] == "whole"
    assert [f["breaks"] for f in whole["frames"]] == [[]]
    assert wide["entry"] == "Net(width=8)"
    assert net["inputs"] == ["torch.ones(2, 4)", "torch.ones(3, 4)"]
    (found,) = net["frames"][0]["breaks"]
    assert (found["path"], found["line"], found["column"], found["graph_break"]) == ("net.py", 12, 12, "GB0170")
    assert net["frames"][0]["graphs"][0]["lines"] == {"net.py": "12"}
    assert set(net["matrix"]) == {"dynamo", "fullgraph", "trace", "fx", "script", "export"}
    assert net["matrix"]["fx"]["path"] == "net.py"
    assert net["recompiles"][0]["dimension"] == "x.shape[0]"
    assert "net.py" in net["evaluated"]
    assert net["traced"][0]["path"] == "net.py"


def test_captured_whole_is_status_zero(project: Project) -> None:
    done = probe(project, "net.py::whole", "--inputs=torch.ones(2)", "--no-matrix", "--no-paths")
    assert (done.status, done.err) == (0, "")
    for words in (
        "net.py::whole",
        "inputs  torch.ones(2)",
        "1 graph",
        "(1 op)",
        "No graph break",
        "call_function",
        "float32",
    ):
        assert words in done.out


def test_the_full_and_the_concise_form(project: Project) -> None:
    arguments = ("net.py::Net()", "--inputs=torch.ones(2, 4)", "--inputs=torch.ones(5, 4)", "--frontend", "fx,dynamo")
    full = probe(project, *arguments, "--no-perturb")
    assert full.status == 1
    for words in (
        "net.py:12:12  graph break  GB0170",
        "12 │         if self.gate(x).sum() > 0:",
        "│            ^^^^^^^^^^^^^^^^^^^^^^ Data-dependent branching",
        "then    torch.ones(5, 4)",
        "recompiles  Net.forward at call 2",
        "no longer true: tensor 'x' size mismatch",
        "fx        refuses",
        "compile   breaks the graph",
        "12:12 is ",  # a path's decision
        "1 graph break, 2 recompilations, 1 target probed.",
    ):
        assert words in full.out, full.out
    concise = probe(project, *arguments, "--no-perturb", "--output-format", "concise", "--no-paths")
    lines = concise.out.splitlines()
    assert lines[0].startswith("net.py:12:12: GB0170 Data-dependent branching")
    assert any(line.startswith("net.py:12: fx refuses: ") for line in lines)


def test_inputs_are_made_up_where_there_are_none(project: Project) -> None:
    done = probe(project, "net.py::Net", "--no-matrix", "--no-paths")
    assert done.status == 1
    assert "made up by the probe" in done.out
    assert "net.py:12:12  graph break" in done.out


def test_what_cannot_run_is_said_in_a_line(project: Project) -> None:
    project.write("broken.py", "import no_such_module\n")
    done = probe(project, "broken.py::fn", "--inputs=1", "--output-format", "concise", "--output-file", "report.txt")
    assert (done.status, done.out) == (2, "")
    text = (project.root / "report.txt").read_text()
    assert "broken.py::fn: failed: the file needs the module 'no_such_module'" in text
    for python, words in (
        (str(project.root), "no interpreter there"),
        (str(project.root / "net.py"), "cannot start"),
        ("no-such-python", "no interpreter there"),
    ):
        done = project.run("probe", "net.py", "--python", python)
        assert (done.status, done.out) == (2, "")
        assert words in done.err
        assert "--python" in done.err
        assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "nothing to probe"),
        (("net.py::",), "FILE or FILE::ENTRY"),
        (("net.py", "--inputs=1"), "without an entry"),
        (("net.py", "--frontend", "triton"), "triton cannot be probed"),
        (("net.py", "--timeout", "0"), "greater than zero"),
        (("--batch", "gone.jsonl"), "gone.jsonl: No such file"),
    ],
)
def test_wrong_usage(project: Project, arguments: tuple[str, ...], words: str) -> None:
    done = project.run("probe", *arguments)
    assert (done.status, done.out) == (2, "")
    assert words in done.err


def test_a_bad_line_of_a_batch(tmp_path: Path) -> None:
    good = '{"target": "a.py::f", "inputs": ["1"]}\n\n'
    assert batch(good.splitlines(), str(tmp_path), "b") == [Target("a.py::f", str(tmp_path / "a.py"), "f", ("1",))]
    for bad in ("{", "[]", "{}", '{"target": 1}', '{"target": "a.py::f", "inputs": "x"}'):
        with pytest.raises(UserError, match=r"^b:3: "):
            batch([*good.splitlines(), bad], str(tmp_path), "b")


def test_how_targets_are_read(tmp_path: Path) -> None:
    target = parse("a.py::Net(x[::2]).encode", str(tmp_path))
    assert (target.path, target.entry) == (str(tmp_path / "a.py"), "Net(x[::2]).encode")
    options = build().parse(["probe", "a.py", "--", "--epochs", "1", "--"])
    assert (options.targets, options.program_arguments) == (["a.py"], ["--epochs", "1", "--"])
    assert build().parse(["check", "--", "-x.py"]).paths == ["-x.py"]


def test_the_name_of_a_file_and_where_its_imports_are_found(tmp_path: Path) -> None:
    inner = tmp_path / "pkg" / "sub"
    inner.mkdir(parents=True)
    for folder in (tmp_path / "pkg", inner):
        (folder / "__init__.py").touch()
    assert module_of(str(inner / "m.py")) == ("pkg.sub.m", str(tmp_path))
    assert module_of(str(inner / "__init__.py")) == ("pkg.sub", str(tmp_path))
    assert module_of(str(tmp_path / "model.py")) == ("model", str(tmp_path))
    assert module_of(str(tmp_path / "random.py")) == (PROBED, str(tmp_path))
    assert module_of(str(tmp_path / "001 case.py")) == (PROBED, str(tmp_path))
    job = request(Target("m", str(inner / "m.py")), Work(seconds=10), [str(tmp_path), "/src"])
    assert job["sys_path"] == [str(tmp_path), "/src"]
    assert job["limits"]["seconds"] == 10


CHECKED = """\
import itertools

import torch
from noisy import noisy, quiet


@torch.compile
def fn(x: torch.Tensor) -> torch.Tensor:
    for a, b in itertools.permutations([1, 2, 3], 2):
        x = x * a + b
    if x.sum() > 0:
        x = x + 1
    return noisy(x) + quiet(x)  # capture: ignore[CAP301]


@torch.compile
def never_called(x: torch.Tensor) -> torch.Tensor:
    print("made up inputs reach this")
    return x


@torch.compile
def suppressed(x: torch.Tensor) -> torch.Tensor:
    return noisy(x)  # capture: ignore[CAP599]


if __name__ == "__main__":
    fn(torch.ones(3))
    suppressed(torch.ones(3))
"""


def test_check_with_a_probe(project: Project) -> None:
    (project.root / "net.py").unlink()
    project.write("elsewhere/noisy.py", "def noisy(x):\n    print('x')\n    return x\n\ndef quiet(x):\n    return x\n")
    project.write("checked.py", CHECKED)
    project.env["PYTHONPATH"] += os.pathsep + str(project.root / "elsewhere")
    arguments = ("checked.py", "--target-torch", "2.8", "--no-cache")
    plain = project.run("check", *arguments, "--output-format", "json")
    # without a probe nobody can say that the suppression of CAP599 is not needed
    assert {(f["line"], f["code"]) for f in plain.json["findings"]} == {
        (9, "CAP526"),
        (11, "CAP101"),
        (13, "CAP001"),
        (18, "CAP301"),
    }
    done = project.run("check", *arguments, "--probe", "--python", sys.executable, "--output-format", "json")
    assert done.err == ""
    found = {(f["line"], f["code"]): f["status"].get("dynamo") for f in done.json["findings"]}
    assert found == {
        (9, "CAP526"): "refuted",
        (11, "CAP101"): "confirmed",
        (13, "CAP001"): None,
        (13, "CAP599"): "confirmed",
        (18, "CAP301"): "confirmed",
    }
    (new,) = (f for f in done.json["findings"] if f["code"] == "CAP599")
    assert new["graph_breaks"] == ["GB0059"]
    assert new["roots"] == ["checked.py::fn"]
    assert [r["path"] for r in new["related"]] == ["elsewhere/noisy.py"]
    text = project.run("check", *arguments, "--probe", "--python", sys.executable)
    assert [line.split("  ")[2] for line in text.out.splitlines() if "CAP526" in line] == [
        "refuted: it was captured when the probe ran it (compile)"
    ]
    assert "1 refuted by the probe" in text.out
    assert "probe: confirmed under" in text.out
    assert text.status == 1


def test_a_check_asks_the_probe_only_for_the_chosen_frontends(project: Project) -> None:
    (project.root / "net.py").unlink()
    source = "import torch\n\ndef fn(x):\n    if x.sum() > 0:\n        return x\n    return -x\n\n"
    project.write("one.py", source + "if __name__ == '__main__':\n    torch.compile(fn)(torch.ones(3))\n")
    arguments = ("check", "--no-cache", "--output-format", "json", "--python", sys.executable, "--probe", "one.py")
    (found,) = project.run(*arguments, "--frontend", "dynamo", "--frontend", "fx").json["findings"]
    told = {frontend: status for frontend, status in found["status"].items() if status != "predicted"}
    assert told == {"dynamo": "confirmed", "fx": "confirmed"}
    assert {"trace", "export"} < set(found["status"])


def test_a_check_whose_probe_cannot_run_still_tells_its_findings(project: Project) -> None:
    (project.root / "net.py").unlink()
    project.write("checked.py", "import torch\n\n@torch.compile\ndef fn(x):\n    print(x)\n    return x\n")
    empty = project.root / "empty"
    empty.mkdir()
    done = project.run(
        "check", "--probe", "--python", str(empty), "--no-cache", "--output-format", "json", "checked.py"
    )
    assert done.status == 2
    assert [(f["code"], f["status"]["dynamo"]) for f in done.json["findings"]] == [("CAP301", "predicted")]
    (error,) = done.json["errors"]
    assert error["kind"] == "probe"
    assert "no interpreter there" in error["message"]
    for more in ("--fix", "--diff", "--watch"):
        assert project.run("check", "--probe", more, "checked.py").status == 2
    assert project.run("check", "--probe", "-", stdin=b"").status == 2
