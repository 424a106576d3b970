"""Refiners, which make a partition no worse: one file each, one line each in the dict below."""

from microagg.control.stages import Refine
from microagg.refine.decompose import Decompose
from microagg.refine.descent import Descent
from microagg.refine.icsm import Icsm
from microagg.refine.igd import Igd, Tfrp2
from microagg.refine.imhm import Imhm
from microagg.refine.iterated_local_search import IteratedLocalSearch
from microagg.refine.ona import Ona
from microagg.refine.recut import Recut
from microagg.refine.reorder import Reorder
from microagg.refine.search import Search

REFINERS: dict[str, Refine] = {
    "recut": Recut(),
    "imhm": Imhm(),
    "tfrp2": Tfrp2(),
    "decompose": Decompose(),
    "igd": Igd(),
    "ls": IteratedLocalSearch(),
    "ona": Ona(),
    "icsm": Icsm(),
    "reorder": Reorder(),
    "descent": Descent(),
    "search": Search(),
}
