"""`capture-lsp rule`, `completion`, and the generated pages."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from capture_lsp import docs
from capture_lsp.catalogue import entries
from capture_lsp.rule_text import HEADINGS, sections, summary

from .conftest import Project


def test_rule_explains(project: Project) -> None:
    done = project.run("rule", "CAP101")
    assert done.status == 0
    assert done.out.startswith("CAP101  data-dependent-branch")
    for heading in ("What it does", "Why it matters", "Outcomes"):
        assert heading in done.out
    assert project.run("rule", "data-dependent-branch").out == done.out
    described = json.loads(project.run("rule", "cap101", "--output-format", "json").out)
    assert described["outcomes"]["dynamo"] == "graph_break"
    assert described["examples"]


def test_rule_lists_all(project: Project) -> None:
    lines = project.run("rule", "--all").out.splitlines()
    assert [line.split()[0] for line in lines] == [entry.code for entry in entries()]
    assert len(json.loads(project.run("rule", "--all", "--output-format", "json").out)) == len(lines)


def test_an_unknown_rule(project: Project) -> None:
    done = project.run("rule", "CAP1010")
    assert done.status == 2
    assert "no rule 'CAP1010'" in done.err
    assert project.run("rule").status == 2
    assert project.run("rule", "CAP101", "--all").status == 2


def test_every_rule_describes_itself() -> None:
    for entry in entries():
        assert summary(entry), entry.code
        found = sections(entry)
        missing = [h for h in HEADINGS if not found.get(h) and not (h == "Example" and entry.rule.examples)]
        assert not missing, f"{entry.code} lacks {missing}"


def test_the_pages_are_those_of_the_rules() -> None:
    assert docs.stale() == [], "run `make docs`"


def test_the_readme_shows_what_the_command_prints() -> None:
    text = docs.readme()
    assert "CAP101" in text
    assert docs._read(docs.README) == text, "run `make docs`"


@pytest.mark.parametrize(("shell", "check"), [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])])
def test_completion_scripts_parse(project: Project, shell: str, check: list[str]) -> None:
    done = project.run("completion", shell)
    assert done.status == 0
    for word in ("check", "rule", "config", "select", "frontend"):
        assert word in done.out
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell} here")
    script = project.write("script", done.out)
    subprocess.run([program, *check, str(script)], check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_completes(project: Project) -> None:
    script = project.write("script", project.run("completion", "bash").out)

    def completed(*words: str) -> set[str]:
        call = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _capture_lsp; printf "%s\n" "${COMPREPLY[@]}"'
        code = f'source "{script}"; {call}'
        done = subprocess.run(["bash", "-c", code, "bash", *words], capture_output=True, text=True, check=True)
        return set(done.stdout.split())

    assert completed("capture-lsp", "ch") == {"check"}
    assert completed("capture-lsp", "check", "--sel") == {"--select"}
    assert completed("capture-lsp", "check", "--output-format", "") >= {"full", "concise", "json"}
    assert completed("capture-lsp", "completion", "z") == {"zsh"}


def test_version_and_help(project: Project) -> None:
    assert project.run("--version").out == "capture-lsp 0.1.0\n"
    for arguments in (("--help",), ("check", "--help"), ("rule", "--help"), ("config", "--help")):
        done = project.run(*arguments)
        assert (done.status, done.err) == (0, "")
        assert done.out.startswith("usage: capture-lsp")
    assert project.run().status == 2
    assert project.run("probe").status == 2
