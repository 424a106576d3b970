"""Releases and the other nouns: nothing leaks, everything pickles, labels go with the rows."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from microagg import (
    Column,
    ColumnSet,
    InputError,
    Limits,
    Plan,
    Problem,
    Release,
    Run,
    certify,
    measure,
    protect,
    read,
    solve,
    verify,
)
from microagg.model.encoding import Encoding
from microagg.model.presentation import Reportable
from microagg.model.reading import Reading
from microagg.model.statistics import Statistics
from microagg.report.certificate import as_certificate

pytestmark = pytest.mark.usefixtures("released_unasked")  # which is asked about in test_select.py

SECRETS = [1234567.0, 2345678.0, 7654321.0, 8765432.0, 3456789.0, 9876543.0]


MARKS = [*(str(int(secret)) for secret in SECRETS), "Smith", "Jones"]


def _frame() -> Any:
    return {"income": SECRETS, "who": ["Smith", "Jones", "Smith", "Jones", "Smith", "Jones"]}


def _sources(folder: Path) -> Any:
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


def _parts(release: Release) -> Any:
    """Every noun that a release is made of."""
    table = release.table
    solution = release.solution
    return [
        release,
        *release.sets,
        table,
        *table.replaced,
        table.source,
        table.changes,
        solution,
        solution.partition,
        solution.partition.problem,
        solution.bound,
        solution.encoding,
        release.measures,
        release.plan,
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_no_representation_shows_an_original_value(kind: str, tmp_path: Path) -> None:
    release = protect(_sources(tmp_path)[kind], 3, columns=["0" if kind == "array" else "income"])
    for part in [*_parts(release), read(_sources(tmp_path)[kind])]:
        shown = [repr(part), str(part), f"{part}", repr([part])]
        if isinstance(part, Reportable):
            shown += [part._repr_html_(), part.summary(), part.to_json()]
        for text in shown:
            assert not [mark for mark in MARKS if mark in text], (type(part).__name__, text)


@pytest.mark.parametrize("kind", KINDS)
def test_every_noun_pickles(kind: str, tmp_path: Path) -> None:
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


def test_other_nouns_pickle_and_cannot_be_changed() -> None:
    nouns: list[Any] = [
        Limits(time_limit=1.0),
        Reading(decimal=","),
        ColumnSet(k=3, columns=("x",)),
        Plan(k=3),
        Statistics.of(np.arange(4.0)),
        Encoding.fit([Column.of_numbers("x", np.arange(4.0))]),
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


def test_an_exact_solution_pickles_with_its_proof() -> None:
    X = np.random.default_rng(0).normal(size=(24, 2))
    solution = pickle.loads(pickle.dumps(solve(X, 3, method="exact")))
    (again,) = [pickle.loads(pickle.dumps(solution))]
    assert as_certificate(again) == as_certificate(solution)
    verdict = certify(json.loads(as_certificate(again)), X)
    assert verdict.passed
    assert pickle.loads(pickle.dumps(verdict)) == verdict


def test_labels_go_with_the_rows_of_a_shuffled_release() -> None:
    n = 90
    frame = pd.DataFrame({"x": np.random.default_rng(0).permutation(n) * 1.5, "who": [f"p{i % 7}" for i in range(n)]})
    release = protect(frame, 3, columns=["x"], shuffle=True)
    by_label = release.data.groupby(release.labels)["x"].nunique()
    assert (by_label == 1).all()
    assert sorted(np.bincount(release.labels)) == sorted(release.sizes)
    assert release.labels.tolist() != release.solution.labels.tolist()
    plain = protect(frame, 3, columns=["x"])
    np.testing.assert_array_equal(plain.labels, plain.solution.labels)


def test_notebooks_show_a_release_as_a_table_with_names_escaped() -> None:
    frame = pd.DataFrame({"<script>": [1.0, 2.0, 3.0, 4.0]})
    html = protect(frame, 2)._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    assert "information loss" in html


def test_release_is_written_to_any_kind_of_file(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "who": list("abcd")})
    release = protect(frame, 2)
    for ending in ("csv", "parquet", "arrow"):
        release.write(tmp_path / f"out.{ending}")
        assert read(tmp_path / f"out.{ending}").numbers("x").tolist() == [1.5, 1.5, 8.5, 8.5]
    with pytest.raises(InputError, match="force"):
        release.write(tmp_path / "out.csv")
    release.write(tmp_path / "out.csv", force=True)


def test_a_release_of_one_set_has_what_its_set_has() -> None:
    release = protect(np.array([[1.0], [2.0], [8.0], [9.0], [10.0]]), 2, bound=True)
    one = release.only
    assert one is release.sets[0]
    assert release.solution is one.solution
    assert release.measures is one.measures
    assert (release.k, one.k, release.columns, one.columns) == (2, 2, ("0",), ("0",))
    solution = one.solution
    assert release.labels is solution.labels
    assert release.sizes is solution.sizes
    assert (release.n_groups, release.sse, release.information_loss) == (2, solution.sse, solution.information_loss)
    assert (release.lower_bound, release.gap, release.status) == (solution.sse, 0.0, "optimal")
    assert (release.order, release.identifying) == (None, ())
    loss = f"{release.measures.information_loss:.4f} %"
    assert repr(release) == f"Release(5 records, 1 column protected, k = 2, information loss {loss}, verified)"
    assert repr(one) == f"SetRelease(1 column, {solution!r})"


def test_a_release_of_several_sets_has_no_one_solution() -> None:
    X = np.array([[1.0, 3.0], [2.0, 3.5], [8.0, 1.0], [9.0, 1.5]])
    release = protect(X, plan=Plan(sets=[{"k": 2, "columns": [0]}, {"k": 4, "columns": [1]}]))
    assert release.columns == ("0", "1")
    losses = ", ".join(f"{one.measures.information_loss:.4f} %" for one in release.sets)
    assert repr(release) == (
        f"Release(4 records, 2 column sets protected, k = 2, 4, information loss {losses}, "
        "verified, k = 2 on all protected columns together)"
    )
    for name in ("only", "solution", "measures", "k", "labels", "sizes", "sse", "gap", "status"):
        with pytest.raises(InputError) as caught:
            getattr(release, name)
        assert str(caught.value) == "this release has 2 column sets: ask for one, as in release.sets[0]"
