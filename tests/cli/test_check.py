"""`check`: the JSON contract, exit statuses, formats, selection, and files that cannot be checked."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time

import pytest

from .conftest import BRANCH, CLEAN, Project

FINDING_KEYS = {
    "code",
    "name",
    "severity",
    "path",
    "line",
    "column",
    "end_line",
    "end_column",
    "message",
    "function",
    "roots",
    "count",
    "provenance",
    "related",
    "outcomes",
    "status",
    "stale",
    "graph_breaks",
    "url",
    "fixes",
}


def test_a_finding_has_every_member_of_the_contract(project: Project) -> None:
    project.write("pkg/model.py")
    done = project.check("pkg")
    assert done.status == 1
    assert done.json["version"] == 1
    assert done.json["errors"] == []
    (finding,) = done.json["findings"]
    assert set(finding) == FINDING_KEYS
    assert finding["code"] == "CAP101"
    assert finding["path"] == "pkg/model.py"
    assert (finding["line"], finding["column"], finding["end_line"], finding["end_column"]) == (5, 8, 5, 19)
    assert finding["outcomes"]["dynamo"] == "graph_break"
    assert finding["status"]["dynamo"] == "predicted"
    assert finding["roots"] == ["pkg/model.py::fn"]
    assert finding["count"] == 1
    assert finding["stale"] is False
    assert finding["url"].endswith("CAP101.md")


def test_columns_count_characters(project: Project) -> None:
    project.write("m.py", BRANCH.replace("if x.sum()", "if 'é😀' and x.sum()"))
    (finding,) = project.check("m.py").json["findings"]
    assert finding["line"] == 5
    assert finding["end_column"] <= 5 + len("if 'é😀' and x.sum() > 0")


def test_clean_files_exit_with_zero(project: Project) -> None:
    project.write("m.py", CLEAN)
    done = project.check("m.py")
    assert (done.status, done.json["findings"]) == (0, [])


def test_paths_outside_the_working_directory_are_absolute(project: Project) -> None:
    path = project.write("a/m.py")
    (project.root / "b").mkdir()
    (finding,) = project.check(str(path), cwd=project.root / "b").json["findings"]
    assert finding["path"] == path.as_posix()


def test_the_default_path_is_the_working_directory(project: Project) -> None:
    project.write("m.py")
    assert project.check().codes == [("m.py", "CAP101", 5)]


def test_concise_and_full_formats(project: Project) -> None:
    project.write("m.py")
    concise = project.run("check", "m.py", "--output-format", "concise")
    assert concise.out.startswith("m.py:5:8: CAP101 ")
    full = project.run("check", "m.py")
    lines = full.out.splitlines()
    assert "m.py:5:8" in lines[0]
    assert "CAP101" in lines[0]
    source = next(i for i, line in enumerate(lines) if "if x.sum() > 0:" in line)
    start = lines[source].index("x.sum()")
    assert lines[source + 1].index("^") == start
    assert lines[source + 1].count("^") == len("x.sum() > 0")
    assert "compile breaks the graph" in full.out
    assert "Found 1 problem, 1 file checked." in full.out
    assert "\x1b" not in full.out


def test_colours(project: Project) -> None:
    project.write("m.py")
    assert "\x1b[" in project.run("check", "m.py", env={"FORCE_COLOR": "1"}).out
    assert "\x1b[" not in project.run("check", "m.py", env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).out
    assert "\x1b[" in project.run("check", "m.py", "--color", "always").out


def test_escape_sequences_of_the_source_do_not_reach_the_terminal(project: Project) -> None:
    project.write("m.py", BRANCH.replace("> 0:", "> 0:  # \x1b[31mred"))
    assert "\x1b" not in project.run("check", "m.py").out


def test_an_ascii_terminal_gets_ascii(project: Project) -> None:
    project.write("m.py")
    done = project.run("check", "m.py", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.status == 1
    assert done.out.isascii()
    assert "\\u" not in done.out


def test_statistics_and_exit_zero(project: Project) -> None:
    project.write("a.py")
    project.write("b.py")
    done = project.run("check", ".", "--statistics", "--exit-zero", "--output-format", "concise")
    assert done.status == 0
    assert done.out.splitlines()[-1].split() == ["2", "CAP101", "data-dependent-branch"]
    assert project.check("--statistics").json["statistics"] == [
        {"code": "CAP101", "name": "data-dependent-branch", "count": 2}
    ]


def test_output_file(project: Project) -> None:
    project.write("m.py")
    done = project.check("m.py", "--output-file", "out.json")
    assert (done.status, done.out) == (1, "")
    assert '"CAP101"' in (project.root / "out.json").read_text()
    assert project.check("m.py", "--output-file", "no/such/out.json").status == 2


def test_standard_input(project: Project) -> None:
    done = project.check("-", "--stdin-filename", "pkg/m.py", stdin=BRANCH.encode())
    assert done.codes == [("pkg/m.py", "CAP101", 5)]
    assert project.check("-", stdin=BRANCH.encode()).codes == [("<stdin>", "CAP101", 5)]
    assert project.check("-", stdin=CLEAN.encode()).status == 0
    assert project.check("-", "m.py").status == 2


def test_standard_input_uses_the_configuration_of_its_name(project: Project) -> None:
    project.write("pkg/capture-lsp.toml", 'ignore = ["CAP101"]')
    assert project.check("-", "--stdin-filename", "pkg/m.py", stdin=BRANCH.encode()).codes == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), True),
        (("--select", "CAP1"), True),
        (("--select", "ALL"), True),
        (("--select", "data-dependent-branch"), True),
        (("--select", "CAP0"), False),
        (("--select", "CAP0,CAP101"), True),
        (("--ignore", "CAP101"), False),
        (("--ignore", "CAP1"), False),
        (("--ignore", "ALL"), False),
        (("--select", "CAP101", "--ignore", "CAP1"), True),
        (("--select", "CAP1", "--ignore", "CAP101"), False),
        (("--select", "CAP0", "--extend-select", "CAP101"), True),
        (("--per-file-ignores", "m.py:CAP101"), False),
        (("--per-file-ignores", "pkg/:CAP1"), False),
        (("--per-file-ignores", "pkg/*.py:ALL"), False),
        (("--per-file-ignores", "other.py:CAP101"), True),
    ],
)
def test_selection(project: Project, arguments: tuple[str, ...], expected: bool) -> None:
    project.write("pkg/m.py")
    assert bool(project.check("pkg", *arguments).json["findings"]) is expected


def test_the_option_that_was_meant_is_one_of_the_command(project: Project) -> None:
    """`mcp --allow-probe` is nearer to this than anything that `check` has."""
    done = project.run("check", "--alow-probe")
    assert done.status == 2
    assert "--allow-probe" not in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--select", "CAP9999"), "no rule matches 'CAP9999'"),
        (("--frontend", "dynamite"), "unknown frontend 'dynamite'"),
        (("--roots", "some"), "invalid choice"),
        (("--root", "m.py"), "PATH::QUALNAME"),
        (("--target-torch", "new"), "torch version"),
        (("--jobs", "many"), "not a number"),
        (("--selekt", "CAP1"), "did you mean --select?"),
        (("--config", "missing.toml"), "missing.toml"),
        (("--fix", "--diff"), "one of them"),
    ],
)
def test_wrong_usage_exits_with_two_and_says_why(project: Project, arguments: tuple[str, ...], message: str) -> None:
    project.write("m.py")
    done = project.run("check", "m.py", *arguments)
    assert done.status == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_frontends_judge_every_root(project: Project) -> None:
    project.write("m.py")
    done = project.check("m.py", "--frontend", "trace", "--frontend", "dynamo")
    (finding,) = done.json["findings"]
    assert finding["outcomes"]["trace"] == "silently_wrong"
    assert finding["severity"] == "error"


def test_files_that_cannot_be_checked_do_not_keep_the_others(project: Project) -> None:
    project.write("good.py")
    project.write("broken.py", BRANCH + "\ndef oops(:\n    pass\n")
    project.write("binary.py", b"x = 1\0\n")
    project.write("latin.py", b"# \xe9\nx = 1\n")
    project.write("nested.py", "x = " + "(" * 20_000 + ")" * 20_000 + "\n")
    project.write("huge.py", b"#" * 4_000_001)
    (project.root / "folder.py").mkdir()
    (project.root / "gone.py").symlink_to("nowhere.py") if os.name != "nt" else None
    done = project.check(".")
    assert done.status == 2
    assert ("good.py", "CAP101", 5) in done.codes
    assert ("broken.py", "CAP101", 5) in done.codes  # the function that is whole
    kinds = {e["path"]: e["kind"] for e in done.json["errors"]}
    assert kinds["broken.py"] == "syntax"
    assert kinds["binary.py"] == "binary"
    assert kinds["latin.py"] == "unreadable"
    assert kinds["huge.py"] == "too-large"
    assert kinds["nested.py"] in ("nested", "syntax")
    assert len(done.json["errors"]) == 5
    assert all("\n" not in e["message"] for e in done.json["errors"])


def test_a_missing_path_is_an_error_and_the_others_are_checked(project: Project) -> None:
    project.write("m.py")
    done = project.check("m.py", "missing.py")
    assert done.status == 2
    assert done.codes == [("m.py", "CAP101", 5)]
    assert done.json["errors"][0]["path"] == "missing.py"


def test_the_size_limit_is_a_setting(project: Project) -> None:
    project.write("capture-lsp.toml", "max-file-size = 5000000")
    project.write("big.py", BRANCH + "#" * 4_000_000 + "\n")
    assert project.check("big.py").codes == [("big.py", "CAP101", 5)]
    project.write("capture-lsp.toml", "max-file-size = 10")
    assert project.check("big.py").json["errors"][0]["kind"] == "too-large"


def test_an_unreadable_file(project: Project) -> None:
    if os.name == "nt" or os.geteuid() == 0:
        pytest.skip("root reads everything")
    project.write("m.py").chmod(0)
    assert project.check("m.py").json["errors"][0]["kind"] == "unreadable"


def test_a_pipe_that_closes_early_is_no_error(project: Project) -> None:
    for number in range(30):
        project.write(f"m{number}.py", BRANCH * 30)
    process = subprocess.Popen(
        project.command("check", "."),
        cwd=project.root,
        env=project.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    error = process.stderr.read()
    assert process.wait(60) in (0, 1)
    assert error == b""


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_without_a_traceback(project: Project, jobs: str) -> None:
    body = "".join(BRANCH.replace("def fn", f"def fn{n}") for n in range(200))
    for number in range(200):
        project.write(f"m{number}.py", body)
    process = subprocess.Popen(
        project.command("check", ".", "--no-cache", "--jobs", jobs),
        cwd=project.root,
        env=project.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(4)  # on a slow machine it takes a while to start, and the work far longer
    os.killpg(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert b"Traceback" not in error


@pytest.mark.parametrize(
    ("root", "said"),
    [
        ("nope.py::fn", "nope.py is not among the files checked"),
        ("m.py::forwrad", "no function or method forwrad in m.py (did you mean forward?)"),
        ("m.py::Net.forward", "no function or method Net.forward in m.py"),
    ],
)
def test_a_root_that_is_not_there_is_an_error(project: Project, root: str, said: str) -> None:
    project.write("m.py", "def forward(x):\n    return x.item()\n")
    done = project.check("--root", root)
    assert done.status == 2
    assert said in done.err
    assert project.check("--root", "m.py::forward").status == 0


def test_a_wrong_option_says_so_in_two_lines(project: Project) -> None:
    done = project.check("--frontend", "tract")
    assert done.status == 2
    assert len(done.err.splitlines()) == 2
    assert "unknown frontend 'tract'" in done.err


def test_rows_of_the_full_format_fit_a_terminal(project: Project) -> None:
    project.write("m.py")
    done = project.run("check", "--no-cache")
    assert "fullgraph refuses" in done.out
    assert "cudagraph breaks the graph" in done.out
    assert max(map(len, done.out.splitlines())) <= 120


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("target", ["/dev/full", "&-"])
def test_output_that_cannot_be_written_is_no_internal_error(project: Project, target: str) -> None:
    project.write("m.py")
    line = " ".join(map(shlex.quote, project.command("check", "--no-cache", "m.py"))) + f" > {target}"
    done = subprocess.run(
        line.replace("> &-", ">&-"), shell=True, cwd=project.root, env=project.env, capture_output=True
    )
    assert done.returncode == (2 if target == "/dev/full" else 1)
    assert b"internal" not in done.stderr
    assert b"Traceback" not in done.stderr
