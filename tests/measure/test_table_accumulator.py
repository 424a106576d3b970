"""Measures of a table that is divided into parts, in any way and order, are those of the whole: bit for bit."""

import pickle
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import reduce

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import InputError, read
from microagg.encode import fit_encoding
from microagg.measure import column_accumulators, measure_tables
from microagg.measure.table_accumulator import TableAccumulator
from microagg.model.encoding import Encoding
from microagg.model.table import Table
from microagg.model.treatment import Treatment
from microagg.model.treatment_options import checked_option

NAMES = ("income", "hours", "born", "region", "class")
TREATMENT = Treatment(nominal=("region",), ordinal=checked_option("ordinal", {"class": [1, 2, 3, 4, 5]}) or ())


def _tables(n: int, seed: int, missing: float) -> tuple[Table, Table]:
    """Return a table with numbers, dates and categories, and another one in place of its release."""
    rng = np.random.default_rng(seed)

    def frame(noise: float) -> pl.DataFrame:
        days = [datetime(1970, 1, 1) + timedelta(days=int(day), seconds=int(noise)) for day in rng.integers(0, 9000, n)]
        columns = {
            "income": np.exp(rng.normal(7, 3, n)) * 10.0 ** rng.integers(-9, 9, n) + noise,
            "hours": rng.integers(0, 60, n),
            "born": days,
            "region": rng.choice(["north", "south", "west", "{north, south}"][: 4 if noise else 3], n),
            "class": rng.integers(1, 6, n),
        }
        lacking = {name: rng.random(n) < missing for name in NAMES}
        table = pl.DataFrame(columns)
        return table.with_columns(
            [pl.when(~pl.Series(lacking[name])).then(pl.col(name)).alias(name) for name in NAMES if missing]
        )

    before = frame(0.0)
    return read(before), read(frame(7.0) if seed % 2 else before)


def _encoding(before: Table) -> Encoding:
    return fit_encoding(before, NAMES, TREATMENT)


def _merged(before: Table, after: Table, parts: Sequence[Sequence[int]]) -> TableAccumulator:
    encoding = _encoding(before)
    chosen = [np.array(part) for part in parts]
    accumulated = [TableAccumulator.of(before.in_order(part), after.in_order(part), encoding) for part in chosen]
    sent: list[TableAccumulator] = [pickle.loads(pickle.dumps(one)) for one in accumulated]
    return reduce(TableAccumulator.merged, sent)


@given(n=st.integers(5, 60), seed=st.integers(0, 10**6), missing=st.sampled_from([0.0, 0.2, 0.9]), data=st.data())
def test_parts_in_any_order_have_the_measures_of_the_whole(
    n: int, seed: int, missing: float, data: st.DataObject
) -> None:
    before, after = _tables(n, seed, missing)
    part_of = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    order = data.draw(st.permutations(range(5)))
    parts = [[record for record in range(n) if part_of[record] == part] for part in order]
    whole = measure_tables(before, after, _encoding(before))
    merged = _merged(before, after, [part for part in parts if part])
    assert merged.measures(whole.k_reached, whole.n_patterns) == whole


def test_the_accumulator_of_many_records_is_small() -> None:
    before, after = _tables(20_000, 1, 0.1)
    accumulated = TableAccumulator.of(before, after, _encoding(before))
    assert len(pickle.dumps(accumulated)) < 20_000


def test_a_table_without_values_in_a_column_is_measured() -> None:
    before = read(pl.DataFrame({"x": [1.0, 2.0, None, None], "c": ["a", "b", None, None]}))
    encoding = fit_encoding(before, ("x", "c"))
    empty = before.in_order(np.array([2, 3]))
    parts = [TableAccumulator.of(part, part, encoding) for part in (empty, before.in_order(np.array([0, 1])))]
    whole = measure_tables(before, before, encoding)
    assert parts[0].merged(parts[1]).measures(whole.k_reached, whole.n_patterns) == whole
    assert whole.information_loss == 0.0


def test_too_many_categories_of_parts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_accumulators, "MAX_DISTINCT", 3)
    before = read(pl.DataFrame({"c": ["a", "b", "a", "b"]}))
    after = read(pl.DataFrame({"c": ["{a, b}", "{a, c}", "{b, c}", "{a, b, c}"]}))
    encoding = fit_encoding(before, ("c",))
    parts = [np.array([0, 1]), np.array([2, 3])]
    first, second = (TableAccumulator.of(before.in_order(part), after.in_order(part), encoding) for part in parts)
    with pytest.raises(InputError, match="column 'c' has more than 3 different values"):
        first.merged(second)
