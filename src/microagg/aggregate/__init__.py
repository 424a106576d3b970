"""Replace the chosen columns of each record by what stands for its group: means, medians, modes, medoids or sets."""

from microagg.aggregate.group_statistics import GroupMeans
from microagg.aggregate.released_columns import aggregate, holds_integers
from microagg.aggregate.whole_columns import WholeColumn, whole_column

__all__ = ["GroupMeans", "WholeColumn", "aggregate", "holds_integers", "whole_column"]
