"""Names, other identifiers and free text."""

from typing import Any

import pytest

from microagg import Column
from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.text_rules import free_text, identifies_by_name, identifying_text, is_name


def _texts(values: list[Any], name: str = "x") -> tuple[Column, ColumnProfile]:
    column = Column.of_objects(name, values)
    return column, ColumnProfile.of(column)


SENTENCES = [f"case {i} was seen at home" for i in range(10)]


def test_free_text_is_long_and_seldom_repeated() -> None:
    assert free_text(*_texts(SENTENCES)) == "holds free text, 6 words a field: it may name people"
    assert free_text(*_texts(SENTENCES + SENTENCES)) is not None
    assert free_text(*_texts([*SENTENCES, *SENTENCES, SENTENCES[0]])) is None
    assert free_text(*_texts([f"town {i}" for i in range(10)])) is None
    assert free_text(*_texts([f"a b c {i}" for i in range(10)])) is not None, "four words are enough"
    assert free_text(*_texts([None, None])) is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("person_id", "looks like an identifier, by its name"),
        ("surname", "holds names of people, enterprises or places, by its name"),
        ("UTILNAME", "holds names of people, enterprises or places, by its name"),
        ("street", "holds addresses or the like, by its name"),
        ("email_address", "holds addresses or the like, by its name"),
        ("town", None),
    ],
)
def test_identifying_by_name(name: str, reason: str | None) -> None:
    _, profile = _texts(["Ulm", "Bonn", "Ulm"], name)
    assert identifying_text(profile) == reason
    assert identifies_by_name(profile) is (reason is not None)
    assert is_name(profile) is (reason is not None and "names" in reason)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([f"p{i}" for i in range(6)], "is different in every record"),
        ([f"p{i}" for i in range(5)], None),
        ([*(f"p{i}" for i in range(9)), "p0"], "is different in nearly every record"),
        ([*(f"p{i}" for i in range(8)), "p0", "p1"], None),
    ],
)
def test_identifying_by_values(values: list[str], reason: str | None) -> None:
    _, profile = _texts(values)
    assert identifying_text(profile) == reason
    assert not identifies_by_name(profile)
