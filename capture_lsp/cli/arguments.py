"""Types of arguments, and arguments that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from analyzer.outcome import FRONTENDS
from capture_lsp.config.schema import BadValue, torch_version
from capture_lsp.probe.budget import BUDGET

#: The frontends that a probe can run, `dynamo` always among them.
PROBED_FRONTENDS = ("dynamo", "fullgraph", "trace", "fx", "script", "export")


def codes(text: str) -> tuple[str, ...]:
    """Codes of rules, separated by commas or blanks."""
    found = tuple(code for code in text.replace(",", " ").split() if code)
    if not found:
        raise argparse.ArgumentTypeError("no code given")
    return found


def frontends(text: str) -> tuple[str, ...]:
    """Names of frontends, separated by commas."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in FRONTENDS:
            raise argparse.ArgumentTypeError(f"unknown frontend {name!r} (one of {', '.join(FRONTENDS)})")
    return names


def probed_frontends(text: str) -> tuple[str, ...]:
    """Frontends that a probe can run."""
    names = frontends(text)
    for name in names:
        if name not in PROBED_FRONTENDS:
            raise argparse.ArgumentTypeError(f"{name} cannot be probed (one of {', '.join(PROBED_FRONTENDS)})")
    return names


def positive(text: str) -> float:
    """A finite number above zero."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number greater than zero")
    return number


def gpu(text: str) -> str:
    """A GPU that kernels can be generated for."""
    from capture_lsp.probe.gpus import names

    if text not in names():
        raise argparse.ArgumentTypeError(f"unknown GPU {text!r} (one of {', '.join(names())})")
    return text


def add_budget(group: Any) -> None:
    """`--budget`."""
    group.add_argument(
        "--budget",
        type=positive,
        metavar="SECONDS",
        help=f"how long each function may be measured, compiling included (default: {BUDGET:g})",
    )


def file_ignores(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """`PATTERN:CODE …`, as the codes of each pattern."""
    found: dict[str, tuple[str, ...]] = {}
    for part in text.replace(",", " ").split():
        pattern, separator, code = part.rpartition(":")
        if not separator or not pattern or not code:
            raise argparse.ArgumentTypeError(f"{part!r} is not PATTERN:CODE")
        found[pattern] = (*found.get(pattern, ()), code)
    return tuple(found.items())


def torch_release(text: str) -> tuple[int, int]:
    """A release of torch: `2.13`."""
    try:
        return torch_version(text)
    except BadValue as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not {error}") from None


def jobs(text: str) -> int:
    """A number of processes; 0 stands for all."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes")
    return number


def count(text: str) -> int:
    """A number of warnings, 0 among them."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of warnings")
    return int(text)


def texts(text: str) -> tuple[str, ...]:
    """What stands between commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def add_frontend(group: Any, verb: str) -> None:
    """`--frontend`; `verb`: what is done with those that it names."""
    group.add_argument(
        "--frontend",
        type=probed_frontends,
        action="extend",
        metavar="NAME",
        help=f"{verb} these only (repeatable): {', '.join(PROBED_FRONTENDS)}",
    )


def late(module: str) -> Callable[[argparse.Namespace], int]:
    """The `run` function of a command's module, imported when the command runs."""

    def run(options: argparse.Namespace) -> int:
        import importlib

        status: int = importlib.import_module(f"capture_lsp.cli.{module}").run(options)
        return status

    return run
