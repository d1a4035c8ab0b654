"""What these tests need, and whether it is here."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

from capture_lsp.pages import ASSETS

#: Whether what is missing is a failure; `.ci/run` says so.
REQUIRED = os.environ.get("CAPTURE_LSP_BROWSER") == "required"
AXE = Path(__file__).parents[2] / "pages" / "node_modules" / "axe-core" / "axe.min.js"


def chromium() -> str | None:
    """The path of a Chromium of the system."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def missing() -> str:
    """Why the pages cannot be tested here; empty if they can."""
    if chromium() is None:
        return "Chromium is not installed"
    if importlib.util.find_spec("playwright") is None:
        return "the package playwright is not installed"
    if importlib.util.find_spec("torch") is None:
        return "torch is not installed"
    if not all((ASSETS / name).exists() for name in ("simulator.js", "report.js")):
        return "the pages are not built (make pages)"
    if not AXE.exists():
        return "axe-core is not installed (npm ci in pages)"
    return ""
