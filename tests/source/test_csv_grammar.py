"""Quotes are checked by fast array operations as the grammar of fields says."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.source.csv_grammar import count_unquoted, field_pattern, is_well_quoted, well_quoted_widths

texts = st.lists(st.sampled_from(['"', ",", "\n", "\r", "\r\n", "a", '""', '","', '"a"']), max_size=12).map("".join)


@given(texts)
def test_quotes_are_checked_as_the_grammar_says(text: str) -> None:
    data = text.encode() + b"\n"
    grammar = re.compile(rb"(?:%b)*+" % field_pattern(",")).match(data)
    assert grammar is not None
    assert is_well_quoted(data, ",") == (grammar.end() == len(data))
    if is_well_quoted(data, ","):
        records = list(csv.reader(io.StringIO(data.decode(), newline="")))
        assert count_unquoted(data, ",") == sum(max(0, len(record) - 1) for record in records)


@pytest.mark.parametrize(
    ("data", "max_records", "widths"),
    [
        (b"a,b\nc\n", 9, [2, 1, 1]),
        (b"a,b\nc\n", 2, [2, 1]),
        (b'"a,\n",b\n', 1, [2]),
        (b'a"b,c\n', 9, []),
    ],
)
def test_widths_of_the_first_records(data: bytes, max_records: int, widths: list[int]) -> None:
    assert well_quoted_widths(data, ",", max_records) == widths
