"""Errors that end a command with exit status 2 and one line of text."""

from __future__ import annotations


class UserError(Exception):
    """Wrong usage or configuration; its text is the whole message for the user."""


class ConfigError(UserError):
    """Something wrong at a line of a configuration file. `what`: the text without the file's name."""

    def __init__(self, path: str, line: int, what: str) -> None:
        super().__init__(f"{path}: {what}")
        self.path = path
        self.line = line
        self.what = what
