"""Choose groups so that every record is in one of them and least is lost: set partitioning, by HiGHS.

Rows are records, and inequalities that every choice of whole columns obeys; columns are groups.
"""

from microagg.lp.cheapest_group import cheapest_group
from microagg.lp.highs import Vertex
from microagg.lp.integer_programme import Settled, choose, settle
from microagg.lp.restricted_master import Master, relax

__all__ = ["Master", "Settled", "Vertex", "cheapest_group", "choose", "relax", "settle"]
