"""Corners of tests on Spark: cases that take long, and show little that others do not."""

from collections.abc import Iterable
from typing import Any

import pytest

CORNER = pytest.mark.corner


def with_corners(names: Iterable[Any], usual: Iterable[Any]) -> list[Any]:
    """Return names of cases as parameters of a test, of which all but the usual ones are corners.

    Parameters
    ----------
    names
        All names.
    usual
        Those that are always run.
    """
    kept = list(usual)
    return [name if name in kept else pytest.param(name, marks=CORNER) for name in names]
