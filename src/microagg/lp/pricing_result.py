"""What pricing takes and returns."""

from typing import NamedTuple, Protocol

from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.model.arrays import IntArray

REDUCED_COST_TOL = 1e-8  # of the average sse of a group: reduced costs above its negative count as 0


class TooExpensiveError(Exception):
    """Raised where pricing would have to search more groups than it may."""


class PricingResult(NamedTuple):
    """Group columns that pricing with some duals found, and the lower bound that it proved."""

    columns: GroupColumns  # of negative reduced cost
    lower_bound: float  # the Lagrangian bound of these duals; -inf where not all groups were priced
    cover: IntArray  # (n,) how many columns of that bound each record is in, or of those found where it is -inf


class Pricing(Protocol):
    """Search for group columns of negative reduced cost."""

    def __call__(self, duals: Duals) -> PricingResult:
        """Price with these duals; may raise `TooExpensiveError`."""
