"""Surveys as Stata and SPSS files, made by pyreadstat and pandas with everything that such files hold."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

_DAMAGED = pytest.mark.skipif(
    pd.__version__ < "3",
    reason="pandas before 3 writes damaged .dta files where they are big-endian and have long texts",
)
STATA_OF_PANDAS = [
    pytest.param(version, byteorder, marks=[_DAMAGED] if byteorder == "big" and version > 114 else [])
    for version in (114, 117, 118, 119)
    for byteorder in ("little", "big")
]
"""Versions and byte orders of .dta files that pandas writes; from the third on, with long texts."""

N = 24
PROTECTED = ["age", "income", "sex", "born"]
SINGLING = ["firm", "born", "asked", "weight"]
"""Columns that alone single out every record: a plan has to name them."""

LABELS: dict[str, str | None] = {
    "sex": "Sex of the person",
    "age": "Age in years",
    "note": "Was kann man sagen? äöü",
    "firm": "Enterprise",
}
FIRMS: dict[float, str] = {number: f"ACME {number}" for number in range(N)}


def survey() -> pd.DataFrame:
    """Return a small survey without missing values: codes, amounts, texts, dates and times."""
    rng = np.random.default_rng(7)
    return pd.DataFrame(
        {
            "firm": np.arange(N, dtype=np.int32),
            "sex": rng.integers(1, 3, N).astype(np.int32),
            "age": rng.integers(18, 80, N).astype(np.int32),
            "income": rng.normal(3000, 900, N).round(2),
            "health": rng.integers(1, 6, N).astype(np.int32),
            "note": ["", "short", "größer", "x" * 40] * (N // 4),
            "born": [dt.date(1940 + 2 * i, 1 + i % 12, 3) for i in range(N)],
            "asked": [dt.datetime(2024, 5, 1 + i, 12, 30, i, 250_000) for i in range(N)],
            "weight": rng.uniform(0.5, 2.0, N),
        }
    )


def stata_survey(path: Path, version: int = 14) -> Path:
    """Write the survey as a Stata file with labels, formats, and the missing values .a, .b and "."."""
    frame = survey()
    age = frame["age"].astype(object)
    age[[1, 5, 9, 13]] = "a"
    age[[2, 6, 10]] = "b"
    income = frame["income"].where(~frame.index.isin([3, 7, 11]))
    labels: dict[str, Any] = {
        "sex": {1: "male", 2: "female", 3: "other"},
        "age": {"a": "refused", "b": "not known"},
        "firm": FIRMS,
    }
    pyreadstat.write_dta(
        frame.assign(age=age, income=income),
        path,
        version=version,
        file_label="A survey",
        column_labels=LABELS if version >= 14 else {name: label for name, label in LABELS.items() if name != "note"},
        variable_value_labels=labels,
        missing_user_values={"age": ["a", "b"]},
        variable_format={
            "born": "%tdDD/NN/CCYY" if version > 9 else "%td",
            "asked": "%tc",
            "age": "%9.0f",
            "income": "%12.2fc",
        },
    )
    return path


def spss_survey(path: Path, **compression: bool) -> Path:
    """Write the survey as an SPSS file with labels, formats, measure levels, missing codes and ranges, and notes."""
    frame = survey()
    frame.loc[[1, 5, 9, 13], "age"] = 999
    frame.loc[[2, 6, 10], "age"] = -5
    frame.loc[[3, 7, 11], "income"] = np.nan
    frame.loc[[4, 8], "note"] = "n/k"
    labels: dict[str, Any] = {
        "sex": {1: "male", 2: "female", 3: "other"},
        "age": {999: "refused", -5: "not known"},
        "health": {1: "bad", 2: "poor", 3: "fair", 4: "good", 5: "very good"},
        "note": {"short": "a short one"},
        "firm": FIRMS,
    }
    pyreadstat.write_sav(
        frame.assign(remarks=["y" * 300, "", "z" * 800, "q"] * (N // 4)),
        path,
        file_label="A survey",
        column_labels=LABELS,
        note=["made for tests", "second line"],
        variable_value_labels=labels,
        missing_ranges={"age": [999, {"lo": -9, "hi": -1}], "note": ["n/k"]},
        variable_measure={"sex": "nominal", "health": "ordinal", "income": "scale", "firm": "nominal"},
        variable_display_width={"sex": 12, "age": 5, "income": 14},
        variable_format={"born": "EDATE10", "asked": "DATETIME22.3", "age": "F3.0", "income": "DOLLAR12.2"},
        **compression,
    )
    return path


def contents(path: Path) -> tuple[dict[str, list[Any]], Any]:
    """Return everything in a file as pyreadstat itself reads it: raw values by column, and the metadata."""
    read = pyreadstat.read_dta if path.suffix == ".dta" else pyreadstat.read_sav
    values, found = read(path, user_missing=True, disable_datetime_conversion=True, output_format="dict")
    return dict(values), found


FACTS_OF_COLUMNS = [
    "column_names_to_labels",
    "variable_value_labels",
    "original_variable_types",
    "readstat_variable_types",
    "missing_ranges",
    "missing_user_values",
    "variable_storage_width",
    "variable_display_width",
    "variable_alignment",
    "variable_measure",
]
"""What pyreadstat tells of each column, by its name."""

FACTS_OF_FILES = ["file_label", "file_encoding", "notes", "number_rows", "creation_time"]


def assert_kept(before: Path, after: Path, names: list[str]) -> None:
    """Check that some columns are identical in two files in everything that pyreadstat reads, and so are the files."""
    old_values, old = contents(before)
    new_values, new = contents(after)
    for name in names:
        assert new_values[name] == old_values[name], name
        for fact in FACTS_OF_COLUMNS:
            assert getattr(new, fact).get(name) == getattr(old, fact).get(name), (name, fact)
    for fact in FACTS_OF_FILES:
        assert getattr(new, fact) == getattr(old, fact), fact
