"""Texts of progress."""

from microagg.control.progress import at_least


def test_what_is_proved_is_rounded_down() -> None:
    assert at_least(4.64599) == "4.6459 %"
