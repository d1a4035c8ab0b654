"""One pool of judge workers for a test session; every process ends with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.truth.claims import Case
from tests.truth.client import Pool


@pytest.fixture(scope="session")
def judges(request: pytest.FixtureRequest) -> Iterator[Pool]:
    """Two workers, or one for each process of a distributed run; what the selected tests will ask is judged ahead."""
    distributed = "PYTEST_XDIST_WORKER" in os.environ
    with Pool(1 if distributed else 2) as pool:
        if not distributed:
            for item in request.session.items:
                case = item.callspec.params.get("case") if hasattr(item, "callspec") else None
                if isinstance(case, Case) and case.claims and "judges" in getattr(item, "fixturenames", ()):
                    pool.ask(case.request())
        yield pool
