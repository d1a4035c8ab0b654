"""The real command in a project of its own."""

from __future__ import annotations

from tests.cli.conftest import project

__all__ = ["project"]
