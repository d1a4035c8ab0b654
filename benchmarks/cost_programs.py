"""The programs of `programs/cost`, whose costs are measured."""

from __future__ import annotations

import importlib.util
import pathlib
import sys
from typing import Any

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs" / "cost"


def loaded(name: str) -> Any:
    """A program's module."""
    spec = importlib.util.spec_from_file_location(name, PROGRAMS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
