"""Write down how a bound was proved, so that `certify` can check it."""

from typing import Any

import numpy as np

from microagg.exact.branch_node import Step
from microagg.lp.group_columns import Rows
from microagg.model.arrays import FloatArray

_DIGITS = 13  # of duals: others prove the same but for their rounding


def nodes(steps: list[Step], scale: float) -> tuple[dict[str, Any], ...]:
    """List the nodes of a branching tree, with the duals that prove what is proved of each, in the units of the sse.

    A node that only branches needs no proof, unless its branches stand on the groups that it has listed.
    """
    return tuple(_node(step, scale) for step in steps)


def no_proof(n: int) -> tuple[dict[str, Any], ...]:
    """Give the proof that nothing is lost at the least."""
    proof = {"duals": [0.0] * n, "cuts": []}
    return ({"parent": None, "pair": None, "together": None, "lists": True, "proofs": [proof], "ends": "bound"},)


def _node(step: Step, scale: float) -> dict[str, Any]:
    node = step.node
    proofs = step.proofs or [(node.duals, node.rows)]
    needed = step.inherits or step.listed or step.ends != "branches"
    last = node.pairs[-1] if node.pairs else None
    return {
        "parent": node.parent,
        "pair": None if last is None else [int(record) for record in last[:2]],
        "together": None if last is None else last[2],
        "lists": needed and not step.inherits,
        "proofs": [_proof(*proof, scale) for proof in proofs] if needed else [],
        "ends": step.ends,
    }


def _proof(duals: FloatArray, rows: Rows, scale: float) -> dict[str, Any]:
    of_rows = duals[rows.n :]
    cuts = [
        {
            "records": rows.records[rows.starts[row] : rows.starts[row + 1]].tolist(),
            "weights": rows.weights[rows.starts[row] : rows.starts[row + 1]].tolist(),
            "denominator": int(rows.denominators[row]),
            "dual": _rounded(-of_rows[row] / scale),
        }
        for row in np.flatnonzero(of_rows < 0.0)
    ]
    return {"duals": [_rounded(dual / scale) for dual in duals[: rows.n]], "cuts": cuts}


def _rounded(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")
