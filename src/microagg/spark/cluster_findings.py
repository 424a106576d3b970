"""Findings about a release on a cluster: what was checked in every block, and in what was stored."""

from microagg.check.anonymity_check import together_finding
from microagg.check.wording import where
from microagg.model.names import listing, quantity
from microagg.model.verification import Finding, Verification, released_values_detail
from microagg.spark.spark_release import SparkRelease, SparkSetRelease


def cluster_verification(release: SparkRelease) -> Verification:
    """Return what was checked while a release was made; one that fails is never made.

    Parameters
    ----------
    release
        The release.

    Returns
    -------
    Verification
        The checks of this package's own work, worded as those of `verify`, which shares nothing with it.
    """
    findings = [_records(release), *_columns(release)]
    for one in release.sets:
        findings += _anonymity(release, one)
        findings += [Finding("rules", True, f"{cost.sentence}: no group violates it") for cost in one.rule_costs]
    if len(release.sets) > 1:
        findings.append(together_finding(release.together.k_reached, len(release.sets)))
    k = min(one.k for one in release.sets)
    k_reached = min(one.measures.k_reached for one in release.sets)
    return Verification(k, k_reached, release.columns, tuple(findings))


def kept_columns(release: SparkRelease) -> list[str]:
    """Return the columns of the original that the plan releases, in order."""
    left_out = {*release.plan.drop, *release.plan.roles.identifiers}
    return [name for name in release.rows.names if name not in left_out]


def _records(release: SparkRelease) -> Finding:
    detail = f"{release.rows.n_records} before, {release.n_records} after"
    return Finding("records", True, f"{detail}, as the plan leaves some out" if release.n_suppressed else detail)


def _columns(release: SparkRelease) -> list[Finding]:
    """Check that the stored columns are those that the plan keeps."""
    stored = release.frame.columns
    findings = []
    for check, names in (("identifiers", release.plan.roles.identifiers), ("dropped columns", release.plan.drop)):
        left = [name for name in names if name in stored]
        if left:
            findings.append(Finding(check, False, f"still in the release: {listing(left)}"))
        elif names:
            findings.append(Finding(check, True, f"left out of the release: {listing(names)}"))
    kept = kept_columns(release)
    lost = [name for name in kept if name not in stored]
    added = [name for name in stored if name not in release.rows.names]
    if lost:
        findings.append(Finding("columns", False, f"not in the release, although the plan keeps them: {listing(lost)}"))
    if added:
        findings.append(Finding("columns", False, f"in the release, but not in the original: {listing(added)}"))
    if not lost and not added:
        findings.append(Finding("columns", True, f"all that the plan keeps: {listing(kept)}"))
    return findings


def _anonymity(release: SparkRelease, one: SparkSetRelease) -> list[Finding]:
    """Return what was counted in every block, and in what was stored."""
    plan = release.plan
    place = where(one.columns, () if plan.missing_policy.small_strata == "merge" else plan.roles.strata)
    noun = "records" if plan.roles.unit is None else "units"
    in_blocks = (
        f"every group has at least {one.k} {noun}: {quantity(one.n_groups, 'group')} of {min(one.sizes)} to "
        f"{max(one.sizes)} records in {quantity(one.n_blocks, 'block')}, {place}"
    )
    findings = [Finding("k-anonymity in every block", True, in_blocks)]
    measures = one.measures
    if one.k_if_missing_agrees is not None:
        stored = released_values_detail(measures.k_reached, one.n_below_k, one.k_if_missing_agrees, one.k)
        findings.append(Finding("k-anonymity of what was stored", None, f"{stored}, {place}"))
    else:
        stored = (
            f"every combination of values is that of at least {measures.k_reached} {noun}, {place}: "
            f"{quantity(measures.n_patterns, 'combination')} in all"
        )
        findings.append(Finding("k-anonymity of what was stored", measures.k_reached >= one.k, stored))
    return findings
