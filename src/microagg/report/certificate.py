"""Certificates: the proof of a bound in JSON, for `microagg certify` to check."""

import json
import math
from typing import Any

from microagg.model.errors import InputError
from microagg.model.release import Release
from microagg.model.solution import Solution, SolvedPart

_ADVICE = "choose the method 'exact', and a small k"


def as_certificate(result: Solution | Release) -> str:
    """Return the proof of a solution's lower bound as JSON.

    Where hard walls divide the records, it holds the proof of each part. A certificate tells who is grouped with whom:
    keep it with the original data.

    Parameters
    ----------
    result
        What `solve` or `protect` returned, by method "exact".

    Returns
    -------
    str
        One JSON object: the groups, the bound, and the branching trees with their dual solutions.

    Raises
    ------
    InputError
        If there is no proof that can be checked: the method was not "exact", or the problem was not read from a table.

    Examples
    --------
    >>> import json, microagg
    >>> X = [[1.0, 2.0], [2.0, 1.0], [1.5, 1.5], [7.0, 8.0], [8.0, 7.0]]
    >>> certificate = json.loads(microagg.as_certificate(microagg.solve(X, k=2, method="exact")))
    >>> certificate["labels"]
    [0, 0, 0, 1, 1]
    >>> microagg.certify(certificate, X).optimal
    True
    """
    solution = result.solution if isinstance(result, Release) else result
    proved = _proved_parts(solution) if solution.parts else _proved_whole(solution)
    encoding = solution.encoding
    if encoding is None:
        raise InputError("there is no certificate, as the problem was stated without columns: solve a table")
    if not encoding.is_plain:
        raise InputError(
            "there is no certificate, as not every column is a number on its own scale or scaled to variance 1: "
            "certificates hold no categories, dates, transforms and other scales"
        )
    if solution.partition.problem.missing is not None:
        raise InputError("there is no certificate, as values are missing: certificates are about complete records")
    facts = {
        "format": "microagg certificate 2",
        "k": solution.partition.problem.k,
        "n_records": len(solution.labels),
        "columns": list(encoding.names),
        "standardise": encoding.standardise,
        "labels": solution.labels.tolist(),
        "sse": solution.sse,
        **proved,
    }
    return json.dumps(facts, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _proved_whole(solution: Solution) -> dict[str, Any]:
    """Return the bound and its proof."""
    bound = solution.bound
    if bound is None or bound.proof is None:
        reason = "no bound was asked for" if bound is None else f"the bound was proved by {bound.kind}"
        raise InputError(f"there is no certificate, as {reason}: {_ADVICE}")
    return {"lower_bound": bound.sse, "nodes": list(bound.proof())}


def _proved_parts(solution: Solution) -> dict[str, Any]:
    """Return the bound and the proof of each part; the sum of their bounds is rounded down."""
    if solution.bound is None:
        raise InputError(f"there is no certificate, as no bound was asked for: {_ADVICE}")
    parts = [_proved_part(solved) for solved in solution.parts]
    total = math.fsum(part["lower_bound"] for part in parts)
    return {"lower_bound": min(solution.bound.sse, max(0.0, math.nextafter(total, -math.inf))), "parts": parts}


def _proved_part(solved: SolvedPart) -> dict[str, Any]:
    bound = solved.solution.bound
    assert bound is not None, "the bound of the whole is the sum of all"
    if bound.proof is None and not _needs_no_proof(solved.solution):
        part = f"the part of {len(solved.part.records)} records with {solved.part.name}"
        raise InputError(f"there is no certificate, as the bound of {part} was proved by {bound.kind}: {_ADVICE}")
    nodes = [] if bound.proof is None else list(bound.proof())
    return {"records": solved.part.records.tolist(), "lower_bound": bound.sse, "nodes": nodes}


def _needs_no_proof(solution: Solution) -> bool:
    """Check whether `certify` finds the optimum of a part itself, or nothing is claimed of it."""
    problem = solution.partition.problem
    return problem.n < 2 * problem.k or len(problem.varying) <= 1 or solution.lower_bound == 0.0
