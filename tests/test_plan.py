"""Plans: one way to say what is to be done."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import ColumnSet, InputError, Limits, Plan, ReadError, Run, protect
from microagg.model.plan import PLAN_OPTIONS
from microagg.refine.search import EFFORTS

names = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=4, unique=True)
set_options = {
    "k": st.integers(2, 50),
    "method": st.sampled_from(["auto", "mdav+recut", "v-mdav(gamma=1.1)"]),
    "effort": st.sampled_from(sorted(EFFORTS)),
    "standardise": st.booleans(),
    "bound": st.booleans(),
    "keep_integers": st.booleans(),
}
set_options_but_k = {name: values for name, values in set_options.items() if name != "k"}
common = {
    "shuffle": st.booleans(),
    "random_state": st.none() | st.integers(0, 2**40),
    "time_limit": st.floats(0.1, 1e6),
    "iterations": st.integers(0, 1000),
    "target_gap": st.floats(1e-6, 1.0),
    "delimiter": st.sampled_from(list(";\t|")),
    "decimal": st.sampled_from([".", ","]),
    "encoding": st.sampled_from(["utf-8", "cp1252"]),
    "header": st.booleans(),
}


@st.composite
def plans(draw):
    options = draw(st.fixed_dictionaries({"k": set_options["k"]}, optional=set_options_but_k | common))
    chosen = draw(st.lists(st.text(min_size=1, max_size=8), max_size=6, unique=True))
    if draw(st.booleans()) and len(chosen) >= 2:
        said = [draw(st.fixed_dictionaries({"k": set_options["k"]}, optional=set_options_but_k)) for _ in range(2)]
        sets = [{**one, "columns": columns} for one, columns in zip(said, (chosen[:1], chosen[1:]), strict=True)]
        options = {name: value for name, value in options.items() if name in common}
        if draw(st.booleans()):
            sets = [ColumnSet(**one) for one in sets]
        else:
            options |= {name: draw(set_options[name]) for name in said[0] if name not in said[1]}
        options["sets"] = sets
    elif chosen:
        options[draw(st.sampled_from(["columns", "exclude", "drop"]))] = chosen
    return Plan(**options)


@given(plans())
def test_toml_and_back_is_the_same_plan(plan):
    again = Plan.from_toml(plan.to_toml() + "\n")
    assert again == plan
    assert again.to_toml() == plan.to_toml()
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_every_option_stands_in_toml_and_none_besides(tmp_path):
    text = """
# what is released
k = 3
columns = ["x", "y"]
method = "mdav"
drop = ["name"]
random_state = "fresh"
time_limit = 60
decimal = ","
"""
    (tmp_path / "release.toml").write_text(text)
    plan = Plan.from_toml(tmp_path / "release.toml")
    assert plan == Plan.from_toml(str(tmp_path / "release.toml")) == Plan.from_toml(text)
    assert plan.sets == (ColumnSet(k=3, columns=("x", "y"), method="mdav"),)
    assert (plan.drop, plan.random_state, plan.limits) == (("name",), None, Limits(time_limit=60.0))
    assert plan.reading.decimal == ","


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
        ("k = 3\ncolumns = ['x']\n[[sets]]\ncolumns = ['y']\n", "columns and sets are both said"),
        ("k = 3\n[[sets]]\ncolumns = ['x']\n[[sets]]\ncolumns = ['x', 'y']\n", "'x' is in 2 column sets"),
        ("k = 3\n[[sets]]\ncolumns = ['x']\n[[sets]]\nk = 4\n", "a column set names no columns"),
        ("[[sets]]\ncolumns = ['x']\n", "how large must the groups of each column set be"),
        ("k = 3\ntime_limit = -1\n", "time_limit must be a positive number"),
        ("k = 3\ndelimiter = ';;'\n", "delimiter must be one character"),
        ("k = 3\ndelimiter = ','\ndecimal = ','\n", "delimiter and decimal are both"),
        ("k = 3\nencoding = 'klingon'\n", "encoding must be a name such as"),
        ("k = 3\nrandom_state = -1\n", "random_state must be at least 0"),
        ("k = \n", "the plan is no TOML"),
    ],
)
def test_bad_plan_gets_one_clear_sentence(text, words):
    with pytest.raises(InputError) as caught:
        Plan.from_toml(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_plan_is_told(tmp_path):
    with pytest.raises(ReadError, match="cannot read the plan"):
        Plan.from_toml(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReadError, match="no UTF-8"):
        Plan.from_toml(tmp_path / "bad.toml")


@pytest.fixture(name="frame")
def _frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame({"x": rng.normal(size=30), "y": rng.normal(size=30), "z": rng.normal(size=30), "who": "a"})


def test_plan_and_keywords_are_the_same_thing(frame):
    plan = Plan(k=3, columns=["x", "y"], method="mdav", random_state=5)
    planned = protect(frame, plan=plan)
    said = protect(frame, 3, columns=["x", "y"], method="mdav", random_state=5)
    pd.testing.assert_frame_equal(planned.data, said.data)
    assert planned.plan == said.plan == plan


def test_a_keyword_may_say_more_but_nothing_else(frame):
    plan = Plan(k=3, columns=["x", "y"])
    assert protect(frame, plan=plan, k=3, columns=("x", "y"), method="mdav").solution.method == "mdav"
    for options, words in (
        ({"k": 4}, "k = 4 contradicts the plan, which says 3: leave one of them out"),
        ({"columns": ["x"]}, "contradicts the plan"),
        ({"method": "mdav", "efort": "quick"}, "a plan has no option 'efort': did you mean 'effort'"),
    ):
        with pytest.raises(InputError, match=words):
            protect(frame, plan=plan, **options)
    with pytest.raises(InputError, match=r"plan must be a microagg\.Plan"):
        protect(frame, plan="release.toml")


def test_what_was_done_is_a_plan_that_does_it_again(frame):
    release = protect(frame, 3, exclude=["z"], keep_integers=False)
    assert release.plan.sets[0].columns == ("x", "y")
    again = protect(frame, plan=Plan.from_toml(release.plan.to_toml()))
    pd.testing.assert_frame_equal(release.data, again.data)


def test_several_column_sets(frame):
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


def test_a_column_set_says_all_of_it():
    for one in (ColumnSet(k=3, columns=("x",)), {"k": 3, "columns": ["x"]}):
        with pytest.raises(InputError, match="k is said of the plan, but every column set says its own"):
            Plan(k=7, sets=[one])
        with pytest.raises(InputError, match="k is said of the plan, but every column set says its own"):
            Plan(sets=[one]).with_options(k=7)
    some = Plan(k=7, sets=[{"k": 3, "columns": ["x"]}, {"columns": ["y"]}])
    assert [one.k for one in some.sets] == [3, 7]


def test_k_of_one_is_asked_about(frame):
    with pytest.raises(InputError, match=r"k = 1 protects nothing.*--allow-k1"):
        protect(frame, 1, columns=["x"])
    assert protect(frame, 1, columns=["x"], allow_k1=True).information_loss == 0.0
    assert protect(frame, 2, columns=["x"]).k == 2


def test_a_stage_of_ones_own_cannot_be_written():
    plan = Plan(k=3, method=lambda problem, rng, run: None)
    with pytest.raises(InputError, match="method holds a stage of your own, which no TOML can hold"):
        plan.to_toml()


def test_options_are_listed_once():
    assert len(set(PLAN_OPTIONS)) == len(PLAN_OPTIONS)
    assert {"k", "columns", "sets", "drop", "time_limit", "decimal"} < set(PLAN_OPTIONS)


def test_reading_options_need_a_text_file(frame):
    with pytest.raises(InputError, match="decimal"):
        protect(frame, 3, columns=["x"], decimal=",")


def test_what_a_set_says_stands_even_where_it_is_the_default():
    plan = Plan(k=3, method="mdav", sets=[{"columns": ["x"], "method": "auto"}, {"columns": ["y"]}])
    assert [one.method for one in plan.sets] == ["auto", "mdav"]
    assert Plan.from_toml(plan.to_toml()) == plan


def test_nothing_changes_a_plan_that_is_made():
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


def test_numbers_of_numpy_are_numbers():
    plan = Plan(k=np.int64(5), columns=np.array(["x", "y"]), time_limit=np.float64(2.5), random_state=np.int32(3))
    assert Plan.from_toml(plan.to_toml()) == plan


def test_a_path_may_have_any_name(tmp_path):
    (tmp_path / "k=5.toml").write_text("k = 5\n")
    assert Plan.from_toml(str(tmp_path / "k=5.toml")).sets[0].k == 5


def test_limits_of_the_run_and_fresh_randomness_stand_in_the_plan_of_the_release(frame):
    release = protect(frame, 3, columns=["x", "y"], random_state=None, run=Run(iterations=1))
    assert release.plan.limits.iterations == 1
    assert release.plan.random_state is not None
    pd.testing.assert_frame_equal(protect(frame, plan=release.plan).data, release.data)


@pytest.mark.parametrize("bound", [False, True])
def test_every_set_gets_its_share_of_the_time(bound):
    X = np.random.default_rng(0).normal(size=(400, 4))
    sets = [{"columns": ["0", "1"]}, {"columns": ["2", "3"]}]
    release = protect(X, plan=Plan(k=3, sets=sets, bound=bound, time_limit=4.0))
    for one in release.sets:
        assert one.solution.fallback_share == 0.0
        assert one.solution.iterations > 0


def test_what_is_excluded_is_not_dropped():
    with pytest.raises(InputError, match="'x' is to be excluded and to be dropped"):
        Plan(k=3, exclude=["x"], drop=["x"])
