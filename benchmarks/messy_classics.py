"""The classic data sets with random strata, random missing cells and random categories."""

import time
from typing import Any

import numpy as np
import polars as pl
from numpy.random import Generator

from classics import CLASSICS
from microagg import Release, datasets, protect
from microagg.model.arrays import BoolArray, FloatArray

K = 5
N_STRATA = 5
N_CATEGORIES = 4
SHARES_MISSING = (0.05, 0.20)
HEADER = ("data", "with", "search, quick", "CPU seconds", "`mdav`", "CPU seconds", "dropping rows", "rows left")


def study(name: str) -> list[tuple[str, ...]]:
    """Return the rows of the table of a data set."""
    rng = np.random.default_rng(0)
    X = datasets.matrix(name)
    frame = pl.DataFrame({f"x{j}": column for j, column in enumerate(X.T)})
    columns = frame.columns
    title = CLASSICS[name]
    rows = [(title, "nothing", *_both(frame, {"columns": columns}), "", "")]
    strata = {"strata": ["stratum"], "columns": columns}
    rows.append((title, f"{N_STRATA} strata", *_both(_with_codes(frame, ["stratum"], N_STRATA, rng), strata), "", ""))
    codes = ["a", "b"]
    mixed = {"columns": [*columns, *codes], "nominal": codes}
    with_codes = _with_codes(frame, codes, N_CATEGORIES, rng)
    rows.append((title, f"2 columns of {N_CATEGORIES} categories", *_both(with_codes, mixed), "", ""))
    for share in SHARES_MISSING:
        missing = rng.random(X.shape) < share
        rows.append((title, f"{share:.0%} of the cells missing", *_with_gaps(X, missing, columns)))
    return rows


def _with_codes(frame: pl.DataFrame, names: list[str], number: int, rng: Generator) -> pl.DataFrame:
    return frame.with_columns(pl.Series(name, rng.integers(0, number, frame.height)) for name in names)


def _both(frame: pl.DataFrame, options: dict[str, Any]) -> tuple[str, ...]:
    """Return the loss and the seconds of the search and of MDAV."""
    cells: list[str] = []
    for method in ({"effort": "quick"}, {"method": "mdav"}):
        release, seconds = _timed(frame, {**options, **method})
        cells += [f"{release.measures.information_loss:.3f}", f"{seconds:.1f}"]
    return tuple(cells)


def _timed(frame: pl.DataFrame, options: dict[str, Any]) -> tuple[Release, float]:
    start = time.process_time()
    release = protect(frame, K, **options)
    return release, time.process_time() - start


def _with_gaps(X: FloatArray, missing: BoolArray, columns: list[str]) -> tuple[str, ...]:
    """Return the losses with missing cells, and what is lost if the rows that have one are dropped."""
    frame = pl.DataFrame(
        {name: pl.Series(X[:, j]).set(pl.Series(missing[:, j]), None) for j, name in enumerate(columns)}
    )
    both = _both(frame, {"columns": columns, "missing": "available"})
    kept: BoolArray = np.logical_not(missing.any(axis=1))
    if kept.sum() < K:
        return (*both, "none is left", f"{kept.mean():.0%}")
    dropped, _ = _timed(frame, {"columns": columns, "missing": "drop", "effort": "quick"})
    return (*both, f"{_loss_of_dropping(X, missing, kept, dropped.data.to_numpy()):.3f}", f"{kept.mean():.0%}")


def _loss_of_dropping(X: FloatArray, missing: BoolArray, kept: BoolArray, released: FloatArray) -> float:
    """Return the loss over all cells that there are; of a record that was dropped, the mean is all that is known."""
    present = np.where(missing, np.nan, X)
    means = np.nanmean(present, axis=0)
    deviations = np.nanstd(present, axis=0)
    after = np.tile(means, (len(X), 1))
    after[kept] = released
    lost = np.nansum(np.square((present - after) / deviations))
    return float(100 * lost / np.nansum(np.square((present - means) / deviations)))
