"""A progress bar on standard error, on a terminal only and only for work that takes a while."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import IO

DELAY = 1.0
INTERVAL = 0.1


class ProgressBar:
    """Counts files, or whatever `start` says. Silent unless the stream is a terminal."""

    def __init__(self, stream: IO[str], shown: bool) -> None:
        self._stream = stream
        self._shown = shown
        self._total = 0
        self._done = 0
        self._began = 0.0
        self._drawn = 0.0
        self._noun = "files"
        self._text = ""

    def start(self, total: int, noun: str = "files") -> Callable[[str], None] | None:
        """Begin counting to `total`; what to call for each file done, if anything is shown at all."""
        if not self._shown:
            return None
        self._noun = noun
        self._total += total
        self._began = self._began or time.monotonic()
        return self._step

    def _step(self, _: str) -> None:
        self._done += 1
        self._draw()

    def tell(self, text: str) -> None:
        """Say behind the bar what is going on."""
        self._text = text
        if self._shown:
            self._began = self._began or time.monotonic()
            self._draw()

    def _draw(self) -> None:
        now = time.monotonic()
        if now - self._began < DELAY or now - self._drawn < INTERVAL:
            return
        self._drawn = now
        done = min(self._done, self._total)
        columns = shutil.get_terminal_size().columns
        room = max(10, min(40, columns - 30))
        filled = room * done // max(1, self._total)
        shown = f"[{'#' * filled}{'.' * (room - filled)}] {done}/{self._total} {self._noun}"
        if self._text:
            shown = f"{shown}  {self._text}"[: columns - 1]
        self._stream.write(f"\r{shown}" + ("\x1b[K" if self._text else ""))
        self._stream.flush()

    def finish(self) -> None:
        """Take the bar off the screen."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = 0.0


def progress_bar(stream: IO[str], quiet: bool = False) -> ProgressBar:
    """The bar for a stream."""
    return ProgressBar(stream, not quiet and bool(stream.isatty()))
