"""Check of a certificate of optimality, finding by finding."""

import math
from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from microagg.certify.certificate_reader import read_certificate
from microagg.certify.claim import Certificate, Cut
from microagg.certify.part_check import check_all_leaves, check_division, check_trees
from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.encode import encode
from microagg.model.arrays import IntArray
from microagg.model.errors import InputError
from microagg.model.limits import Limits
from microagg.model.names import listing
from microagg.model.problem import Problem
from microagg.model.table import Table
from microagg.model.treatment import Treatment
from microagg.model.verification import Certification, Finding
from microagg.read import read
from microagg.select import select

_SSE_TOLERANCE = 1e-9  # relative: between the sse that is claimed and that of the labels
_BOUND_TOLERANCE = 1e-12  # relative: by how much the bound may exceed the sse of the labels, as both are rounded


def certify(
    certificate: str | PathLike[str] | Mapping[str, Any],
    data: Any,
    *,
    run: Run | None = None,
    progress: Progress | None = None,
) -> Certification:
    """Check whether a certificate proves what it claims of some data.

    The data are read and every candidate group is listed anew, by code that shares nothing with the solver. Integer
    programmes are as exact as HiGHS; everything else is floating point with allowance for rounding.

    Parameters
    ----------
    certificate
        The path of a certificate, or what the file holds: the text that `as_certificate` returned, or its mapping.
    data
        The records: a path, a dataframe or an array.
    run
        Time limit, progress, and the means to cancel the check from another thread: a check that is cut short certifies
        nothing.
    progress
        Progress callback that gets how far the check is, where no run is given.

    Returns
    -------
    Certification
        The verdict, the certified bound, and every finding.

    Raises
    ------
    InputError
        If certificate or data cannot be read, or the run has a limit that a check does not know.

    Examples
    --------
    Two pairs of equal records, and duals of zero:

    >>> import microagg
    >>> proof = {"duals": [0.0, 0.0, 0.0, 0.0], "cuts": []}
    >>> root = {"parent": None, "pair": None, "together": None, "lists": True, "proofs": [proof], "ends": "bound"}
    >>> claim = {"format": "microagg certificate 2", "k": 2, "n_records": 4, "columns": ["0"], "standardise": True}
    >>> claim |= {"labels": [0, 0, 1, 1], "sse": 0.0, "lower_bound": 0.0, "nodes": [root]}
    >>> microagg.certify(claim, [[1.0], [1.0], [5.0], [5.0]]).optimal
    True
    """
    with run_of(run, progress).under_way(Limits()) as under_way:
        if unknown := [name for name in under_way.limits.given if name != "time_limit"]:
            raise InputError(f"a check has nothing that {' or '.join(unknown)} could limit: leave it out")
        return _certification(read_certificate(certificate), read(data), under_way)


def _certification(claim: Certificate, table: Table, run: Run) -> Certification:
    findings = [_check_read(claim), _check_data(claim, table)]
    sse = loss = bound = None
    if findings[-1].passed:
        names = select(table, claim.columns)
        _, problem = encode(table, names, claim.k, Treatment.plain(claim.standardise))
        sse = _sse(problem, claim.labels)
        loss, bound = (100 * value / problem.sst if problem.sst else 0.0 for value in (sse, claim.lower_bound))
        findings += [_check_groups(claim), _check_loss(claim, sse)]
        if claim.is_divided:
            findings.append(check_division(claim))
        findings += [_check_cuts(claim), check_trees(claim)]
        if all(finding.passed for finding in findings):
            findings.append(check_all_leaves(claim, problem, run))
    return Certification(
        claim.k,
        claim.n_records,
        claim.columns,
        sse,
        claim.lower_bound,
        loss,
        bound,
        tuple(findings),
        n_parts=len(claim.parts),
    )


def _check_read(claim: Certificate) -> Finding:
    proofs = sum(len(node.proofs) for node in claim.nodes)
    parts = f"{len(claim.parts)} parts, " if claim.is_divided else ""
    return Finding("certificate", True, f"{parts}{len(claim.nodes)} nodes, {proofs} dual solutions")


def _check_data(claim: Certificate, table: Table) -> Finding:
    missing = [name for name in claim.columns if name not in table.names]
    if missing:
        return Finding("data", False, f"there is no column {listing(missing)}: the table has {listing(table.names)}")
    if claim.n_records != table.n_records:
        return Finding("data", False, f"expected {claim.n_records} records, found {table.n_records}")
    return Finding("data", True, f"{table.n_records} records, in {listing(claim.columns)}")


def _check_groups(claim: Certificate) -> Finding:
    sizes = np.unique(claim.labels, return_counts=True)[1]
    detail = f"{len(sizes)} of {sizes.min()} to {sizes.max()} records, k = {claim.k}"
    return Finding("groups", bool(sizes.min() >= claim.k), detail)


def _sse(problem: Problem, labels: IntArray) -> float:
    groups = [problem.X[labels == label] for label in np.unique(labels)]
    return math.fsum(float(np.square(group - group.mean(axis=0)).sum()) for group in groups)


def _check_loss(claim: Certificate, sse: float) -> Finding:
    if not abs(claim.sse - sse) <= _SSE_TOLERANCE * sse:
        return Finding("loss", False, f"the groups have sse {sse:.12g}, not {claim.sse:.12g} as claimed")
    if claim.lower_bound > (1 + _BOUND_TOLERANCE) * sse:
        return Finding("loss", False, f"the groups have sse {sse:.12g}, below the bound of {claim.lower_bound:.12g}")
    return Finding("loss", True, f"the groups have sse {sse:.12g} as claimed, the bound is {claim.lower_bound:.12g}")


def _check_cuts(claim: Certificate) -> Finding:
    count = 0
    for number, part in enumerate(claim.parts, start=1):
        for place, node in enumerate(part.nodes):
            for cut in (cut for proof in node.proofs for cut in proof.cuts):
                count += 1
                if fault := _cut_fault(cut, len(part.records)):
                    which = f"part {number}: " if claim.is_divided else ""
                    return Finding("cuts", False, f"{which}node {place} has a cut with {fault}")
    return Finding("cuts", True, f"all {count} hold for every partition")


def _cut_fault(cut: Cut, n: int) -> str | None:
    """Return why a cut need not hold for every partition, or why its dual has the wrong sign."""
    if not all(0 <= record < n for record in cut.records) or len(set(cut.records)) < len(cut.records):
        return f"records {cut.records}: expected distinct ones of 0 to {n - 1}"
    if not all(weight >= 1 for weight in cut.weights):
        return f"weights {cut.weights}: expected none below 1"
    if cut.denominator < 2:
        return f"denominator {cut.denominator}: expected at least 2"
    return f"dual {cut.dual}: expected none below 0" if cut.dual < 0.0 else None
