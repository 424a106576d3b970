"""Write the proof of a bound down, so that `microagg certify` can check it."""

import json
from collections.abc import Sequence

from microagg.errors import InputError
from microagg.solution import Solution


def as_certificate(solution: Solution, columns: Sequence[str], standardise: bool) -> str:
    """Write what was proved of a solution, and how, in JSON.

    Parameters
    ----------
    columns, standardise
        What was grouped: see `solve`.
    """
    bound = solution.bound
    if bound is None or bound.proof is None:
        how = "no bound was asked for" if bound is None else f"the bound was proved by {bound.kind}"
        raise InputError(f"there is no certificate, as {how}: choose the method 'exact', and a small k")
    facts = {
        "format": "microagg certificate 2",
        "k": solution.partition.problem.k,
        "n_records": len(solution.labels),
        "columns": list(columns),
        "standardise": standardise,
        "labels": solution.labels.tolist(),
        "sse": solution.sse,
        "lower_bound": bound.sse,
        "nodes": list(bound.proof()),
    }
    return json.dumps(facts, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
