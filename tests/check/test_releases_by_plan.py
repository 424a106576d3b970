"""What `protect` releases by a plan passes the verification by the same plan, and nothing else does."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from microagg import Plan, as_certificate, certify, protect, verify

COMMON: dict[str, Any] = {
    "k": 3,
    "method": "mdav",
    "identifiers": ["name"],
    "renumber": ["home"],
    "confidential": ["ill", "debt"],
    "weight": "w",
    "missing_values": {"income": [-9]},
}
TWO_SETS: list[dict[str, Any]] = [{"columns": ["income"]}, {"columns": ["age", "sex"], "aggregate": {"age": "median"}}]


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    n = 160
    rng = np.random.default_rng(1)
    income = rng.lognormal(8.0, 1.0, n).round(2)
    kind = rng.random(n)
    frame = pl.DataFrame(
        {
            "name": [f"P{number}" for number in rng.permutation(n)],
            "home": rng.integers(0, n // 2, n),
            "region": rng.choice(["n", "s", "e"], n, p=[0.5, 0.45, 0.05]),
            "income": [None if u < 0.1 else -9.0 if u > 0.93 else x for u, x in zip(kind, income, strict=True)],
            "age": [None if u < 0.1 else int(90 * u) for u in rng.random(n)],
            "sex": rng.choice(["f", "m"], n),
            "w": rng.uniform(1.0, 5.0, n).round(3),
            "ill": rng.choice([*"abcd"], n),
            "debt": rng.lognormal(5.0, 1.5, n).round(2),
        }
    )
    path = tmp_path_factory.mktemp("survey") / "raw.csv"
    frame.write_csv(path)
    return path


@pytest.mark.parametrize(
    "options",
    [
        {"missing": "available", "columns": ["income", "age"]},
        {"missing": "available", "columns": ["income", "age", "sex"], "unit": "home"},
        {"missing": "available", "columns": ["income", "age"], "strata": ["region"], "small_strata": "merge"},
        {"missing": "available", "columns": ["income", "age"], "l_diversity": {"ill": 2}, "t_closeness": {"ill": 0.5}},
        {"missing": "fill", "columns": ["income", "age", "sex"], "unit": "home"},
        {"missing": "blank", "columns": ["income", "age"], "strata": ["region"], "small_strata": "merge"},
        {"missing": "pattern", "columns": ["income", "age"], "small_strata": "suppress", "unit": "home"},
        {"missing": "pattern", "columns": ["income", "age"], "strata": ["region"], "small_strata": "merge"},
        {"missing": "drop", "columns": ["income", "age"], "strata": ["region"], "small_strata": "suppress"},
        {"missing": "drop", "columns": ["income", "age"], "strata": ["region"], "shuffle": True},
        {"missing": "drop", "columns": ["income", "age"], "keep_integers": True, "entropy_l_diversity": {"ill": 1.5}},
        {"missing": "drop", "sets": TWO_SETS, "dominance": {"debt": [1, 0.9]}, "p_percent": {"income": 1}},
    ],
)
def test_a_release_passes_by_its_own_plan(survey: Path, options: dict[str, Any], tmp_path: Path) -> None:
    plan = Plan(**COMMON, **options)
    release = protect(survey, plan=plan)
    release.write(tmp_path / "safe.csv")
    for used in (plan, release.plan):
        verification = verify(survey, tmp_path / "safe.csv", plan=used)
        assert verification.passed, verification.summary()
        assert verification.k_reached == min(one.measures.k_reached for one in release.sets)
        assert verification.k_reached >= (1 if options["missing"] == "available" else 3)
    raw = pl.read_csv(survey)
    assert not verify(survey, raw, plan=plan).passed
    one_cell = pl.read_csv(tmp_path / "safe.csv").with_row_index("row")
    first = one_cell.filter(pl.col("income").is_not_null() & (pl.col("income") != -9))["row"][0]
    changed = one_cell.with_columns(income=pl.when(pl.col("row") == first).then(1.25).otherwise(pl.col("income")))
    assert not verify(None, changed.drop("row"), plan=plan).passed


def test_a_stratified_release_has_a_certificate(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"x": rng.normal(size=30), "y": rng.normal(size=30), "s": ["a"] * 18 + ["b"] * 9 + ["c"] * 3})
    frame = frame.sample(30, shuffle=True, seed=1)
    release = protect(frame, 2, columns=["x", "y"], strata=["s"], method="exact")
    assert verify(frame, release.data, plan=release.plan).passed
    path = tmp_path / "proof.json"
    path.write_text(as_certificate(release))
    certification = certify(path, frame)
    assert certification.optimal, certification.summary()
    assert certification.n_parts == 3
    assert certification.sse == pytest.approx(release.solution.sse)
