"""Released columns of every kind, from every source: what stands for a group, in the kind that was given."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg import InputError, Partition, Problem, protect, read
from microagg.aggregate import aggregate
from microagg.encode import encode_table
from microagg.model.arrays import FloatArray
from microagg.model.column import Kind
from microagg.model.treatment import Treatment
from microagg.write import to_native, write
from source_tables import SOURCES, assert_same, every_kind, every_source, kind_in
from strategies import random_labels

PAIRS = np.array([0, 0, 1, 1])


def _treatment(**options: Any) -> Treatment:
    return Treatment(**options)


def _partition(labels: Any, X: FloatArray | None = None) -> Partition:
    points = np.zeros((len(labels), 1)) if X is None else X
    return Partition(Problem(points, int(np.bincount(labels).min())), np.array(labels))


def _released(column: Any, labels: Any = PAIRS, weights: Any = None, **options: Any) -> list[Any]:
    table = read(pl.DataFrame({"x": column}, strict=False))
    array = None if weights is None else np.array(weights, dtype=np.float64)
    return aggregate(table, _partition(labels), ["x"], _treatment(**options), weights=array).values("x")


RELEASED: dict[Kind, list[Any]] = {
    "integer": [1.5, 1.5, 17.0, 17.0],
    "number": [1.875, 1.875, 3.75, 3.75],
    "boolean": [True, True, True, True],
    "date": [dt.date(2020, 1, 16), dt.date(2020, 1, 16), dt.date(2020, 1, 3), dt.date(2020, 1, 3)],
    "datetime": [dt.datetime(2021, 5, 2, 0, 30, 15, 250_000)] * 2 + [dt.datetime(2021, 5, 4, 0, 30, 15, 250_000)] * 2,
    "category": ["a", "a", "a", "a"],
    "text": ["x", "x", "x", "x"],
    "mixed": ["12%", "12%", "7%", "7%"],
}
"""What is released of the columns of `source_tables` in groups of two."""


@every_source
@every_kind
def test_every_kind_of_column_comes_back_in_its_own_kind(source: str, kind: Kind, tmp_path: Path) -> None:
    table = read(SOURCES[source](kind, tmp_path))
    name = table.names[1]
    treatment = Treatment(nominal=(name,)) if kind == "mixed" else Treatment()
    released = aggregate(table, _partition(PAIRS), [name], treatment)
    expected_kind = "number" if kind == "integer" else kind_in(source, kind)
    assert released.kind(name) == expected_kind
    assert_same(released.column(name).objects(), RELEASED[kind])
    again = read(to_native(released))
    assert_same(again.column(again.names[1]).objects(), RELEASED[kind])
    write(released, tmp_path / "out.csv")
    assert_same(read(tmp_path / "out.csv", header=True).column(name).objects(), RELEASED[kind])


def test_types_of_dataframes_are_kept_without_categories_that_no_longer_occur() -> None:
    frame = pd.DataFrame(
        {
            "c": pd.Categorical(["b", "a", "a", "b"], categories=["c", "b", "a"], ordered=True),
            "b": pd.array([True, None, False, False], dtype="boolean"),
            "n": pd.array([7, 7, 3, None], dtype="Int16"),
            "t": pd.Series(["x", "y", "x", "x"], dtype="string"),
            "z": pd.to_datetime(["2020-01-01 10:00", "2020-01-01 12:00"] * 2).tz_localize("Europe/Vienna"),
        }
    )
    table = read(frame)
    treatment = _treatment(nominal=["n"], ordinal=["c"])
    out = to_native(aggregate(table, _partition(PAIRS), table.names, treatment))
    assert out.dtypes.tolist()[1:] == frame.dtypes.tolist()[1:]
    assert out["c"].dtype == pd.CategoricalDtype(["b"], ordered=True)
    assert out["c"].tolist() == ["b", "b", "b", "b"]  # the lower of two
    assert out["b"].isna().tolist() == [False, True, False, False]
    assert out["n"].tolist()[:3] == [7, 7, 3]
    assert out["z"].iloc[0] == pd.Timestamp("2020-01-01 11:00", tz="Europe/Vienna")
    enums = pl.DataFrame({"e": pl.Series(["lo", "hi", "lo", "lo"], dtype=pl.Enum(["lo", "hi"]))})
    kept = to_native(aggregate(read(enums), _partition(PAIRS), ["e"], _treatment(ordinal=["e"])))
    assert kept.schema == {"e": pl.Enum(["lo"])}
    assert kept["e"].to_list() == ["lo"] * 4
    coded = pa.table({"c": pa.array([5, 5, 2, 2], type=pa.int8()), "b": pa.array([True, True, False, True])})
    arrow = to_native(aggregate(read(coded), _partition(PAIRS), ["c", "b"], _treatment(nominal=["c"])))
    assert arrow.schema == coded.schema


def test_texts_and_booleans_of_a_file_stay_as_they_were_written(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(
        "code,ok,note,when\n007,TRUE,a b,2020-01-01\n007,FALSE,a b,2020-01-03\n"
        '012,TRUE,"x, y",2020-05-01\n012,TRUE,"x, y",2020-05-01\n'
    )
    release = protect(tmp_path / "in.csv", 2, columns=["code", "ok", "note", "when"], method="mdav")
    release.write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == (
        "code,ok,note,when\n007,TRUE,a b,2020-01-02\n007,TRUE,a b,2020-01-02\n"
        '012,TRUE,"x, y",2020-05-01\n012,TRUE,"x, y",2020-05-01\n'
    )


def test_times_of_a_file_are_written_without_seconds_where_it_has_none(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(
        "t,c\n2020-01-01 10:00,a\n2020-01-01 10:30,a\n2020-01-02 00:00,b\n2020-01-02 01:00,b\n"
    )
    protect(tmp_path / "in.csv", 2, columns=["t", "c"], method="mdav").write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == (
        "t,c\n2020-01-01 10:15,a\n2020-01-01 10:15,a\n2020-01-02 00:30,b\n2020-01-02 00:30,b\n"
    )


@pytest.mark.parametrize(
    ("options", "column", "expected"),
    [
        ({"aggregate": "median"}, [1, 2, 30, 40, 50], [16.0, 16.0, 16.0, 16.0, 50.0]),
        ({"aggregate": "trimmed"}, [1, 2, 30, 40, 50], [16.0, 16.0, 16.0, 16.0, 50.0]),
        ({"aggregate": "mode"}, [3, 3, 1, 1, 1], [1, 1, 1, 1, 1]),
        ({"nominal": ["x"]}, [3, 3, 3, 1, 1], [3, 3, 3, 3, 1]),
        ({"nominal": ["x"], "aggregate": "set"}, [10, 9, 9, 10, 1], ["{9, 10}"] * 4 + ["1"]),
        ({"ordinal": ["x"]}, [10, 20, 30, 40, 10], [20, 20, 20, 20, 10]),
        ({"ordinal": {"x": ["lo", "mid", "hi"]}}, ["hi", "mid", "hi", "lo", "lo"], ["mid"] * 4 + ["lo"]),
        ({"keep_integers": True}, [1, 2, 3, 4, 9], [2, 2, 2, 2, 9]),
        ({"keep_integers": True, "aggregate": "median"}, [1, 2, 5, 7, 9], [4, 4, 4, 4, 9]),
    ],
)
def test_aggregates_by_hand(options: Any, column: Any, expected: Any) -> None:
    labels = [0, 0, 0, 0, 1]
    assert _released(column, labels, **options) == expected


def test_weights_count_in_means_medians_and_modes() -> None:
    column = [1.0, 2.0, 7.0, 9.0]
    assert _released(column, [0, 0, 0, 1], [1, 1, 2, 5]) == [4.25, 4.25, 4.25, 9.0]
    assert _released(column, [0, 0, 0, 1], [1, 1, 2, 5], aggregate="median") == [4.5, 4.5, 4.5, 9.0]
    assert _released(column, [0, 0, 0, 1], [1, 1, 3, 5], aggregate="median") == [7.0, 7.0, 7.0, 9.0]
    assert _released(["a", "a", "b", "a"], [0, 0, 0, 1], [1, 1, 3, 5]) == ["b", "b", "b", "a"]


def test_missing_values_stay_missing_and_count_nowhere() -> None:
    labels = [0, 0, 0, 1, 1]
    assert _released([1.0, None, 4.0, None, None], labels) == [2.5, None, 2.5, None, None]
    assert _released([1, None, 4, None, None], labels, keep_integers=True) == [2, None, 2, None, None]
    assert _released(["a", None, "a", None, None], labels) == ["a", None, "a", None, None]
    assert _released(["a", None, "b", None, None], labels, aggregate="set") == ["{a, b}", None, "{a, b}", None, None]
    days = [dt.date(2020, 1, 1), None, dt.date(2020, 1, 3), None, None]
    middle = dt.date(2020, 1, 2)
    assert _released(days, labels) == [middle, None, middle, None, None]
    assert _released([1, None, 3, None, None], labels, ordinal=["x"]) == [1, None, 1, None, None]


def test_times_are_rounded_to_their_own_unit() -> None:
    minutes = [dt.datetime(2020, 1, 1, 10, minute) for minute in (0, 1, 0, 3)]
    assert _released(minutes)[0] == dt.datetime(2020, 1, 1, 10, 1)  # half to the later
    assert _released(minutes)[2] == dt.datetime(2020, 1, 1, 10, 2)
    centuries = [dt.datetime(1583, 1, 1), dt.datetime(2583, 1, 1)] * 2
    assert _released(centuries)[0] == dt.datetime(2083, 1, 1)


def test_medoids_are_records_of_their_group() -> None:
    frame = pl.DataFrame({"x": [0.0, 1.0, 5.0, 9.0, 9.0], "c": ["a", "b", "c", "d", "e"], "y": [1, 2, 3, 4, 5]})
    X = frame["x"].to_numpy()[:, None]
    partition = _partition([0, 0, 0, 1, 1], X)
    treatment = _treatment(aggregate={"x": "medoid", "c": "medoid"})
    released = to_native(aggregate(read(frame), partition, ["x", "c", "y"], treatment))
    assert released.rows() == [(1.0, "b", 2.0)] * 3 + [(9.0, "d", 4.5)] * 2


def test_medoids_lack_as_little_as_possible() -> None:
    frame = pl.DataFrame({"x": [0.0, 1.0, 2.0], "c": ["a", None, "c"], "d": [None, "e", None]})
    partition = _partition([0, 0, 0], np.array([[0.0], [1.0], [2.0]]))
    released = to_native(aggregate(read(frame), partition, ["x", "c", "d"], _treatment(aggregate="medoid")))
    assert released["x"].to_list() == [1.0] * 3
    assert released["c"].to_list() == ["a", None, "a"]
    assert released["d"].to_list() == [None, "e", None]


@given(
    hnp.arrays(np.float64, (24, 2), elements=st.floats(-1e6, 1e6)),
    hnp.arrays(np.float64, 24, elements=st.floats(1e-3, 1e3)),
    st.integers(0, 9),
)
def test_weighted_totals_are_kept(X: FloatArray, weights: FloatArray, seed: int) -> None:
    labels = random_labels(seed, 24, 3)
    table = read(X)
    released = aggregate(table, _partition(labels), table.names, weights=weights)
    for name in table.names:
        before = table.numbers(name)
        after = released.numbers(name)
        allowance = 1e-12 * np.sum(weights * np.abs(before)) + np.finfo(float).tiny
        assert abs(np.sum(weights * (after - before))) <= allowance


@pytest.mark.parametrize("weighted", [False, True])
def test_totals_of_whole_numbers_are_nearly_kept(weighted: bool) -> None:
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 50, 300)
    weights = rng.uniform(1, 5, 300) if weighted else np.ones(300)
    labels = random_labels(1, 300, 3)
    table = read(pl.DataFrame({"n": numbers}))
    errors = {}
    for rounding in ("nearest", "total"):
        treatment = Treatment(keep_integers=True, rounding=rounding)
        released = aggregate(table, _partition(labels), ["n"], treatment, weights=weights if weighted else None)
        assert released.kind("n") == "integer"
        errors[rounding] = abs(np.sum(weights * (released.numbers("n") - numbers)))
    assert errors["total"] < (0.05 if weighted else 0.5) < errors["nearest"]


def test_integers_need_means_to_be_rounded() -> None:
    with pytest.raises(InputError, match="none of 'x' holds whole numbers only"):
        _released([1, 1, 2, 2], nominal=["x"], keep_integers=True)


def test_mixed_tables_are_released_in_one_partition() -> None:
    rng = np.random.default_rng(5)
    n = 120
    frame = pl.DataFrame(
        {
            "income": rng.lognormal(8, 1, n),
            "sex": rng.choice(["m", "f"], n),
            "grade": rng.choice(["low", "mid", "high"], n),
            "job": rng.integers(1, 6, n),
            "born": [dt.date(1950, 1, 1) + dt.timedelta(days=int(day)) for day in rng.integers(0, 18000, n)],
            "owner": rng.random(n) < 0.3,
        }
    )
    release = protect(
        frame,
        4,
        columns=frame.columns,
        nominal=["job"],
        ordinal={"grade": ["low", "mid", "high"]},
        scale={"income": "mad", "sex": 2},
        transform={"income": "log"},
        aggregate={"income": "median"},
        method="mdav",
    )
    assert release.measures.k_reached >= 4
    assert release.data.schema == frame.schema
    assert set(release.data["job"]) <= set(frame["job"])
    again = protect(frame, plan=release.plan)
    assert again.data.equals(release.data)


def test_missing_cells_of_a_mixed_table() -> None:
    frame = pl.DataFrame({"x": [1.0, None, 3.0, 5.0], "c": ["a", "b", None, "b"]})
    table = read(frame)
    _, X, missing = encode_table(table, ["x", "c"], may_miss=True)
    assert missing is not None
    released = to_native(aggregate(table, _partition(PAIRS, X), ["x", "c"]))
    assert released["x"].to_list() == [1.0, None, 4.0, 4.0]
    assert released["c"].to_list() == ["b", "b", None, "b"]
