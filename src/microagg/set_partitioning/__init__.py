"""Choose groups so that every record is in one of them and least is lost: set partitioning, by HiGHS.

Rows are records, and inequalities that every choice of whole columns obeys; columns are groups.
"""

from microagg.set_partitioning.cheapest import cheapest_group
from microagg.set_partitioning.model import Vertex
from microagg.set_partitioning.parts import Master, relax
from microagg.set_partitioning.whole import Settled, choose, settle

__all__ = ["Master", "Settled", "Vertex", "cheapest_group", "choose", "relax", "settle"]
