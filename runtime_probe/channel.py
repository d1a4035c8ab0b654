"""Lines of JSON through a descriptor of their own: what the program prints cannot get between them."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, Iterator, List


def send(descriptor: int, message: Dict[str, Any]) -> None:
    """Write one message as a whole."""
    data = memoryview((json.dumps(message, default=str) + "\n").encode("utf-8"))
    while data:
        data = data[os.write(descriptor, data) :]


#: The exit status of a process that could no longer tell anything.
LOST = 117


def sender(descriptor: int) -> Callable[[Dict[str, Any]], None]:
    """Sends through a descriptor while it is what it is now. A program that closes every descriptor may open a file
    under the same number: the process ends before anything of ours gets into that file."""
    check = guard(descriptor)

    def tell(message: Dict[str, Any]) -> None:
        check()
        send(descriptor, message)

    return tell


def guard(descriptor: int) -> Callable[[], None]:
    """A check that a descriptor is still what it is now; if not, this process ends with the status LOST."""
    known = os.fstat(descriptor)

    def check() -> None:
        try:
            found = os.fstat(descriptor)
        except OSError:
            os._exit(LOST)
        if (found.st_dev, found.st_ino) != (known.st_dev, known.st_ino):
            os._exit(LOST)

    return check


class Lines:
    """Splits what arrives on a descriptor into messages."""

    def __init__(self) -> None:
        self._parts: List[bytes] = []

    def feed(self, data: bytes) -> Iterator[Dict[str, Any]]:
        """The messages that `data` completes; what is no JSON object is left out."""
        *ended, rest = data.split(b"\n")
        for piece in ended:
            line = b"".join([*self._parts, piece])
            self._parts.clear()
            message = _parsed(line)
            if message is not None:
                yield message
        if rest:
            self._parts.append(rest)


def _parsed(line: bytes) -> Any:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
