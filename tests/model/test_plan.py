"""Plans: options, their checks and what contradicts."""

import pytest

from microagg import ColumnSet, InputError, Plan
from microagg.model.plan import PLAN_OPTIONS


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


def test_what_a_set_says_stands_even_where_it_is_the_default() -> None:
    plan = Plan(k=3, method="mdav", sets=[{"columns": ["x"], "method": "auto"}, {"columns": ["y"]}])
    assert [one.method for one in plan.sets] == ["auto", "mdav"]
    assert Plan.from_toml(plan.to_toml()) == plan


def test_nothing_changes_a_plan_that_is_made() -> None:
    one = {"columns": ["x"], "k": 3}
    names = iter(["y", "z"])
    plan = Plan(sets=[one, {"columns": names, "k": 4}])
    one["k"] = 2
    plan.given["shuffle"] = True
    assert [each.k for each in plan.sets] == [3, 4]
    assert plan.sets[1].columns == ("y", "z")
    assert not plan.with_options(random_state=1).shuffle
    assert Plan(**plan.given) == plan
    with pytest.raises(AttributeError):
        plan.shuffle = True


def test_what_is_excluded_is_not_dropped() -> None:
    with pytest.raises(InputError, match="'x' is to be excluded and to be dropped"):
        Plan(k=3, exclude=["x"], drop=["x"])
