"""Replace the chosen columns of each record by what stands for its group: means, medians, modes, medoids or sets."""

from microagg.aggregate.group_statistics import GroupMeans
from microagg.aggregate.released_columns import aggregate, holds_integers

__all__ = ["GroupMeans", "aggregate", "holds_integers"]
