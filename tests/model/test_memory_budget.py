"""Memory budgets: bytes, or texts with units."""

from typing import Any

import pytest

from microagg import InputError
from microagg.model.memory_budget import check_out_of_core, in_words, memory_budget


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (1_000_000_000, 10**9),
        ("2G", 2 * 10**9),
        ("1.5g", 1_500_000_000),
        ("512M", 512_000_000),
        ("512 MB", 512_000_000),
        ("400000000", 400_000_000),
        ("0.5T", 500 * 10**9),
    ],
)
def test_budget_in_bytes(given: Any, expected: int) -> None:
    assert memory_budget(given) == expected


@pytest.mark.parametrize("given", ["", "G", "2X", "-2G", "two", 2.5, True, None, "1e9", "nan"])
def test_what_is_no_amount_of_memory_is_refused(given: Any) -> None:
    with pytest.raises(InputError, match="memory must be a number of bytes, or a text such as '2G'"):
        memory_budget(given)


@pytest.mark.parametrize("given", [0, -1, 399_999_999, "399M", "0"])
def test_too_little_is_refused(given: Any) -> None:
    with pytest.raises(InputError, match="memory must be at least 400M, found"):
        memory_budget(given)


def test_a_budget_must_hold_what_stays_in_memory_of_each_record() -> None:
    check_out_of_core(1_250_000_000, 10**7)
    expected = "memory must be at least 1.3G for 10000000 records, .* found 1.25 GB: give it more"
    with pytest.raises(InputError, match=expected):
        check_out_of_core(1_249_999_999, 10**7)


@pytest.mark.parametrize(("size", "words"), [(1_500_000_000, "1.5 GB"), (999_000_000, "999 MB"), (120_000, "0.12 MB")])
def test_sizes_in_words(size: int, words: str) -> None:
    assert in_words(size) == words
