"""Fixtures of all tests, where the classic data sets are, and the profiles of Hypothesis."""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

from microagg import InputError, Table, datasets
from microagg.model.arrays import FloatArray

ROOT = Path(__file__).parents[1]
T = TypeVar("T")

os.environ.setdefault("MICROAGG_DATA", str(ROOT.parent / "shared" / "data"))

# "ci": the same examples every time. "fuzz" (`make fuzz`): others each time, by --hypothesis-seed, and more of them.
# No test may fail because a machine is slow.
settings.register_profile("any", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("any"), derandomize=True, max_examples=50)
settings.register_profile("fuzz", settings.get_profile("any"), derandomize=False, max_examples=400, print_blob=True)
settings.load_profile("ci")


@pytest.fixture
def companies() -> Path:
    """Return the path of the example table."""
    return ROOT / "examples" / "companies.csv"


def _or_skip(load: Callable[[str], T]) -> Callable[[str], T]:
    """Return a loader that skips the test where a classic data set is not at hand."""

    def loaded(name: str) -> T:
        try:
            return load(name)
        except InputError as error:
            pytest.skip(str(error))

    return loaded


@pytest.fixture
def classic() -> Callable[[str], Table]:
    """Return a loader of the classic data sets as tables."""
    return _or_skip(datasets.load)


@pytest.fixture
def matrix() -> Callable[[str], FloatArray]:
    """Return a loader of the numbers of the classic data sets, of shape (n, d)."""
    return _or_skip(datasets.matrix)


@pytest.fixture
def released_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let columns that single out records be released without being named, where a test is about something else."""
    monkeypatch.setattr(import_module("microagg.protect"), "refuse_unnamed", lambda table, plan: None)
