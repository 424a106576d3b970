"""Column sets: defaults, checks, and options of several sets."""

from typing import Any

import numpy as np
import pytest

from microagg import ColumnSet, InputError
from microagg.model.by_column import ByColumn
from microagg.model.column_set import SET_OPTIONS, check_known
from microagg.model.given_sets import given_sets


def test_defaults() -> None:
    one = ColumnSet(k=3)
    assert (one.k, one.columns, one.method, one.effort) == (3, None, "auto", None)
    assert (one.block_size, one.rounds) == (None, None)
    assert (one.standardise, one.bound, one.keep_integers) == (True, False, False)
    assert (one.scale, one.transform, one.nominal, one.ordinal, one.aggregate, one.rounding) == (None,) * 6
    assert SET_OPTIONS[:6] == ("k", "columns", "method", "effort", "block_size", "rounds")
    assert SET_OPTIONS[6:10] == ("standardise", "bound", "keep_integers", "weighted_loss")
    assert SET_OPTIONS[10:] == ("scale", "transform", "nominal", "ordinal", "aggregate", "rounding")


def test_values_are_plain() -> None:
    one = ColumnSet(k=np.int64(3), columns=[0, "b"], method=["mdav", "recut"])  # type: ignore[arg-type]
    assert type(one.k) is int
    assert one.columns == ("0", "b")
    assert one.method == ("mdav", "recut")
    assert ColumnSet(k=1).k == 1
    assert ColumnSet(k=3, bound=print).bound is print
    assert ColumnSet(k=3, bound=True).bound is True


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"k": 0}, "k must be at least 1, found 0"),
        ({"k": 3, "columns": "x"}, "columns must be a list of names"),
        ({"k": 3, "standardise": 1}, "standardise must be True or False, found 1"),
        ({"k": 3, "keep_integers": 0}, "keep_integers must be True or False, found 0"),
        ({"k": 3, "block_size": 11}, "block_size must be at least 12, found 11"),
        ({"k": 3, "block_size": 20.5}, "block_size must be a whole number, found 20.5"),
        ({"k": 3, "rounds": 0}, "rounds must be at least 1, found 0"),
        ({"k": 3, "rounds": "many"}, "rounds must be a whole number, found 'many'"),
        ({"k": 3, "bound": 5}, "bound must be True, False, a bound's name or a stage, found 5"),
    ],
)
def test_impossible_values_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ColumnSet(**options)


def test_one_set_takes_the_options_of_the_plan() -> None:
    given = given_sets({"k": 3, "method": "mdav", "shuffle": True})
    assert given.sets == (ColumnSet(k=3, method="mdav"),)
    assert (given.own, given.shared) == ((), None)


def test_several_sets_take_what_they_have_not_from_the_plan() -> None:
    given = given_sets({"method": "mdav", "sets": [{"k": 3, "columns": ["x"]}, ColumnSet(k=4, columns=("y",))]})
    assert [one.method for one in given.sets] == ["mdav", "auto"]
    assert given.own[0] == ("k", "columns")
    assert given.own[1] == ("k", "columns", "method", "standardise", "bound", "keep_integers", "weighted_loss")
    assert given.shared == ColumnSet(k=3, method="mdav")
    assert given_sets({"sets": [{"k": 3, "columns": ["x"]}]}).shared is None
    assert given_sets({"sets": [{"k": 3}]}).sets == (ColumnSet(k=3),)  # one set may take every numeric column


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "how large must groups be at least? Set it, as in k=5 (-k 5)"),
        ({"method": "mdav"}, "how large must groups be at least? Set it, as in k=5 (-k 5)"),
        ({"columns": ["x"], "sets": []}, "columns and sets are both given: name the columns of each set in it"),
        ({"sets": []}, "sets is empty: name at least one column set"),
        ({"sets": "xy"}, "sets must be a list of column sets, found 'xy'"),
        ({"sets": b"xy"}, "sets must be a list of column sets, found b'xy'"),
        ({"sets": {"k": 3}}, "sets must be a list of column sets, found {'k': 3}"),
        ({"sets": 5}, "sets must be a list of column sets, found 5"),
        ({"sets": [5]}, "a column set is a ColumnSet or a table of its options, found 5"),
        ({"sets": [{"colums": 5}]}, "a column set has no option 'colums': did you mean 'columns'?"),
        (
            {"k": 3, "sets": [{"k": 4, "columns": ["x"]}]},
            "k is given for the plan, but every column set has its own: leave one of them out",
        ),
        (
            {"sets": [{"columns": ["x"]}, {"k": 3, "columns": ["y"]}]},
            "how large must the groups of each column set be at least? Set it, as in k = 5",
        ),
        (
            {"k": 3, "sets": [{"columns": ["x"]}, {"method": "mdav"}]},
            "a column set names no columns: of several sets, each must",
        ),
    ],
)
def test_sets_that_contradict_or_lack_something_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        given_sets(options)
    assert str(caught.value) == words


def test_known_options_are_not_refused() -> None:
    check_known(["k", "columns"], SET_OPTIONS, "it")
    with pytest.raises(InputError, match="it has no option 'q': known are 'k', 'columns'"):
        check_known(["k", "q"], SET_OPTIONS, "it")


def test_options_by_column_are_frozen() -> None:
    one = ColumnSet(k=3, columns=("x", "c"), scale={"x": "mad"}, nominal=["c"], aggregate="median")  # type: ignore[arg-type]
    assert one.scale == ByColumn(None, (("x", "mad"),))
    assert one.nominal == ("c",)
    assert hash(one) == hash(ColumnSet(**{each: getattr(one, each) for each in SET_OPTIONS}))
    assert one.treatment.nominal == ("c",)
    assert ColumnSet(k=3, standardise=False).treatment.scale == ByColumn("none")
    assert one.of_columns(["c"]) == ColumnSet(k=3, columns=("c",), nominal=("c",), aggregate=ByColumn("median"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"standardise": False, "scale": "mad"},
            "scale and standardise=False are both given: leave one out; scale='none' means the same",
        ),
        ({"rounding": "total"}, "rounding is given, but nothing is rounded: add keep_integers=True, or leave it out"),
        ({"rounding": "up", "keep_integers": True}, "rounding must be one of nearest, total, found 'up'"),
        ({"scale": {"y": "mad"}}, "scale names column 'y', which is not in columns: name it there, too"),
        ({"nominal": ["y"]}, "nominal names column 'y', which is not in columns: name it there, too"),
        ({"aggregate": {}}, "aggregate names no column: name one, as in aggregate = {income = …}, or leave it out"),
    ],
)
def test_options_that_contradict_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        given_sets({"k": 3, "columns": ["x"], **options})
    assert str(caught.value) == words


def test_shared_options_by_column_go_to_the_set_of_the_column() -> None:
    sets = [{"columns": ["x", "c"]}, {"columns": iter(["y"]), "scale": "iqr"}]
    given = given_sets(
        {"k": 3, "sets": sets, "scale": {"x": "mad", "y": 2}, "nominal": iter(["c", "secret"])}, confidential=["secret"]
    )
    first, second = given.sets
    assert (first.scale, second.scale) == (ByColumn(None, (("x", "mad"),)), ByColumn("iqr"))
    assert (first.nominal, second.nominal) == (("c",), None)
    assert given.codes.level("secret", "integer") == "nominal"
    assert given.codes.level("y", "integer") == "number"
    with pytest.raises(InputError, match="nominal names column 'secret', which is not in columns"):
        given_sets({"k": 3, "sets": [{"columns": ["x"]}], "nominal": ["secret"]})
    with pytest.raises(InputError, match="scale names column 'y', which is not in columns"):
        given_sets({"k": 3, "sets": [{"columns": ["x"], "scale": {"y": "mad"}}, {"columns": ["y"]}]})
