"""A plan in a few words tells runs apart."""

import pytest

from microagg.app.plan_summary import plan_summary


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("k = 5", "k = 5, auto"),
        ('k = 5\nmethod = "search"\neffort = "quick"\nbound = true', "k = 5, search, quick, bound"),
        ('[[sets]]\nk = 3\ncolumns = ["a"]\n[[sets]]\nk = 4\ncolumns = ["b"]', "k = 3 and 4, auto, 2 column sets"),
        ("k = ", "plan that cannot be read"),
        ("/etc/hostname", "plan that cannot be read"),
    ],
)
def test_what_differs_is_told_and_what_is_alike_once(plan: str, words: str) -> None:
    assert plan_summary(plan) == words
