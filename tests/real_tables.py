"""Small files with all that real ones have, for Hypothesis: strata, weights, units, missing cells, categories."""

import csv
import io
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

CODES = (-9, 99999)
MARKS = ("", "NA", *map(str, CODES))
"""Fields of column "income" that stand for a missing value."""

ROLES: dict[str, Any] = {
    "identifiers": ["person"],
    "renumber": ["household"],
    "confidential": ["illness"],
    "weight": "weight",
    "method": "mdav",
}
"""Options that every test of these files shares."""

NUMERIC = ("income", "age")
PROTECTED = ("income", "age", "job")
UNTOUCHED = ("region", "weight", "illness", "note")
HEADER = ("person", "household", *UNTOUCHED, *PROTECTED)


class RealFile(NamedTuple):
    """Fields of a file as they are written, column by column."""

    columns: dict[str, list[str]]

    @property
    def n_records(self) -> int:
        """Number of records."""
        return len(self.columns["person"])

    @property
    def missing_values(self) -> dict[str, list[int]]:
        """Codes that stand for a missing value, as far as they occur."""
        found = [mark for mark in CODES if str(mark) in self.columns["income"]]
        return {"income": found} if found else {}

    def write(self, path: Path) -> Path:
        """Write the file, and return its path."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(zip(*(self.columns[name] for name in HEADER), strict=True))
        path.write_bytes(text.getvalue().encode())
        return path


def fields(path: Path) -> dict[str, list[str]]:
    """Return the fields of a file, column by column."""
    header, *rows = csv.reader(io.StringIO(path.read_bytes().decode()))
    return {name: [row[place] for row in rows] for place, name in enumerate(header)}


@st.composite
def real_files(draw: st.DrawFn, missing: bool = True) -> RealFile:
    """Draw a file of two to four strata, the first of at least three records without a missing cell.

    There are at least three households, and two illnesses.
    """
    n = draw(st.integers(14, 40))

    def column(values: st.SearchStrategy[str]) -> list[str]:
        return draw(st.lists(values, min_size=n, max_size=n))

    amounts = st.integers(0, 50_000).map(str)
    incomes = st.one_of(amounts, amounts, amounts, st.sampled_from(MARKS)) if missing else amounts
    n_strata = draw(st.integers(2, 4))
    regions = st.sampled_from(["north", "south", "east", "00"][:n_strata])
    return RealFile(
        {
            "person": [f"P{number:03d}x" for number in draw(st.permutations(range(n)))],
            "household": _starting(["H0y", "H1y", "H2y"], column(st.integers(0, n // 2).map(lambda i: f"H{i}y"))),
            "region": _starting(["north"] * 3, column(regions)),
            "weight": column(st.floats(0.5, 500).map(lambda number: repr(round(number, 3)))),
            "illness": _starting(["none", "flu"], column(st.sampled_from(["none", "flu", "asthma"]))),
            "note": column(st.sampled_from(["", " a", "007", "b;c", "Ünï", "1.50", "NA"])),
            "income": _starting(["1200", "30000", "0"], column(incomes)),
            "age": column(st.integers(15, 98).map(str)),
            "job": column(st.sampled_from(["0110", "0120", "2211", "9900"])),
        }
    )


def _starting(first: list[str], values: list[str]) -> list[str]:
    return [*first, *values[len(first) :]]
