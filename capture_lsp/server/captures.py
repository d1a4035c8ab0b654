"""Which of the files that capture something may capture what an open file defines.

A large workspace has hundreds of files with capture calls, and each that counts is read and looked through for every
open file. One that captures something of another file imports it: its module, or what is defined there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping

from capture_lsp.reading import read_bytes, stamp

MOST_BYTES = 1_000_000
#: Seconds for which files on disk are taken to be as they were.
TRUSTED_FOR = 0.5
#: More of them cost more than they tell: each is looked through with every key.
MOST = 12
_DEFINED = re.compile(rb"^(?:class|def|async[ \t]+def)[ \t]+(\w+)", re.M)
_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+)?import[ \t]+([^(\n]*(?:\([^)]*\))?)", re.M)
_WORDS = re.compile(rb"\w+")
_PACKAGE = "__init__"
_PACKAGES = 4  #: folders above a file that may be packages


class Captures:
    """Remembers what a file imports, for as long as the file does not change."""

    def __init__(self) -> None:
        self._words: dict[str, tuple[object, frozenset[bytes]]] = {}
        self._found: dict[str, tuple[object, float, frozenset[str]]] = {}

    def closed(self, path: str, capturing: Collection[str], texts: Mapping[str, bytes], now: float) -> frozenset[str]:
        """The files of `capturing`, none of them open, that may capture something of an open file. `texts`: the content
        of all open files; `now`: seconds on some clock."""
        names = _names(path, texts[path])
        known = self._found.get(path)
        asked = (names, capturing, frozenset(texts))
        if known is None or known[0] != asked or now - known[1] > TRUSTED_FOR:
            closed = (other for other in capturing if other not in texts)
            found = sorted(other for other in closed if not names.isdisjoint(self._words_of(other)))
            known = self._found[path] = (asked, now, frozenset(found[:MOST]))
        return known[2]

    def refresh(self) -> None:
        """Files changed on disk."""
        self._found.clear()

    def opened(self, path: str, capturing: Collection[str], texts: Mapping[str, bytes]) -> frozenset[str]:
        """The open files of `capturing` that may capture something of another one."""
        names = _names(path, texts[path])
        others = (other for other in capturing if other in texts and other != path)
        return frozenset(other for other in others if not names.isdisjoint(_imported(texts[other])))

    def _words_of(self, path: str) -> frozenset[bytes]:
        state = stamp(path)
        known = self._words.get(path)
        if known is None or known[0] != state:
            content = read_bytes(path, MOST_BYTES)
            known = self._words[path] = (state, _imported(content) if isinstance(content, bytes) else frozenset())
        return known[1]


def _names(path: str, text: bytes) -> frozenset[bytes]:
    """How others may import a file: by its module's name, or as `package.name` for what it defines at the top, if a
    package around it passes that on. The package of a relative import may be left out."""
    folders = os.path.dirname(path).split(os.sep)[-_PACKAGES:]
    stem = os.path.basename(path).removesuffix(".py")
    defined = [name for name in _DEFINED.findall(text) if not name.startswith(b"_")]
    through = {b".".join((folder.encode(), name)) for folder in ("", *folders) for name in defined}
    module = folders[-1] if stem == _PACKAGE else stem
    return frozenset((module.encode(), *through))


def _imported(text: bytes) -> frozenset[bytes]:
    """What a text imports: names, the last names of modules, and names behind these."""
    found: set[bytes] = set()
    for module, names in _IMPORT.findall(text):
        last = module.rpartition(b".")[2]
        words = _WORDS.findall(names)
        found.update(words, (last,), (last + b"." + word for word in words))
    return frozenset(found)
