"""Random edits of real files: after each one a session gives what a fresh analysis gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.api import Options, RootMode, analyze
from analyzer.session import Session

from .comparison import differences
from .edits import Editor
from .recording import torch_text

EXAMPLES = Path(__file__).parents[2] / "examples"
TORCH = "nn/utils/spectral_norm.py"

#: (file of examples/ or of torch, roots, seed, edits)
RUNS: tuple[tuple[str, RootMode, int, int], ...] = (
    ("detector.py", "all", 1, 5),
    ("diffusion_sampler.py", "forward", 2, 12),
    ("export_classifier.py", "auto", 3, 12),
    ("gated_scorer.py", "auto", 4, 50),
    ("gpt_sampling.py", "all", 5, 15),
    ("moe_router.py", "auto", 6, 25),
    ("train_step.py", "auto", 7, 12),
    ("triton_softmax.py", "auto", 8, 12),
    (TORCH, "all", 9, 10),
)


def load(file: str) -> tuple[str, str]:
    path = EXAMPLES / file
    if path.exists():
        return str(path), path.read_text(encoding="utf-8")
    found, text = torch_text(file)
    return str(found), text


@pytest.mark.parametrize(("file", "roots", "seed", "count"), RUNS)
def test_a_session_is_as_good_as_a_fresh_analysis(file: str, roots: RootMode, seed: int, count: int) -> None:
    name, text = load(file)
    options = Options(roots=roots)
    editor = Editor(text, seed)
    session = Session([name], options, {name: text})
    assert differences(session, analyze([name], options, {name: text})) == []
    wrong = []
    for number in range(count):
        kind = editor.edit()
        session.update(name, editor.text)
        fresh = analyze([name], options, {name: editor.text})
        wrong += [f"edit {number} ({kind}): {told}" for told in differences(session, fresh)[:3]]
    assert wrong == []
    assert editor.text != text


def test_several_open_files() -> None:
    """Edits of files that call each other: what one does to another's findings is seen at once."""
    names = sorted(str(path) for path in (EXAMPLES / "project").rglob("*.py"))
    assert len(names) > 1
    options = Options(search_paths=(str(EXAMPLES / "project"),))
    editors = {name: Editor(Path(name).read_text(encoding="utf-8"), seed) for seed, name in enumerate(names)}
    session = Session(names, options, {name: editor.text for name, editor in editors.items()})
    wrong = []
    for number in range(30):
        name = names[number % len(names)]
        kind = editors[name].edit()
        session.update(name, editors[name].text)
        fresh = analyze(names, options, {name: editor.text for name, editor in editors.items()})
        wrong += [f"edit {number} of {name} ({kind}): {told}" for told in differences(session, fresh)[:3]]
    assert wrong == []
