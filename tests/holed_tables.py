"""Tables of realistic files with scattered missing cells, as they stand in a file: every cell a text."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

_ITEMS = [f"q{number}" for number in range(1, 7)]
_AMOUNTS = ["income", "assets", "hours"]


class HoledTable(NamedTuple):
    """A table, and what a plan says of it besides the policy of missing values."""

    name: str
    cells: pd.DataFrame
    options: dict[str, Any]


def holed_tables(classics: Path) -> list[HoledTable]:
    """Return the tables, the classic ones with holes among them where their folder is at hand."""
    tables = [_table(kind, seed) for kind in _OPTIONS for seed in (1, 2)]
    for name in ("census", "tarragona", "eia") if classics.is_dir() else ():
        amounts = pd.read_csv(classics / f"{name}.csv").iloc[:160, :4]
        cells = amounts.map(lambda number: format(float(number), ".6g"))
        tables.append(
            _with_secrets(name, _holed(cells, list(cells.columns), 3, [""]), {"columns": list(cells.columns)})
        )
    return tables


def _table(kind: str, seed: int) -> HoledTable:
    rng = np.random.default_rng(seed)
    cells = _people(rng)
    options = {"method": "mdav", **_OPTIONS[kind]}
    columns = options["columns"]
    marks = {name: list(map(str, values)) for name, values in options.get("missing_values", {}).items()}
    for name in columns:
        cells = _holed(cells, [name], seed, ["", *marks.get(name, ())])
    return _with_secrets(f"{kind} {seed}", cells[[*columns, *_ROLES[kind]]], options)


def _with_secrets(name: str, cells: pd.DataFrame, options: dict[str, Any]) -> HoledTable:
    rng = np.random.default_rng(len(cells))
    secrets = {"illness": rng.choice(list("abcde"), len(cells)), "debt": rng.permutation(len(cells)).astype(str)}
    privacy = {"confidential": ["illness", "debt"], "l_diversity": {"illness": 2}, "t_closeness": {"debt": 0.9}}
    return HoledTable(name, cells.assign(**secrets), {"k": 3, "method": "mdav", **options, **privacy})


def _people(rng: np.random.Generator, n: int = 160) -> pd.DataFrame:
    wealth = rng.normal(size=n)
    amounts = {name: np.exp(8 + wealth + 0.3 * rng.normal(size=n)).round(1) for name in ("income", "assets")}
    born = np.datetime64("1950-01-01") + rng.integers(0, 15_000, n)
    items = {name: np.clip(np.rint(3 + wealth + rng.normal(size=n)), 1, 5).astype(int) for name in _ITEMS}
    columns = {
        **amounts,
        "hours": rng.integers(1, 60, n),
        "born": born.astype(str),
        "sex": rng.choice(["f", "m"], n),
        "region": rng.choice(["north", "south", "west"], n),
        "school": rng.choice(["none", "primary", "secondary", "tertiary"], n),
        **items,
        "stratum": np.arange(n) % 2,
        "household": np.arange(n) // 2,
        "weight": rng.choice([1, 2.5, 4], n),
    }
    return pd.DataFrame(columns).astype(str)


def _holed(cells: pd.DataFrame, names: list[str], seed: int, marks: list[str]) -> pd.DataFrame:
    """Return cells of which some are marked as missing: scattered ones, and those of a group of records together."""
    rng = np.random.default_rng([seed, len(names[0])])
    cells = cells.copy()
    together = np.random.default_rng(seed).random(len(cells)) < 0.1
    for number, name in enumerate(names):
        gone = (rng.random(len(cells)) < 0.03) | (
            together if number == 0 and name in ("income", "q1", "born") else False
        )
        cells.loc[gone, name] = rng.choice(marks, gone.sum())
    return cells


_OPTIONS: dict[str, dict[str, Any]] = {
    "amounts": {"columns": _AMOUNTS},
    "questionnaire": {"columns": _ITEMS},
    "declared codes": {"columns": _AMOUNTS, "missing_values": {"income": [-9, -8], "hours": [-9]}},
    "dates": {"columns": ["born", "income"]},
    "nominal": {"columns": ["sex", "region", "hours"], "nominal": ["sex", "region"]},
    "ordinal": {
        "columns": ["school", "assets", "sex"],
        "ordinal": {"school": ["none", "primary", "secondary", "tertiary"]},
    },
    "whole numbers": {"columns": ["hours", "q1", "q2"], "keep_integers": True, "rounding": "total"},
    "medoids": {"columns": ["income", "hours", "region"], "aggregate": "medoid"},
    "strata": {"columns": _AMOUNTS, "strata": ["stratum"]},
    "weights": {"columns": ["income", "hours", "school"], "weight": "weight", "nominal": ["school"]},
    "units": {"columns": _AMOUNTS, "unit": "household"},
    "medians": {"columns": ["income", "q1", "assets"], "aggregate": "median"},
}
_ROLES = dict.fromkeys(_OPTIONS, ()) | {"strata": ("stratum",), "weights": ("weight",), "units": ("household",)}
