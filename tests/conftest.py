"""Set up every test: where the data are, and how Hypothesis looks for trouble."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from microagg import InputError, datasets

ROOT = Path(__file__).parents[1]
os.environ.setdefault("MICROAGG_DATA", str(ROOT.parent / "shared" / "data"))

settings.register_profile("ci", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ci")


@pytest.fixture
def companies() -> Path:
    return ROOT / "examples" / "companies.csv"


def _or_skip(load):
    """Let a test be skipped where a classic data set is not to be had."""

    def loaded(name):
        try:
            return load(name)
        except InputError as error:
            pytest.skip(str(error))

    return loaded


@pytest.fixture
def classic():
    """Load a classic data set."""
    return _or_skip(datasets.load)


@pytest.fixture
def matrix():
    """Load the numbers of a classic data set, of shape (n, d)."""
    return _or_skip(datasets.matrix)
