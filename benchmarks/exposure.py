"""Cost of looking at a release as a whole, beside the run itself: 10 protected and 10 unchanged columns.

    python benchmarks/exposure.py 1000000

prints the seconds of the run by `effort="quick"`, those of the questions before it and of the exposure after it, and
their share.
"""

import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl

import microagg

_PARTS = ("refuse_unnamed", "expose", "verdict_on")


def people(n: int) -> pl.DataFrame:
    """Return records with 10 amounts, 7 columns of categories and 3 of rounded amounts."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=n)
    columns: dict[str, Any] = {f"amount_{number}": common + rng.normal(size=n) for number in range(10)}
    for number, n_categories in enumerate((2, 5, 12, 20, 80, 400, 3000)):
        columns[f"category_{number}"] = rng.integers(0, n_categories, n)
    for number in range(3):
        columns[f"rounded_{number}"] = (10_000 * np.exp(rng.normal(size=n))).round(-number)
    return pl.DataFrame(columns)


def main() -> None:
    """Print seconds and shares."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    frame = people(n)
    names = [name for name in frame.columns if name.startswith("amount")]
    options: dict[str, Any] = {"columns": names, "exclude": ["rounded_0"], "effort": "quick"}
    microagg.protect(frame.head(5000), k=5, **options)  # compiles
    seconds = dict.fromkeys(_PARTS, 0.0)
    line = import_module("microagg.protect")
    for part in _PARTS:
        setattr(line, part, _timed(getattr(line, part), part, seconds))
    started = time.perf_counter()
    release = microagg.protect(frame, k=5, **options)
    whole = time.perf_counter() - started
    looking = sum(seconds.values())
    print(release)
    print(
        f"{n} records: {whole:.1f} s, of which", ", ".join(f"{part} {taken:.2f} s" for part, taken in seconds.items())
    )
    print(f"looking at the whole: {100 * looking / (whole - looking):.1f} % of the rest of the run")


def _timed(work: Callable[..., Any], part: str, seconds: dict[str, float]) -> Callable[..., Any]:
    def timed(*given: Any, **options: Any) -> Any:
        started = time.perf_counter()
        try:
            return work(*given, **options)
        finally:
            seconds[part] += time.perf_counter() - started

    return timed


if __name__ == "__main__":
    main()
