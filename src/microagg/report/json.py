"""Report in JSON, for other programs."""

import json
from dataclasses import asdict

from microagg.release import Release


def as_json(release: Release) -> str:
    """Write everything that a program may want to know of the release but the data."""
    solution = release.solution
    facts = {
        "method": solution.method,
        "k": release.k,
        "columns": list(release.columns),
        "keep_integers": release.keep_integers,
        "shuffled": release.table.order is not None,
        "n_records": release.measures.n_records,
        "n_groups": release.n_groups,
        "smallest_group": int(release.sizes.min()),
        "largest_group": int(release.sizes.max()),
        "sse": release.sse,
        "sst": solution.sst,
        "information_loss": release.information_loss,
        "lower_bound": release.lower_bound,
        "bound_kind": None if solution.bound is None else solution.bound.kind,
        "gap": release.gap,
        "status": release.status,
        "iterations": solution.iterations,
        "ended_by": solution.ended_by,
        "reproducible": solution.reproducible,
        "verified": release.measures.k_reached >= release.k,
        "measures": asdict(release.measures),
    }
    return json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False)
