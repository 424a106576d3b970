"""Check of the parts that a certificate divides the records into, each of which is grouped on its own."""

import math
from collections import Counter

import numpy as np

from microagg.certify.checked_problem import CheckedProblem
from microagg.certify.claim import Certificate, ClaimedPart
from microagg.certify.leaf_check import check_leaves
from microagg.certify.tree_shape import check_tree
from microagg.certify.unproved_part import check_unproved
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.model.names import quantity
from microagg.model.problem import Problem
from microagg.model.verification import Finding


def check_division(claim: Certificate) -> Finding:
    """Check that parts hold each record once, that no group is in two of them, and that their bounds add up.

    A partition of all records whose groups are within parts is one of each part, and its sse is the sum of theirs: so
    lower bounds of the parts add up to one of the whole.
    """
    fault = _cover_fault(claim) or _crossing_fault(claim) or _sum_fault(claim)
    if fault is not None:
        return Finding("parts", False, fault)
    detail = f"{quantity(len(claim.parts), 'part')} hold each record once, no group is in two, and their bounds add up"
    return Finding("parts", True, detail)


def check_trees(claim: Certificate) -> Finding:
    """Check that the branching trees leave nothing out."""
    if not claim.is_divided:
        return check_tree(claim.nodes, claim.n_records)
    proved = {number: part for number, part in enumerate(claim.parts, start=1) if part.nodes}
    for number, part in proved.items():
        finding = check_tree(part.nodes, len(part.records))
        if not finding.passed:
            return Finding("tree", False, f"part {number}: {finding.detail}")
    leaves = sum(node.is_leaf for node in claim.nodes)
    detail = f"{leaves} of {len(claim.nodes)} nodes are leaves, of the trees of {quantity(len(proved), 'part')}"
    return Finding("tree", True, detail)


def check_all_leaves(claim: Certificate, problem: Problem, run: Run) -> Finding:
    """Check that no leaf of the tree of any part has a partition below the bound of that part."""
    if not claim.is_divided:
        return check_leaves(claim.nodes, CheckedProblem.of(problem, claim.lower_bound, run))
    n_before = 0
    closed_by: Counter[str] = Counter()
    for number, part in enumerate(claim.parts, start=1):
        try:
            run.tick("certify", n_before / problem.n, f"part {number} of {len(claim.parts)}")
        except StoppedError as stopped:
            return Finding("leaves", False, f"the check was ended at part {number} by {stopped.ending}")
        finding = _check_part(part, problem, run, n_before / problem.n)
        if not finding.passed:
            return Finding("leaves", False, f"part {number}: {finding.detail}")
        closed_by["by a tree" if part.nodes else finding.detail] += 1
        n_before += len(part.records)
    how = ", ".join(f"{quantity(count, 'part')} {way}" for way, count in closed_by.items())
    return Finding("leaves", True, f"no part has a partition of an sse below its bound: {how}")


def _check_part(part: ClaimedPart, problem: Problem, run: Run, done: float) -> Finding:
    alone = problem.part(part.records)
    if not part.nodes:
        return check_unproved(alone, part.lower_bound)
    checked = CheckedProblem.of(alone, part.lower_bound, run)
    return check_leaves(part.nodes, checked, done, alone.n / problem.n)


def _cover_fault(claim: Certificate) -> str | None:
    records = np.sort(np.concatenate([part.records for part in claim.parts]))
    if np.array_equal(records, np.arange(claim.n_records)):
        return None
    return f"the parts hold {len(records)} records: expected each of 0 to {claim.n_records - 1} in one of them"


def _crossing_fault(claim: Certificate) -> str | None:
    part_of: dict[int, int] = {}  # by the label of a group
    for number, part in enumerate(claim.parts, start=1):
        for label in np.unique(claim.labels[part.records]).tolist():
            if part_of.setdefault(label, number) != number:
                return f"group {label} has records of parts {part_of[label]} and {number}"
    return None


def _sum_fault(claim: Certificate) -> str | None:
    """Return by how much more than the sum of the parts is claimed; the sum is rounded down."""
    total = math.fsum(part.lower_bound for part in claim.parts)
    if claim.lower_bound <= max(0.0, math.nextafter(total, -math.inf)):
        return None
    return f"the bounds of the parts add up to {total:.12g}, the claimed bound is {claim.lower_bound:.12g}"
