"""The whole line: what is released, and what is refused."""

from decimal import Decimal
from sys import modules

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given

from microagg import Column, InputError, Partition, ReadError, Release, VerificationError, protect, read
from microagg.aggregate import GroupMeans, aggregate
from microagg.encode import encode
from microagg.measure import measure_tables
from strategies import labelled, points


def test_release_tells_everything(companies):
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


def test_optimal_groups_of_the_paper_lose_what_they_say(companies):
    """Table II of the MF-TSP paper: the optimum of its table I."""
    result = protect(companies, 3, method="mdav")
    best = Partition(result.solution.partition.problem, np.array([0, 0, 0, 1, 1, 2, 2, 2, 1, 0, 2]))
    released = aggregate(read(companies), best, ("surface", "employees"))
    assert released.numbers("surface")[[0, 3, 5]] == pytest.approx([747.5, 756.67, 322.5], abs=0.005)
    assert released.numbers("employees")[[0, 3, 5]] == pytest.approx([45.75, 8.33, 33.0], abs=0.005)
    assert best.sse < result.sse
    assert protect(companies, 3).sse == pytest.approx(best.sse)


def test_default_takes_every_numeric_column():
    frame = pl.DataFrame({"x": [1.0, 2, 3], "who": ["a", "b", "c"], "n": [1, 2, 3], "yes": [True, False, True]})
    assert protect(frame, 3).columns == ("x", "n")


@given(labelled())
def test_means_are_kept_and_groups_are_equal(case):
    problem, labels = case
    partition = Partition(problem, labels)
    table = read(np.array(problem.X))
    released = aggregate(table, partition, table.names)
    measures = measure_tables(table, released, encode(table, table.names, problem.k)[0])
    assert measures.k_reached >= problem.k
    for column in measures.columns:
        scale = 1e-9 * (1 + np.abs(problem.X).max())
        assert column.mean_after == pytest.approx(column.mean_before, abs=scale)
        assert column.variance_after <= column.variance_before * (1 + 1e-9) + scale**2
    for group in range(partition.n_groups):
        for name in table.names:
            assert len(set(released.numbers(name)[partition.labels == group])) == 1


@given(points())
def test_group_of_equal_values_keeps_them_exactly(X):
    values = X[:, 0]
    _, labels = np.unique(values, return_inverse=True)
    np.testing.assert_array_equal(GroupMeans(labels)(values)[labels], values)


@pytest.mark.parametrize(("outlier", "offset"), [(1e16, 0.0), (5.0, 1e9), (-1e16, 1e3), (1e100, -1.0)])
def test_group_means_do_not_feel_what_lies_elsewhere(outlier, offset):
    values = np.array([0.125, 0.25, 0.75, outlier, outlier, outlier]) + offset
    assert GroupMeans(np.array([0, 0, 0, 1, 1, 1]))(values).tolist() == [0.375 + offset, outlier + offset]


def test_measures_are_of_what_is_handed_out():
    frame = pl.DataFrame({"x": pl.Series([0.1, 0.2, 0.7, 0.9], dtype=pl.Float32)})
    result = protect(frame, 2)
    assert result.data["x"].dtype == pl.Float32
    assert result.measures.columns[0].mean_after == result.data["x"].cast(pl.Float64).to_numpy().mean()


def test_integers_stay_whole_only_where_asked():
    frame = pl.DataFrame({"n": [1, 2, 10, 11], "x": [0.5, 1.0, 7.0, 7.5]})
    assert protect(frame, 2).data["n"].to_list() == [1.5, 1.5, 10.5, 10.5]
    kept = protect(frame, 2, keep_integers=True)
    assert kept.data["n"].to_list() == [2, 2, 10, 10]
    assert kept.data["x"].to_list() == [0.75, 0.75, 7.25, 7.25]
    whole = protect(pl.DataFrame({"x": [1.0, 2.0, 10.0, 11.0]}), 2, keep_integers=True)
    assert (whole.data["x"].dtype, whole.data["x"].to_list()) == (pl.Float64, [2.0, 2.0, 10.0, 10.0])
    assert kept.measures.information_loss > kept.information_loss
    assert "with whole numbers kept" in kept.summary()


def test_univariate_is_proved_optimal(companies):
    result = protect(companies, 3, columns=["surface"], method="univariate")
    assert (result.status, result.gap) == ("optimal", 0.0)
    assert result.lower_bound == result.sse
    assert "proved optimal" in result.summary()


def _frame(**columns):
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
        (_frame(), {"k": 2, "columns": ["who"]}, "row 1 holds 'a'"),
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
        (_frame(), {"k": 2, "effort": "quick", "method": "mdav"}, "method 'mdav' knows no effort"),
        (_frame(), {"k": 2, "effort": "hard"}, "effort must be one of quick, standard, thorough, found 'hard'"),
    ],
)
def test_bad_input_gets_one_clear_sentence(frame, options, words):
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
        ("nace;turnover\n47.11;1234,5\n47.19;2345,6\n", "column 'nace' may or may not hold numbers"),
    ],
)
def test_column_that_looks_like_numbers_is_never_left_out_without_a_word(text, words, tmp_path):
    path = tmp_path / "in.csv"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        protect(path, 2)
    assert words in str(caught.value)


def test_three_decimals_are_no_thousands_where_a_number_is_below_one(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("a;b\n1.234;x\n0.123;y\n")
    assert protect(path, 2).data["a"].to_list() == pytest.approx([0.6785, 0.6785])


@pytest.mark.parametrize("values", [["1200", "1300", "1400"], [3, 1, 2]])
def test_categories_that_are_numbers_are_not_guessed_about(values):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "c": pd.Categorical(values)})
    with pytest.raises(InputError, match=r"column 'c' (may or may not hold|is Categorical, not) numbers"):
        protect(frame, 3)
    assert protect(frame, 3, columns=["x"]).data["c"].tolist() == values


@pytest.mark.parametrize("ids", [range(1, 13), range(12, 0, -1), [f"{i:03d}" for i in range(12)], np.arange(12) + 0.5])
def test_shuffling_that_a_column_would_undo_is_refused(ids):
    frame = pd.DataFrame({"x": np.arange(12) % 5, "id": ids})
    with pytest.raises(InputError, match="column 'id' rises or falls all the way"):
        protect(frame, 3, columns=["x"], shuffle=True)


@pytest.mark.parametrize("told", [[0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5], [1, 2, None, 4, 5, 6, 7, 8, 9, 10, 11, 12]])
def test_shuffling_that_a_column_would_nearly_undo_is_refused(told):
    frame = pd.DataFrame({"x": np.arange(12) % 5, "household": told})
    with pytest.raises(InputError, match="column 'household' rises or falls all the way"):
        protect(frame, 3, columns=["x"], shuffle=True)
    with pytest.raises(InputError, match="column 'household' rises or falls all the way"):  # before any work is done
        protect(frame, 3, columns=["x"], shuffle=True, method=lambda *arguments: pytest.fail("it has begun"))
    few = pd.DataFrame({"x": np.arange(12) % 5, "region": [1] * 6 + [2] * 6})
    assert protect(few, 3, columns=["x"], shuffle=True).k == 3


def test_shuffling_does_not_mind_text_among_numbers():
    frame = pd.DataFrame({"x": np.arange(12) % 5, "age": ["*", *map(str, range(11))]})
    assert sorted(protect(frame, 3, columns=["x"], shuffle=True).data["age"]) == sorted(frame["age"])


def test_both_decimal_signs_are_read_where_the_columns_are_named(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("nace;turnover;heads\n47.11;1234,5;1.234\n47.19;2345,6;17\n")
    protect(path, 2, columns=["turnover"]).write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "nace;turnover;heads\n47.11;1790,05;1.234\n47.19;1790,05;17\n"
    assert protect(path, 2, columns=["nace"]).data["nace"].to_list() == pytest.approx([47.15, 47.15])
    with pytest.raises(ReadError, match="column 'heads' may have thousands separators"):
        protect(path, 2, columns=["heads"])


def test_decimals_and_row_numbers_of_other_tools(tmp_path):
    amounts = pd.DataFrame({"x": [Decimal("1.5"), Decimal("2.5")], "s": pd.arrays.SparseArray([0.0, 1.0])})
    assert protect(amounts, 2).data["x"].tolist() == [2.0, 2.0]
    assert protect(amounts, 2).columns == ("x", "s")
    (tmp_path / "r.csv").write_text('"","x"\n"1",5\n"2",6\n')
    assert protect(tmp_path / "r.csv", 2).columns == ("x",)
    pd.DataFrame({"x": [1.0, 2.0]}, index=[5, 7]).to_parquet(tmp_path / "p.parquet")
    assert protect(tmp_path / "p.parquet", 2).columns == ("x",)


def test_release_below_k_is_impossible(companies, monkeypatch):

    def broken(table, partition, columns, *, keep_integers):
        return table.with_columns([Column.of_numbers(name, table.numbers(name)) for name in columns])

    monkeypatch.setattr(modules["microagg.protect"], "aggregate", broken)
    with pytest.raises(VerificationError, match="reaches only k = 1, not 3"):
        protect(companies, 3)
