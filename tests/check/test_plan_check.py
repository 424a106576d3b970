"""A release is checked against all that its plan promises, at the edge of each promise."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import Finding, InputError, Plan, Verification, protect, verify

pytestmark = pytest.mark.usefixtures("released_unasked")  # which is asked about in test_select.py

NAN = float("nan")
OPEN = "k-anonymity if a missing cell may be any value"


def findings_of(verification: Verification, check: str) -> list[Finding]:
    return [finding for finding in verification.findings if finding.check == check]


def finding_of(verification: Verification, check: str) -> Finding:
    (found,) = findings_of(verification, check)
    return found


def verdict(released: Any, check: str, original: Any = None, **options: Any) -> bool | None:
    """Return the verdict of one check, by a plan with some options."""
    return finding_of(verify(original, released, plan=Plan(**options)), check).passed


PEOPLE = pl.DataFrame(
    {
        "name": ["Ann", "Bob", "Cem", "Dee", "Eva", "Fay"],
        "region": ["n", "n", "n", "s", "s", "s"],
        "income": [1.0, 2.0, 6.0, 10.0, 12.0, 17.0],
        "w": [1.0, 2.0, 1.0, 2.0, 1.0, 1.0],
        "ill": ["a", "b", "a", "a", "b", "a"],
    }
)
NORTH, SOUTH = 11 / 4, 49 / 4
SAFE = PEOPLE.drop("name").with_columns(income=pl.Series([NORTH] * 3 + [SOUTH] * 3))
PLAN = Plan(
    k=3,
    columns=["income"],
    identifiers=["name"],
    strata=["region"],
    weight="w",
    confidential=["ill"],
    l_diversity=2,
)


def test_a_release_that_keeps_all_promises_passes() -> None:
    verification = verify(PEOPLE, SAFE, plan=PLAN)
    assert verification.passed
    assert (verification.k, verification.k_reached, verification.columns) == (3, 3, ("income",))
    assert [(finding.check, finding.passed) for finding in verification.findings] == [
        ("k-anonymity", True),
        ("whole file", None),
        ("l_diversity", True),
        ("records", True),
        ("identifiers", True),
        ("untouched columns", True),
        ("missing values", True),
        ("weighted totals", True),
        ("group values", True),
    ]
    assert verification.summary().startswith("PASS\npass  k-anonymity: every group has at least 3 records: 2 of 3 to 3")
    assert "in 'income' within strata of 'region'" in verification.findings[0].detail


def test_without_the_original_the_release_alone_is_checked() -> None:
    verification = verify(None, SAFE, plan=PLAN)
    assert verification.passed
    assert [finding.check for finding in verification.findings] == [
        "k-anonymity",
        "whole file",
        "l_diversity",
        "original",
        "identifiers",
    ]


@pytest.mark.parametrize(
    ("change", "check", "words"),
    [
        (lambda frame: frame.with_columns(income=pl.Series([NORTH] * 4 + [SOUTH] * 2)), "k-anonymity", "rows 4, 5, 6"),
        (lambda frame: frame.with_columns(ill=pl.Series([*"abaaaa"])), "l_diversity", "rows 4, 5, 6"),
        (lambda frame: frame.with_columns(ill=pl.Series([*"abbaba"])), "untouched columns", "changed: 'ill'"),
        (lambda frame: frame.with_columns(name=PEOPLE["name"]), "identifiers", "still in the release: 'name'"),
        (lambda frame: frame.with_columns(pl.col("income") * (1 + 1e-8)), "weighted totals", "not kept"),
        (lambda frame: frame.with_columns(pl.col("w") * 2), "untouched columns", "changed: 'w'"),
        (lambda frame: frame.drop("w"), "columns", "although the plan keeps them: 'w'"),
        (
            lambda frame: frame.with_columns(income_original=PEOPLE["income"]),
            "columns",
            "in the release, but not in the original: 'income_original'",
        ),
        (lambda frame: pl.concat([frame, frame[:3]]), "records", "6 before, 9 after, although the plan keeps 6"),
        (lambda frame: frame[:5], "records", "6 before, 5 after, although the plan keeps 6"),
        (
            lambda frame: frame.with_columns(income=pl.Series([NORTH] * 2 + [None] + [SOUTH] * 3)),
            "missing values",
            "'income' lacks other values than before, in row 3",
        ),
    ],
)
def test_each_broken_promise_fails(change: Any, check: str, words: str) -> None:
    verification = verify(PEOPLE, change(SAFE), plan=PLAN)
    assert not verification.passed
    finding = finding_of(verification, check)
    assert finding.passed is False
    assert words in finding.detail


def test_no_original_value_is_told() -> None:
    changed = SAFE.with_columns(income=PEOPLE["income"], ill=pl.Series([*"aaaaaa"]))
    text = verify(PEOPLE, changed, plan=PLAN).summary()
    for value in ("Ann", "17.0", "12.0", "6.0"):
        assert value not in text


def test_k_counts_within_strata_unless_small_ones_are_merged() -> None:
    released = pl.DataFrame({"x": [1, 1, 1, 1], "region": ["a", "a", "a", "b"]})
    assert verdict(released, "k-anonymity", k=2, columns=["x"]) is True
    assert verdict(released, "k-anonymity", k=2, columns=["x"], strata=["region"]) is False
    merged = Plan(k=2, columns=["x"], strata=["region"], small_strata="merge")
    verification = verify(None, released, plan=merged)
    assert finding_of(verification, "k-anonymity").passed is True
    note = finding_of(verification, "k-anonymity within strata")
    assert note.passed is None
    assert note.detail.startswith("1 of 2 groups have fewer than 2 records, in 'x' within strata of 'region'")
    assert verdict(released.drop("region"), "k-anonymity", k=2, columns=["x"], strata=["region"]) is True


@pytest.mark.parametrize(("k", "passed"), [(2, True), (3, False)])
def test_k_counts_units(k: int, passed: bool) -> None:
    released = pl.DataFrame({"x": [1.0] * 5, "home": [7, 7, 8, 8, 8]})
    options = {"k": k, "columns": ["x"], "unit": "home"}
    assert verdict(released, "k-anonymity", **options) is passed
    original = released.with_columns(x=pl.Series([0.0, 1.0, 1.0, 1.0, 2.0]))
    without = verify(original, released.drop("home"), plan=Plan(**options, identifiers=["home"]))
    assert (finding_of(without, "k-anonymity").passed, without.k_reached) == (passed, 2)
    assert "units" in finding_of(without, "k-anonymity").detail


def test_units_that_cannot_be_counted_are_remarked() -> None:
    released = pl.DataFrame({"x": [1.0, 1.0]})
    verification = verify(None, released, plan=Plan(k=2, columns=["x"], unit="home", identifiers=["home"]))
    assert verification.passed
    assert finding_of(verification, "units").passed is None


def test_each_column_set_has_its_own_k_and_all_together_are_remarked() -> None:
    released = pl.DataFrame({"x": [1, 1, 2, 2], "y": [1, 2, 1, 2]})
    plan = Plan(k=2, sets=[{"columns": ["x"]}, {"columns": ["y"]}])
    verification = verify(None, released, plan=plan)
    assert verification.passed
    assert (verification.k, verification.k_reached, verification.columns) == (2, 2, ("x", "y"))
    together = finding_of(verification, "column sets together")
    assert together.passed is None
    assert together.detail.startswith("k reached is 1 on the columns of all 2 column sets together")
    higher = verify(None, released, plan=Plan(sets=[{"k": 2, "columns": ["x"]}, {"k": 3, "columns": ["y"]}]))
    assert [finding.passed for finding in findings_of(higher, "k-anonymity")] == [True, False]


def test_individual_ranking_is_checked_column_by_column() -> None:
    released = pl.DataFrame({"x": [1, 1, 2, 2], "y": [1, 2, 1, 2]})
    verification = verify(None, released, plan=Plan(k=2, columns=["x", "y"], method="individual-ranking"))
    assert [finding.passed for finding in findings_of(verification, "k-anonymity")] == [True, True]
    assert not verify(None, released, plan=Plan(k=2, columns=["x", "y"])).passed


def test_a_missing_value_is_a_value_of_its_own_or_may_be_any() -> None:
    released = pl.DataFrame({"x": [1.0, 1.0, 1.0, None], "y": [5.0, 5.0, None, 5.0]})
    options: dict[str, Any] = {"columns": ["x", "y"]}
    assert verdict(released, "k-anonymity", k=2, missing="pattern", **options) is False
    for k, passed in ((3, True), (4, False)):
        verification = verify(None, released, plan=Plan(k=k, missing="available", **options))
        assert finding_of(verification, OPEN).passed is passed
        told = finding_of(verification, "k-anonymity")
        assert told.passed is None
        assert f"k = 1 by released values, 4 records in classes below {k}; k = 3 if a missing cell" in told.detail
        assert verification.k_reached == 1
    assert verdict(released, "k-anonymity", k=3, missing="pattern", small_strata="merge", **options) is False
    sentinel = released.with_columns(pl.col("x").fill_null(-9), pl.col("y").fill_null(-9))
    marks = {"x": [-9], "y": [-9]}
    assert verdict(sentinel, OPEN, k=3, missing="available", missing_values=marks, **options) is True
    assert verdict(sentinel, OPEN, k=3, missing="available", **options) is False


def test_single_values_are_counted_in_units_too() -> None:
    released = pl.DataFrame({"x": [1.0, 1.0, 1.0, None], "y": [5.0] * 4, "home": [7, 7, 8, 9]})
    options: dict[str, Any] = {"k": 3, "columns": ["x", "y"], "missing": "available", "unit": "home"}
    assert verdict(released, OPEN, **options) is False
    assert verdict(released.with_columns(home=pl.Series([7, 6, 8, 9])), OPEN, **options) is True


@pytest.mark.parametrize("missing", ["pattern", "available"])
def test_masks_and_marks_of_missing_values_are_kept(missing: str, tmp_path: Path) -> None:
    (tmp_path / "raw.csv").write_text("x,y\n1,a\n3,b\n-9,c\n-9,d\n,e\nNA,f\n,g\nNA,h\n")
    good = "x,y\n2,a\n2,b\n-9,c\n-9,d\n,e\nNA,f\n,g\nNA,h\n"
    plan = Plan(k=2, columns=["x"], missing=missing, missing_values={"x": [-9]})
    for text, passed in (
        (good, True),
        (good.replace("NA", ""), False),
        (good.replace("-9", "2"), False),
        (good.replace("2,a", "-9,a"), False),
    ):
        (tmp_path / "safe.csv").write_text(text)
        verification = verify(tmp_path / "raw.csv", tmp_path / "safe.csv", plan=plan)
        assert finding_of(verification, "missing values").passed is passed
        assert verification.passed is passed


def test_marks_are_compared_between_files_of_different_kinds(tmp_path: Path) -> None:
    (tmp_path / "raw.csv").write_text("x,y\n1,a\n3,b\n-9,c\n-9,d\n,e\nNA,f\n")
    released = pl.DataFrame({"x": [2.0, 2.0, -9.0, -9.0, None, None], "y": [*"abcdef"]})
    plan = Plan(k=2, columns=["x"], missing="available", missing_values={"x": [-9]})
    assert verify(tmp_path / "raw.csv", released, plan=plan).passed


def test_records_that_the_plan_leaves_out_may_be_missing() -> None:
    original = pl.DataFrame({"x": [1.0, 3.0, None, 5.0, 7.0], "y": [*"abcde"]})
    released = pl.DataFrame({"x": [2.0, 2.0, 6.0, 6.0], "y": [*"abde"]})
    plan = Plan(k=2, columns=["x"], missing="drop")
    verification = verify(original, released, plan=plan)
    assert verification.passed
    assert finding_of(verification, "records").detail == "5 before, 4 after, as the plan leaves some out"
    assert finding_of(verification, "untouched columns").passed is True
    fewer = verify(original, released[:2], plan=plan)
    assert finding_of(fewer, "records").passed is False
    assert finding_of(fewer, "order").passed is None
    assert not findings_of(fewer, "untouched columns")
    assert finding_of(verify(original, released[:2], plan=Plan(k=2, columns=["x"])), "records").passed is False
    kept_all = pl.DataFrame({"x": [2.0, 2.0, None, 6.0, 6.0], "y": [*"abcde"]})
    assert finding_of(verify(original, kept_all, plan=plan), "records").passed is False


def test_suppressed_strata_are_found_anew() -> None:
    original = pl.DataFrame({"x": [1.0, 3.0, 9.0, 5.0, 7.0], "s": [*"aabcc"], "home": [1, 2, 3, 4, 4]})
    released = pl.DataFrame({"x": [2.0, 2.0, 6.0, 6.0], "s": [*"aacc"], "home": [1, 2, 4, 4]})
    options: dict[str, Any] = {"k": 2, "columns": ["x"], "strata": ["s"], "small_strata": "suppress"}
    assert verify(original, released, plan=Plan(**options)).passed
    by_unit = Plan(**options, unit="home")
    assert not verify(original, released, plan=by_unit).passed
    verification = verify(original, released[:2], plan=by_unit)
    assert finding_of(verification, "records").detail == "5 before, 2 after, as the plan leaves some out"
    assert verification.passed


@pytest.mark.parametrize(("n_present", "unit"), [(1, None), (2, None), (2, "u"), (3, "u")])
def test_strata_with_too_few_cells_are_suppressed_in_the_original_too(n_present: int, unit: str | None) -> None:
    original = pl.DataFrame(
        {
            "x": [9.0] * n_present + [None] * (4 - n_present) + [1.0, 2.0],
            "r": [*"aaaabb"],
            "u": [0, 0, 1, 2, 3, 4],
            "c": [*range(6)],
        }
    )
    plan = Plan(k=2, columns=["x"], strata=["r"], unit=unit, missing="available", small_strata="suppress")
    release = protect(original, plan=plan).data
    few = n_present < (2 if unit is None else 3)
    assert len(release) == (2 if few else 6)
    verification = verify(original, release, plan=plan)
    assert verification.passed
    assert not findings_of(verification, "order"), "the rows correspond"
    assert finding_of(verification, "records").passed is True


def test_shuffled_records_are_compared_as_a_whole() -> None:
    order = [5, 0, 3, 1, 4, 2]
    shuffled = SAFE[order]
    plan = PLAN.with_options(shuffle=True)
    verification = verify(PEOPLE, shuffled, plan=plan)
    assert verification.passed
    assert "the rows are shuffled" in finding_of(verification, "order").detail
    assert finding_of(verification, "untouched columns").detail.startswith("the same records, in another order")
    changed = shuffled.with_columns(ill=pl.Series([*"bbaaaa"]))
    assert finding_of(verify(PEOPLE, changed, plan=plan), "untouched columns").passed is False
    unexpected = verify(PEOPLE, shuffled, plan=PLAN)
    assert finding_of(unexpected, "order").passed is False
    assert "in another order, and the plan does not shuffle" in finding_of(unexpected, "order").detail
    assert finding_of(unexpected, "untouched columns").passed is True


def _renumbered(numbers: list[Any], old: list[Any] | None = None) -> Finding:
    original = pl.DataFrame({"x": [1.0] * len(numbers), "id": list(range(len(numbers))) if old is None else old})
    released = original.with_columns(id=pl.Series(numbers))
    return finding_of(
        verify(original, released, plan=Plan(k=1, allow_k1=True, columns=["x"], renumber=["id"])),
        "renumbered identifiers",
    )


def test_renumbered_identifiers_tell_the_same_records_apart_and_no_more() -> None:
    numbers = np.random.default_rng(3).permutation(20).tolist()
    assert _renumbered(numbers).passed is True
    assert _renumbered([*numbers[:-1], numbers[0]]).passed is False
    assert _renumbered(list(range(20))).passed is False
    assert "as before" in _renumbered(list(range(20))).detail
    assert "follow the order" in _renumbered([100 + number for number in range(20)]).detail
    assert "follow the order" in _renumbered([100 - number for number in range(20)]).detail
    assert _renumbered([100 + number for number in range(7)]).passed is True, "seven are in order by chance"
    assert _renumbered([3, 3, 1, 1], old=["p", "p", "q", "q"]).passed is True
    assert _renumbered([3, 1, 1, 1], old=["p", "p", "q", "q"]).passed is False
    assert _renumbered([2, 1, 2, 1], old=["p", "p", "q", "q"]).passed is False


def test_renumbered_identifiers_of_shuffled_records_keep_their_sizes() -> None:
    original = pl.DataFrame({"x": [1.0] * 4, "id": [5, 5, 5, 6]})
    plan = Plan(k=1, allow_k1=True, columns=["x"], renumber=["id"], shuffle=True)
    for numbers, passed in (([1, 2, 2, 2], None), ([1, 1, 2, 2], False)):
        released = original.with_columns(id=pl.Series(numbers))
        assert finding_of(verify(original, released, plan=plan), "renumbered identifiers").passed is passed
    assert (
        verdict(original.drop("id"), "renumbered identifiers", original, k=2, columns=["x"], renumber=["id"]) is False
    )


def test_totals_are_remarked_where_values_are_no_means() -> None:
    original = pl.DataFrame({"x": [1, 2, 4, 4]})
    released = pl.DataFrame({"x": [2, 2, 4, 4]})
    assert verdict(released, "totals", original, k=2, columns=["x"]) is False
    assert verdict(released, "totals", original, k=2, columns=["x"], keep_integers=True) is None
    assert verdict(original, "totals", original, k=1, allow_k1=True, columns=["x"]) is True


@pytest.mark.parametrize("missing", [[], [NAN]])
def test_whole_numbers_may_be_stored_as_floats(missing: list[float]) -> None:
    original = pd.DataFrame({"x": [1.0, 2, 4, 8, 9, 14, 20, 22, *missing]})
    plan = Plan(k=3, columns=["x"], keep_integers=True, missing="available")
    release = protect(original, plan=plan).data
    assert release["x"].sum() != original["x"].sum(), "rounding moves the total"
    assert verify(original, release, plan=plan).passed
    exact = Plan(k=3, columns=["x"], missing="available")
    assert not verify(original, release, plan=exact).passed


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_totals_are_kept_to_the_precision_of_the_column(dtype: Any) -> None:
    original = np.random.default_rng(0).normal(500, 100, (60, 2)).astype(dtype)
    plan = Plan(k=3, columns=["0", "1"])
    release = protect(original, plan=plan).data
    assert release.dtype == dtype
    assert verify(original, release, plan=plan).passed
    assert not verify(original, release * dtype(1.01), plan=plan).passed


def test_totals_in_text_are_kept_to_the_precision_of_the_original(tmp_path: Path) -> None:
    amounts = np.random.default_rng(0).normal(500, 100, 60).astype(np.float32)
    original = pl.DataFrame({"x": amounts})
    plan = Plan(k=3, columns=["x"])
    path = tmp_path / "release.csv"
    protect(original, plan=plan).data.write_csv(path)
    assert verify(original, path, plan=plan).passed


@pytest.mark.parametrize("library", [pl.DataFrame, np.array])
def test_sets_of_codes_keep_the_marks_of_missing_ones(library: Any) -> None:
    codes = [1, 2, 3, 1, 2, 3, -9, -9, -9]
    amounts = [*range(9)]
    original = library({"0": amounts, "1": codes} if library is pl.DataFrame else np.column_stack([amounts, codes]))
    plan = Plan(
        k=3,
        columns=["0", "1"],
        nominal=["1"],
        aggregate={"1": "set"},
        missing="pattern",
        missing_values={"1": [-9]},
    )
    release = protect(original, plan=plan).data
    assert verify(original, release, plan=plan).passed
    numbers = np.where(np.array(codes) == -9, "-8", "{1, 2, 3}")
    other = pl.DataFrame({"0": pl.DataFrame(original, schema=["0", "1"])["0"], "1": numbers})
    assert not verify(original, other, plan=plan).passed


def test_fields_that_are_written_otherwise_are_remarked(tmp_path: Path) -> None:
    (tmp_path / "raw.csv").write_text("x,y\n1,1.50\n3,2\n")
    (tmp_path / "safe.csv").write_text("x,y\n2,1.5\n2,2\n")
    verification = verify(tmp_path / "raw.csv", tmp_path / "safe.csv", plan=Plan(k=2, columns=["x"]))
    assert verification.passed
    assert [finding.passed for finding in findings_of(verification, "untouched columns")] == [True, None]


def test_the_format_that_the_plan_states_is_that_of_both_files(tmp_path: Path) -> None:
    (tmp_path / "raw.csv").write_text("1;a\n3;b\n")
    (tmp_path / "safe.csv").write_text("2;a\n2;b\n")
    (tmp_path / "safe.tsv").write_text("2\ta\n2\tb\n")
    plan = Plan(k=2, columns=["column_1"], header=False, delimiter=";")
    for name in ("safe.csv", "safe.tsv"):
        assert verify(tmp_path / "raw.csv", tmp_path / name, plan=plan).passed
    typed = pl.DataFrame({"column_1": [2, 2], "column_2": ["a", "b"]})
    typed.write_parquet(tmp_path / "safe.parquet")
    assert verify(tmp_path / "raw.csv", tmp_path / "safe.parquet", plan=plan).passed


def test_what_cannot_be_verified_by_plan_is_refused() -> None:
    plan = Plan(k=2, columns=["income"])
    for arguments, message in (
        ({"k": 2}, "k and a plan are both given: leave one out, as the plan has k and columns of its own"),
        ({"k": 2, "columns": ["income"]}, "k and columns and a plan are both given"),
    ):
        with pytest.raises(InputError) as caught:
            verify(None, SAFE, plan=plan, **arguments)
        assert str(caught.value).startswith(message)
    with pytest.raises(InputError, match=r"read a file by Plan\.from_toml"):
        verify(None, SAFE, plan="release.toml")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the plan names no columns"):
        verify(None, SAFE, plan=Plan(k=2))
    with pytest.raises(InputError, match="no column 'incom'"):
        verify(None, SAFE, plan=Plan(k=2, columns=["incom"]))
    with pytest.raises(InputError, match="no column 'nam'"):
        verify(PEOPLE, SAFE, plan=Plan(k=2, columns=["income"], identifiers=["nam"]))
    with pytest.raises(InputError, match="no records"):
        verify(None, SAFE[:0], plan=plan)
