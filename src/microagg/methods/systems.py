"""Named systems: pipelines that the library or a paper has put together."""

from dataclasses import replace

from microagg.bound import BOUNDS
from microagg.bound.automatic import Automatic
from microagg.bound.column_generation import ColumnGeneration
from microagg.construct import CONSTRUCTORS
from microagg.construct.dba import Dba
from microagg.construct.fixed_size import FixedSize
from microagg.construct.growth_rules import Nearest
from microagg.construct.kmeans import KMeans, nearest_random_means
from microagg.control.stages import Bound, Chain
from microagg.exact.exact_bound import Exact
from microagg.methods.pipelines import Pipeline
from microagg.refine import REFINERS
from microagg.refine.block_schedule import LARGEST_WHOLE
from microagg.refine.reorder import RepOrder
from microagg.refine.search import Search

AUTO = "auto"  # reported under the name of the system that it stands for
_N_COLUMN_SEARCHES = 3  # quick searches whose groups are the first group columns of a proof

_COLUMN_SEARCHES = tuple(
    Chain(CONSTRUCTORS["mdav"], (Search("quick"),), (number,)) for number in range(_N_COLUMN_SEARCHES)
)
_DBA_2P = FixedSize(Dba(p=10), Nearest())  # ten: our choice, the paper leaves it to the user
_PAPER_BOUND = ColumnGeneration("paper", "both", (Chain(CONSTRUCTORS["v-mdav"]),))
_EXACT = Exact(first=_COLUMN_SEARCHES, refine=REFINERS["descent"], search=Search("standard"))
SHORT_PROOF = replace(_EXACT, branches=5)
_GENERATION = ColumnGeneration(first=_COLUMN_SEARCHES)
DEFAULT_BOUND = Automatic(_GENERATION)
THOROUGH_BOUND = Automatic(SHORT_PROOF)
NAMED_BOUNDS: dict[str, Bound] = {
    **BOUNDS,
    "automatic": DEFAULT_BOUND,
    "column-generation": _GENERATION,
    "exact": _EXACT,
}
_UNIVARIATE = Pipeline(
    "univariate",
    CONSTRUCTORS["univariate"],
    bound=BOUNDS["sorted-cut"],
    bound_is_optional=True,
    cuts_optimally=True,
    takes_improved=True,
)

SYSTEMS: dict[str, Pipeline] = {
    AUTO: Pipeline(
        "search",
        CONSTRUCTORS["mdav"],
        (REFINERS["search"],),
        one_column=_UNIVARIATE,
        takes_improved=True,
        largest_whole=LARGEST_WHOLE,
    ),
    "search": Pipeline("search", CONSTRUCTORS["mdav"], (REFINERS["search"],), takes_improved=True),
    "imhm": Pipeline("imhm", CONSTRUCTORS["mdav"], (REFINERS["imhm"],)),
    "icsm": Pipeline("icsm", CONSTRUCTORS["mdav"], (REFINERS["icsm"],)),
    "reporder": Pipeline("reporder", KMeans(means=1), (RepOrder(nearest_random_means),)),
    "column-generation": Pipeline("column-generation", CONSTRUCTORS["mdav"], bound=_PAPER_BOUND, takes_improved=True),
    "exact": Pipeline("exact", CONSTRUCTORS["mdav"], (REFINERS["search"],), bound=_EXACT, takes_improved=True),
    "univariate": _UNIVARIATE,
    "ls": Pipeline("ls", CONSTRUCTORS["mdav"], (REFINERS["ls"],)),
    "ona": Pipeline("ona", CONSTRUCTORS["mdav"], (REFINERS["ona"],)),
    "mdav-2": Pipeline("mdav-2", CONSTRUCTORS["mdav"], (REFINERS["decompose"],)),
    "dba-2": Pipeline("dba-2", CONSTRUCTORS["dba-1"], (REFINERS["decompose"],)),
    "dba-2p": Pipeline("dba-2p", _DBA_2P, (REFINERS["decompose"],)),
}
