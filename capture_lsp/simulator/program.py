"""A program that is simulated, and what is known of it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from capture_lsp.inventory import digest
from capture_lsp.probe.targets import Target
from capture_lsp.simulator import gallery

if TYPE_CHECKING:
    from runtime_probe.simulation import Controls, Survey


@dataclass(frozen=True)
class Program:
    """`name`: how a gallery's page asks for it. `base`: paths are shown relative to this folder."""

    name: str
    title: str
    teaching: str
    target: Target
    base: str

    def at(self, target: Target) -> Program:
        """The same with its entry found."""
        return replace(self, target=target)


@dataclass(frozen=True)
class Surveyed:
    """A program with what can be varied in it. `target`: with the entry and the inputs that the probe made of it;
    `survey`: as it is shown, `controls`: its controls as the probe knows them, with its own paths; `files`: hash of
    each file that the program is known to consist of; `made_up`: the probe made the given inputs up."""

    program: Program
    target: Target
    survey: Survey
    controls: Controls
    torch: str
    files: dict[str, str] = field(default_factory=dict)
    made_up: bool = False

    @property
    def changed(self) -> bool:
        """Whether a file is no longer what was surveyed."""
        return hashes(self.files) != self.files


def of_target(target: Target, cwd: str) -> Program:
    """A program that the user named."""
    return Program("", target.text, "", target, cwd)


def of_exhibit(exhibit: gallery.Exhibit) -> Program:
    """A program of the gallery."""
    target = Target(exhibit.path, exhibit.path)
    return Program(exhibit.name, exhibit.title, exhibit.teaching, target, os.path.dirname(exhibit.path))


def hashes(paths: Iterable[str]) -> dict[str, str]:
    """The hash of each file's content; empty for one that cannot be read."""
    return {path: _hash(path) for path in paths}


def _hash(path: str) -> str:
    try:
        with open(path, "rb") as stream:
            return digest(stream.read())
    except OSError:
        return ""
