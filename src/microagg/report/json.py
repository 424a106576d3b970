"""Report in JSON, for other programs."""

import json
from dataclasses import asdict
from typing import Any

from microagg.release import Release
from microagg.solution import Solution


def as_json(release: Release) -> str:
    """Write everything that a program may want to know of the release but the data."""
    solution = release.solution
    facts = {
        "columns": list(release.columns),
        "keep_integers": release.keep_integers,
        "shuffled": release.table.order is not None,
        **solution_facts(solution),
        "smallest_group": int(release.sizes.min()),
        "largest_group": int(release.sizes.max()),
        "verified": release.measures.k_reached >= release.k,
        "measures": asdict(release.measures),
    }
    return json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False)


def solution_facts(solution: Solution) -> dict[str, Any]:
    """Give what a program may want to know of a solution: how much is lost, and how much must be."""
    bound = solution.bound
    return {
        "method": solution.method,
        "k": solution.partition.problem.k,
        "n_records": len(solution.labels),
        "n_groups": solution.n_groups,
        "sse": solution.sse,
        "sst": solution.sst,
        "information_loss": solution.information_loss,
        "lower_bound": solution.lower_bound,
        "bound_kind": None if bound is None else bound.kind,
        "bound_converged": None if bound is None else bound.converged,
        "bound_ended_by": None if bound is None else bound.ended_by,
        "gap": solution.gap,
        "status": solution.status,
        "iterations": solution.iterations,
        "ended_by": solution.ended_by,
        "reproducible": solution.reproducible,
    }
