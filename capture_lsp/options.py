"""From settings to the analyzer's options: rules chosen, import roots, the project's environment and torch."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from analyzer.api import Options, RootMode
from analyzer.outcome import Frontend, Severity
from analyzer.suppress import ABOUT_SUPPRESSIONS, EXPIRED_SUPPRESSION, UNUSED_SUPPRESSION
from capture_lsp import torch_versions
from capture_lsp.config.settings import Settings
from capture_lsp.errors import UserError
from capture_lsp.interpreter import find_environment

if TYPE_CHECKING:
    from capture_lsp.catalogue import Entry


@dataclass(frozen=True)
class Plan:
    """How the files of one configuration are analysed."""

    options: Options
    unused_suppressions: bool  #: whether CAP001 is on
    note: str | None  #: something to tell the user once, on stderr
    partial: bool = False  #: whether rules that are on by default are left out
    expired_suppressions: bool = True  #: whether CAP002 is on


def plan(settings: Settings, frontends: tuple[str, ...]) -> Plan:
    """`frontends`: those of the command line, by which every root is judged."""
    environment = find_environment(settings.base, settings.python)
    wanted = settings.target_torch or environment.torch or torch_versions.DEFAULT
    torch, note = torch_versions.clamp(wanted)
    select = enabled(settings)
    _verify(settings)
    rules = None if select is None else select - ABOUT_SUPPRESSIONS
    return Plan(
        Options(
            frontends=cast("tuple[Frontend, ...]", frontends),
            default_frontends=cast("tuple[Frontend, ...]", settings.frontends),
            roots=cast(RootMode, settings.roots),
            extra_roots=settings.extra_roots,
            torch=torch,
            select=() if rules is None else tuple(sorted(rules)) or (UNUSED_SUPPRESSION,),
            search_paths=search_paths(settings),
            site_paths=environment.site_paths,
        ),
        # A suppression may well be for a frontend that this run was not asked about.
        not frontends and (select is None or UNUSED_SUPPRESSION in select),
        note,
        select is not None and _leaves_out(select),
        select is None or EXPIRED_SUPPRESSION in select,
    )


def _leaves_out(select: frozenset[str]) -> bool:
    from capture_lsp.catalogue import entries

    return any(e.default and e.code not in select and e.code not in ABOUT_SUPPRESSIONS for e in entries())


def search_paths(settings: Settings) -> tuple[str, ...]:
    """Where the project's own modules are found, besides each file's own import root."""
    candidates = [*settings.extra_paths, os.path.join(settings.base, "src"), settings.base]
    return tuple(dict.fromkeys(path for path in candidates if os.path.isdir(path)))


def enabled(settings: Settings) -> frozenset[str] | None:
    """The codes of the rules to use, or None for those that are on by default."""
    if not (settings.select or settings.extend_select or settings.ignore):
        return None
    from capture_lsp.catalogue import entries

    every = entries()
    on = _ranks(settings.select, every, "select") if settings.select else {e.code: 0 for e in every if e.default}
    for code, rank in _ranks(settings.extend_select, every, "extend-select").items():
        on[code] = max(rank, on.get(code, 0))
    off = _ranks(settings.ignore, every, "ignore")
    return frozenset(code for code, rank in on.items() if off.get(code, -1) < rank)


def verify(settings: Settings) -> None:
    """Raise for codes of no rule: a ConfigError where they stand in a configuration file."""
    from capture_lsp.config.files import line_of
    from capture_lsp.errors import ConfigError
    from capture_lsp.textfile import decode

    try:
        enabled(settings)
        _verify(settings)
    except UserError as error:
        setting = str(error).partition(":")[0]
        path = settings.origins.get(setting, "").partition(", command line")[0]
        try:
            with open(path, "rb") as stream:
                text = decode(stream.read()).text
        except (OSError, SyntaxError, UnicodeError, LookupError):
            raise error from None
        selector = str(error).partition("'")[2].partition("'")[0]
        raise ConfigError(path, line_of(text, selector, setting), str(error)) from None


def _verify(settings: Settings) -> None:
    """Raise for codes of no rule in the tables by file and by severity: a misspelt one would go unnoticed."""
    tables = {
        "per-file-ignores": [code for _, codes in settings.per_file_ignores for code in codes],
        "severity": [selector for selector, _ in settings.severity],
    }
    if any(tables.values()):
        from capture_lsp.catalogue import entries

        for setting, selectors in tables.items():
            _ranks(selectors, entries(), setting)


def _ranks(selectors: Iterable[str], every: tuple[Entry, ...], setting: str) -> dict[str, int]:
    """Code → how precisely it was named: the longest prefix wins, a whole code over a band, a band over ALL."""
    ranks: dict[str, int] = {}
    for selector in selectors:
        matched = [e.code for e in every if matches(selector, e.code, e.name)]
        if not matched:
            raise UserError(f"{setting}: no rule matches {selector!r} (see `capture-lsp rule --all`)")
        rank = 0 if selector == "ALL" else len(selector) if selector.startswith("CAP") else len("CAP101")
        for code in matched:
            ranks[code] = max(rank, ranks.get(code, 0))
    return ranks


def matches(selector: str, code: str, name: str) -> bool:
    """Whether a code, a code's prefix, a rule's name or ALL names this rule."""
    return selector == "ALL" or selector == name or (selector.startswith("CAP") and code.startswith(selector))


def severity(settings: Settings, code: str, name: str, default: Severity) -> Severity | None:
    """The severity configured for a rule; None where it is off."""
    best, result = -1, str(default)
    for selector, value in settings.severity:
        rank = 0 if selector == "ALL" else len(code) if selector == name else len(selector)
        if rank > best and matches(selector, code, name):
            best, result = rank, value
    return None if result == "off" else cast(Severity, result)
