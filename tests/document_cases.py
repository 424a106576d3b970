"""Releases for tests of documents: twenty columns with hostile names, and a table with marked original values."""

from functools import cache

import numpy as np
import pandas as pd

from microagg import Comparison, Plan, Release, compare, protect

HOSTILE_NAMES = (
    "<script>alert('x')</script>",
    "\"quotes\" & 'apostrophes'",
    "עמודה בעברית",
    "العمود الثالث",
    "emoji 😀 column",
    "line\nbreak and\ttab",
    "x" * 150,
    "a very long name in many words that goes on and on until nobody wants to read any further of it, and then some",
    "</title></style><b>bold</b>",
    "漢字の列名前",
    "\u202eright to left override",
)
"""Names of columns that a page may stumble over."""


def twenty_names() -> list[str]:
    """Return the names of twenty columns, the hostile ones first."""
    return [*HOSTILE_NAMES, *(f"column {number}" for number in range(len(HOSTILE_NAMES), 20))]


@cache
def hostile_release() -> Release:
    """Return a release of twenty columns with hostile names, two of them of categories, with everything measured."""
    rng = np.random.default_rng(7)
    common = rng.lognormal(5.0, 0.8, size=(120, 1))
    names = twenty_names()
    frame = pd.DataFrame(common * rng.random(18) + rng.normal(0, 40, size=(120, 18)), columns=names[:18])
    frame[names[18]] = rng.choice(["North", "<i>South</i>", "MMMM WWWW a category that does not fit"], size=120)
    frame[names[19]] = rng.choice(list("abcdefghijklmnop"), size=120)
    frame["unchanged <b>"] = rng.integers(0, 60, size=120)
    plan = Plan(
        k=4, sets=[{"columns": names[:17]}, {"columns": names[17:20]}], method="mdav", confidential=["unchanged <b>"]
    )
    return protect(frame, plan=plan, measures="all")


@cache
def small_comparison() -> Comparison:
    """Return a comparison of two k and two methods on random records."""
    X = np.random.default_rng(3).normal(size=(60, 3))
    return compare(X, k=(3, 6), methods=["mdav", "cbfs"])
