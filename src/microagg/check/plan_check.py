"""Check of a release against its plan, as far as release and original show it."""

from collections.abc import Sequence

from microagg.check.anonymity_check import check_anonymity
from microagg.check.checked_release import CheckedRelease, checked_release
from microagg.check.group_value_check import check_group_values
from microagg.check.privacy_check import check_privacy
from microagg.check.role_check import check_roles
from microagg.check.value_check import check_values
from microagg.column_comparison import MATCHED_BY_INDEX, identifying_columns
from microagg.exposure import expose
from microagg.model.names import listing
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.model.verification import Finding, Verification
from microagg.verdict import whole_findings

NO_ORIGINAL = Finding("original", None, "not given: what must be as before is not checked")


def check_plan(original: Table | None, released: Table, plan: Plan) -> Verification:
    """Check whether a release is what its plan promises.

    Parameters
    ----------
    original
        The table before; None to check the release alone.
    released
        The table to be checked.
    plan
        The plan, which names the protected columns.

    Returns
    -------
    Verification
        The verdict: its k is the smallest of the column sets.

    Raises
    ------
    InputError
        If the plan leaves columns to be guessed, or names one that is not there.
    """
    checked = checked_release(original, released, plan)
    anonymity = check_anonymity(checked)
    exposure = expose(checked.released, plan, checked.counterpart)
    findings = [
        *anonymity.findings,
        *whole_findings(exposure),
        *check_privacy(checked),
        *remark_identifying(released, (*checked.protected, *plan.roles.renumber)),
        *_check_records(checked),
        *check_roles(checked),
        *check_values(checked),
        *check_group_values(checked),
    ]
    k = min(one.k for one in plan.sets)
    return Verification(k, anonymity.k_reached, checked.protected, tuple(findings), exposure)


def remark_identifying(released: Table, names: tuple[str, ...]) -> list[Finding]:
    """Remark on columns besides some that differ in every record."""
    return identifying_findings(identifying_columns(released, names))


def identifying_findings(unique: Sequence[str]) -> list[Finding]:
    """Return what is to be said of columns that differ in every record."""
    if not unique:
        return []
    detail = f"different in every record: {listing(unique)}; whoever knows one of these values finds its record"
    return [Finding("identifying columns", None, detail)]


def _check_records(checked: CheckedRelease) -> list[Finding]:
    """Check the number of records, and say whether original and release are compared row by row."""
    if checked.original is None or checked.n_expected is None:
        return [NO_ORIGINAL]
    n_after = checked.released.n_records
    findings = [count_finding(checked.original.n_records, n_after, checked.n_expected)]
    if checked.is_matched:
        findings.append(Finding("order", None, MATCHED_BY_INDEX))
    if checked.counterpart is None:
        findings.append(order_finding(checked.plan, has_all=n_after == checked.n_expected))
    return findings


def order_finding(plan: Plan, *, has_all: bool) -> Finding:
    """Say why original and release are not compared row by row: only a plan that shuffles may change the order."""
    left_out = "checks row by row are left out"
    if plan.shuffle:
        return Finding("order", None, f"the rows are shuffled: {left_out}")
    if has_all:
        return Finding("order", False, f"the records are in another order, and the plan does not shuffle: {left_out}")
    return Finding("order", None, f"the rows of the release do not correspond to those of the original: {left_out}")


def count_finding(n_before: int, n_after: int, n_expected: int) -> Finding:
    """Return what is to be said of the number of records: the plan says how many it keeps."""
    detail = f"{n_before} before, {n_after} after"
    if n_after == n_expected:
        return Finding("records", True, detail if n_expected == n_before else f"{detail}, as the plan leaves some out")
    return Finding("records", False, f"{detail}, although the plan keeps {n_expected}")
