"""One question at a time: who waits for the probe, who need not wait any more, and answers that were given before."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable


class Superseded(Exception):
    """Whoever asked has asked something newer since; nobody waits for this answer."""


class Turns:
    """Lets one thread at a time work. Answers are texts, kept up to `most` characters of them, the oldest go first."""

    def __init__(self, most: int = 64 << 20) -> None:
        self._most = most
        self._changed = threading.Condition()
        self._working = False
        self._newest: dict[str, int] = {}
        self._count = 0
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._size = 0

    def answer(self, key: str, who: str, work: Callable[[], str]) -> str:
        """What is kept under a key, else what `work` makes of it when its turn comes. Raises Superseded if `who` asks
        for something else meanwhile; a question that is being worked on is worked on to its end and its answer kept."""
        with self._changed:
            self._count += 1
            mine = self._newest[who] = self._count
            self._changed.notify_all()
            while True:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    return self._kept[key]
                if self._newest[who] != mine:
                    raise Superseded
                if not self._working:
                    break
                self._changed.wait()
            self._working = True
        try:
            text = work()
            with self._changed:
                self._keep(key, text)
            return text
        finally:
            with self._changed:
                self._working = False
                self._changed.notify_all()

    def forget(self) -> None:
        """No answer holds any more."""
        with self._changed:
            self._kept.clear()
            self._size = 0

    def _keep(self, key: str, text: str) -> None:
        self._kept[key] = text
        self._size += len(text)
        while self._size > self._most and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._size -= len(dropped)
