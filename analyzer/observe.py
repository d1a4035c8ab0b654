"""Questions whose answer follows from the text of a file, asked so that a recorder hears them.

An editor's session (`analyzer.session`) keeps what a function's analysis gave for as long as everything that it read is
the same. What a function reads of the classes and modules around it, it therefore asks through `observed`; the recorder
notes the question and its answer, and asks again after an edit. Without a recorder it is a plain call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
#: Is told (question, arguments, answer).
Recorder = Callable[[Callable[..., Any], tuple[Any, ...], Any], None]


class _Here(threading.local):
    recorder: Recorder | None = None


_here = _Here()


def observed(ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """`ask(*args)`. It may depend on nothing but its arguments and the texts of the files as they are now."""
    answer = ask(*args, **kwargs)
    recorder = _here.recorder
    if recorder is not None:
        recorder(ask, args, answer)
    return answer


@contextmanager
def recording(recorder: Recorder) -> Iterator[None]:
    """Tell `recorder` of the questions that this thread asks."""
    before, _here.recorder = _here.recorder, recorder
    try:
        yield
    finally:
        _here.recorder = before
