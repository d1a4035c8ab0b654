"""The pytest plugin: `@pytest.mark.capture(...)` and the fixture `capture_probe`. Imports nothing heavy by itself."""

from __future__ import annotations

import importlib
import unittest
from collections.abc import Callable, Generator
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from runtime_probe.report import Report

_MARKER = (
    "capture(fullgraph=False, max_graphs=None, max_recompiles=None): fail where torch.compile does worse in the test: "
    "fullgraph forbids graph breaks, max_graphs and max_recompiles limit graphs and recompilations"
)


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", _MARKER)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Listen while a marked test runs."""
    return (yield from _heard(pyfuncitem))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """The same for methods of `unittest.TestCase`, which pytest has unittest call."""
    if isinstance(item, pytest.Function) and item.cls is not None and issubclass(item.cls, unittest.TestCase):
        return (yield from _heard(item))
    return (yield)


def _heard(item: pytest.Function) -> Generator[None, object, object]:
    marker = item.get_closest_marker("capture")
    if marker is None:
        return (yield)
    from capture_lsp.testing.limits import Limits

    if marker.args:
        pytest.fail("@pytest.mark.capture takes keyword arguments only", pytrace=False)
    try:
        limits = Limits.of(marker.kwargs)
    except ValueError as error:
        raise pytest.fail.Exception(f"@pytest.mark.capture: {error}", pytrace=False) from None
    observed = _observed()
    with observed.Observation(item.name) as seen:
        result = yield
    why = observed.failure(seen.entry, limits, str(item.config.rootpath))
    if why:
        pytest.fail(f"capture: {why}", pytrace=False)
    return result


def _observed() -> ModuleType:
    """`capture_lsp.testing.observed`, which imports torch: without it a test fails, for nothing is known of it."""
    try:
        return importlib.import_module("capture_lsp.testing.observed")
    except ImportError as error:
        if error.name != "torch":
            raise
        raise pytest.fail.Exception(f"capture: torch cannot be imported: {error}", pytrace=False) from None


@pytest.fixture
def capture_probe(pytestconfig: pytest.Config) -> Callable[..., Report]:
    """`capture_probe(fn_or_module, *calls, fullgraph=True, max_graphs=1, max_recompiles=0)`: compile it, make the
    calls, return the report; fail where a limit is exceeded."""

    def probe(function: Any, *calls: Any, **limits: Any) -> Report:
        __tracebackhide__ = True
        from capture_lsp.testing.limits import Limits

        wanted = Limits.of(limits)
        if not calls:
            raise ValueError("capture_probe needs the arguments of one call or more")
        report: Report
        report, why = _observed().probed(function, calls, wanted, str(pytestconfig.rootpath))
        if why:
            pytest.fail(f"capture: {why}", pytrace=False)
        return report

    return probe
