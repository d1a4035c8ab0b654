"""What a run must know of every file before any is analysed: its content's hash, and which words occur in it."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass

from analyzer.api import may_capture
from analyzer.finding import FileError
from capture_lsp.reading import read_bytes

#: A file changed so shortly before it was hashed may change again within the same time stamp.
RACY_NS = 2_000_000_000
_CAPTURING, _SUPPRESSING = 1, 2


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a file's content."""

    hash: str
    flags: int

    @property
    def capturing(self) -> bool:
        """It may hold capture calls, which make roots in other files."""
        return bool(self.flags & _CAPTURING)

    @property
    def suppressing(self) -> bool:
        """It may hold suppression comments."""
        return bool(self.flags & _SUPPRESSING)


#: (modification time in ns, size, hash, flags) of a path.
Memo = Mapping[str, "tuple[int, int, str, int]"]


def digest(raw: bytes) -> str:
    """The hash of some content."""
    return hashlib.blake2b(raw, digest_size=16).hexdigest()


class Inventory:
    """Looks at each file once a run; what did not change since it was last looked at comes from the memo."""

    def __init__(self, memo: Memo, overrides: Mapping[str, bytes]) -> None:
        self._memo = memo
        self._looks: dict[str, Look | FileError] = {path: _look(raw) for path, raw in overrides.items()}
        self.fresh: list[tuple[str, int, int, str, int]] = []

    def look(self, path: str, limit: int) -> Look | FileError:
        """The look at a file, or why it cannot be read."""
        known = self._looks.get(path)
        if known is None:
            known = self._looks[path] = self._read(path, limit)
        return known

    def hash(self, path: str) -> str | None:
        """The hash of a file's content, however large; None if it cannot be read."""
        found = self.look(path, 1 << 40)
        return None if isinstance(found, FileError) else found.hash

    def _read(self, path: str, limit: int) -> Look | FileError:
        try:
            stat = os.stat(path)
        except OSError as error:
            return FileError(path, 1, "unreadable", f"cannot read the file: {error.strerror or error}")
        remembered = self._memo.get(path)
        if remembered is not None and remembered[:2] == (stat.st_mtime_ns, stat.st_size) and stat.st_size <= limit:
            return Look(remembered[2], remembered[3])
        raw = read_bytes(path, limit)
        if isinstance(raw, FileError):
            return raw
        found = _look(raw)
        if len(raw) == stat.st_size and time.time_ns() - stat.st_mtime_ns > RACY_NS:
            self.fresh.append((path, stat.st_mtime_ns, stat.st_size, found.hash, found.flags))
        return found


def _look(raw: bytes) -> Look:
    text = raw.decode("latin-1")  # the words looked for are ASCII
    return Look(digest(raw), _CAPTURING * may_capture(text) | _SUPPRESSING * ("capture:" in text))
