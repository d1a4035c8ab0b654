"""Finds the rules: every class in `analyzer/rules/` that has a code. Nothing is registered by hand."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache

from analyzer.rule import Rule


@lru_cache(maxsize=8)
def all_rules(without: tuple[str, ...] = ()) -> tuple[type[Rule], ...]:
    """Every rule class, ordered by code. Two rules of one code or name are a programming error.

    `without`: beginnings of file names (`cap7`) that need not be read, where nothing can come of their rules.
    """
    import analyzer.rules as package

    found: dict[str, type[Rule]] = {}
    for info in pkgutil.iter_modules(package.__path__):
        if info.name.startswith(without):
            continue
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        for value in vars(module).values():
            if (
                isinstance(value, type)
                and issubclass(value, Rule)
                and value is not Rule
                and value.__module__ == module.__name__
            ):
                if "code" not in vars(value):
                    continue
                if value.code in found:
                    raise ValueError(f"two rules have the code {value.code}")
                found[value.code] = value
    return tuple(found[code] for code in sorted(found))
