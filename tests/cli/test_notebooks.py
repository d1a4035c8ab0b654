"""Notebooks: cells as one module, findings by cell and line, fixes back into the cells."""

from __future__ import annotations

import json
from typing import Any

import pytest

from capture_lsp.notebook import locate, neutralise, parse

from .conftest import BRANCH, Project


def notebook(*cells: str | list[str], **metadata: Any) -> str:
    """A notebook of code cells; one that starts with `#md` is a text cell."""
    rows = []
    for source in cells:
        text = "".join(source)
        if text.startswith("#md"):
            rows.append({"cell_type": "markdown", "metadata": {}, "source": source})
        else:
            rows.append({"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source})
    return json.dumps({"cells": rows, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


FIRST = ["import torch\n", "%matplotlib inline"]
SECOND = [
    "@torch.compile\n",
    "def fn(x: torch.Tensor):\n",
    "    if x.sum() > 0:\n",
    "        return x\n",
    "    return -x",
]


def test_findings_are_told_by_cell_and_line(project: Project) -> None:
    project.write("nb.ipynb", notebook("#md text", FIRST, "!pip install x", SECOND))
    (finding,) = project.check("nb.ipynb").json["findings"]
    assert (finding["path"], finding["cell"], finding["line"], finding["column"]) == ("nb.ipynb", 4, 3, 8)
    assert (finding["end_line"], finding["end_column"]) == (3, 19)
    assert project.run("check", ".", "--output-format", "concise").out.startswith("nb.ipynb:cell 4:3:8: CAP101")
    assert "3 │     if x.sum() > 0:" in project.run("check", ".").out


def test_a_broken_cell_is_left_out_alone(project: Project) -> None:
    project.write("nb.ipynb", notebook(FIRST, "def (:\n", SECOND))
    done = project.check("nb.ipynb")
    assert [f["cell"] for f in done.json["findings"]] == [3]
    assert [e["kind"] for e in done.json["errors"]] == ["syntax"]
    assert "cell 2" in done.json["errors"][0]["message"]
    assert done.status == 2


def test_what_only_the_whole_module_shows_to_be_wrong_names_its_cell(project: Project) -> None:
    project.write("nb.ipynb", notebook("import torch", "x = 1\nreturn x", BRANCH))
    done = project.check("nb.ipynb")
    assert [(f["cell"], f["line"]) for f in done.json["findings"]] == [(3, 5)]
    (error,) = done.json["errors"]
    assert error["message"].startswith("cell 2: 'return' outside function")


def test_what_is_no_notebook_is_an_error(project: Project) -> None:
    for number, text in enumerate(("{", "[]", '{"cells": 3}', '{"cells": [1]}')):
        project.write(f"n{number}.ipynb", text)
    assert len(project.check().json["errors"]) == 4


def test_a_notebook_of_another_language_has_no_code_for_us(project: Project) -> None:
    project.write("nb.ipynb", notebook(SECOND, language_info={"name": "julia"}))
    assert project.check("nb.ipynb").status == 0


@pytest.mark.parametrize("as_list", [True, False])
def test_fixes_go_back_into_the_cells(project: Project, as_list: bool) -> None:
    def made(comment: str) -> str:
        lines = ["%time\n", "import torch\n", f"y = 1{comment}\n", "s = '''\n", "%not magic'''\n"]
        return notebook("#md é", lines if as_list else "".join(lines), "z = 2" + comment, kernelspec={"name": "p"})

    path = project.write("nb.ipynb", made("  # capture: ignore[CAP101]"))
    done = project.check("nb.ipynb", "--fix")
    assert done.status == 0, done.out
    assert path.read_text(encoding="utf-8") == made("")


def test_a_whole_last_line_of_a_cell_is_removed(project: Project) -> None:
    path = project.write("nb.ipynb", notebook(["a = 1\n", "# capture: ignore"], "b = 2"))
    project.check("nb.ipynb", "--fix")
    sources = ["".join(c["source"]) for c in json.loads(path.read_text())["cells"]]
    assert sources == ["a = 1\n", "b = 2"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = 1", "x = 1"),
        ("%magic\nx = 1", "pass\nx = 1"),
        ("if a:\n    !ls\n    b", "if a:\n    pass\n    b"),
        ("x = !ls -l\ny", "x = None\ny"),
        ("a, b = %time f()\ny", "a, b = None\ny"),
        ("obj?\ny", "pass\ny"),
        ("?obj\ny", "pass\ny"),
        ("!ls \\\n  -l\ny", "pass\n\ny"),
        ("%%time\nx = 1", "pass\nx = 1"),
        ("%%bash\nls | wc", "\n"),
        ("s = ('%s'\n     % name)\n%magic", "s = ('%s'\n     % name)\npass"),
        ("s = '''\n%text\n'''\n%magic", "s = '''\n%text\n'''\npass"),
        ("a = 1 \\\n  % 2\n!ls", "a = 1 \\\n  % 2\npass"),
        ('t = f"a{b}"  # "x\n!ls', 't = f"a{b}"  # "x\npass'),
        ("await f()\n!ls", "await f()\npass"),
    ],
)
def test_magics_are_neutralised_in_place(source: str, expected: str) -> None:
    assert neutralise(source) == (expected, None)


def test_lines_are_located() -> None:
    book = parse("nb.ipynb", notebook("a\nb", "#md x", "", "c"))
    assert book.text == "a\nb\n\nc\n"
    assert [locate(book.cells, line) for line in (1, 2, 3, 4)] == [(1, 1), (1, 2), (3, 1), (4, 1)]
