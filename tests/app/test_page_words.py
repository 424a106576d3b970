"""Words and numbers that several pages share."""

import pytest

from microagg.app.page_words import listed, size_in_words, whole_number
from microagg.report.shown_text import as_sentence


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (1_500_000, "1.5 MB"), (2_000_000_000, "2.0 GB")],
)
def test_sizes_are_written_in_a_fitting_unit(size: int, words: str) -> None:
    assert size_in_words(size) == words


def test_numbers_and_lists() -> None:
    assert (whole_number(9999), whole_number(12_345)) == ("9999", "12\u202f345")
    assert [listed([]), listed(["a"]), listed(["a", "b", "c"])] == ["", "a", "a, b and c"]


def test_words_become_a_sentence_once() -> None:
    assert as_sentence("holds dates") == "Holds dates."
    assert as_sentence("is it so?") == "Is it so?"
    assert as_sentence("") == "."
