"""Certificates: the proof of a bound in JSON, for `microagg certify` to check."""

import json

from microagg.model.errors import InputError
from microagg.model.release import Release
from microagg.model.solution import Solution


def as_certificate(result: Solution | Release) -> str:
    """Return the proof of a solution's lower bound as JSON.

    A certificate tells who is grouped with whom: keep it with the original data.

    Parameters
    ----------
    result
        What `solve` or `protect` returned, by method "exact".

    Returns
    -------
    str
        One JSON object: the groups, the bound, and the branching tree with its dual solutions.

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
    bound = solution.bound
    if bound is None or bound.proof is None:
        reason = "no bound was asked for" if bound is None else f"the bound was proved by {bound.kind}"
        raise InputError(f"there is no certificate, as {reason}: choose the method 'exact', and a small k")
    encoding = solution.encoding
    if encoding is None:
        raise InputError("there is no certificate, as the problem was stated without columns: solve a table")
    if not encoding.is_plain:
        raise InputError(
            "there is no certificate, as not every column is a number on its own scale or scaled to variance 1: "
            "certificates hold no categories, dates, transforms and other scales"
        )
    facts = {
        "format": "microagg certificate 2",
        "k": solution.partition.problem.k,
        "n_records": len(solution.labels),
        "columns": list(encoding.names),
        "standardise": encoding.standardise,
        "labels": solution.labels.tolist(),
        "sse": solution.sse,
        "lower_bound": bound.sse,
        "nodes": list(bound.proof()),
    }
    return json.dumps(facts, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
