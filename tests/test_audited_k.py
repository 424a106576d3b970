"""k, l and t of releases of tables with missing cells, counted anew as an auditor counts them, with pandas alone."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import microagg
from holed_tables import HoledTable, holed_tables
from microagg.check.checked_release import checked_release
from microagg.check.privacy_check import RuleTally, tally_rules

TABLES = {table.name: table for table in holed_tables(Path(os.environ["MICROAGG_DATA"]))}
POLICIES: dict[str, dict[str, Any]] = {
    "fill": {"missing": "fill"},
    "blank": {"missing": "blank"},
    "pattern": {"missing": "pattern", "small_strata": "suppress"},
    "merged pattern": {"missing": "pattern", "small_strata": "merge"},
    "available": {"missing": "available"},
    "drop": {"missing": "drop"},
}


class Audited:
    """What a released file shows: every cell as the text that stands there, a blank too."""

    def __init__(self, path: Path, within: list[str], columns: list[str]) -> None:
        self.cells = pd.read_csv(path, dtype=str, keep_default_na=False)
        self.classes = self.cells.groupby([*columns, *within], sort=False)

    def counts(self, unit: str | None) -> pd.Series:
        return self.classes.size() if unit is None else self.classes[unit].nunique()

    def below(self, k: int, unit: str | None) -> int:
        return int(self.classes.size()[self.counts(unit) < k].sum())

    def least_distinct(self, name: str) -> int:
        return int(self.classes[name].nunique().min())

    def largest_distance(self, name: str) -> float:
        values = self.cells[name].astype(float)
        order = np.sort(values.unique())
        whole = np.searchsorted(np.sort(values), order, side="right") / len(values)
        shares = [
            np.searchsorted(np.sort(values.loc[rows]), order, side="right") / len(rows)
            for rows in self.classes.groups.values()
        ]
        return float(max(np.abs(share - whole).sum() / (len(order) - 1) for share in shares))


def made(table: HoledTable, policy: str, folder: Path) -> tuple[Path, Path, microagg.Release]:
    original = folder / "original.csv"
    released = folder / "released.csv"
    table.cells.to_csv(original, index=False)
    release = microagg.protect(original, **{**table.options, **POLICIES[policy]})
    release.write(released)
    return original, released, release


def marked(cells: pd.DataFrame, table: HoledTable) -> pd.DataFrame:
    """Return which protected cells are blank, or hold a code that stands for a missing value."""
    codes = table.options.get("missing_values", {})
    columns = table.options["columns"]
    return pd.DataFrame({name: cells[name].isin(["", *map(str, codes.get(name, ()))]) for name in columns})


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", TABLES)
def test_every_figure_is_that_of_the_file(name: str, policy: str, tmp_path: Path) -> None:
    table = TABLES[name]
    original, released, release = made(table, policy, tmp_path)
    plan = release.plan
    one = release.only
    columns = list(one.columns)
    merges = policy == "merged pattern"
    audited = Audited(released, [] if merges else list(plan.roles.strata), columns)
    k = int(audited.counts(plan.roles.unit).min())
    assert release.together is not None
    assert one.measures.k_reached == release.together.k_reached == k
    assert one.n_below_k == audited.below(one.k, plan.roles.unit)
    by_plan = microagg.verify(original, released, plan=plan)
    assert by_plan.passed, [finding for finding in by_plan.findings if finding.passed is False]
    assert by_plan.k_reached == k
    without_plan = microagg.verify(original, released, one.k, columns)
    in_records = Audited(released, [], columns)
    assert without_plan.k_reached == int(in_records.counts(None).min())
    assert without_plan.passed == (without_plan.k_reached >= one.k)
    checked = checked_release(microagg.read(original), microagg.read(released), plan)
    rules = {rule.name: rule for rule in tally_rules(checked, checked.sets[0]) if isinstance(rule, RuleTally)}
    assert rules["illness"].reached == audited.least_distinct("illness")
    assert rules["debt"].reached == pytest.approx(audited.largest_distance("debt"), abs=1e-12)
    assessed = {one.name: one for one in microagg.assess(original, released, plan=plan).confidential}
    assert assessed["illness"].least_distinct == audited.least_distinct("illness")
    assert assessed["debt"].largest_distance == pytest.approx(audited.largest_distance("debt"), abs=1e-12)
    measures = one.measures
    if release.n_suppressed == 0:
        blank = [marked(pd.read_csv(path, dtype=str, keep_default_na=False), table) for path in (original, released)]
        assert measures.n_imputed == int((blank[0] & ~blank[1]).to_numpy().sum())
        assert measures.n_suppressed == int((~blank[0] & blank[1]).to_numpy().sum())
    assert (measures.n_imputed > 0) == (policy == "fill") == ("imputed: " in release.summary())
    assert (measures.n_suppressed > 0) == ("suppressed: " in release.summary())
    assert measures.n_suppressed == 0 or policy in ("blank", "merged pattern")
    if policy == "available":
        assert one.k_if_missing_agrees is not None
        assert one.k_if_missing_agrees >= one.k
        return
    assert one.k_if_missing_agrees is None
    assert k >= one.k
    assert one.n_below_k == 0
    assert rules["illness"].reached >= 2


@pytest.mark.parametrize("policy", ["available", "merged pattern"])
def test_no_plain_pass_hides_small_classes(policy: str, tmp_path: Path) -> None:
    original, released, release = made(TABLES["questionnaire 1"], policy, tmp_path)
    verification = microagg.verify(original, released, plan=release.plan)
    one = release.only
    k = [finding for finding in verification.findings if finding.check == "k-anonymity"]
    if policy == "merged pattern":
        assert [finding.passed for finding in k] == [True]
        assert microagg.verify(None, released, one.k, one.columns).passed
        return
    assert one.measures.k_reached == 1
    assert [finding.passed for finding in k] == [None]
    assert verification.summary().startswith("PASS only if a missing cell may be any value\n")
    assert k[0].detail.startswith(f"k = 1 by released values, {one.n_below_k} records in classes below 3; k = ")
    assert "if a missing cell may be any value" in k[0].detail
    assert not any(
        "every group has at least" in finding.detail and finding.check.startswith("k-")
        for finding in verification.findings
    )
