"""Published measurements other than information losses: iterations, gains, times."""

import csv
from pathlib import Path

_PUBLISHED = Path(__file__).parent.parent / "published_measurements.csv"


def published_measurements(source: str) -> dict[tuple[str, int], dict[str, str]]:
    """Return what a table prints, as it is printed: by data set and k, then by quantity."""
    found: dict[tuple[str, int], dict[str, str]] = {}
    with _PUBLISHED.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["source"] == source:
                found.setdefault((row["dataset"], int(row["k"])), {})[row["quantity"]] = row["value"]
    return found


def count_measurements() -> int:
    """Return how many there are."""
    with _PUBLISHED.open(newline="") as file:
        return sum(1 for _ in csv.DictReader(file))
