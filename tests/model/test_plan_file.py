"""TOML text of plans."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import ColumnSet, InputError, Limits, Plan, ReadError
from microagg.refine.search import EFFORTS

set_options: dict[str, st.SearchStrategy[Any]] = {
    "k": st.integers(2, 50),
    "method": st.sampled_from(["auto", "mdav+recut", "v-mdav(gamma=1.1)"]),
    "effort": st.sampled_from(sorted(EFFORTS)),
    "standardise": st.booleans(),
    "bound": st.booleans(),
    "keep_integers": st.booleans(),
    "transform": st.sampled_from(["log", "rank", "none"]),
    "aggregate": st.sampled_from(["mean", "median", "trimmed", "mode", "medoid", "set"]),
}
set_options_but_k = {name: values for name, values in set_options.items() if name != "k"}
common: dict[str, st.SearchStrategy[Any]] = {
    "shuffle": st.booleans(),
    "random_state": st.none() | st.integers(0, 2**40),
    "time_limit": st.floats(0.1, 1e6),
    "iterations": st.integers(0, 1000),
    "target_gap": st.floats(1e-6, 1.0, exclude_max=True),
    "delimiter": st.sampled_from(list(";\t|")),
    "decimal": st.sampled_from([".", ","]),
    "encoding": st.sampled_from(["utf-8", "cp1252"]),
    "header": st.booleans(),
}


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    options: dict[str, Any] = draw(st.fixed_dictionaries({"k": set_options["k"]}, optional=set_options_but_k | common))
    chosen = draw(st.lists(st.text(min_size=1, max_size=8), max_size=6, unique=True))
    if draw(st.booleans()) and len(chosen) >= 2:
        own = [draw(st.fixed_dictionaries({"k": set_options["k"]}, optional=set_options_but_k)) for _ in range(2)]
        sets: list[Any] = [
            {**one, "columns": columns} for one, columns in zip(own, (chosen[:1], chosen[1:]), strict=True)
        ]
        options = {name: value for name, value in options.items() if name in common}
        if draw(st.booleans()):
            sets = [ColumnSet(**one) for one in sets]
        else:
            options |= {name: draw(set_options[name]) for name in own[0] if name not in own[1]}
        options["sets"] = sets
    elif chosen:
        options[draw(st.sampled_from(["columns", "exclude", "drop"]))] = chosen
        if "columns" in options:
            options |= draw(st.fixed_dictionaries({}, optional=_by_column(chosen)))
        if not options.get("standardise", True):
            options.pop("scale", None)
    return Plan(**options)


def _by_column(names: list[str]) -> dict[str, st.SearchStrategy[Any]]:
    """Return options by column: no column is nominal and ordinal."""
    half = len(names) // 2
    orders = st.lists(st.text(max_size=4) | st.integers(-9, 99), min_size=1, max_size=4, unique=True)
    some = st.sampled_from(names)
    return {
        "scale": st.floats(0.1, 10)
        | st.dictionaries(some, st.sampled_from(["mad", "rank"]) | st.floats(0.1, 9), min_size=1),
        "aggregate": st.dictionaries(some, st.sampled_from(["median", "mode"]), min_size=1),
        "nominal": st.just(names[:half]),
        "ordinal": st.just(names[half:]) | st.dictionaries(st.sampled_from(names[half:]), orders, min_size=1),
    }


@given(plans())
def test_toml_and_back_is_the_same_plan(plan: Plan) -> None:
    again = Plan.from_toml(plan.to_toml() + "\n")
    assert again == plan
    assert again.to_toml() == plan.to_toml()
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_every_option_stands_in_toml_and_none_besides(tmp_path: Path) -> None:
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


def test_missing_plan_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="cannot read the plan"):
        Plan.from_toml(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReadError, match="not UTF-8"):
        Plan.from_toml(tmp_path / "bad.toml")


def test_a_stage_of_ones_own_cannot_be_written() -> None:
    plan = Plan(k=3, method=lambda problem, rng, run: None)
    with pytest.raises(InputError, match="method holds a stage of your own, which TOML cannot hold"):
        plan.to_toml()


def test_numbers_of_numpy_are_numbers() -> None:
    plan = Plan(k=np.int64(5), columns=np.array(["x", "y"]), time_limit=np.float64(2.5), random_state=np.int32(3))
    assert Plan.from_toml(plan.to_toml()) == plan


def test_a_path_may_have_any_name(tmp_path: Path) -> None:
    (tmp_path / "k=5.toml").write_text("k = 5\n")
    assert Plan.from_toml(str(tmp_path / "k=5.toml")).sets[0].k == 5


def test_text_by_hand() -> None:
    plan = Plan(method="mdav", random_state=None, sets=[{"k": 3, "columns": ["x"]}, {"k": 4, "columns": ["y", "z"]}])
    text = """method = "mdav"
random_state = "fresh"

[[sets]]
k = 3
columns = ["x"]

[[sets]]
k = 4
columns = ["y", "z"]
"""
    assert plan.to_toml() == text
    assert Plan.from_toml(text) == plan


def test_options_that_are_none_are_not_written() -> None:
    plan = Plan(k=3, effort=None, time_limit=None, decimal=None)
    assert plan.to_toml() == "k = 3\n"
    assert Plan.from_toml("k = 3\nrandom_state = 5\n").random_state == 5


def test_a_stage_among_names_cannot_be_written_either() -> None:
    with pytest.raises(InputError) as caught:
        Plan(k=3, method=["mdav", print]).to_toml()
    assert str(caught.value) == (
        "method holds a stage of your own, which TOML cannot hold: pass it as a keyword instead"
    )
    assert Plan(k=3, method=["mdav", "recut"]).to_toml() == 'k = 3\nmethod = ["mdav", "recut"]\n'


def test_errors_name_the_file_or_the_plan(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_bytes(b"\xef\xbb\xbfk = 3\n")  # with a byte order mark
    assert Plan.from_toml(path).sets[0].k == 3
    path.write_text("k =\n")
    with pytest.raises(ReadError, match=rf"^{path} is not valid TOML: "):
        Plan.from_toml(path)
    with pytest.raises(ReadError, match=r"^the plan is not valid TOML: "):
        Plan.from_toml("k =")
    path.write_bytes(b"\xff")
    with pytest.raises(ReadError) as caught:
        Plan.from_toml(str(path))
    assert str(caught.value) == f"the plan {path} is not UTF-8: save it as UTF-8"
    with pytest.raises(ReadError) as caught:
        Plan.from_toml("no such file")
    assert str(caught.value) == "cannot read the plan no such file: No such file or directory"
    with pytest.raises(ReadError, match=r"cannot read the plan a\x00b: .*null"):
        Plan.from_toml("a\x00b")
