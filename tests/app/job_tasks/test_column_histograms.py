import numpy as np
import polars as pl
import pytest

from microagg import read
from microagg.app.job_tasks.column_histograms import column_histogram


def test_integers_of_a_small_range_have_a_bin_each() -> None:
    found = column_histogram(read(pl.DataFrame({"a": [1, 1, 3, 5]})), "a")
    assert found == {"edges": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], "counts": [2, 0, 1, 0, 1], "unit": None}


@pytest.mark.parametrize("values", [[7], [0, 10**9], [-(2**62), 2**62], list(range(1000)), list(range(31))])
def test_at_most_thirty_bins_hold_every_integer(values: list[int]) -> None:
    found = column_histogram(read(pl.DataFrame({"a": values})), "a")
    assert found is not None
    assert len(found["counts"]) <= 30
    assert sum(found["counts"]) == len(values)
    assert np.all(np.diff(found["edges"]) > 0)


def test_what_is_missing_or_infinite_is_not_counted() -> None:
    found = column_histogram(read(pl.DataFrame({"a": [0.5, None, float("inf"), 2.5]})), "a")
    assert found is not None
    assert sum(found["counts"]) == 2


def test_text_has_none() -> None:
    assert column_histogram(read(pl.DataFrame({"a": ["x", "y"]})), "a") is None
