"""Policies of missing values beside each other: records kept, cells imputed or blanked, loss, k by released values.

Run as `python benchmarks/missing_policies.py`; a seed makes every file but the classics, which need MICROAGG_DATA.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import microagg

POLICIES: dict[str, dict[str, Any]] = {
    "drop": {"missing": "drop"},
    "pattern, suppress": {"missing": "pattern", "small_strata": "suppress"},
    "pattern, merge": {"missing": "pattern", "small_strata": "merge"},
    "blank": {"missing": "blank"},
    "fill": {"missing": "fill"},
    "available": {"missing": "available"},
}
K = 5
CLASSICS = {"census": "Census, 5 % of the cells missing", "tarragona": "Tarragona, 5 % of the cells missing"}


def questionnaire(n: int = 2800, n_items: int = 25) -> pd.DataFrame:
    """Return answers from 1 to 6 to items of five factors, 0.7 % of them missing here and there."""
    rng = np.random.default_rng(0)
    factors = rng.normal(size=(n, 5))[:, np.arange(n_items) % 5]
    answers = np.clip(np.rint(3.5 + 1.4 * (0.75 * factors + 0.66 * rng.normal(size=(n, n_items)))), 1, 6)
    answers[rng.random(answers.shape) < 0.007] = np.nan
    return pd.DataFrame(answers).add_prefix("item")


def survey(n: int = 2000) -> pd.DataFrame:
    """Return amounts of persons: a fifth have no job, and so neither wage nor hours; 5 % of all cells are missing."""
    rng = np.random.default_rng(1)
    factors = rng.normal(size=(n, 2))
    amounts = np.exp(factors @ rng.normal(size=(2, 6)) + 0.5 * rng.normal(size=(n, 6)))
    amounts[np.ix_(np.flatnonzero(rng.random(n) < 0.2), np.array([3, 4]))] = np.nan
    amounts[rng.random(amounts.shape) < 0.05] = np.nan
    return pd.DataFrame(amounts, columns=["income", "assets", "rent", "wage", "hours", "debt"])


def tables() -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the files and their names."""
    yield "questionnaire, 25 items, 0.7 % missing", questionnaire()
    yield "survey, no wage without a job, 5 % more missing", survey()
    for name, title in CLASSICS.items():
        path = Path(os.environ.get("MICROAGG_DATA", "../shared/data")) / f"{name}.csv"
        if path.exists():
            table = pd.read_csv(path).astype(float)
            yield title, table.mask(np.random.default_rng(2).random(table.shape) < 0.05)


def main() -> None:
    """Print the table."""
    print("| file | policy | records kept | cells imputed | cells blanked | loss of the cells left | k, counted |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for title, table in tables():
        columns = list(table.columns)
        for policy, options in POLICIES.items():
            release = microagg.protect(table, K, columns=columns, method="mdav", **options)
            k = release.data.groupby(columns, dropna=False).size().min()
            measures = release.measures
            n_cells = int(table.notna().sum().sum())
            share = measures.n_suppressed / n_cells
            blanked = f"{measures.n_suppressed} ({share:.1%})" if share else "0"
            cells = f"{measures.n_imputed} | {blanked} | {measures.information_loss:.1f} %"
            print(f"| {title} | {policy} | {len(release.data)} of {len(table)} | {cells} | {k} |", flush=True)


if __name__ == "__main__":
    main()
