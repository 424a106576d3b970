"""Records of how a bound was proved, which `certify` can check."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from microagg.exact.branch_node import NodeRecord
from microagg.lp.duals import Duals

_SIGNIFICANT_DIGITS = 13  # of duals: others prove the same, but for rounding


def proof_nodes(records: Sequence[NodeRecord], scale: float) -> tuple[dict[str, Any], ...]:
    """List the nodes of a branching tree, with the duals that prove each one's bound, in the units of the sse.

    A node that only branches needs no proof, unless its branches stand on the groups that it has listed.
    """
    return tuple(_node(record, scale) for record in records)


def trivial_proof(n: int) -> tuple[dict[str, Any], ...]:
    """Return the proof that no partition of n records loses less than 0."""
    proof = {"duals": [0.0] * n, "cuts": []}
    return ({"parent": None, "pair": None, "together": None, "lists": True, "proofs": [proof], "ends": "bound"},)


def _node(record: NodeRecord, scale: float) -> dict[str, Any]:
    node = record.node
    proofs = record.proofs or [node.duals]
    is_needed = record.inherits or record.listed or record.ends != "branches"
    rule = node.rules[-1] if node.rules else None
    return {
        "parent": node.parent,
        "pair": None if rule is None else [int(rule.first), int(rule.second)],
        "together": None if rule is None else rule.together,
        "lists": is_needed and not record.inherits,
        "proofs": [_proof(duals, scale) for duals in proofs] if is_needed else [],
        "ends": record.ends,
    }


def _proof(duals: Duals, scale: float) -> dict[str, Any]:
    cuts = duals.cuts
    recorded = [
        {
            "records": cuts.records[cuts.starts[cut] : cuts.starts[cut + 1]].tolist(),
            "weights": cuts.weights[cuts.starts[cut] : cuts.starts[cut + 1]].tolist(),
            "denominator": int(cuts.denominators[cut]),
            "dual": _rounded(-duals.of_cuts[cut] / scale),
        }
        for cut in np.flatnonzero(duals.of_cuts < 0.0)
    ]
    return {"duals": [_rounded(dual / scale) for dual in duals.of_records], "cuts": recorded}


def _rounded(number: float) -> float:
    return float(f"{number:.{_SIGNIFICANT_DIGITS}g}")
