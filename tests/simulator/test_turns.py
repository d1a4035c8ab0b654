"""Who waits, who need not, and what is kept."""

from __future__ import annotations

import threading

import pytest

from capture_lsp.simulator.turns import Superseded, Turns

PATIENCE = 20.0


def test_an_answer_is_worked_out_once() -> None:
    turns, worked = Turns(), []

    def work() -> str:
        worked.append(1)
        return "text"

    assert [turns.answer("a", "page", work) for _ in range(3)] == ["text"] * 3
    assert len(worked) == 1
    turns.forget()
    turns.answer("a", "page", work)
    assert len(worked) == 2


def test_the_oldest_answers_go_when_there_is_no_room() -> None:
    turns, worked = Turns(most=10), []

    def ask(key: str) -> None:
        turns.answer(key, "page", lambda: worked.append(key) or "1234")

    for key in ("a", "b", "a", "c", "a", "b"):
        ask(key)
    assert worked == ["a", "b", "c", "b"]


def test_an_error_gives_the_turn_on_and_is_not_kept() -> None:
    turns = Turns()

    def fails() -> str:
        raise ValueError

    with pytest.raises(ValueError):
        turns.answer("a", "page", fails)
    assert turns.answer("a", "page", lambda: "text") == "text"


def test_one_works_at_a_time_and_a_newer_question_of_the_same_page_takes_the_place_of_a_waiting_one() -> None:
    turns = Turns()
    began, go_on = threading.Event(), threading.Event()
    told: dict[str, str] = {}

    def slow() -> str:
        began.set()
        assert go_on.wait(PATIENCE)
        return "slow"

    def ask(key: str, who: str) -> None:
        try:
            told[key] = turns.answer(key, who, lambda: key.upper())
        except Superseded:
            told[key] = "superseded"

    first = threading.Thread(target=lambda: told.update(first=turns.answer("first", "page", slow)))
    first.start()
    assert began.wait(PATIENCE)
    waiting = [threading.Thread(target=ask, args=("old", "page")), threading.Thread(target=ask, args=("x", "other"))]
    for thread in waiting:
        thread.start()
    while turns._count < 3:
        threading.Event().wait(0.01)
    newest = threading.Thread(target=ask, args=("new", "page"))
    newest.start()
    waiting[0].join(PATIENCE)
    assert told == {"old": "superseded"}  # while the first is still worked on
    go_on.set()
    for thread in (first, *waiting, newest):
        thread.join(PATIENCE)
    assert told == {"old": "superseded", "first": "slow", "x": "X", "new": "NEW"}
