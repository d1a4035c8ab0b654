"""Errors that end a command with exit status 2 and one line of text."""

from __future__ import annotations


class UserError(Exception):
    """Wrong usage or configuration; its text is the whole message for the user."""
