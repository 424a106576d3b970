"""The proof of a bound, written down so that `microagg certify` can check it."""

import json

from microagg.model.errors import InputError
from microagg.model.release import Release
from microagg.model.solution import Solution


def as_certificate(result: Solution | Release) -> str:
    """Write what was proved of a solution, and how, in JSON.

    Parameters
    ----------
    result
        What `solve` or `protect` gave, by method "exact".

    Raises
    ------
    InputError
        Where nothing was proved that can be checked.
    """
    solution = result.solution if isinstance(result, Release) else result
    bound = solution.bound
    if bound is None or bound.proof is None:
        how = "no bound was asked for" if bound is None else f"the bound was proved by {bound.kind}"
        raise InputError(f"there is no certificate, as {how}: choose the method 'exact', and a small k")
    encoding = solution.encoding
    if encoding is None:
        raise InputError("there is no certificate, as the problem was stated without columns: solve a table")
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
