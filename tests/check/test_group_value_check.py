"""Released values are computed anew from the original ones: honest releases pass, tampered ones do not."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from microagg import Finding, Plan, Verification, protect, verify

pytestmark = pytest.mark.usefixtures("released_unasked")  # which is asked about in test_select.py

N = 120
EDUCATION = ["none", "school", "college", "doctor"]


def _some(values: list[Any], share: float, rng: np.random.Generator) -> list[Any]:
    """Return values of which some are missing."""
    return [None if lost else value for value, lost in zip(values, rng.random(len(values)) < share, strict=True)]


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    rng = np.random.default_rng(7)
    minutes = rng.integers(0, 10**6, N).tolist()
    return pl.DataFrame(
        {
            "row": np.arange(N),
            "income": rng.lognormal(8.0, 1.0, N),
            "age": rng.integers(0, 90, N),
            "hours": _some(rng.integers(0, 60, N).tolist(), 0.2, rng),
            "debt": _some(rng.normal(0.0, 1e6, N).tolist(), 0.2, rng),
            "sex": rng.choice(["f", "m"], N),
            "code": rng.choice([1, 2, 3, -9], N, p=[0.5, 0.2, 0.2, 0.1]),
            "edu": rng.choice(EDUCATION, N),
            "level": rng.integers(1, 6, N),
            "birth": [date(1950, 1, 1) + timedelta(days=number) for number in rng.integers(0, 20000, N).tolist()],
            "seen": [datetime(2020, 1, 1) + timedelta(minutes=number) for number in minutes],
            "small": rng.normal(100.0, 1.0, N).astype(np.float32),
            "member": rng.random(N) < 0.4,
            "region": rng.choice(["n", "s"], N),
            "tiny": ["t"] * 2 + ["u"] * (N - 2),
            "home": rng.integers(0, N // 2, N),
            "w": rng.uniform(1.0, 5.0, N),
        }
    )


def group_values(verification: Verification) -> list[Finding]:
    return [finding for finding in verification.findings if finding.check == "group values"]


def failures(verification: Verification) -> list[str]:
    return [finding.detail for finding in group_values(verification) if finding.passed is False]


NUMBERS = ["income", "age"]
OPEN = {"columns": ["hours", "debt"], "missing": "available"}
PLANS: list[dict[str, Any]] = [
    *[{"columns": [*NUMBERS, "small"], "aggregate": word} for word in ("mean", "median", "trimmed", "mode", "medoid")],
    *[{"columns": NUMBERS, "aggregate": word, "weight": "w"} for word in ("mean", "median", "trimmed", "mode")],
    *[{"columns": NUMBERS, "aggregate": word, "keep_integers": True} for word in ("mean", "median", "trimmed")],
    {"columns": NUMBERS, "keep_integers": True, "rounding": "total"},
    {"columns": NUMBERS, "keep_integers": True, "rounding": "total", "weight": "w"},
    *[{"columns": ["birth", "seen"], "aggregate": word} for word in ("mean", "median", "trimmed", "mode", "medoid")],
    {"columns": ["birth", "seen"], "weight": "w"},
    {"columns": ["edu", "level"], "ordinal": {"edu": EDUCATION, "level": [1, 2, 3, 4, 5]}},
    {"columns": ["edu", "level", "age"], "ordinal": {"edu": EDUCATION, "level": ["1", "2", "3", "4", "5"]}},
    {"columns": ["level"], "ordinal": ["level"], "weight": "w"},
    {"columns": ["level"], "ordinal": ["level"], "aggregate": "mode"},
    {"columns": ["sex", "code", "member", "age"], "nominal": ["code"]},
    {"columns": ["sex", "code", "member", "age"], "nominal": ["code"], "weight": "w"},
    {"columns": ["sex", "edu", "member"], "aggregate": "set"},
    {"columns": ["level", "age"], "nominal": ["level"], "aggregate": {"level": "set"}},
    {"columns": ["sex", "edu"], "aggregate": "medoid"},
    {"columns": ["hours", "debt"], "missing": "pattern"},
    {"columns": ["hours", "debt"], "missing": "pattern", "small_strata": "suppress", "strata": ["tiny"]},
    {"columns": ["hours", "debt", "sex"], "missing": "pattern", "small_strata": "merge"},
    {"columns": ["hours", "debt"], "missing": "drop", "keep_integers": True},
    *[{**OPEN, "aggregate": word} for word in ("mean", "median", "trimmed", "mode", "medoid")],
    {**OPEN, "weight": "w", "keep_integers": True},
    {**OPEN, "keep_integers": True, "rounding": "total"},
    {**OPEN, "strata": ["region"], "unit": "home"},
    {"columns": ["code", "hours"], "missing": "available", "missing_values": {"code": [-9]}, "nominal": ["code"]},
    {"columns": ["code", "age"], "missing": "pattern", "missing_values": {"code": [-9]}},
    {"columns": NUMBERS, "strata": ["region"], "unit": "home"},
    {"columns": NUMBERS, "strata": ["tiny"], "small_strata": "merge"},
    {"columns": [*NUMBERS, "debt"], "method": "individual-ranking", "missing": "available"},
    {"sets": [{"columns": NUMBERS}, {"columns": ["sex", "edu"], "k": 5}], "weight": "w"},
]


@pytest.mark.parametrize("options", PLANS, ids=str)
def test_honest_releases_pass(people: pl.DataFrame, options: dict[str, Any], tmp_path: Path) -> None:
    plan = Plan(**{"k": 3, "method": "mdav", **options})
    release = protect(people, plan=plan)
    for used in (plan, release.plan):
        verification = verify(people, release.data, plan=used)
        assert not failures(verification), verification.summary()
        assert group_values(verification)[0].passed is True
    people.write_csv(tmp_path / "raw.csv")
    from_file = protect(tmp_path / "raw.csv", plan=plan)
    from_file.write(tmp_path / "safe.csv")
    verification = verify(tmp_path / "raw.csv", tmp_path / "safe.csv", plan=plan)
    assert not failures(verification), verification.summary()


def _exchanged(frame: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
    """Return a release in which two groups of equal size have each other's values."""
    groups = frame.with_row_index("at").group_by(columns).agg(pl.col("at")).sort(pl.col("at").list.first())
    sizes = groups["at"].list.len().to_list()
    first, second = next((i, j) for j in range(len(sizes)) for i in range(j) if sizes[i] == sizes[j])
    order = np.arange(len(frame))
    order[groups["at"][first].to_numpy()] = groups["at"][second].to_numpy()
    order[groups["at"][second].to_numpy()] = groups["at"][first].to_numpy()
    return frame.with_columns(frame[order.tolist()].select(columns))


def _flipped(name: str) -> Callable[[pl.DataFrame], pl.DataFrame]:
    return lambda frame: frame.with_columns(pl.col(name).replace({"f": "m", "m": "f"}))


def _raised(name: str, by: Any) -> Callable[[pl.DataFrame], pl.DataFrame]:
    return lambda frame: frame.with_columns(pl.col(name) + by)


@pytest.mark.parametrize(
    ("options", "tamper", "words"),
    [
        ({"columns": ["sex", "age"]}, _flipped("sex"), "'sex' is not a most frequent one of the original values in "),
        ({"columns": ["sex"], "missing": "available"}, _flipped("sex"), "'sex' is not a most frequent one"),
        ({"columns": NUMBERS, "aggregate": {"age": "median"}}, _raised("age", 1), "'age' is not a median"),
        ({"columns": NUMBERS, "keep_integers": True}, _raised("age", 1), "'age' is not the mean"),
        ({"columns": NUMBERS, "keep_integers": True}, _raised("age", 1e-6), "'age' is not a whole number"),
        ({"columns": NUMBERS, "keep_integers": True, "rounding": "total"}, _raised("age", 1), "'age'"),
        ({"columns": NUMBERS, "aggregate": "trimmed"}, _raised("age", 0.01), "'age' is not a trimmed mean"),
        ({"columns": NUMBERS, "aggregate": "medoid"}, _raised("age", 0.5), "'age' is not one of"),
        ({"columns": ["birth"]}, _raised("birth", timedelta(days=1)), "'birth' is not the mean"),
        ({"columns": ["seen"], "aggregate": "median"}, _raised("seen", timedelta(days=9)), "'seen' is not a median"),
        ({"columns": ["level"], "ordinal": ["level"]}, _raised("level", 1), "'level' is not a median"),
        ({"columns": ["small"]}, _raised("small", 0.1), "'small' is not the mean"),
        (OPEN, _raised("hours", 1), "'hours' is not the mean"),
        (
            {"columns": ["edu", "income", "age", "birth", "debt"], "aggregate": {"edu": "set"}, "missing": "available"},
            lambda frame: frame.with_columns(pl.col("edu").str.replace(r"\{(\w+),.*", "$1")),
            "'edu' is not the set of",
        ),
        (
            {"columns": ["hours", "sex"], "missing": "drop"},
            lambda frame: frame.with_columns(hours=pl.lit("many")),
            "'hours' does not hold values of the kind",
        ),
        ({"columns": ["birth"]}, lambda frame: frame.with_columns(birth=pl.lit("x")), "'birth' does not hold values"),
    ],
)
def test_tampered_values_fail(
    people: pl.DataFrame, options: dict[str, Any], tamper: Callable[[pl.DataFrame], pl.DataFrame], words: str
) -> None:
    plan = Plan(**{"k": 3, "method": "mdav", **options})
    released = protect(people, plan=plan).data
    assert not failures(verify(people, released, plan=plan))
    tampered = tamper(released)
    assert not tampered.equals(released)
    verification = verify(people, tampered, plan=plan)
    assert not verification.passed
    assert any(words in detail for detail in failures(verification)), verification.summary()


@pytest.mark.parametrize("aggregate", ["mean", "median", "trimmed", "mode", "medoid"])
@pytest.mark.parametrize("missing", ["error", "available"])
def test_groups_that_exchange_their_values_fail(people: pl.DataFrame, aggregate: str, missing: str) -> None:
    plan = Plan(k=3, method="mdav", columns=NUMBERS, aggregate=aggregate, missing=missing)
    released = protect(people, plan=plan).data
    verification = verify(people, _exchanged(released, NUMBERS), plan=plan)
    assert len(failures(verification)) >= 1
    others = [finding for finding in verification.findings if finding.check != "group values"]
    assert all(finding.passed is not False for finding in others), "nothing else tells"


def test_records_in_another_order_fail_unless_the_plan_shuffles(people: pl.DataFrame) -> None:
    plan = Plan(k=3, method="mdav", columns=NUMBERS)
    released = protect(people, plan=plan).data
    verification = verify(people, released.reverse(), plan=plan)
    (order,) = [finding for finding in verification.findings if finding.check == "order"]
    assert order.passed is False
    assert order.detail.startswith("the records are in another order, and the plan does not shuffle")
    assert verify(people, released.reverse(), plan=plan.with_options(shuffle=True)).passed
    alone = people.select(NUMBERS)
    assert not verify(alone, released.select(NUMBERS).reverse(), plan=plan).passed


def test_one_tampered_group_is_named_by_its_rows_and_no_value_is_told() -> None:
    original = pl.DataFrame({"x": [1.0, 2.0, 6.0, 31.0, 35.0, 39.0], "y": [*"abcdef"]})
    released = original.with_columns(x=pl.Series([3.0] * 3 + [36.0] * 3))
    verification = verify(original, released, plan=Plan(k=3, columns=["x"]))
    assert failures(verification) == [
        "'x' is not the mean of the original values in 1 of 2 groups: 3 records, in rows 4, 5, 6"
    ]


def test_groups_with_equal_values_are_one_class() -> None:
    original = pl.DataFrame({"x": [1.0, 3.0, 0.0, 4.0], "y": [*"abcd"]})
    released = original.with_columns(x=pl.lit(2.0))
    assert verify(original, released, plan=Plan(k=2, columns=["x"])).passed


def test_categories_that_look_like_numbers_only_in_the_release(tmp_path: Path) -> None:
    (tmp_path / "raw.csv").write_text("c,d\n1,true\n1,true\nx,maybe\n2,false\n2,false\n2,maybe\n")
    (tmp_path / "safe.csv").write_text("c,d\n1,true\n1,true\n1,true\n2,false\n2,false\n2,false\n")
    plan = Plan(k=3, columns=["c", "d"], nominal=["c"])
    verification = verify(tmp_path / "raw.csv", tmp_path / "safe.csv", plan=plan)
    assert verification.passed, verification.summary()


def test_an_order_that_is_not_known_is_remarked() -> None:
    original = pl.DataFrame({"x": ["a", "b", "b"], "y": [1, 2, 3]})
    plan = Plan(k=3, columns=["x"], ordinal=["x"])
    (note,) = group_values(verify(original, original.with_columns(x=pl.lit("b")), plan=plan))
    assert (note.passed, "order of its categories is not known" in note.detail) == (None, True)
