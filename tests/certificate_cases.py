"""Small certificates made by brute force: the duals of linear programmes over all groups."""

import copy
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from scipy.optimize import linprog

import naive
from microagg import Problem, Run, read
from microagg.certify.checked_problem import CheckedProblem
from microagg.certify.claim import Cut, Decision, DualSolution
from microagg.encode import encode
from microagg.model.arrays import FloatArray, IntArray

Json = dict[str, Any]


class Branched(NamedTuple):
    """Data of eight records, k = 2, and a certificate of two leaves: records 1 and 5 together, and apart."""

    data: FloatArray
    X: FloatArray
    certificate: Json


A_BIT_LESS = 1 - 1e-9
"""Factor that lowers a bound by more than the rounding of a linear programme."""


def table(random_state: int | np.random.Generator, n: int, d: int = 2) -> FloatArray:
    """Draw records of three decimals."""
    return np.random.default_rng(random_state).normal(size=(n, d)).round(3)


def standardised(data: FloatArray, k: int) -> FloatArray:
    """Return the points that `certify` makes of some data."""
    source = read(data)
    return encode(source, source.names, k)[1].X


def checked(X: FloatArray, k: int, lower_bound: float = 0.0, run: Run | None = None) -> CheckedProblem:
    return CheckedProblem.of(Problem(X, k), lower_bound, Run() if run is None else run)


def every_group(n: int, k: int, decisions: Sequence[tuple[int, int, bool]] = ()) -> Iterator[tuple[int, ...]]:
    """Yield every group of k to 2k − 1 records that obeys some branching decisions."""
    for size in range(k, min(2 * k - 1, n) + 1):
        for group in combinations(range(n), size):
            if all(len({one, other} & {*group}) != (1 if together else 2) for one, other, together in decisions):
                yield group


def sse(X: FloatArray, group: Sequence[int]) -> float:
    return float(naive.sse(X[list(group)], np.zeros(len(group))))


def best_labels(X: FloatArray, k: int) -> IntArray:
    """Return the labels of the best partition, by trying all."""
    best = min(naive.partitions(list(range(len(X))), k), key=lambda groups: sum(sse(X, group) for group in groups))
    labels = np.empty(len(X), dtype=np.int64)
    for label, group in enumerate(best):
        labels[group] = label
    return labels


def triples(n: int) -> list[Json]:
    """Return the cut of each three records: weights 1, denominator 2."""
    return [{"records": [*three], "weights": [1, 1, 1], "denominator": 2} for three in combinations(range(n), 3)]


def reduced_cost(X: FloatArray, group: Sequence[int], proof: Json) -> float:
    cost: float = sse(X, group) - sum(proof["duals"][record] for record in group)
    for cut in proof["cuts"]:
        weight = sum(w for record, w in zip(cut["records"], cut["weights"], strict=True) if record in group)
        cost += cut["dual"] * (weight // cut["denominator"])
    return cost


def dual_solution(proof: Json) -> DualSolution:
    """Read a proof as `certify` does."""
    cuts = [Cut(tuple(cut["records"]), tuple(cut["weights"]), cut["denominator"], cut["dual"]) for cut in proof["cuts"]]
    return DualSolution(np.array(proof["duals"]), tuple(cuts))


def decisions_of(decisions: Sequence[tuple[int, int, bool]]) -> list[Decision]:
    return [Decision(*decision) for decision in decisions]


def linear_programme(
    X: FloatArray, k: int, decisions: Sequence[tuple[int, int, bool]] = (), cuts: Sequence[Json] = ()
) -> tuple[Json | None, float]:
    """Return the duals of the linear programme over all groups that obey the decisions, and its optimum.

    None and infinity where it has no solution.
    """
    n = len(X)
    groups = list(every_group(n, k, decisions))
    if not groups:
        return None, np.inf
    holds = np.array([[record in group for group in groups] for record in range(n)], dtype=float)
    weights = np.zeros((len(cuts), n))
    for row, cut in zip(weights, cuts, strict=True):
        row[cut["records"]] = cut["weights"]
    q = np.array([cut["denominator"] for cut in cuts]).reshape(-1, 1)
    found = linprog(
        [sse(X, group) for group in groups],
        A_eq=holds,
        b_eq=np.ones(n),
        A_ub=weights @ holds // q if cuts else None,
        b_ub=weights.sum(axis=1) // q[:, 0] if cuts else None,
    )
    if found.status == 2:
        return None, np.inf
    priced = [{**cut, "dual": max(0.0, -mu)} for cut, mu in zip(cuts, found.ineqlin.marginals.tolist(), strict=True)]
    return {"duals": found.eqlin.marginals.tolist(), "cuts": priced}, float(found.fun)


def node(
    *proofs: Json | None,
    ends: str,
    decision: tuple[int, int, bool] | None = None,
    parent: int | None = None,
    lists: bool = True,
) -> Json:
    pair, together = (None, None) if decision is None else ([*decision[:2]], decision[2])
    return {"parent": parent, "pair": pair, "together": together, "lists": lists, "proofs": [*proofs], "ends": ends}


def certificate(
    data: FloatArray, k: int, lower_bound: float, nodes: Sequence[Json], labels: Sequence[int] | IntArray | None = None
) -> Json:
    """Make a certificate, of the best labels unless others are given."""
    X = standardised(data, k)
    labels = best_labels(X, k) if labels is None else np.asarray(labels)
    return {
        "format": "microagg certificate 2",
        "k": k,
        "n_records": len(X),
        "columns": list(read(data).names),
        "standardise": True,
        "labels": labels.tolist(),
        "sse": naive.sse(X, labels),
        "lower_bound": lower_bound,
        "nodes": [*nodes],
    }


def changed(original: Json, *path: str | int, to: Any) -> Json:
    """Return a copy with one entry changed, to a value or by a function."""
    copied = copy.deepcopy(original)
    *way, last = path
    place: Any = copied
    for step in way:
        place = place[step]
    place[last] = to(place[last]) if callable(to) else to
    return copied


def draw_data(draw: st.DataObject, max_n: int) -> tuple[np.random.Generator, FloatArray, int]:
    """Draw a generator, some records, often equal ones, and k."""
    rng = np.random.default_rng(draw.draw(st.integers(0, 2**32 - 1)))
    k = draw.draw(st.integers(1, 3))
    n = draw.draw(st.integers(max(k, 2), max_n))
    d = draw.draw(st.integers(1, 3))
    data = rng.integers(0, 4, (n, d)).astype(float) if draw.draw(st.booleans()) else rng.normal(size=(n, d))
    return rng, data, k


def draw_proof(
    draw: st.DataObject, rng: np.random.Generator, X: FloatArray, k: int, decisions: Sequence[tuple[int, int, bool]]
) -> Json:
    """Draw duals near those of the linear programme or far from them, with cuts of any kind."""
    n, proof = len(X), None
    if draw.draw(st.booleans()):
        proof, _ = linear_programme(X, k, decisions)
    duals = np.array(proof["duals"]) if proof else rng.normal(0.5, 1.0, n)
    duals += draw.draw(st.sampled_from([0.0, 0.01, 1.0])) * rng.normal(size=n)
    cuts = []
    for _ in range(draw.draw(st.integers(0, 12))):
        records = rng.choice(n, int(rng.integers(1, min(n, 6) + 1)), replace=False).tolist()
        weights = rng.integers(1, 4, len(records)).tolist()
        dual = float(rng.exponential(draw.draw(st.sampled_from([0.0, 0.1, 1.0]))))
        cuts.append({"records": records, "weights": weights, "denominator": int(rng.integers(2, 6)), "dual": dual})
    return {"duals": duals.tolist(), "cuts": cuts}
