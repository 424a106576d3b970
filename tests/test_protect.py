"""The whole line: what is released, and what is refused."""

import json
import sys
import time
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.random import Generator

from microagg import (
    CancelledError,
    Column,
    DoubtError,
    InputError,
    Limits,
    LowerBound,
    MethodError,
    Partition,
    Plan,
    Problem,
    ReadError,
    Release,
    Run,
    Table,
    VerificationError,
    measure,
    protect,
    read,
    write,
)
from microagg.aggregate import aggregate

pytestmark = pytest.mark.usefixtures("released_unasked")  # which is asked about in test_select.py


def test_release_tells_everything(companies: Path) -> None:
    result = protect(companies, k=3, columns=["surface", "employees"], method="mdav", random_state=0)
    assert isinstance(result, Release)
    assert result.data["company"].to_list() == [f"Com{i}" for i in range(1, 12)]
    assert result.labels.shape == (11,)
    assert result.n_groups == len(result.sizes) == 3
    assert result.sizes.min() >= 3
    assert result.information_loss == pytest.approx(54.9450, abs=1e-4)
    assert (result.lower_bound, result.gap, result.status) == (None, None, "heuristic")
    assert result.measures.k_reached == 3
    assert "every group has at least 3 records" in result.summary()
    assert "54.9450 %" in result.summary()


def test_optimal_groups_of_the_paper_lose_what_they_say(companies: Path) -> None:
    """Table II of the MF-TSP paper: the optimum of its table I."""
    result = protect(companies, 3, method="mdav")
    best = Partition(result.solution.partition.problem, np.array([0, 0, 0, 1, 1, 2, 2, 2, 1, 0, 2]))
    released = aggregate(read(companies), best, ("surface", "employees"))
    assert released.numbers("surface")[[0, 3, 5]] == pytest.approx([747.5, 756.67, 322.5], abs=0.005)
    assert released.numbers("employees")[[0, 3, 5]] == pytest.approx([45.75, 8.33, 33.0], abs=0.005)
    assert best.sse < result.sse
    assert protect(companies, 3).sse == pytest.approx(best.sse)


def test_default_takes_every_numeric_column() -> None:
    frame = pl.DataFrame({"x": [1.0, 2, 3], "who": ["a", "b", "c"], "n": [1, 2, 3], "yes": [True, False, True]})
    assert protect(frame, 3).columns == ("x", "n")


def test_measures_are_of_what_is_handed_out() -> None:
    frame = pl.DataFrame({"x": pl.Series([0.1, 0.2, 0.7, 0.9], dtype=pl.Float32)})
    result = protect(frame, 2)
    assert result.data["x"].dtype == pl.Float32
    assert result.measures.numbers[0].mean_after == result.data["x"].cast(pl.Float64).to_numpy().mean()


def test_integers_stay_whole_only_where_asked() -> None:
    frame = pl.DataFrame({"n": [1, 2, 10, 11], "x": [0.5, 1.0, 7.0, 7.5]})
    assert protect(frame, 2).data["n"].to_list() == [1.5, 1.5, 10.5, 10.5]
    kept = protect(frame, 2, keep_integers=True)
    assert kept.data["n"].to_list() == [2, 2, 10, 10]
    assert kept.data["x"].to_list() == [0.75, 0.75, 7.25, 7.25]
    whole = protect(pl.DataFrame({"x": [1.0, 2.0, 10.0, 11.0]}), 2, keep_integers=True)
    assert (whole.data["x"].dtype, whole.data["x"].to_list()) == (pl.Float64, [2.0, 2.0, 10.0, 10.0])
    assert kept.measures.information_loss > kept.information_loss
    assert "with whole numbers kept" in kept.summary()


def test_univariate_is_proved_optimal(companies: Path) -> None:
    result = protect(companies, 3, columns=["surface"], method="univariate")
    assert (result.status, result.gap) == ("optimal", 0.0)
    assert result.lower_bound == result.sse
    assert "proved optimal" in result.summary()


def _frame(**columns: Any) -> Any:
    return pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "who": list("abcd"), **columns})


@pytest.mark.parametrize(
    ("frame", "options", "words"),
    [
        (_frame(), {"k": 0}, "k must be at least 1, found 0"),
        (_frame(), {"k": 2.5}, "k must be a whole number, found 2.5"),
        (_frame(), {"k": 5}, "k = 5 is more than the 4 records"),
        (_frame(), {"k": 2, "columns": ["yes"]}, "no column 'yes': the table has 'x', 'who'"),
        (_frame(), {"k": 2, "columns": ["x", "x"]}, "'x' is named 2 times in columns"),
        (_frame(), {"k": 2, "columns": []}, "columns is empty"),
        (_frame(), {"k": 2, "columns": "x"}, "must be a list of names"),
        (_frame(), {"k": 2, "columns": ["who"], "aggregate": "mean"}, "aggregate is 'mean', which none of the columns"),
        (_frame()[["who"]], {"k": 2}, "no numeric column"),
        (_frame()[:0], {"k": 2}, "no records"),
        (_frame(y=[1, np.nan, 3, np.nan]), {"k": 2}, r"'y' has 2 missing values \(rows 2, 4\)"),
        (_frame(y=[1, 2, np.inf, 3]), {"k": 2}, r"'y' has 1 infinite value \(row 3\)"),
        (_frame(y=[1, 2, 3, 1e200]), {"k": 2}, "'y' has numbers too large"),
        (_frame(y=[1, 2, 3, 2**60]), {"k": 2}, "integers beyond 2\\^53"),
        (_frame(x=[0.5, 1, 2, 3]), {"k": 2, "keep_integers": True}, "none of 'x' holds whole numbers"),
        (_frame(y=[1, 2, "oops", 4]), {"k": 2}, "'y' is Object, not numbers: row 3 holds 'oops'"),
        (_frame(y=["1", "2.5", "3", "4"]), {"k": 2}, "'y' is String, not numbers: row 1 holds '1'"),
        (_frame(), {"k": 2, "columns": 5}, "columns must be a list of names, found 5"),
        (_frame(), {"k": 2, "keep_integers": 1}, "keep_integers must be True or False"),
        (_frame(), {"k": 2, "shuffle": "yes"}, "shuffle must be True or False"),
        (_frame(), {"k": 2, "standardise": None}, "standardise must be True or False"),
        (_frame(), {"k": 2, "iterations": 3, "method": "mdav"}, "nothing that"),
        (_frame(), {"k": 1}, "k = 1 protects nothing"),
        (_frame(), {"k": 2, "columns": ["X"]}, "no column 'X': did you mean 'x'?"),
        (_frame(), {"k": 2, "colums": ["x"]}, "no option 'colums': did you mean 'columns'?"),
        (_frame(), {}, "how large must groups be at least"),
        (_frame(), {"k": 2, "effort": "quick", "method": "mdav"}, "method 'mdav' has no effort"),
        (_frame(), {"k": 2, "effort": "hard"}, "effort must be one of quick, standard, thorough, found 'hard'"),
    ],
)
def test_bad_input_gets_one_clear_sentence(frame: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        protect(frame, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("income,town\n100,A\n2oo,B\n300,C\n400,D\n", "column 'income' holds text: row 2 is '2oo'"),
        ("income,age\n>5000,1\n1200,2\n>5000,3\n4500,4\n", "row 1 is '>5000', which is no number, nor is 1 more row"),
        ('income,age\n"1,200",1\n"2,300",2\n"3,400",3\n', "row 1 is '1,200'"),
        ("income;age\n1.000,50;1\n2.000,50;2\n", "row 1 is '1.000,50'"),
        ('age,income\n20,"1,5"\n30,"2,5"\n40,"1234,5"\n', "row 1 is '1,5'"),
        ("x\ty\n1,234\ta\n2,345\tb\n999\tc\n", "column 'x' may have thousands separators"),
        ("who;income\na;900\nb;1.200\nc;2.500\nd;800\n", "column 'income' may have thousands separators"),
        (
            "nace;turnover\n47.11;1234,5\n47.19;2345,6\n",
            "each of the columns 'nace', 'turnover' may or may not hold numbers",
        ),
    ],
)
def test_column_that_looks_like_numbers_is_never_left_out_without_a_word(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        protect(path, 2)
    assert words in str(caught.value)


def test_three_decimals_are_no_thousands_where_a_number_is_below_one(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("a;b\n1.234;x\n0.123;y\n")
    assert protect(path, 2).data["a"].to_list() == pytest.approx([0.6785, 0.6785])


@pytest.mark.parametrize("values", [["1200", "1300", "1400"], [3, 1, 2]])
def test_categories_that_are_numbers_are_not_guessed_about(values: Any) -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "c": pd.Categorical(values)})
    with pytest.raises(InputError, match="column 'c' holds categories that are numbers, and may be codes or amounts"):
        protect(frame, 3)
    assert protect(frame, 3, columns=["x"]).data["c"].tolist() == values


@pytest.mark.parametrize("ids", [range(1, 13), range(12, 0, -1), [f"{i:03d}" for i in range(12)], np.arange(12) + 0.5])
def test_shuffling_that_a_column_would_undo_is_refused(ids: Any) -> None:
    frame = pd.DataFrame({"x": np.arange(12) % 5, "id": ids})
    with pytest.raises(InputError, match="column 'id' rises or falls all the way"):
        protect(frame, 3, columns=["x"], shuffle=True)


@pytest.mark.parametrize("told", [[0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5], [1, 2, None, 4, 5, 6, 7, 8, 9, 10, 11, 12]])
def test_shuffling_that_a_column_would_nearly_undo_is_refused(told: Any) -> None:
    frame = pd.DataFrame({"x": np.arange(12) % 5, "household": told})
    with pytest.raises(InputError, match="column 'household' rises or falls all the way"):
        protect(frame, 3, columns=["x"], shuffle=True)
    with pytest.raises(InputError, match="column 'household' rises or falls all the way"):  # before any work is done
        protect(frame, 3, columns=["x"], shuffle=True, method=lambda *arguments: pytest.fail("it has begun"))
    few = pd.DataFrame({"x": np.arange(12) % 5, "region": [1] * 6 + [2] * 6})
    assert protect(few, 3, columns=["x"], shuffle=True).k == 3


@pytest.mark.parametrize("direction", [1, -1])
def test_a_column_that_rises_or_falls_only_by_pairs_does_not_undo_a_shuffling(direction: int) -> None:
    frame = pl.DataFrame(
        {"x": np.arange(8.0) ** 2, "pairs": [direction * number for number in (1, 0, 3, 2, 5, 4, 7, 6)]}
    )
    assert protect(frame, 3, columns=["x"], shuffle=True, method="mdav").k == 3


def test_shuffling_does_not_mind_text_among_numbers() -> None:
    frame = pd.DataFrame({"x": np.arange(12) % 5, "age": ["*", *map(str, range(11))]})
    assert sorted(protect(frame, 3, columns=["x"], shuffle=True).data["age"]) == sorted(frame["age"])


def test_both_decimal_signs_are_read_where_the_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("nace;turnover;heads\n47.11;1234,5;1.234\n47.19;2345,6;17\n")
    protect(path, 2, columns=["turnover"]).write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "nace;turnover;heads\n47.11;1790,05;1.234\n47.19;1790,05;17\n"
    assert protect(path, 2, columns=["nace"]).data["nace"].to_list() == pytest.approx([47.15, 47.15])
    with pytest.raises(ReadError, match="column 'heads' may have thousands separators"):
        protect(path, 2, columns=["heads"])


def test_decimals_and_row_numbers_of_other_tools(tmp_path: Path) -> None:
    amounts = pd.DataFrame({"x": [Decimal("1.5"), Decimal("2.5")], "s": pd.arrays.SparseArray([0.0, 1.0])})
    assert protect(amounts, 2).data["x"].tolist() == [2.0, 2.0]
    assert protect(amounts, 2).columns == ("x", "s")
    (tmp_path / "r.csv").write_text('"","x"\n"1",5\n"2",6\n')
    assert protect(tmp_path / "r.csv", 2).columns == ("x",)
    pd.DataFrame({"x": [1.0, 2.0]}, index=[5, 7]).to_parquet(tmp_path / "p.parquet")
    assert protect(tmp_path / "p.parquet", 2).columns == ("x",)


def test_release_below_k_is_impossible(companies: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def broken(table: Any, partition: Any, columns: Any, *others: Any, **more: Any) -> Any:
        return table.with_columns([Column.of_numbers(name, table.numbers(name)) for name in columns])

    monkeypatch.setattr(sys.modules["microagg.protect"], "aggregate", broken)
    with pytest.raises(VerificationError, match="reaches only k = 1, not 3"):
        protect(companies, 3)


def test_release_that_has_values_in_place_of_missing_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(table: Any, partition: Any, columns: Any, *others: Any, **more: Any) -> Any:
        return table.with_columns([Column.of_numbers(name, np.full(table.n_records, 7.0)) for name in columns])

    monkeypatch.setattr(sys.modules["microagg.protect"], "aggregate", broken)
    frame = pd.DataFrame({"x": [1.0, 2.0, None, 3.0, 8.0, 9.0], "y": [1.0, 2.0, 3.0, 4.0, 8.0, 9.0]})
    with pytest.raises(VerificationError, match="lacks other values than the original: nothing is released"):
        protect(frame, 3, columns=["x", "y"], missing="available")


@pytest.mark.parametrize(("moved", "k_reached"), [(1, 1), (2, 2), (3, 3)])
def test_k_reached_is_checked_at_its_edge(monkeypatch: pytest.MonkeyPatch, moved: Any, k_reached: int) -> None:
    """A release in which as few as k − 1 records agree is refused, one in which k do is not."""
    module = sys.modules["microagg.protect"]
    aggregate = module.aggregate

    def tampered(table: Any, partition: Any, columns: Any, *others: Any, **more: Any) -> Any:
        released = aggregate(table, partition, columns, *others, **more)
        values = released.numbers(columns[0]).copy()
        values[:moved] += 1000.0
        return released.with_columns([Column.of_numbers(columns[0], values)])

    monkeypatch.setattr(module, "aggregate", tampered)
    X = np.array([1.5] * 6 + [50.0] * 6)[:, None]  # one group of six may lose three
    if k_reached == 3:
        assert protect(X, 3).measures.k_reached == 3
        return
    with pytest.raises(VerificationError, match=f"reaches only k = {k_reached}, not 3"):
        protect(X, 3)


def test_columns_are_dropped_and_excluded() -> None:
    frame = pd.DataFrame({"id": [7, 3, 9, 1], "x": [1.0, 2.0, 8.0, 9.0], "y": [1.0, 2.0, 8.0, 9.5]})
    release = protect(frame, 2, drop=["id"], exclude=["y"])
    assert release.data.columns.tolist() == ["x", "y"]
    assert release.columns == ("x",)
    assert release.data["y"].tolist() == frame["y"].tolist()
    assert json.loads(release.to_json())["dropped"] == ["id"]
    with pytest.raises(InputError, match="no column 'Id': did you mean 'id'"):
        protect(frame, 2, drop=["Id"])


def test_columns_of_an_array_keep_their_numbers_when_others_are_dropped() -> None:
    X = np.random.default_rng(0).normal(size=(12, 3))
    release = protect(X, 3, drop=[0], columns=[2])
    assert release.data.shape == (12, 2)
    np.testing.assert_array_equal(release.data[:, 0], X[:, 1])
    assert np.unique(release.data[:, 1], return_counts=True)[1].min() >= 3


def test_a_shuffled_table_is_protected_row_by_row() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    shuffled = protect(frame, 3, columns=["a"], shuffle=True)
    again = protect(shuffled.table, 3, columns=["b"], shuffle=True)
    assert again.measures.information_loss == pytest.approx(again.information_loss)
    assert again.data.groupby(again.labels)["b"].nunique().max() == 1
    assert measure(shuffled.data, protect(shuffled.table, 3, columns=["b"]).data, ["b"]).information_loss < 20


def test_what_only_looks_like_numbers_is_not_released_from_an_array_either() -> None:
    array = np.array([[0.5, "10%"], [1.5, "12%"], [7.0, "13%"]], dtype=object)
    with pytest.raises(DoubtError, match="column '1'"):
        protect(array, 3)
    assert protect(array, 3, columns=["0"]).columns == ("0",)


def test_identifying_columns_are_told() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "who": ["d", "a", "c", "b"], "town": list("uuvv")})
    release = protect(frame, 2, columns=["x"])
    assert release.identifying == ("who",)
    assert json.loads(release.to_json())["identifying"] == ["who"]
    assert "who" in release.summary()
    assert protect(frame, 2, columns=["x"], drop=["who"]).identifying == ()


def test_an_index_that_is_handed_out_is_told() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 8.0, 9.0]}, index=["Ann", "Bob", "Cid", "Dan"])
    for table, shuffle, shown in (
        (frame, False, True),
        (frame, True, False),
        (frame.reset_index(drop=True), False, False),
    ):
        release = protect(table, 2, shuffle=shuffle)
        assert json.loads(release.to_json())["index"] is shown
        assert ("index:" in release.summary()) is shown


@pytest.fixture(name="frame")
def _survey() -> Any:
    rng = np.random.default_rng(0)
    return pd.DataFrame({"x": rng.normal(size=30), "y": rng.normal(size=30), "z": rng.normal(size=30), "who": "a"})


def test_plan_and_keywords_are_the_same_thing(frame: Any) -> None:
    plan = Plan(k=3, columns=["x", "y"], method="mdav", random_state=5)
    planned = protect(frame, plan=plan)
    said = protect(frame, 3, columns=["x", "y"], method="mdav", random_state=5)
    pd.testing.assert_frame_equal(planned.data, said.data)
    assert planned.plan == said.plan == plan


def test_a_keyword_may_say_more_but_nothing_else(frame: Any) -> None:
    plan = Plan(k=3, columns=["x", "y"])
    assert protect(frame, plan=plan, k=3, columns=("x", "y"), method="mdav").solution.method == "mdav"
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"k": 4}, "k = 4 contradicts the plan, which says 3: leave one of them out"),
        ({"columns": ["x"]}, "contradicts the plan"),
        ({"method": "mdav", "efort": "quick"}, "a plan has no option 'efort': did you mean 'effort'"),
    )
    for options, words in wrong:
        with pytest.raises(InputError, match=words):
            protect(frame, plan=plan, **options)
    with pytest.raises(InputError, match=r"plan must be a microagg\.Plan, found 'release\.toml': read a file by Plan"):
        protect(frame, plan="release.toml")  # type: ignore[arg-type]


def test_what_was_done_is_a_plan_that_does_it_again(frame: Any) -> None:
    release = protect(frame, 3, exclude=["z"], keep_integers=False)
    assert release.plan.sets[0].columns == ("x", "y")
    again = protect(frame, plan=Plan.from_toml(release.plan.to_toml()))
    pd.testing.assert_frame_equal(release.data, again.data)


def test_several_column_sets(frame: Any) -> None:
    plan = Plan(k=3, sets=[{"columns": ["x", "y"]}, {"columns": ["z"], "k": 5, "method": "univariate"}])
    release = protect(frame, plan=plan)
    both, alone = release.sets
    assert (both.columns, both.k, alone.columns, alone.k) == (("x", "y"), 3, ("z",), 5)
    np.testing.assert_array_equal(both.solution.labels, protect(frame, 3, columns=["x", "y"]).labels)
    np.testing.assert_array_equal(alone.solution.labels, protect(frame, 5, columns=["z"]).labels)
    assert release.data.groupby(["x", "y"]).size().min() >= 3
    assert release.data.groupby("z").size().min() >= 5
    assert release.columns == ("x", "y", "z")
    assert "each k-anonymous on its own columns" in release.summary()
    with pytest.raises(InputError, match="this release has 2 column sets"):
        release.labels  # noqa: B018
    assert "2 column sets" in repr(release)


def test_k_of_one_is_asked_about(frame: Any) -> None:
    with pytest.raises(InputError, match="k = 1 protects nothing: choose a larger k, or allow it, as in allow_k1=True"):
        protect(frame, 1, columns=["x"])
    assert protect(frame, 1, columns=["x"], allow_k1=True).information_loss == 0.0
    assert protect(frame, 2, columns=["x"]).k == 2


def test_reading_options_need_a_text_file(frame: Any) -> None:
    with pytest.raises(InputError, match="decimal"):
        protect(frame, 3, columns=["x"], decimal=",")


def test_limits_of_the_run_and_fresh_randomness_stand_in_the_plan_of_the_release(frame: Any) -> None:
    release = protect(frame, 3, columns=["x", "y"], random_state=None, run=Run(iterations=1))
    assert release.plan.limits.iterations == 1
    assert release.plan.random_state is not None
    pd.testing.assert_frame_equal(protect(frame, plan=release.plan).data, release.data)


class _Waiting:
    """A constructor that takes some seconds of a clock, and keeps the limits of its runs."""

    def __init__(self, clock: list[float], seconds: float) -> None:
        self.clock = clock
        self.seconds = seconds
        self.limits: list[Limits] = []

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        self.limits.append(run.limits)
        self.clock[0] += self.seconds
        run.log.iterations = len(self.limits)
        return Partition(problem, np.zeros(problem.n, dtype=np.int64))


def _three_sets(**options: Any) -> Plan:
    return Plan(k=2, sets=[{"columns": [name]} for name in "xyz"], **options)


@pytest.mark.parametrize(
    ("seconds", "until"), [(0.0, [4.0, 6.0, 12.0]), (1.0, [4.0, 6.5, 12.0]), (6.0, [4.0, 9.0, 12.0])]
)
def test_every_set_gets_its_share_of_the_time_left(
    frame: Any, monkeypatch: pytest.MonkeyPatch, seconds: float, until: list[float]
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    waiting = _Waiting(clock, seconds)
    release = protect(frame, plan=_three_sets(method=waiting, time_limit=12.0))
    assert [limits.time_limit for limits in waiting.limits] == until
    assert [one.solution.iterations for one in release.sets] == [1, 2, 3]  # each has a log of its own


def test_every_set_has_all_other_limits(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = _Waiting([0.0], 0.0)
    protect(frame, plan=_three_sets(method=[waiting, "recut"], iterations=5))
    assert waiting.limits == [Limits(iterations=5)] * 3
    waiting = _Waiting([0.0], 0.0)
    protect(frame, plan=_three_sets(method=waiting))
    assert waiting.limits == [Limits()] * 3


def test_target_gap_is_for_the_bound_of_every_set(frame: Any) -> None:
    gaps: list[float | None] = []

    def prove(problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        gaps.append(run.limits.target_gap)
        return LowerBound(0.0, "mine"), incumbent

    protect(frame, plan=_three_sets(method="mdav", bound=prove, target_gap=0.25))
    assert gaps == [0.25] * 3


def test_a_set_whose_time_is_over_is_grouped_all_the_same(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    release = protect(frame, plan=_three_sets(method=[_Waiting(clock, 30.0), "recut"], time_limit=12.0))
    assert [one.solution.ended_by for one in release.sets] == ["time_limit"] * 3
    assert [one.measures.k_reached for one in release.sets] == [30] * 3


def test_limits_are_checked_before_anything_is_read() -> None:
    with pytest.raises(MethodError, match="iterations could limit"):
        protect("no such file.csv", 3, method="mdav", iterations=5)
    with pytest.raises(MethodError, match="iterations could limit"):
        protect("no such file.csv", 3, method="mdav", run=Run(iterations=5))


def test_reading_is_not_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def slow(source: Any, reading: Any) -> Table:
        clock[0] += 60.0
        return read(source)

    monkeypatch.setattr(sys.modules["microagg.protect"], "read", slow)
    waiting = _Waiting(clock, 0.0)
    protect([[1.0], [2.0]], 2, method=waiting, time_limit=10.0)
    assert waiting.limits == [Limits(10.0)]


def test_a_run_that_is_cancelled_before_it_begins_releases_nothing(frame: Any) -> None:
    run = Run()
    run.cancel()
    with pytest.raises(CancelledError, match="nothing is released"):
        protect(frame, 3, columns=["x"], run=run)


def test_a_run_that_is_cancelled_while_reading_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run()

    def cancelling(source: Any, reading: Any) -> Table:
        run.cancel()
        return read(source)

    monkeypatch.setattr(sys.modules["microagg.protect"], "read", cancelling)
    with pytest.raises(CancelledError, match="nothing is released"):
        protect([[1.0], [2.0]], 2, run=run, method=lambda *arguments: pytest.fail("it has begun"))


def test_release_knows_when_and_in_which_order_it_was_made() -> None:
    X = np.random.default_rng(0).normal(size=(20, 1))
    before = datetime.now(UTC)
    plain = protect(X, 3)
    shuffled = protect(X, 3, shuffle=True)
    assert before <= plain.made <= shuffled.made <= datetime.now(UTC)
    assert plain.order is None
    assert shuffled.order is not None
    assert sorted(shuffled.order) == list(range(20))
    np.testing.assert_array_equal(shuffled.data, plain.data[shuffled.order])
    np.testing.assert_array_equal(shuffled.labels, plain.labels[shuffled.order])
    assert plain.plan.random_state == plain.solution.random_state == 0


@pytest.mark.parametrize(
    ("values", "refused"),
    [
        ([1, 1, 2, 3, 4, 5, 5, 5], False),  # five different values
        ([1, 2, 3, 4, 5, 6, 6, 6], True),
        ([6, 5, 4, 3, 2, 1, 1, 1], True),
        ([1, 2, 3, 4, 5, 7, 6, 8], False),
        ([1, 2, 3, None, 4, 5, 6, None], True),
        ([1.5, 2.5, float("nan"), 3.5, 4.5, 5.5, 6.5, 7.5], True),
        (list("abcdefgh"), True),
        (["a", "b", "c", "d", "e", "f", "h", "g"], False),
        ([[1], [2], [3], [4], [5], [6], [7], [8]], False),  # lists cannot be hashed
        ([1, 2, 3, 4, 5, 6, 7, "x"], False),  # no order
    ],
)
def test_shuffling_is_refused_from_six_sorted_values_on(values: Any, refused: bool) -> None:
    frame = pd.DataFrame({"x": [4.0, 2.0, 8.0, 9.0, 1.0, 7.0, 3.0, 5.0], "other": pd.Series(values, dtype=object)})
    if not refused:
        assert protect(frame, 3, columns=["x"], shuffle=True, method="mdav").order is not None
        return
    with pytest.raises(InputError) as caught:
        protect(frame, 3, columns=["x"], shuffle=True)
    assert str(caught.value) == "column 'other' rises or falls all the way, it would undo the shuffling: drop it"
    assert protect(frame, 3, columns=["x"], shuffle=True, drop=["other"], method="mdav").order is not None
    assert protect(frame, 3, columns=["x"], method="mdav").order is None


def test_protected_columns_may_be_sorted_where_records_are_shuffled() -> None:
    frame = pd.DataFrame({"x": np.arange(8.0), "who": list("hgfedbca")})
    assert protect(frame, 2, columns=["x"], shuffle=True, drop=["who"]).order is not None


def test_shuffle_moves_whole_records_and_tells_no_order(tmp_path: Path) -> None:
    n = 60
    frame = pd.DataFrame({"x": np.arange(n) // 3 * 1.0, "who": [f"p{i}" for i in range(n)]})
    out = protect(frame, 3, columns=["x"], shuffle=True).data
    assert sorted(out["who"]) == sorted(frame["who"])
    assert out["who"].tolist() != frame["who"].tolist()
    assert out.index.tolist() == list(range(n))
    assert [int(who[1:]) // 3 for who in out["who"]] == out["x"].tolist()
    frame.to_csv(tmp_path / "in.csv", index=False)
    release = protect(tmp_path / "in.csv", 3, columns=["x"], shuffle=True)
    write(release.table, tmp_path / "out.csv")
    back = pd.read_csv(tmp_path / "out.csv")
    assert [int(who[1:]) // 3 for who in back["who"]] == back["x"].tolist()
    array = protect(frame[["x"]].to_numpy(), 3, columns=[0], shuffle=True).data
    assert sorted(array.ravel()) == frame["x"].tolist()


def test_shuffled_order_does_not_follow_from_the_random_state() -> None:
    frame = pl.DataFrame({"x": np.arange(50.0), "who": np.arange(50) * 7 % 50})
    orders = {tuple(protect(frame, 3, columns=["x"], shuffle=True, random_state=0).data["who"]) for _ in range(3)}
    assert len(orders) == 3


def test_an_array_with_codes_is_asked_about_and_one_of_plain_numbers_is_not() -> None:
    rng = np.random.default_rng(0)
    array = rng.lognormal(size=(60, 2))
    assert protect(array, 5, method="mdav").columns == ("0", "1")
    sex = rng.integers(1, 3, 60)
    for table in (np.column_stack([sex, array]), np.column_stack([sex, array]).tolist()):
        with pytest.raises(
            DoubtError, match="column '0' looks like a code: whole numbers with only 2 different values"
        ):
            protect(table, 5)
        assert protect(table, 5, columns=[1, 2], method="mdav").columns == ("1", "2")
        remark, *_ = reversed(protect(table, 5, columns=[0, 1], exclude=[2], method="mdav").remarks)
        assert (
            remark
            == "column '0' looks like a code: whole numbers with only 2 different values, and is treated as numbers"
        )


def test_weights_whose_sums_overflow_get_a_sentence() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "w": [1e308] * 4})
    with pytest.raises(InputError, match=r"weight 'w' is 1e\+308 in row 1, and sums of such weights overflow"):
        protect(frame, 2, columns=["x"], weight="w", method="mdav")
    frame["w"] = 1e150
    assert protect(frame, 2, columns=["x"], weight="w", method="mdav").data["x"].tolist() == [1.5, 1.5, 8.5, 8.5]
