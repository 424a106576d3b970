"""Treatments: what each level of measurement can have, and nothing that is asked for left undone."""

from typing import Any

import pytest

from microagg import InputError
from microagg.model.by_column import ByColumn
from microagg.model.column import Kind
from microagg.model.treatment import Level, Treatment, together
from microagg.model.treatment_options import BY_COLUMN, checked_option, named_in, restricted

ALL: dict[str, Level] = {"x": "number", "d": "date", "o": "ordinal", "c": "nominal"}


def _treatment(**options: Any) -> Treatment:
    return Treatment(**options)


def test_usual_aggregates_go_by_the_level() -> None:
    treatment = Treatment()
    treatment.check(ALL)
    assert [treatment.aggregate_of(*one) for one in ALL.items()] == ["mean", "mean", "median", "mode"]
    assert [treatment.scale_of(*one) for one in ALL.items()] == ["deviation", "deviation", "deviation", 1.0]


def test_levels_go_by_what_is_named_then_by_the_kind() -> None:
    treatment = _treatment(nominal=["code"], ordinal={"grade": [1, 2]})
    assert treatment.level("code", "integer") == "nominal"
    assert treatment.level("grade", "integer") == "ordinal"
    kinds: list[Kind] = ["integer", "number", "mixed", "date", "datetime", "boolean", "category", "text"]
    levels = [treatment.level("other", kind) for kind in kinds]
    assert levels == [*["number"] * 3, *["date"] * 2, *["nominal"] * 3]


def test_a_word_for_all_columns_applies_to_those_that_can_have_it() -> None:
    median = _treatment(aggregate="median")
    median.check(ALL)
    assert [median.aggregate_of(*one) for one in ALL.items()] == ["median", "median", "median", "mode"]
    logarithm = _treatment(transform="log")
    assert [logarithm.transform_of(*one) for one in ALL.items()] == ["log", "none", "none", "none"]
    assert [_treatment(scale=2).scale_of(*one) for one in ALL.items()] == [2.0] * 4
    assert [_treatment(scale="mad").scale_of(*one) for one in ALL.items()] == ["mad", "mad", "mad", 1.0]


@pytest.mark.parametrize(
    ("options", "levels", "words"),
    [
        ({"aggregate": "set"}, {"x": "number"}, "aggregate is 'set', which none of the columns 'x' can have"),
        ({"transform": "log"}, {"d": "date"}, "transform is 'log', which none of the columns 'd' can have"),
        ({"scale": "mad"}, {"c": "nominal"}, "scale is 'mad', which none of the columns 'c' can have"),
        ({"scale": {"y": "mad"}}, {"x": "number"}, "scale names column 'y', which is not among the columns 'x'"),
        (
            {"aggregate": {"c": "mean"}},
            {"c": "nominal"},
            "aggregate of column 'c' is 'mean', but it is treated as nominal: expected mode or medoid or set; or name",
        ),
        ({"aggregate": {"x": "set"}}, {"x": "number"}, "aggregate of column 'x' is 'set', but it is treated as number"),
        ({"transform": {"o": "log"}}, {"o": "ordinal"}, "transform of column 'o' is 'log', but it is treated as"),
        ({"scale": {"c": "iqr"}}, {"c": "nominal"}, "expected deviation or none or a positive number"),
        ({"scale": "rank", "transform": "log"}, {"x": "number"}, "column 'x' has the scale 'rank', which no transform"),
    ],
)
def test_what_a_column_cannot_have_is_refused(options: Any, levels: dict[str, Level], words: str) -> None:
    with pytest.raises(InputError) as caught:
        _treatment(**options).check(levels)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scale": "sd"}, "scale must be one of deviation, mad, iqr, range, rank, none, found 'sd'"),
        ({"scale": 0}, "scale must be one of deviation, mad, iqr, range, rank, none, or a positive number, found 0"),
        ({"scale": {"x": -1}}, "scale of 'x' must be one of"),
        ({"transform": "sqrt"}, "transform must be one of log, rank, none, found 'sqrt'"),
        ({"aggregate": {"x": "sum"}}, "aggregate of 'x' must be one of mean, median, trimmed, mode, medoid, set"),
        ({"nominal": "x"}, "nominal must be a list of names"),
        ({"ordinal": {"x": "abc"}}, "ordinal of 'x' must be a list of its categories in order, found 'abc'"),
        ({"ordinal": {"x": ["a", "a"]}}, "ordinal of 'x' has a category twice"),
        ({"nominal": ["x"], "ordinal": ["x"]}, "column 'x' is named in nominal and in ordinal: name it in one of them"),
        ({"rounding": "up"}, "rounding must be one of nearest, total, found 'up'"),
        ({"keep_integers": 1}, "keep_integers must be True or False"),
    ],
)
def test_impossible_values_are_refused(options: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        _treatment(**options)
    assert str(caught.value).startswith(words)


def test_options_are_frozen_and_can_be_restricted() -> None:
    scale = checked_option("scale", {0: "mad", "b": 2})
    assert scale == ByColumn(None, (("0", "mad"), ("b", 2.0)))
    assert restricted(scale, ["b"]) == ByColumn(None, (("b", 2.0),))
    assert restricted(scale, ["z"]) is None
    assert restricted(ByColumn("mad"), ["z"]) == ByColumn("mad")
    assert restricted(("a", "b"), ["b", "c"]) == ("b",)
    assert restricted(("a",), ["b"]) is None
    assert restricted(None, ["b"]) is None
    assert [named_in(one) for one in (None, ByColumn("mad"), scale, ("a",))] == [(), (), ("0", "b"), ("a",)]
    assert [checked_option(name, None) for name in BY_COLUMN] == [None] * 5


def test_sets_are_measured_together_by_their_codes() -> None:
    one = _treatment(nominal=["a"], ordinal={"o": ["x", "y"]}, scale="none")
    other = _treatment(ordinal=["p"], aggregate="median")
    both = together([one, other])
    assert both.nominal == ("a",)
    assert both.order_of("o") == ("x", "y")
    assert both.level("p", "text") == "ordinal"
    assert both.standardise
    assert both.aggregate is None
    assert together([Treatment()]).level("x", "integer") == "number"


def test_plain_treatments() -> None:
    assert Treatment.plain(True) == Treatment()
    assert not Treatment.plain(False).standardise
    with pytest.raises(InputError, match="standardise must be True or False, found 1"):
        Treatment.plain(1)  # type: ignore[arg-type]
