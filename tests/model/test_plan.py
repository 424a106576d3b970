"""Plans: options, their checks and what contradicts."""

from typing import Any

import pytest

from microagg import ColumnSet, InputError, Limits, Plan
from microagg.model.plan import LIMITS, PLAN_OPTIONS, READING
from microagg.model.reading import Reading


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("k = 3\ncolums = ['x']\n", "a plan has no option 'colums': did you mean 'columns'?"),
        ("k = 3\nfoo = 1\n", "a plan has no option 'foo': known are 'k', 'columns'"),
        ("k = 3\n[[sets]]\ncolumns = ['x']\nshuffle = true\n", "a column set has no option 'shuffle'"),
        ("columns = ['x']\n", "how large must groups be at least"),
        ("k = 0\n", "k must be at least 1"),
        ("k = 2.5\n", "k must be a whole number"),
        ("k = 'five'\n", "k must be a whole number"),
        ("k = 1\n", "k = 1 protects nothing"),
        ("k = 3\nshuffle = 1\n", "shuffle must be True or False"),
        ("k = 3\ncolumns = 'x'\n", "columns must be a list of names"),
        ("k = 3\ncolumns = []\n", "columns is empty"),
        ("k = 3\ncolumns = ['x', 'x']\n", "'x' is named 2 times in columns"),
        ("k = 3\ncolumns = ['x']\ndrop = ['x']\n", "'x' is to be protected and to be dropped"),
        ("k = 3\ncolumns = ['x']\nexclude = ['x']\n", "'x' is to be protected and to be excluded"),
        ("k = 3\nsets = 5\n", "sets must be a list"),
        ("k = 3\nsets = []\n", "sets is empty"),
        ("k = 3\nsets = ['x']\n", "a column set is"),
        ("k = 3\ncolumns = ['x']\n[[sets]]\ncolumns = ['y']\n", "columns and sets are both given"),
        ("k = 3\n[[sets]]\ncolumns = ['x']\n[[sets]]\ncolumns = ['x', 'y']\n", "'x' is in 2 column sets"),
        ("k = 3\n[[sets]]\ncolumns = ['x']\n[[sets]]\nk = 4\n", "a column set names no columns"),
        ("[[sets]]\ncolumns = ['x']\n", "how large must the groups of each column set be"),
        ("k = 3\ntime_limit = -1\n", "time_limit must be a positive number"),
        ("k = 3\ndelimiter = ';;'\n", "delimiter must be one character"),
        ("k = 3\ndelimiter = ','\ndecimal = ','\n", "delimiter and decimal are both"),
        ("k = 3\nencoding = 'klingon'\n", "encoding must be a name such as"),
        ("k = 3\nrandom_state = -1\n", "random_state must be at least 0"),
        ("k = \n", "the plan is not valid TOML"),
    ],
)
def test_bad_plan_gets_one_clear_sentence(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        Plan.from_toml(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_column_set_says_all_of_it() -> None:
    for one in (ColumnSet(k=3, columns=("x",)), {"k": 3, "columns": ["x"]}):
        with pytest.raises(InputError, match="k is given for the plan, but every column set has its own"):
            Plan(k=7, sets=[one])
        with pytest.raises(InputError, match="k is given for the plan, but every column set has its own"):
            Plan(sets=[one]).with_options(k=7)
    some = Plan(k=7, sets=[{"k": 3, "columns": ["x"]}, {"columns": ["y"]}])
    assert [one.k for one in some.sets] == [3, 7]


def test_options_are_listed_once() -> None:
    assert len(set(PLAN_OPTIONS)) == len(PLAN_OPTIONS)
    assert {"k", "columns", "sets", "drop", "time_limit", "decimal"} < set(PLAN_OPTIONS)
    assert LIMITS == ("time_limit", "iterations", "target_gap")
    assert READING == ("delimiter", "decimal", "encoding", "header", "table_name")
    assert {*LIMITS, *READING} < set(PLAN_OPTIONS)


def test_what_a_set_says_stands_even_where_it_is_the_default() -> None:
    plan = Plan(k=3, method="mdav", sets=[{"columns": ["x"], "method": "auto"}, {"columns": ["y"]}])
    assert [one.method for one in plan.sets] == ["auto", "mdav"]
    assert Plan.from_toml(plan.to_toml()) == plan


def test_nothing_changes_a_plan_that_is_made() -> None:
    one: dict[str, Any] = {"columns": ["x"], "k": 3}
    names = iter(["y", "z"])
    plan = Plan(sets=[one, {"columns": names, "k": 4}])
    one["k"] = 2
    plan.given["shuffle"] = True
    assert [each.k for each in plan.sets] == [3, 4]
    assert plan.sets[1].columns == ("y", "z")
    assert not plan.with_options(random_state=1).shuffle
    assert Plan(**plan.given) == plan
    with pytest.raises(AttributeError):
        plan.shuffle = True  # type: ignore[misc]


def test_what_is_excluded_is_not_dropped() -> None:
    with pytest.raises(InputError, match="'x' is to be excluded and to be dropped"):
        Plan(k=3, exclude=["x"], drop=["x"])


def test_defaults() -> None:
    plan = Plan(k=3)
    assert (plan.sets, plan.exclude, plan.drop) == ((ColumnSet(k=3),), (), ())
    assert (plan.shuffle, plan.random_state, plan.allow_k1) == (False, 0, False)
    assert (plan.limits, plan.reading) == (Limits(), Reading())
    assert (plan.given, repr(plan)) == ({"k": 3}, "Plan(k=3)")


def test_every_option_is_kept() -> None:
    options: dict[str, Any] = {
        "k": 3,
        "columns": ("x",),
        "method": "mdav+recut",
        "effort": "quick",
        "block_size": 50,
        "rounds": 3,
        "standardise": False,
        "bound": True,
        "keep_integers": True,
        "drop": ("y",),
        "shuffle": True,
        "random_state": 7,
        "time_limit": 2.0,
        "iterations": 5,
        "target_gap": 0.5,
        "allow_k1": True,
        "delimiter": ";",
        "decimal": ",",
        "encoding": "utf-8",
        "header": False,
    }
    plan = Plan(**options)
    assert plan.given == options
    assert plan.sets == (ColumnSet(3, ("x",), "mdav+recut", "quick", 50, 3, False, True, True),)
    assert (plan.drop, plan.shuffle, plan.random_state, plan.allow_k1) == (("y",), True, 7, True)
    assert plan.limits == Limits(2.0, 5, 0.5)
    assert plan.reading == Reading(";", ",", "utf-8", False)
    assert Plan(k=3, exclude=["x"]).exclude == ("x",)
    assert Plan(k=3, random_state=None).given == {"k": 3, "random_state": None}


def test_plans_are_equal_where_they_do_the_same() -> None:
    assert Plan(k=3) == Plan(k=3, method="auto", random_state=0)
    assert Plan(k=3) != Plan(k=4)
    assert Plan(k=3) != Plan(k=3, random_state=1)
    assert Plan(k=3, method="mdav", sets=[{"columns": ["x"]}]) == Plan(sets=[ColumnSet(3, ("x",), "mdav")])


@pytest.mark.parametrize("k", [1, 2])
def test_k_of_one_must_be_allowed_in_every_set(k: int) -> None:
    sets = [{"k": 2, "columns": ["x"]}, {"k": k, "columns": ["y"]}]
    assert [one.k for one in Plan(sets=sets, allow_k1=True).sets] == [2, k]
    if k > 1:
        assert [one.k for one in Plan(sets=sets).sets] == [2, 2]
        return
    with pytest.raises(InputError) as caught:
        Plan(sets=sets)
    assert str(caught.value) == ("k = 1 protects nothing: choose a larger k, or allow it, as in allow_k1=True")


def test_a_column_is_in_one_place() -> None:
    x_and_y = [{"k": 3, "columns": ["x"]}, {"k": 3, "columns": ["y"]}]
    assert len(Plan(sets=x_and_y, drop=["z"]).sets) == 2
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"sets": [*x_and_y, {"k": 3, "columns": ["y"]}]}, "column 'y' is in 2 column sets: name it in one"),
        ({"sets": x_and_y, "drop": ["z", "y"]}, "column 'y' is to be protected and to be dropped: name it once"),
        (
            {"k": 3, "columns": ["x"], "exclude": ["x"]},
            "column 'x' is to be protected and to be excluded: name it once",
        ),
        (
            {"k": 3, "exclude": ["a", "x"], "drop": ["x"]},
            "column 'x' is to be excluded and to be dropped: name it once",
        ),
    )
    for options, words in cases:
        with pytest.raises(InputError) as caught:
            Plan(**options)
        assert str(caught.value) == words


def test_options_may_be_added_but_not_contradicted() -> None:
    plan = Plan(k=3, columns=["x"], time_limit=2)
    assert plan.with_options(k=3, columns=("x",), time_limit=2.0) == plan
    assert plan.with_options(shuffle=True).given == {"k": 3, "columns": ("x",), "shuffle": True, "time_limit": 2.0}
    assert plan.with_options() == plan
    with pytest.raises(InputError) as caught:
        plan.with_options(time_limit=3)
    assert str(caught.value) == "time_limit = 3 contradicts the plan, which says 2.0: leave one of them out"
    with pytest.raises(InputError, match="a plan has no option 'shufle': did you mean 'shuffle'"):
        plan.with_options(shufle=True)
    sets = Plan(sets=[{"k": 3, "columns": ["x"]}])
    assert sets.with_options(sets=[{"k": 3, "columns": ["x"]}]) == sets
    with pytest.raises(InputError, match="contradicts the plan"):
        sets.with_options(sets=[{"k": 4, "columns": ["x"]}])


def test_a_settled_plan_leaves_nothing_open() -> None:
    plan = Plan(k=3, exclude=["z"], random_state=None, iterations=4)
    settled = plan.settled([["x", "y"]], Limits(1.0, 4), 99)
    assert settled == Plan(k=3, columns=["x", "y"], exclude=["z"], random_state=99, time_limit=1.0, iterations=4)
    several = Plan(k=3, sets=[{"columns": ["x"]}, {"columns": ["y"], "method": "mdav"}])
    assert several.settled([["x"], ["y"]], Limits(), 0) == several
    with pytest.raises(ValueError, match="zip"):
        several.settled([["x"]], Limits(), 0)
    alone = Plan(sets=[{"k": 3}])
    assert alone.settled([["x"]], Limits(), 0).sets == (ColumnSet(3, ("x",)),)
