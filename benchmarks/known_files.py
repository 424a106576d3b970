"""Files that users of other tools know, released by a plan, and the old way: every numeric column averaged."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from microagg import Plan, Release, measure, protect, verify
from microagg.model.arrays import IntArray

K = 5
HEADER = (
    *("file", "way", "CPU seconds", "loss of amounts", "categories changed", "invalid codes"),
    *("fewest units", "records among < 5 units", "change of weighted totals", "verified by plan"),
)


@dataclass(frozen=True)
class KnownFile:
    """File that is known from another tool.

    Parameters
    ----------
    name
        Name of the file, without its ending.
    options
        Options of its plan.
    amounts
        Numbers that are protected.
    codes
        Categories that are protected.
    """

    name: str
    options: dict[str, Any]
    amounts: tuple[str, ...]
    codes: tuple[str, ...] = ()
    unit: str | None = None
    weight: str | None = None
    marks: dict[str, list[int]] = field(default_factory=dict)


_TESTDATA_CODES = ("roof", "walls", "water", "relat", "sex", "hhcivil")
_TESTDATA_AMOUNTS = ("expend", "income", "savings")
_FREE_CODES = ("SEX", "MARSTAT", "EDUC1", "ETNI")
_FREE_AMOUNTS = ("AGE", "AGEYOUNG", "INCOME", "ASSETS", "DEBTS")
_EIA_AMOUNTS = ("RESREVENUE", "RESSALES", "COMREVENUE", "COMSALES", "INDREVENUE", "INDSALES", "OTHREVENUE", "OTHRSALES")

FILES = (
    KnownFile(
        "testdata",
        {
            "k": K,
            "strata": ["urbrur"],
            "unit": "ori_hid",
            "renumber": ["ori_hid"],
            "weight": "sampling_weight",
            "effort": "quick",
            "sets": [
                {"columns": [*_TESTDATA_CODES, "age"], "nominal": [*_TESTDATA_CODES], "keep_integers": True},
                {"columns": [*_TESTDATA_AMOUNTS]},
            ],
        },
        _TESTDATA_AMOUNTS,
        _TESTDATA_CODES,
        unit="ori_hid",
        weight="sampling_weight",
    ),
    KnownFile(
        "free1",
        {
            "k": K,
            "weight": "WEIGHT",
            "effort": "quick",
            "missing": "pattern",
            "small_strata": "merge",
            "missing_values": {"AGEYOUNG": [97]},
            "sets": [
                {"columns": [*_FREE_CODES, "AGE", "AGEYOUNG"], "nominal": [*_FREE_CODES], "keep_integers": True},
                {"columns": ["INCOME", "ASSETS", "DEBTS"]},
            ],
        },
        _FREE_AMOUNTS,
        _FREE_CODES,
        weight="WEIGHT",
        marks={"AGEYOUNG": [97]},
    ),
    KnownFile(
        "eia_full",
        {
            "k": K,
            "identifiers": ["UTILNAME"],
            "renumber": ["UTILITYID"],
            "unit": "UTILITYID",
            "columns": [*_EIA_AMOUNTS],
            "effort": "quick",
        },
        _EIA_AMOUNTS,
        unit="UTILITYID",
    ),
)


def study(file: KnownFile, folder: Path) -> list[tuple[str, ...]]:
    """Release a file in several ways, and return a row of the table for each."""
    frame = pl.read_csv(folder / f"{file.name}.csv", infer_schema_length=None)
    numeric = frame.select(pl.selectors.numeric()).columns
    together = _one_set(file.options)
    ways = {"by plan": file.options}
    if together != file.options:
        ways["by plan, all in one column set"] = together
    ways["the same, `mdav`"] = {**_without(together, "effort"), "method": "mdav"}
    ways["every numeric column averaged, `mdav`"] = {"k": K, "columns": numeric, "method": "mdav"}
    return [_row(file, frame, way, Plan(**options)) for way, options in ways.items()]


def _row(file: KnownFile, frame: pl.DataFrame, way: str, plan: Plan) -> tuple[str, ...]:
    protect(frame, plan=plan)  # compile
    start = time.process_time()
    release = protect(frame, plan=plan)
    seconds = time.process_time() - start
    verified = verify(frame, release.data, plan=Plan(**file.options)).passed
    return (file.name, way, f"{seconds:.1f}", *_measured(file, frame, release), "yes" if verified else "**no**")


def _one_set(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with the columns of all sets in one, which is then k-anonymous on all of them together."""
    if "sets" not in options:
        return options
    joined = {name: [each for one in options["sets"] for each in one.get(name, [])] for name in ("columns", "nominal")}
    return {**_without(options, "sets"), **joined}


def _without(options: dict[str, Any], name: str) -> dict[str, Any]:
    return {each: value for each, value in options.items() if each != name}


def _measured(file: KnownFile, before: pl.DataFrame, release: Release) -> tuple[str, ...]:
    after: pl.DataFrame = release.data
    loss = _loss(file, before, after)
    cells = [(before[name].to_numpy(), after[name].to_numpy()) for name in file.codes]
    changed = float(np.mean([old != new for old, new in cells])) if cells else None
    invented = float(np.mean([~np.isin(new, old) for old, new in cells])) if cells else None
    units = [_units(before, one.solution.labels, file.unit) for one in release.sets]
    fewest = min(int(each.min()) for each in units)
    exposed = max(float(np.mean(each < K)) for each in units)
    return (
        f"{loss:.2f} %",
        _percent(changed),
        _percent(invented),
        str(fewest),
        _percent(exposed),
        f"{_moved_totals(file, before, after):.0e}",
    )


def _loss(file: KnownFile, before: pl.DataFrame, after: pl.DataFrame) -> float:
    """Return the information loss of the amounts, each over the records that have one."""
    losses = []
    for name in file.amounts:
        there = ~before[name].is_in(file.marks.get(name, []))
        measures = measure(before.filter(there), after.filter(there), columns=[name])
        losses.append(measures.information_loss)
    return float(np.mean(losses))


def _units(before: pl.DataFrame, labels: IntArray, unit: str | None) -> IntArray:
    """Return the number of different units in the group of each record."""
    units = np.arange(len(labels)) if unit is None else before[unit].to_numpy()
    pairs = np.unique(np.column_stack([labels, units]), axis=0)
    return np.asarray(np.bincount(pairs[:, 0])[labels])


def _moved_totals(file: KnownFile, before: pl.DataFrame, after: pl.DataFrame) -> float:
    """Return by how much the weighted total of an amount has moved at most, relative to it."""
    weights = np.ones(before.height) if file.weight is None else before[file.weight].to_numpy()
    moved = []
    for name in file.amounts:
        there = ~before[name].is_in(file.marks.get(name, [])).to_numpy()
        old, new = (weights[there] @ frame[name].to_numpy()[there] for frame in (before, after))
        moved.append(float(abs(new - old) / abs(old)))
    return max(moved)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
