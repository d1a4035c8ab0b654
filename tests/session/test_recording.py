"""A recorded editing session gives after its edits what a fresh analysis of the text gives."""

from __future__ import annotations

import pytest

from analyzer.api import Options, analyze
from analyzer.session import Session

from .comparison import differences
from .recording import Edit, applied, load, torch_text

OPTIONS = Options(roots="all")
FILES, EDITS = load()
EVERY = 5  #: the quick run compares after every so many edits

pytestmark = pytest.mark.skipif(not EDITS, reason="the recording is of another release of torch")


def test_what_is_recorded() -> None:
    """200 edits in five files of 300 to 3,000 lines, broken states and undoing among them."""
    lines = [torch_text(file)[1].count("\n") for file in FILES]
    assert len(EDITS) == 200
    assert len(lines) == 5
    assert min(lines) >= 300
    assert max(lines) > 2500
    assert {edit.file for edit in EDITS} == set(FILES)
    kinds = {edit.kind for edit in EDITS}
    assert kinds >= {"type", "newline", "paste", "undo", "rename", "break", "comment", "header", "import", "delete"}


@pytest.mark.parametrize("every", [EVERY, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("file", FILES)
def test_a_session_is_as_good_as_a_fresh_analysis(file: str, every: int) -> None:
    path, text = torch_text(file)
    name = str(path)
    session = Session([name], OPTIONS, {name: text})
    assert session.report.findings
    wrong = []
    seen = set()
    edits = [edit for edit in EDITS if edit.file == file]
    for number, edit in enumerate(edits, 1):
        text = applied(text, edit)
        session.update(name, text)
        if number % every and number != len(edits):
            continue
        fresh = analyze([name], OPTIONS, {name: text})
        seen.add(str(fresh.findings))
        wrong += [f"{place_of(number, edit)}: {told}" for told in differences(session, fresh)[:3]]
    assert wrong == []
    assert len(seen) > 3  # the edits change what is found


def place_of(number: int, edit: Edit) -> str:
    return f"edit {number} ({edit.kind} at {edit.start[0] + 1}:{edit.start[1] + 1})"
