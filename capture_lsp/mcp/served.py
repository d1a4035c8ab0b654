"""Which paths the tools may read: those in the folder that the server was started in, and what the user allows."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from capture_lsp.errors import UserError
from capture_lsp.paths import absolute, inside


@dataclass(frozen=True)
class Served:
    """`cwd`: the server's folder; `allowed`: further files and folders. Links count by where they lead."""

    cwd: str
    allowed: tuple[str, ...] = ()

    def path(self, given: str) -> str:
        """A path that a client names, absolute. Raises UserError for one that is not served."""
        if not given or "\0" in given:
            raise UserError(f"{given!r} is no path")
        full = absolute(given, self.cwd)
        real = os.path.realpath(full)
        if not any(inside(real, os.path.realpath(top)) for top in (self.cwd, *self.allowed)):
            raise UserError(
                f"{given}: outside of the folder that this server serves; only the user can allow it, by starting the "
                "server with --allow-path"
            )
        return full

    def paths(self, given: Iterable[str]) -> list[str]:
        """Several paths; the server's folder where there are none."""
        return [self.path(one) for one in given] or [self.cwd]
