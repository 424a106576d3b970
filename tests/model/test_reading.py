"""Options of reading a file."""

from typing import Any

import pytest

from microagg import InputError
from microagg.model.reading import Reading


def test_given_options_are_named() -> None:
    assert Reading().given == ()
    assert Reading(";", ",", "utf-8", False).given == ("delimiter", "decimal", "encoding", "header")
    assert Reading(header=True).given == ("header",)
    assert Reading(table_name="people").given == ("table_name",)


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|", " ", "\x7f", "."])
def test_delimiter_is_any_ascii_character_but_a_quote(delimiter: str) -> None:
    assert Reading(delimiter).delimiter == delimiter


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"delimiter": ""}, "delimiter must be one character, found ''"),
        ({"delimiter": ";;"}, "delimiter must be one character, found ';;'"),
        ({"delimiter": 5}, "delimiter must be one character, found 5"),
        ({"delimiter": '"'}, "delimiter must be a character such as ';' and no quote, found '\"'"),
        ({"delimiter": "\n"}, "delimiter must be a character such as ';' and no quote, found '\\n'"),
        ({"delimiter": "\r"}, "delimiter must be a character such as ';' and no quote, found '\\r'"),
        ({"delimiter": "\x80"}, "delimiter must be a character such as ';' and no quote, found '\\x80'"),
        ({"decimal": ";"}, "decimal must be one of ., ,, found ';'"),
        ({"delimiter": ",", "decimal": ","}, "delimiter and decimal are both ',': they must differ"),
        ({"encoding": "klingon"}, "encoding must be a name such as 'utf-8' or 'cp1252', found 'klingon'"),
        ({"encoding": "base64"}, "encoding must be a name such as 'utf-8' or 'cp1252', found 'base64'"),
        ({"encoding": "rot13"}, "encoding must be a name such as 'utf-8' or 'cp1252', found 'rot13'"),
        ({"encoding": "a\0"}, "encoding must be a name such as 'utf-8' or 'cp1252', found 'a\\x00'"),
        ({"encoding": 8}, "encoding must be a name such as 'utf-8' or 'cp1252', found 8"),
        ({"header": 1}, "header must be True or False, found 1"),
        ({"table_name": 1}, "table_name must name a sheet, an object or a table, found 1"),
        ({"table_name": ""}, "table_name must name a sheet, an object or a table, found ''"),
    ],
)
def test_impossible_format_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        Reading(**options)
    assert str(caught.value) == words


def test_decimal_need_not_differ_from_a_delimiter_that_is_not_given() -> None:
    assert Reading(decimal=",").given == ("decimal",)
    assert Reading(delimiter=";", decimal=",").given == ("delimiter", "decimal")
