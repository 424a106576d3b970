"""Check a certificate of optimality, whoever made it: nothing is shared with what makes certificates but the data.

Certified is that no partition into groups of at least k loses less than B, the lower bound. Groups of 2k records or
more can be split without loss, so only those of k … 2k − 1 are looked at. Two records are together in a partition or
apart: so one below B would obey the rules of some leaf of the branching tree, and it is enough to show that none does.
How that is shown for a leaf, `certify.proof` says.
"""

import math
from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from microagg.certify.branching import closed, whole
from microagg.certify.certificate_reader import Certificate, Cut, read_certificate
from microagg.certify.priced_groups import Case
from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.encode import encode
from microagg.model.arrays import IntArray
from microagg.model.errors import InputError
from microagg.model.limits import Limits
from microagg.model.names import listing
from microagg.model.problem import Problem
from microagg.model.table import Table
from microagg.model.verification import Certification, Finding
from microagg.read import read
from microagg.select import select

__all__ = ["certify"]

_AS_CLAIMED = 1e-9  # relative: how well what the labels lose is to agree
_ROUNDING = 1e-12  # relative: of what the labels lose


def certify(
    certificate: str | PathLike[str] | Mapping[str, Any],
    data: Any,
    *,
    run: Run | None = None,
    progress: Progress | None = None,
) -> Certification:
    """Check that a certificate proves what it claims of some data.

    Parameters
    ----------
    certificate
        A path to a certificate, or what it holds.
    data
        The records: a path, a dataframe or an array.
    run
        Time limit, progress, and the way to cancel the check from another thread: one that is cut short certifies
        nothing.
    progress
        Is told how far the work is, where no run is handed in.

    Raises
    ------
    InputError
        Where certificate or data cannot be read.
    """
    with run_of(run, progress).under_way(Limits()) as under_way:
        if ignored := [name for name in under_way.limits.given if name != "time_limit"]:
            raise InputError(f"a check has nothing that {' or '.join(ignored)} could limit: leave it out")
        return _certified(read_certificate(certificate), read(data), under_way)


def _certified(claim: Certificate, table: Table, run: Run) -> Certification:
    findings = [_read(claim), _data(claim, table)]
    sse = loss = bound = None
    if findings[-1].passed:
        names = select(table, claim.columns)
        _, problem = encode(table, names, claim.k, claim.standardise)
        sse = _sse(problem, claim.labels)
        loss, bound = (100 * value / problem.sst if problem.sst else 0.0 for value in (sse, claim.lower_bound))
        findings += [_sizes(claim), _loss(claim, sse), _cuts(claim), Finding("tree", *whole(claim.nodes, problem.n))]
        if all(finding.passed for finding in findings):
            findings.append(Finding("leaves", *closed(claim.nodes, Case.of(problem, claim.lower_bound, run))))
    return Certification(claim.k, claim.n_records, claim.columns, sse, claim.lower_bound, loss, bound, tuple(findings))


def _read(claim: Certificate) -> Finding:
    proofs = sum(len(node.proofs) for node in claim.nodes)
    return Finding("certificate", True, f"{len(claim.nodes)} nodes, {proofs} proofs")


def _data(claim: Certificate, table: Table) -> Finding:
    missing = [name for name in claim.columns if name not in table.names]
    if missing:
        return Finding("data", False, f"there is no column {listing(missing)}: the table has {listing(table.names)}")
    if claim.n_records != table.n_records:
        return Finding("data", False, f"expected {claim.n_records} records, found {table.n_records}")
    return Finding("data", True, f"{table.n_records} records, in {listing(claim.columns)}")


def _sizes(claim: Certificate) -> Finding:
    sizes = np.unique(claim.labels, return_counts=True)[1]
    detail = f"{len(sizes)} of {sizes.min()} to {sizes.max()} records, k = {claim.k}"
    return Finding("groups", bool(sizes.min() >= claim.k), detail)


def _sse(problem: Problem, labels: IntArray) -> float:
    groups = [problem.X[labels == label] for label in np.unique(labels)]
    return math.fsum(float(np.square(group - group.mean(axis=0)).sum()) for group in groups)


def _loss(claim: Certificate, sse: float) -> Finding:
    if not abs(claim.sse - sse) <= _AS_CLAIMED * sse:
        return Finding("loss", False, f"the groups lose {sse:.12g}, not {claim.sse:.12g} as is claimed")
    if claim.lower_bound > (1 + _ROUNDING) * sse:
        return Finding("loss", False, f"the groups lose {sse:.12g}, less than the bound, {claim.lower_bound:.12g}")
    return Finding("loss", True, f"the groups lose {sse:.12g} as is claimed, the bound is {claim.lower_bound:.12g}")


def _cuts(claim: Certificate) -> Finding:
    count = 0
    for place, node in enumerate(claim.nodes):
        for proof in node.proofs:
            for cut in proof.cuts:
                count += 1
                if fault := _fault(cut, claim.n_records):
                    return Finding("cuts", False, f"node {place} has a cut with {fault}")
    return Finding("cuts", True, f"all {count} hold for every partition")


def _fault(cut: Cut, n: int) -> str | None:
    """Say why a cut need not hold for every partition, or why its dual is of the wrong sign."""
    if not all(0 <= record < n for record in cut.records) or len(set(cut.records)) < len(cut.records):
        return f"records {cut.records}: expected distinct ones of 0 to {n - 1}"
    if not all(weight >= 1 for weight in cut.weights):
        return f"weights {cut.weights}: expected none below 1"
    if cut.denominator < 2:
        return f"denominator {cut.denominator}: expected at least 2"
    return f"dual {cut.dual}: expected none below 0" if cut.dual < 0.0 else None
