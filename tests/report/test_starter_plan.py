"""Starter plans: valid TOML, each guess with its reason, each doubt as a question."""

import os
import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from files import write_bytes
from microagg import DoubtError, Limits, Plan, inspect, protect, read, write
from microagg.spark.settled_schema import settle_columns

N = 60
AMOUNTS = [float(value) for value in np.random.default_rng(0).integers(900, 9000, N)]
CODES = [1, 2] * (N // 2)
MISSING = {"missing": "pattern", "small_strata": "suppress"}
AGES = [20 + (7 * i) % 50 for i in range(N)]


def _text(**columns: Any) -> str:
    return inspect(pl.DataFrame(columns, strict=False)).to_toml()


def _options(**columns: Any) -> dict[str, Any]:
    return tomllib.loads(_text(**columns))


def test_amounts_are_one_column_set_without_a_table() -> None:
    assert _options(income=AMOUNTS, assets=AMOUNTS[::-1]) == {"k": 5, "columns": ["income", "assets"]}


def test_all_that_others_may_know_is_one_column_set() -> None:
    options = _options(sex=CODES, age=AGES, income=AMOUNTS)
    assert options == {"k": 5, "columns": ["sex", "age", "income"], "nominal": ["sex"], "keep_integers": True}


def test_two_sets_are_an_informed_choice() -> None:
    text = _text(sex=CODES, age=AGES, income=AMOUNTS)
    before, after = text.split("# Two sets lose less, but k holds for each set alone: over both together k is often 1,")
    assert "linkage" in after
    chosen = [line.removeprefix("# ") for line in after[after.index("# [[sets]]") :].splitlines()]
    kept = before[: before.index("columns = [")]
    plan = Plan.from_toml(kept + "\n".join(chosen))
    assert [one.columns for one in plan.sets] == [("sex", "age"), ("income",)]
    assert plan.sets[0].treatment.nominal == ("sex",)
    assert "Two sets" not in _text(income=AMOUNTS)


def test_what_loses_less_is_said_where_columns_are_many() -> None:
    codes = {f"q{letter}": CODES for letter in "abcdefghijk"}
    text = _text(sex=CODES, **codes, ql=CODES)
    assert "# 13 columns in one set lose most of what they hold. To lose less, drop what is not needed, or" in text
    assert "Names do not say that others know: qa, qb, qc" in text
    assert "lose most" not in _text(sex=CODES, **codes)


def test_text_and_truth_values_are_categories_anyway() -> None:
    assert _options(town=["Ulm", "Bonn"] * 30, employed=[True, False] * 30) == {"k": 5, "columns": ["town", "employed"]}


def test_roles() -> None:
    options = _options(
        person_id=list(range(N)),
        hid=[i // 3 for i in range(N)],
        wt=AMOUNTS,
        remark=[f"case {i} was seen at home" for i in range(N)],
        income=AMOUNTS,
    )
    assert options == {
        "k": 5,
        "identifiers": ["person_id", "hid"],
        "unit": "hid",
        "weight": "wt",
        "drop": ["remark"],
        "columns": ["income"],
    }


def test_missing_values_and_sentinels_of_protected_numbers() -> None:
    options = _options(income=[*AMOUNTS[1:], -9.0], assets=AMOUNTS)
    assert {name: options[name] for name in MISSING} == MISSING
    assert options["missing_values"] == {"income": [-9]}
    options = _options(income=[*AMOUNTS[1:], None])
    assert {name: options[name] for name in MISSING} == MISSING
    assert "missing_values" not in options
    assert "missing" not in _options(income=AMOUNTS)
    assert "missing" not in _options(roof=[1, 2, 9] * 20), "a code of its own"
    options = _options(job=[1, 2, 3, 98, 99] * 12, town=["Ulm", "Bonn", "?"] * 20)
    assert options["missing_values"] == {"job": [98, 99], "town": ["?"]}, "of codes, too"
    assert "missing" not in _options(income=AMOUNTS, wt=[*AMOUNTS[1:], None]), "not protected"


def test_what_is_unknown_is_protected_or_left_out() -> None:
    columns = {"sex": CODES, "month": [1 + i % 12 for i in range(N)], "nr": [i * i for i in range(N)]}
    options = _options(**columns, wt=[-1.5, *AMOUNTS[1:]], income=[float("inf"), *AMOUNTS[1:]])
    assert options == {
        "k": 5,
        "identifiers": ["nr"],
        "drop": ["wt", "income"],
        "columns": ["sex", "month"],
        "nominal": ["sex", "month"],
    }


def test_strata_are_never_more_than_a_question() -> None:
    text = _text(region=CODES, income=AMOUNTS)
    assert '# strata = ["region"]  # should no group mix records of two of these?' in text
    assert "strata" not in tomllib.loads(text)
    assert "strata" not in _text(sex=CODES)


def test_no_column_is_guessed_to_be_confidential() -> None:
    text = _text(sex=CODES, income=AMOUNTS)
    assert '# confidential = ["NAME"]  # which columns can nobody else know?' in text


def test_distributions_and_orders_are_questions() -> None:
    text = _text(educ=CODES, turnover=list(np.exp(np.linspace(-2, 12, N))), wages=[*AMOUNTS[20:], *[0.0] * 20])
    assert '# ordinal = ["educ"]  # do their codes rise' in text
    assert '# transform = {turnover = "log"}  # ' in text
    assert "# missing_values = {wages = [0]}  # are zeros to stay zero?" in text
    assert [*tomllib.loads(text)] == ["k", "columns", "nominal"]


def test_too_many_categories_are_left_out() -> None:
    options = _options(postcode=[i % 201 for i in range(402)], income=[1000.5 + i * i % 977 for i in range(402)])
    assert options["drop"] == ["postcode"]


def test_unchanged_columns_are_listed() -> None:
    text = _text(year=[1996] * N, income=AMOUNTS)
    comment = "# Released unchanged, since they do not distinguish records:\n#   'year' may be a year or a date, "
    assert f"{comment}by its name; is constant" in text


def test_nothing_to_protect_is_a_question() -> None:
    text = _text(person_id=list(range(N)))
    assert '# columns = ["NAME"]  # which columns are to be protected?' in text
    assert [*tomllib.loads(text)] == ["k", "identifiers"]


def test_how_the_file_is_read_is_kept(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in put.csv", "x;2,5\n3;4,5\n1;2,5\n7;3,25\n")
    text = inspect(read(path, decimal=",")).to_toml()
    assert tomllib.loads(text)["decimal"] == ","
    assert "# header = true  # the first line may be a record" in text
    assert "#   microagg protect 'in put.csv' --plan release.toml -o safe.csv" in text
    named = inspect(read(path, decimal=",")).to_toml("my plan.toml")
    assert "#   microagg protect 'in put.csv' --plan 'my plan.toml' -o safe.csv" in named


def test_every_line_has_its_reason() -> None:
    text = _text(person_id=list(range(N)), hid=[i // 3 for i in range(N)], wt=AMOUNTS, sex=CODES, income=AMOUNTS)
    for line in text.splitlines():
        assert not line or "#" in line or line in ("]", "[[sets]]") or line.endswith(" = ["), line


NAMES = st.text(min_size=1, max_size=8)
VALUES = st.sampled_from(
    [
        CODES,
        AMOUNTS,
        AGES,
        [None] * N,
        ["Ulm", "Bonn"] * 30,
        list(range(N)),
        [*AMOUNTS[1:], -9.0],
        [date(1970, 1, 2)] * N,
    ]
)


@given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=6))
def test_any_names_make_a_valid_plan(columns: dict[str, Any]) -> None:
    text = inspect(pl.DataFrame(columns, strict=False)).to_toml()
    options = tomllib.loads(text)
    named = [name for one in options.get("sets", [options]) for name in one.get("columns", [])]
    assert set(named) <= set(columns)
    uncommented = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# strata")]
    assert all(tomllib.loads(line) for line in uncommented)


@pytest.mark.parametrize("name", ["testdata", "free1", "eia_full", "tarragona"])
def test_plans_of_known_files_are_plans(name: str) -> None:
    path = Path(os.environ["MICROAGG_DATA"]) / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{path.name} is not to be had")
    plan = Plan.from_toml(inspect(path).to_toml())
    assert {one.k for one in plan.sets} == {5}


def test_a_plan_made_on_a_cluster_is_one_that_a_cluster_accepts() -> None:
    frame = pl.DataFrame(
        {
            "person_id": range(N),
            "hid": [i // 3 for i in range(N)],
            "sex": CODES,
            "town": ["Ulm", "Bonn"] * 30,
            "job": ["cook", "judge", "-9"] * 20,
            "income": [*AMOUNTS[2:], -9.0, None],
        }
    )
    inspection = replace(inspect(frame), file="hdfs:///people", on_cluster=True)
    text = inspection.to_toml("release.toml", ["microagg", "spark", "protect", "--master", "yarn"])
    assert text.startswith("# Starter plan for hdfs:///people, made by microagg spark inspect.")
    assert "#   microagg spark protect --master yarn\n" in text
    assert "#   microagg spark protect hdfs:///people --plan release.toml -o safe/\n" in inspection.to_toml()
    plan = Plan.from_toml(text)
    settled = settle_columns(plan, read(frame[:0]), Limits()).plan
    assert (settled.roles.unit, settled.roles.identifiers) == ("hid", ("person_id", "hid"))
    assert set(settled.sets[0].treatment.nominal) == {"sex", "town", "job"}
    assert "small_strata" not in text, "which a cluster refuses beside a unit"
    assert "then replace them by null before: job ('-9')" in text


def test_a_survey_makes_a_plan() -> None:
    text = _text(
        person_id=list(range(N)),
        hid=[i // 3 for i in range(N)],
        wt=AMOUNTS,
        sex=CODES,
        age=[*AGES[1:], None],
        born=[date(1950 + i % 40, 1, 3) for i in range(N)],
        income=[*AMOUNTS[1:], -9.0],
    )
    plan = Plan.from_toml(text)
    assert (plan.roles.unit, plan.roles.weight, plan.roles.identifiers) == ("hid", "wt", ("person_id", "hid"))
    assert [one.columns for one in plan.sets] == [("sex", "age", "born", "income")]


def _made_survey(seed: int) -> pd.DataFrame:
    """Return a file of people as offices have them: households, weights, codes, dates, text, gaps and sentinels."""
    rng = np.random.default_rng(seed)
    n = 240
    household = np.sort(rng.integers(0, 100, n))
    frame = pd.DataFrame(
        {
            "persnum": rng.permutation(n) + 1000,
            "hogar": 7 * household + 3,
            "pspwght": np.round(rng.lognormal(0, 0.4, 100), 4)[household],
            "design_weight": rng.lognormal(0, 0.4, n),
            "commune": rng.integers(1, 20, n),
            "sexe": rng.integers(1, 3, n),
            "age": rng.integers(16, 90, n),
            "educ": rng.binomial(18, 0.7, n),
            "born": pd.Timestamp("1950-01-01") + pd.to_timedelta(rng.integers(0, 15_000, n), unit="D"),
            "interview_month": rng.integers(1, 13, n),
            "job": rng.choice(["cook", "judge", "smith"], n),
            "satisfied": np.where(rng.random(n) < 0.3, 99, rng.integers(1, 6, n)),
            "income": np.round(rng.lognormal(8, 0.7, n), 2),
            "net_worth": np.where(rng.random(n) < 0.3, 0.0, rng.normal(0, 1e5, n)),
            "wave": 3,
            "empty": None,
            "remark": [f"person {i} was at home then" for i in range(n)],
            "code_of_item": rng.integers(1, 100_000, n),
        }
    )
    frame.loc[rng.random(n) < 0.3, "income"] = np.nan
    return frame.sample(frac=1, random_state=seed).reset_index(drop=True)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_columns", [18, 13, 9])
def test_k_holds_for_all_that_a_starter_plan_releases(seed: int, n_columns: int, tmp_path: Path) -> None:
    """Each combination of released values but the weight is that of k records, and of k units, counted by pandas."""
    original = _made_survey(seed)
    chosen = np.random.default_rng(seed).choice(original.columns, n_columns, replace=False)
    original = original[[name for name in original.columns if name in chosen]]
    original.to_csv(tmp_path / "in.csv", index=False)
    plan = Plan.from_toml(inspect(tmp_path / "in.csv").to_toml())
    release = protect(tmp_path / "in.csv", plan=plan, method="mdav")
    write(release.table, tmp_path / "out.csv")
    released = pd.read_csv(tmp_path / "out.csv", dtype=str, keep_default_na=False)
    names = [name for name in released.columns if name != plan.roles.weight]
    assert len(names) >= 2
    assert not {"persnum", "hogar", "remark"} & set(names)
    assert released.groupby(names).size().min() >= 5
    if "hogar" in original and len(released) == len(original):
        assert released.assign(unit=original["hogar"]).groupby(names)["unit"].nunique().min() >= 5


@pytest.mark.parametrize("kind", ["frame", "polars", "array", "list"])
def test_the_same_plan_for_frames_arrays_and_lists(kind: str) -> None:
    columns = ["commune", "sexe", "age", "design_weight", "net_worth"]
    frame = _made_survey(0)[columns].set_axis([str(number) for number in range(5)], axis=1)
    kinds: dict[str, Any] = {
        "frame": frame,
        "polars": pl.from_pandas(frame),
        "array": frame.to_numpy(),
        "list": frame.to_numpy().tolist(),
    }
    plan = Plan.from_toml(inspect(kinds[kind]).to_toml())
    assert [(set(one.columns or ()), set(one.treatment.nominal)) for one in plan.sets] == [
        ({"0", "1", "2", "3", "4"}, {"0", "1"})
    ]
    with pytest.raises(DoubtError) as caught:
        protect(kinds[kind], 5)
    assert [doubt.column for doubt in caught.value.doubts] == ["0", "1"]
