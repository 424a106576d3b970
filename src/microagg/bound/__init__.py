"""Lower bounds of the sse: one file each, one line below."""

from microagg.bound.automatic import Automatic
from microagg.bound.column_generation import ColumnGeneration
from microagg.bound.dual_ascent import DualAscent
from microagg.bound.neighbour_bound import Neighbours
from microagg.bound.sorted_cut import SortedCut
from microagg.control.stages import Bound

BOUNDS: dict[str, Bound] = {
    "sorted-cut": SortedCut(),
    "column-generation": ColumnGeneration(),
    "neighbours": Neighbours(),
    "dual-ascent": DualAscent(),
    "automatic": Automatic(),
}
