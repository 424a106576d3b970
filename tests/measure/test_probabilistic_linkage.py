"""Probabilistic record linkage: by hand, equal to all pairs one by one, and by a sample of many records."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

import naive_risk
from microagg import Run
from microagg.control.stopping import StoppedError
from microagg.measure import probabilistic_linkage
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.probabilistic_linkage import link_by_probability
from microagg.measure.released_classes import ReleasedClasses
from microagg.model.figure import Figure
from risk_tables import Drawn, compared, deviation, numbers, releases
from runs import cancelled


def _linked(tables: ComparedTables, workers: int = 1) -> Figure:
    return link_by_probability(tables, ReleasedClasses.of(tables), Run(workers=workers))


def test_records_of_a_group_share_each_other() -> None:
    """The deviation is 5.9: within 1.5, every record agrees with both records of its group, and with no other."""
    figure = _linked(numbers([0.0, 2.0, 10.0, 12.0], [1.0, 1.0, 11.0, 11.0]))
    assert (figure.name, figure.value, figure.note) == ("pld", 50.0, "")


def test_records_that_agree_with_others_only_are_not_linked() -> None:
    assert _linked(numbers([0.0, 2.0, 10.0, 12.0], [11.0, 11.0, 1.0, 1.0])).value == 0.0


def test_more_columns_tell_records_of_a_group_apart() -> None:
    """Each of four records has a combination of its own: all are linked."""
    frame = pl.DataFrame({"x": [0.0, 0.0, 9.0, 9.0], "c": ["a", "b", "a", "b"]})
    assert _linked(compared(frame, frame, ["x", "c"])).value == 100.0


@pytest.mark.parametrize("n", [1, 5])
def test_records_that_are_all_equal_share_each_other(n: int) -> None:
    assert _linked(numbers([3.0] * n, [3.0] * n)).value == pytest.approx(100 / n)


@settings(max_examples=25)
@given(releases(max_n=12))
def test_linkage_is_that_of_all_pairs(drawn: Drawn) -> None:
    widths = [None if name == "c" else 0.25 * deviation(drawn.before[name]) for name in drawn.names]
    expected = naive_risk.link_by_probability(drawn.before.rows(), drawn.after.rows(), widths)
    assert _linked(drawn.tables).value == pytest.approx(expected)


@given(releases())
def test_linkage_of_a_k_anonymous_release_is_at_most_one_in_k(drawn: Drawn) -> None:
    tables = drawn.tables
    found = _linked(tables).value
    assert found is not None
    assert found <= (100 + 1e-9) / int(ReleasedClasses.of(tables).sizes.min())


def _groups(n: int, d: int, k: int = 5) -> ComparedTables:
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, d))
    X[np.argsort(X[:, 0])] = np.sort(X, axis=0)  # so that groups along the first column are near in all
    Y = np.empty_like(X)
    order = np.argsort(X[:, 0])
    Y[order] = X[order].reshape(-1, k, d).mean(axis=1).repeat(k, axis=0)
    frames = [pl.DataFrame(one, schema=[f"x{j}" for j in range(d)]) for one in (X, Y)]
    return compared(frames[0], frames[1], frames[0].columns)


def test_many_records_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = _groups(3000, 3)
    figure = _linked(tables)
    assert figure.note == (
        "of a sample of 2000 original records at equal intervals, each compared with all 3000 released ones"
    )
    monkeypatch.setattr(probabilistic_linkage, "_MAX_ORIGINALS", 3000)
    everyone = _linked(tables)
    assert everyone.note == ""
    assert everyone.value is not None
    assert figure.value == pytest.approx(everyone.value, abs=2.0)
    monkeypatch.setattr(probabilistic_linkage, "_MAX_ORIGINALS", 2000)
    monkeypatch.setattr(probabilistic_linkage, "_MAX_PAIRS", 10**5)
    assert "a sample of 200 original" in _linked(tables).note


def test_slices_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = _groups(600, 2)
    whole = _linked(tables)
    monkeypatch.setattr(probabilistic_linkage, "_PAIRS_AT_ONCE", 1000)
    assert _linked(tables, workers=3) == whole


def test_more_columns_than_a_dense_table_has_room_for() -> None:
    figure = _linked(_groups(200, 20))
    assert figure.value is not None
    assert 0.0 < figure.value <= 20.0


def test_columns_beyond_the_limit_are_named() -> None:
    assert "the first 62 of 63 columns were compared" in _linked(_groups(20, 63)).note


def test_weights_that_do_not_converge_are_remarked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from microagg.measure import match_weights

    monkeypatch.setattr(match_weights, "_MAX_ROUNDS", 1)
    assert "the EM algorithm has not converged" in _linked(_groups(100, 3)).note


def test_cancelled_run_ends_the_linkage() -> None:
    tables = _groups(100, 2)
    with pytest.raises(StoppedError):
        link_by_probability(tables, ReleasedClasses.of(tables), cancelled())
