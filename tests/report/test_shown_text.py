"""Texts and numbers are shown so that they can be read, and cannot break a page."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.report.shown_text import (
    date_text,
    number_text,
    percent_text,
    plain_text,
    shortened,
    shown_name,
    value_text,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (math.nan, "–"),
        (0, "0"),
        (1234, "1234"),
        (12345, "12\u202f345"),
        (-1234567.8, "−1\u202f234\u202f568"),
        (3.14159265, "3.1416"),
        (0.00012345678, "0.00012346"),
        (99999.96, "100\u202f000"),
        (2.0, "2"),
        (1.5e12, "1.5×10¹²"),
        (-2.5e-7, "−2.5×10⁻⁷"),
    ],
)
def test_numbers(value: float | None, text: str) -> None:
    assert number_text(value) == text


def test_percentages() -> None:
    assert [percent_text(value) for value in (4.5678, -0.5, None)] == ["4.57\u202f%", "−0.50\u202f%", "–"]


@pytest.mark.parametrize(
    ("days", "text"),
    [
        (0.0, "1970-01-01"),
        (-1.0, "1969-12-31"),
        (0.5, "1970-01-01 12:00"),
        (None, "–"),
        (1e9, "1\u202f000\u202f000\u202f000"),
    ],
)
def test_dates(days: float | None, text: str) -> None:
    assert date_text(days) == text


def test_values_with_a_unit_are_dates() -> None:
    assert value_text(1.0, "days since 1970-01-01") == "1970-01-02"
    assert value_text(1.0, None) == "1"
    assert value_text(1.75, "days since 1970-01-01", whole=True) == "1970-01-02"


def test_names_show_what_is_invisible() -> None:
    assert shown_name("a\r\nb\tc\x00") == "\u2068a↵b→c\ufffd\u2069"
    assert shown_name("plain <name>") == "plain <name>"
    assert [shown_name(name) for name in ("", "  ", "\u3000")] == ["(no name)"] * 3


def test_names_that_may_turn_around_are_isolated() -> None:
    assert shown_name("שם") == "\u2068שם\u2069"


def test_characters_that_turn_other_text_around_are_replaced() -> None:
    assert plain_text("\u202eabc") == "\ufffdabc"
    assert shown_name("a\u2069\u2067b") == "\u2068a\ufffd\ufffdb\u2069"


@given(st.text())
def test_any_text_can_be_encoded_on_one_line(text: str) -> None:
    shown = plain_text(text)
    shown.encode()
    assert "\n" not in shown
    assert not any(ord(character) < 32 for character in shown)


@given(st.text(max_size=60), st.integers(2, 30))
def test_shortened_texts_are_beginnings(text: str, width: int) -> None:
    short = shortened(text, width)
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))
    assert len(short) <= max(width, 1)


def test_wide_characters_count_more() -> None:
    assert shortened("漢字の列名前", 7) == "漢字の…"
    assert shortened("mmmm", 4) == "m…"
    assert shortened("nnnn", 4) == "nnnn"
