"""What a release of a real file keeps, whatever is in the file."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg import Plan, Release, protect, verify
from microagg.model.arrays import IntArray
from real_tables import MARKS, NUMERIC, PROTECTED, ROLES, UNTOUCHED, RealFile, fields, real_files

K = 3
few_examples = settings(max_examples=15)  # each protects a file or two
missing_policies = st.sampled_from(["pattern", "available"])


@contextmanager
def _released(file: RealFile, **options: Any) -> Iterator[tuple[Release, Path]]:
    """Protect a file, and write the release beside it."""
    with tempfile.TemporaryDirectory() as folder:
        original = file.write(Path(folder) / "raw.csv")
        known = {"columns": PROTECTED, "nominal": ["job"], "missing_values": file.missing_values, "exclude": ["note"]}
        release = protect(original, K, **{**known, **ROLES, **options})
        safe = Path(folder) / "safe.csv"
        release.write(safe)
        yield release, safe


def _lenient(missing: str) -> dict[str, str]:
    """Return options with which no pattern of missing values is too rare."""
    return {"missing": missing, "small_strata": "merge"} if missing == "pattern" else {"missing": missing}


def _kept(release: Release, n: int) -> IntArray:
    """Return the record of the original in each row of the release."""
    return np.arange(n) if release.order is None else release.order


@few_examples
@given(real_files(), missing_policies)
def test_strata_are_never_crossed(file: RealFile, missing: str) -> None:
    options: dict[str, Any] = {"strata": ["region"], "small_strata": "suppress", "missing": missing}
    with _released(file, **options) as (release, _):
        regions = np.array(file.columns["region"])[_kept(release, file.n_records)]
    for label in range(release.n_groups):
        assert len(set(regions[release.labels == label])) == 1
        assert (release.labels == label).sum() >= K


@few_examples
@given(real_files(), missing_policies, st.booleans())
def test_weighted_totals_are_kept(file: RealFile, missing: str, by_strata: bool) -> None:
    options: dict[str, Any] = {**_lenient(missing)}
    if by_strata:
        options |= {"strata": ["region"], "small_strata": "merge"}
    weights = np.array(file.columns["weight"], dtype=float)
    with _released(file, **options) as (_, safe):
        after = fields(safe)
    for name in NUMERIC:
        there = [field not in MARKS for field in after[name]]
        totals = [weights[there] @ np.array(columns[name])[there].astype(float) for columns in (file.columns, after)]
        assert totals[1] == pytest.approx(totals[0], rel=1e-12)


@few_examples
@given(real_files(), missing_policies)
def test_missing_cells_come_back_as_they_were_written_or_as_one_mark(file: RealFile, missing: str) -> None:
    with _released(file, **_lenient(missing)) as (release, safe):
        pairs = list(zip(file.columns["income"], fields(safe)["income"], strict=True))
    for before, now in pairs:
        assert before not in MARKS or now in MARKS
    n_blanked = sum(before not in MARKS and now in MARKS for before, now in pairs)
    assert n_blanked == release.measures.n_suppressed
    if missing == "available":
        assert all(now == before for before, now in pairs if before in MARKS)
        assert n_blanked == 0


@few_examples
@given(real_files(), missing_policies)
def test_a_mean_is_of_at_least_k_cells_and_equal_in_a_group(file: RealFile, missing: str) -> None:
    with _released(file, **_lenient(missing)) as (release, safe):
        after = np.array(fields(safe)["income"])
    for label in range(release.n_groups):
        cells = [cell for cell in after[release.labels == label] if cell not in MARKS]
        assert len(set(cells)) <= 1
        assert len(cells) == 0 or len(cells) >= K


@few_examples
@given(real_files(missing=False))
def test_units_are_counted(file: RealFile) -> None:
    households = np.array(file.columns["household"])
    with _released(file, unit="household") as (release, safe):
        after = np.array(fields(safe)["household"])
    for label in range(release.n_groups):
        assert len(set(households[release.labels == label])) >= K
    pairs = set(zip(households, after, strict=True))
    assert len(pairs) == len(set(households)) == len(set(after))
    assert not set(households) & set(after)


@few_examples
@given(real_files(), missing_policies, st.sampled_from([{}, {"strata": ["region"]}, {"l_diversity": 2}]))
def test_a_release_passes_by_its_own_plan(file: RealFile, missing: str, more: dict[str, Any]) -> None:
    options = {"missing": "available"} if "l_diversity" in more else {"missing": missing, "small_strata": "merge"}
    if missing == "available" and not more:
        del options["small_strata"]
    with _released(file, unit="household", **options, **more) as (release, safe):
        verification = verify(safe.with_name("raw.csv"), safe, plan=release.plan)
    assert [finding for finding in verification.findings if finding.passed is False] == []
    assert verification.passed


@few_examples
@given(real_files(), missing_policies)
def test_untouched_columns_are_byte_equal(file: RealFile, missing: str) -> None:
    with _released(file, **_lenient(missing)) as (_, safe):
        after = fields(safe)
    assert {name: after[name] for name in UNTOUCHED} == {name: file.columns[name] for name in UNTOUCHED}


@few_examples
@given(
    real_files(missing=False), st.sampled_from([{"strata": ["region"], "small_strata": "merge"}, {"l_diversity": 2}])
)
def test_identifiers_are_gone_from_every_output_and_report(file: RealFile, options: dict[str, Any]) -> None:
    with _released(file, **options) as (release, safe):
        written = safe.read_text(encoding="utf-8")
    shown = [release.summary(), release.to_json(), release._repr_html_(), repr(release), release.plan.to_toml()]
    for value in (*file.columns["person"], *file.columns["household"]):
        assert not [text for text in (written, *shown) if value in text]
    assert "person" not in written.partition("\n")[0]


@few_examples
@given(real_files(), missing_policies, st.booleans())
def test_the_plan_of_a_release_gives_the_same_bytes_again(file: RealFile, missing: str, by_strata: bool) -> None:
    options: dict[str, Any] = {"strata": ["region"], "small_strata": "merge"} if by_strata else {"l_diversity": 2}
    options |= {"renumber": [], "keep_integers": True, "transform": {"income": "log"}, "scale": {"age": "mad"}}
    options |= {"missing": missing if by_strata else "available"}
    with _released(file, **options) as (release, safe):
        again = protect(safe.with_name("raw.csv"), plan=Plan.from_toml(release.plan.to_toml()))
        again.write(safe.with_name("again.csv"))
        assert safe.with_name("again.csv").read_bytes() == safe.read_bytes()


@few_examples
@given(real_files(missing=False), st.sampled_from(["mdav", "mdav+descent", "v-mdav", "npn-mhm"]))
def test_solving_by_strata_is_solving_each_stratum_alone(file: RealFile, method: str) -> None:
    options: dict[str, Any] = {"columns": NUMERIC, "nominal": [], "standardise": False, "method": method}
    regions = np.array(file.columns["region"])
    if min(np.sum(regions == region) for region in set(regions)) < K:
        regions = np.where(np.arange(len(regions)) % 2 == 0, "north", "south")
        file = RealFile({**file.columns, "region": regions.tolist()})
    with _released(file, strata=["region"], **options) as (release, safe):
        together = fields(safe)
    for region in set(regions):
        records = np.flatnonzero(regions == region)
        part = RealFile({name: [column[record] for record in records] for name, column in file.columns.items()})
        with _released(part, **options) as (alone, safe):
            assert _relabelled(release.labels[records]) == alone.labels.tolist()
            separate = fields(safe)
        for name in NUMERIC:
            values = np.array(together[name])[records].astype(float)
            assert values == pytest.approx(np.array(separate[name], dtype=float), rel=1e-12)


def _relabelled(labels: IntArray) -> list[int]:
    """Return labels numbered in the order of their first records."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels.tolist()]
