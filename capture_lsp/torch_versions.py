"""The torch versions that the analyzer's tables cover, and what to do outside them."""

from __future__ import annotations

OLDEST, NEWEST = (2, 6), (2, 14)

#: Judged by when no torch is found and none was asked for: the version that the tables were measured on.
DEFAULT = (2, 13)


def text(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def clamp(version: tuple[int, int]) -> tuple[tuple[int, int], str | None]:
    """The covered version nearest to `version`, and a note if that is another one."""
    if version > NEWEST:
        return NEWEST, f"torch {text(version)} is newer than the tables; judging by {text(NEWEST)}"
    if version < OLDEST:
        return OLDEST, f"torch {text(version)} is older than the tables; judging by {text(OLDEST)}"
    return version, None
