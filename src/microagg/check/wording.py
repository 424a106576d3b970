"""Words that findings share."""

from collections.abc import Sequence

from microagg.model.names import listing


def where(columns: Sequence[str], strata: Sequence[str] = ()) -> str:
    """Say in which columns records are compared."""
    within = f" within strata of {listing(strata)}" if strata else ""
    return f"in {listing(columns)}{within}"
