"""Set partitioning by linear programming over HiGHS: group columns, rank-1 cuts, pricing and integer programmes."""
