"""Proofs of optimality, checked as certificates."""

import json
from typing import Any

import polars as pl

from microagg import LowerBound, Partition, Problem
from microagg.certify import certify
from microagg.model.verification import Certification


def certified(problem: Problem, bound: LowerBound, partition: Partition) -> Certification:
    """Check the proof of a bound with the code that shares nothing with what made it."""
    assert bound.proof is not None
    names = [f"x{column}" for column in range(problem.d)]
    facts: dict[str, Any] = {
        "format": "microagg certificate 2",
        "k": problem.k,
        "n_records": problem.n,
        "columns": names,
        "standardise": False,
        "labels": partition.labels.tolist(),
        "sse": partition.sse,
        "lower_bound": bound.sse,
        "nodes": list(bound.proof()),
    }
    return certify(json.loads(json.dumps(facts)), pl.DataFrame(problem.X, schema=names))
