"""Every parameter of every method is described: its values, its default and its meaning."""

from dataclasses import dataclass

import pytest

from microagg import Method, methods
from microagg.methods.parameter_list import Parameter, described_parameters


@pytest.mark.parametrize("method", methods(bounds=True), ids=lambda method: method.name)
def test_every_parameter_is_described(method: Method) -> None:
    assert tuple(one.name for one in method.parameter_list) == method.parameters
    for one in method.parameter_list:
        assert one.meaning.endswith("."), one
        if one.values not in ("a whole number", "a number"):
            words = one.values.split(", ")
            assert len(words) > 1, one
            assert one.default in (*words, "not set"), one


def test_parameters_of_components_are_those_of_the_method() -> None:
    (gsms,) = methods("gsms-nn")
    (memory_limit,) = gsms.parameter_list
    assert memory_limit[:3] == ("memory_limit", "a number", "4e+09")


@dataclass(frozen=True)
class Stage:
    """Stage of two parameters.

    Parameters
    ----------
    first
        What comes first: "this", or
        "that".

    second
        How many.

    Raises
    ------
    third
        No parameter.
    """

    first: str = "this"
    second: int | None = None


def test_docstrings_are_read_up_to_the_next_section() -> None:
    assert described_parameters(Stage()) == (
        Parameter("first", "this, that", "this", 'What comes first: "this", or "that".'),
        Parameter("second", "a whole number", "not set", "How many."),
    )


def test_an_undescribed_parameter_is_an_error() -> None:
    @dataclass(frozen=True)
    class Undescribed:
        """Stage without a list."""

        first: int = 0

    with pytest.raises(KeyError, match="first"):
        described_parameters(Undescribed())
