"""Linear relaxation over a fixed set of group columns."""

from microagg.control.run import Run
from microagg.lp.group_columns import GroupColumns
from microagg.lp.highs import add_group_columns, is_out_of_time, new_model, read_solution
from microagg.lp.lp_solution import LpSolution
from microagg.lp.rank_one_cuts import RankOneCuts


def solve_relaxation(columns: GroupColumns, run: Run) -> LpSolution | None:
    """Solve the linear relaxation by the interior point method, followed by crossover to a vertex.

    Parameters
    ----------
    columns
        Some of them cover each record once.
    run
        Its time limit holds.

    Returns
    -------
    LpSolution or None
        None where the time was not enough.
    """
    time_limit = run.time_left
    model = new_model(columns.n, time_limit)
    model.setOptionValue("solver", "ipm")  # without a warm start, twice as fast as the simplex method
    add_group_columns(model, columns)
    model.run()
    if is_out_of_time(model, time_limit):
        return None
    return read_solution(model, RankOneCuts.empty(columns.n))
