"""How method names are read."""

import pytest

from microagg import MethodError
from microagg.construct import CONSTRUCTORS
from microagg.construct.gsms import Gsms
from microagg.methods.grammar import StageName, find_stage, read_method, set_parameters


def test_a_name_is_split_into_stages_and_values() -> None:
    assert read_method(" V-MDAV( gamma = 1.1 ) + recut") == [
        StageName("v-mdav(gamma=1.1)", "v-mdav", {"gamma": 1.1}),
        StageName("recut", "recut", {}),
    ]


@pytest.mark.parametrize(
    ("written", "value"), [("1e+9", 1e9), ("7", 7), ("-2", -2), ("0.5", 0.5), ("nearest", "nearest")]
)
def test_values_are_numbers_if_they_look_like_one(written: str, value: object) -> None:
    (stage,) = read_method(f"one(parameter={written})")
    assert stage.values == {"parameter": value}
    assert type(stage.values["parameter"]) is type(value)


@pytest.mark.parametrize("text", ["one(", "one()", "one(a)", "one(a=)", "one(a=1", "one(a=1,)"])
def test_parameters_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(MethodError, match="parameters are written as in"):
        read_method(text)


def test_a_parameter_is_given_once() -> None:
    with pytest.raises(MethodError, match="'one' has one parameter 'a', found two"):
        read_method("one(a=1,a=2)")


def test_parameters_of_components_are_set() -> None:
    (written,) = read_method("gsms-nn(memory_limit=1e6)")
    changed = set_parameters(CONSTRUCTORS["gsms-nn"], written)
    assert changed.first == Gsms(1e6)
    assert CONSTRUCTORS["gsms-nn"] != changed
    (unknown,) = read_method("gsms-nn(limit=1)")
    with pytest.raises(MethodError, match="'gsms-nn' has no parameter 'limit': its parameters are memory_limit"):
        set_parameters(CONSTRUCTORS["gsms-nn"], unknown)
    (none,) = read_method("mst(limit=1)")
    with pytest.raises(MethodError, match="'mst' has no parameter 'limit': it has none"):
        set_parameters(CONSTRUCTORS["mst"], none)


@pytest.mark.parametrize(
    ("name", "hint"), [("cbfs", "did you mean 'cbfs-nn'"), ("mdaf", "did you mean 'mdav'"), ("zzz", "known are ")]
)
def test_an_unknown_stage_is_refused_with_a_hint(name: str, hint: str) -> None:
    with pytest.raises(MethodError, match=f"there is no method '{name}': {hint}"):
        find_stage("method", StageName(name, name, {}), CONSTRUCTORS, [])
