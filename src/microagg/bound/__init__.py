"""Prove what no partition can beat: one file a bound, one line below."""

from microagg.bound.automatic import Automatic
from microagg.bound.column_generation import ColumnGeneration
from microagg.bound.exact import Exact
from microagg.bound.neighbours import Neighbours
from microagg.bound.sorted_cut import SortedCut
from microagg.control.stages import Bound

BOUNDS: dict[str, Bound] = {
    "sorted-cut": SortedCut(),
    "column-generation": ColumnGeneration(),
    "exact": Exact(),
    "neighbours": Neighbours(),
    "automatic": Automatic(),
}
