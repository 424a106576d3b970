"""Releases and the other nouns: nothing leaks, everything pickles, labels go with the rows."""

import json
import pickle
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from microagg import (
    Column,
    ColumnSet,
    DoubtError,
    InputError,
    Limits,
    Partition,
    Plan,
    Problem,
    Run,
    VerificationError,
    certify,
    measure,
    protect,
    read,
    solve,
    verify,
)
from microagg.model.encoding import Encoding, Statistics
from microagg.model.presentation import Shown
from microagg.model.reading import Reading
from microagg.report.certificate import as_certificate

SECRETS = [1234567.0, 2345678.0, 7654321.0, 8765432.0, 3456789.0, 9876543.0]
MARKS = [*(str(int(secret)) for secret in SECRETS), "Smith", "Jones"]


def _frame():
    return {"income": SECRETS, "who": ["Smith", "Jones", "Smith", "Jones", "Smith", "Jones"]}


def _sources(folder):
    pl.DataFrame(_frame()).write_csv(folder / "in.csv")
    pl.DataFrame(_frame()).write_parquet(folder / "in.parquet")
    return {
        "array": np.array(SECRETS)[:, None],
        "pandas": pd.DataFrame(_frame()),
        "polars": pl.DataFrame(_frame()),
        "pyarrow": pa.table(_frame()),
        "CSV": folder / "in.csv",
        "Parquet": folder / "in.parquet",
    }


KINDS = ["array", "pandas", "polars", "pyarrow", "CSV", "Parquet"]


def _parts(release):
    """Every noun that a release is made of."""
    table = release.table
    solution = release.solution
    return [
        release,
        *release.sets,
        table,
        *table.replaced,
        table.source,
        table.edition,
        solution,
        solution.partition,
        solution.partition.problem,
        solution.bound,
        solution.encoding,
        release.measures,
        release.plan,
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_no_representation_shows_an_original_value(kind, tmp_path):
    release = protect(_sources(tmp_path)[kind], 3, columns=["0" if kind == "array" else "income"])
    for part in [*_parts(release), read(_sources(tmp_path)[kind])]:
        shown = [repr(part), str(part), f"{part}", repr([part])]
        if isinstance(part, Shown):
            shown += [part._repr_html_(), part.summary(), part.to_json()]
        for text in shown:
            assert not [mark for mark in MARKS if mark in text], (type(part).__name__, text)


@pytest.mark.parametrize("kind", KINDS)
def test_every_noun_pickles(kind, tmp_path):
    column = "0" if kind == "array" else "income"
    release = protect(_sources(tmp_path)[kind], 3, columns=[column], bound=True, shuffle=kind != "pyarrow")
    again = pickle.loads(pickle.dumps(release))
    np.testing.assert_array_equal(again.labels, release.labels)
    assert again.measures == release.measures
    assert again.plan == release.plan
    assert again.summary() == release.summary()
    assert again.table.numbers(column).tolist() == release.table.numbers(column).tolist()
    assert again.solution.partition.problem.X.flags.writeable is False
    for part in _parts(release):
        assert repr(pickle.loads(pickle.dumps(part))) == repr(part)


def test_other_nouns_pickle_and_cannot_be_changed():
    nouns = [
        Limits(time_limit=1.0),
        Reading(decimal=","),
        ColumnSet(k=3, columns=("x",)),
        Plan(k=3),
        Statistics.of(np.arange(4.0)),
        Encoding.fit(["x"], [Statistics.of(np.arange(4.0))], True),
    ]
    for noun in nouns:
        assert pickle.loads(pickle.dumps(noun)) == noun
        with pytest.raises(AttributeError):
            noun.k = 5
    column = pickle.loads(pickle.dumps(Column.of_objects("c", ["a", None, "b"])))
    assert column.objects() == ["a", None, "b"]
    with pytest.raises(ValueError, match="read-only"):
        column.values[0] = 7
    assert not pickle.loads(pickle.dumps(Problem(np.ones((3, 1)), 2))).X.flags.writeable
    assert pickle.loads(pickle.dumps(Run(iterations=3))).limits == Limits(iterations=3)
    for verdict in (verify(None, np.ones((3, 1)), 2, [0]), measure(np.ones((3, 1)), np.ones((3, 1)))):
        assert pickle.loads(pickle.dumps(verdict)) == verdict


def test_an_exact_solution_pickles_with_its_proof():
    X = np.random.default_rng(0).normal(size=(24, 2))
    solution = pickle.loads(pickle.dumps(solve(X, 3, method="exact")))
    (again,) = [pickle.loads(pickle.dumps(solution))]
    assert as_certificate(again) == as_certificate(solution)
    verdict = certify(json.loads(as_certificate(again)), X)
    assert verdict.passed
    assert pickle.loads(pickle.dumps(verdict)) == verdict


def test_labels_go_with_the_rows_of_a_shuffled_release():
    n = 90
    frame = pd.DataFrame({"x": np.random.default_rng(0).permutation(n) * 1.5, "who": [f"p{i % 7}" for i in range(n)]})
    release = protect(frame, 3, columns=["x"], shuffle=True)
    by_label = release.data.groupby(release.labels)["x"].nunique()
    assert (by_label == 1).all()
    assert sorted(np.bincount(release.labels)) == sorted(release.sizes)
    assert release.labels.tolist() != release.solution.labels.tolist()
    plain = protect(frame, 3, columns=["x"])
    np.testing.assert_array_equal(plain.labels, plain.solution.labels)


def test_notebooks_show_a_release_as_a_table_with_names_escaped():
    frame = pd.DataFrame({"<script>": [1.0, 2.0, 3.0, 4.0]})
    html = protect(frame, 2)._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    assert "information loss" in html


def test_release_is_written_to_any_kind_of_file(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "who": list("abcd")})
    release = protect(frame, 2)
    for ending in ("csv", "parquet", "arrow"):
        release.write(tmp_path / f"out.{ending}")
        assert read(tmp_path / f"out.{ending}").numbers("x").tolist() == [1.5, 1.5, 8.5, 8.5]
    with pytest.raises(InputError, match="force"):
        release.write(tmp_path / "out.csv")
    release.write(tmp_path / "out.csv", force=True)


def test_columns_are_dropped_and_excluded():
    frame = pd.DataFrame({"id": [7, 3, 9, 1], "x": [1.0, 2.0, 8.0, 9.0], "y": [1.0, 2.0, 8.0, 9.5]})
    release = protect(frame, 2, drop=["id"], exclude=["y"])
    assert release.data.columns.tolist() == ["x", "y"]
    assert release.columns == ("x",)
    assert release.data["y"].tolist() == frame["y"].tolist()
    assert "dropped:" in release.summary()
    with pytest.raises(InputError, match="no column 'Id': did you mean 'id'"):
        protect(frame, 2, drop=["Id"])


@pytest.mark.parametrize(("moved", "k_reached"), [(1, 1), (2, 2), (3, 3)])
def test_k_reached_is_checked_at_its_edge(monkeypatch, moved, k_reached):
    """A release in which as few as k − 1 records agree is refused, one in which k do is not."""
    module = sys.modules["microagg.protect"]
    aggregate = module.aggregate

    def tampered(table, partition, columns, *, keep_integers):
        released = aggregate(table, partition, columns, keep_integers=keep_integers)
        values = released.numbers(columns[0]).copy()
        values[:moved] += 1000.0
        return released.with_columns([Column.of_numbers(columns[0], values)])

    monkeypatch.setattr(module, "aggregate", tampered)
    X = np.array([1.0] * 6 + [50.0] * 6)[:, None]  # one group of six may lose three
    if k_reached == 3:
        assert protect(X, 3).measures.k_reached == 3
        return
    with pytest.raises(VerificationError, match=f"reaches only k = {k_reached}, not 3"):
        protect(X, 3)


def test_partition_below_k_cannot_be_made():
    with pytest.raises(ValueError, match="fewer than k = 3"):
        Partition(Problem(np.ones((5, 1)), 3), np.array([0, 0, 0, 1, 1]))


def test_columns_of_an_array_keep_their_numbers_when_others_are_dropped():
    X = np.random.default_rng(0).normal(size=(12, 3))
    release = protect(X, 3, drop=[0], columns=[2])
    assert release.data.shape == (12, 2)
    np.testing.assert_array_equal(release.data[:, 0], X[:, 1])
    assert np.unique(release.data[:, 1], return_counts=True)[1].min() >= 3


def test_a_shuffled_table_is_protected_row_by_row():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    shuffled = protect(frame, 3, columns=["a"], shuffle=True)
    again = protect(shuffled.table, 3, columns=["b"], shuffle=True)
    assert again.measures.information_loss == pytest.approx(again.information_loss)
    assert again.data.groupby(again.labels)["b"].nunique().max() == 1
    assert measure(shuffled.data, protect(shuffled.table, 3, columns=["b"]).data, ["b"]).information_loss < 20


def test_what_only_looks_like_numbers_is_not_released_from_an_array_either():
    array = np.array([[0.5, "10%"], [1.5, "12%"], [7.0, "13%"]], dtype=object)
    with pytest.raises(DoubtError, match="column '1'"):
        protect(array, 3)
    assert protect(array, 3, columns=["0"]).columns == ("0",)


def test_identifying_columns_are_told():
    frame = pd.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "who": ["d", "a", "c", "b"], "town": list("uuvv")})
    release = protect(frame, 2, columns=["x"])
    assert release.identifying == ("who",)
    assert "warning:" in release.summary()
    assert "warning" not in protect(frame, 2, columns=["x"], drop=["who"]).summary()


def test_groups_that_the_bound_improved_are_not_called_those_of_the_method():
    X = np.random.default_rng(3).normal(size=(60, 2))
    plain, proved = solve(X, 3, method="mdav"), solve(X, 3, method="mdav", bound=True)
    assert proved.sse < plain.sse
    assert proved.improved_by_bound
    assert "improved by a partition found while proving the bound" in proved.summary()
    assert not plain.improved_by_bound


def test_an_index_that_is_handed_out_is_told():
    frame = pd.DataFrame({"x": [1.0, 2.0, 8.0, 9.0]}, index=["Ann", "Bob", "Cid", "Dan"])
    assert "index:" in protect(frame, 2).summary()
    assert "index:" not in protect(frame, 2, shuffle=True).summary()
    assert "index:" not in protect(frame.reset_index(drop=True), 2).summary()
