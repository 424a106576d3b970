"""Proofs of optimality by branch, price and cut."""

from microagg.control.stages import Bound
from microagg.exact.exact_bound import Exact

EXACT: dict[str, Bound] = {"exact": Exact()}
