"""Known findings after many refactorings at once, and findings that are new among them."""

from __future__ import annotations

import ast
import copy

import pytest

from tests.ci.refactoring import (
    MARKS,
    REFACTORINGS,
    Place,
    Program,
    local_names,
    marks,
    put,
    refactored,
    rename_local,
    told,
)

#: Findings by rule, of a variable `v`.
OTHERS = {
    "CAP101": ("v.std() > 7", "v.any()", "v.sum() > 0"),
    "CAP110": ("v.std().item()", "float(v.min())", "v.item()"),
    "CAP301": ("print(v)",),
    "CAP121": ("v[v < 0]", "v.nonzero()"),
    "CAP112": ("range(int(v.max()))",),
}
NEW = 99
SEEDS = 20


@pytest.mark.parametrize("refactoring", REFACTORINGS, ids=lambda refactoring: refactoring.__name__)
def test_each_refactoring_alone_makes_nothing_new(refactoring: object) -> None:
    for seed in range(6):
        program = Program(seed)
        before = program.findings()
        assert len(before) == MARKS
        if refactoring(program):  # type: ignore[operator]
            assert told(before, program) == {number: number for number, _ in before}, program.texts()


@pytest.mark.parametrize(("number", "most"), [(4, 0), (16, 6)])
def test_many_refactorings_at_once(number: int, most: int) -> None:
    """16 at once, most in three functions, is where some findings count as new; none is ever taken for another one."""
    before = Program(0).findings()
    known = dict(before)
    new = 0
    for seed in range(SEEDS):
        for finding, taken in told(before, refactored(seed, number)).items():
            new += taken is None
            assert taken is None or known[taken] == known[finding], (seed, finding, taken)
    assert new <= most, f"{new} of {SEEDS * MARKS}"


def _fixed(program: Program) -> tuple[Place, str, ast.expr] | None:
    """A finding that is mended now: its function, its rule, and what it was."""
    found = [(place, mark) for place in program.places() for mark in marks(place.function)]
    place, mark = program.random.choice(found)
    if marks(mark.args[0]):
        return None
    put(place.function, mark, ast.parse("mended(1)", mode="eval").body)
    assert isinstance(mark.func, ast.Name)
    return place, mark.func.id.split("_")[3], mark.args[0]


def _added(program: Program, place: Place, code: str, text: str, before: str = "") -> None:
    """A new finding somewhere in a function."""
    mark = f"__m{NEW}_{code}__({text})"
    statement = {"CAP101": f"if {mark}:\n    y9 = 7", "CAP112": f"for i9 in {mark}:\n    y9 = i9"}.get(code, mark)
    body = place.function.body
    at = program.random.randrange(len(body))
    body[at:at] = ast.parse(before + statement).body


@pytest.mark.parametrize("number", [0, 12])
@pytest.mark.parametrize("elsewhere", [False, True])
def test_one_mended_and_another_one_of_its_rule_made(number: int, elsewhere: bool) -> None:
    before = Program(0).findings()
    for seed in range(SEEDS):
        program = refactored(seed, number)
        fixed = _fixed(program)
        if fixed is None:
            continue
        place, code, old = fixed
        target = program.place() if elsewhere else place
        assert target is not None
        variable = program.random.choice(local_names(target.function) or ["x"])
        text = program.random.choice(OTHERS[code]).replace("v", variable)
        if text != ast.unparse(old):
            _added(program, target, code, text)
            assert told(before, program)[NEW] is None, (seed, ast.unparse(old), text)


@pytest.mark.parametrize("number", [0, 25])
def test_one_mended_and_another_one_made_of_another_variable(number: int) -> None:
    before = Program(0).findings()
    tried = 0
    for seed in range(SEEDS):
        program = refactored(seed, number)
        fixed = _fixed(program)
        if fixed is None or fixed[1] == "CAP301":
            continue
        place, code, old = fixed
        names = local_names(place.function)
        used = sorted({n.id for n in ast.walk(old) if isinstance(n, ast.Name)} & set(names))
        others = [name for name in names if name not in used]
        if used and others:
            one, other = program.random.choice(used), program.random.choice(others)
            made = copy.deepcopy(old)
            for node in ast.walk(made):
                if isinstance(node, ast.Name) and node.id == one:
                    node.id = other
            _added(program, place, code, ast.unparse(made))
            tried += 1
            assert told(before, program)[NEW] is None, (seed, ast.unparse(old), ast.unparse(made))
    assert tried > 8


@pytest.mark.parametrize("number", [0, 12])
def test_one_condition_mended_and_one_made_that_has_a_name(number: int) -> None:
    before = Program(0).findings()
    for seed in range(SEEDS):
        program = refactored(seed, number)
        fixed = _fixed(program)
        if fixed is not None and fixed[1] == "CAP101":
            variable = program.random.choice(local_names(fixed[0].function))
            _added(program, fixed[0], "CAP101", "named9", f"named9 = {variable}.std() < 7\n")
            assert told(before, program)[NEW] is None, (seed, ast.unparse(fixed[2]))


@pytest.mark.parametrize("number", [0, 12])
def test_a_second_copy_is_new(number: int) -> None:
    """Of a finding and its copy one is known, whatever else was changed."""
    before = Program(0).findings()
    for seed in range(SEEDS):
        program = refactored(seed, number)
        mark = program.random.choice([mark for place in program.places() for mark in marks(place.function)])
        place = next(place for place in program.places() if mark in marks(place.function))
        assert isinstance(mark.func, ast.Name)
        _added(program, place, mark.func.id.split("_")[3], ast.unparse(mark.args[0]))
        rename_local(program)
        found = told(before, program)
        taken = [known for known in found.values() if known is not None]
        assert len(taken) == len(set(taken))
        assert len(taken) < len(found)
