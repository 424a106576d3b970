"""A problem and the rules that its groups must satisfy, as the arrays that kernels take."""

from typing import TYPE_CHECKING

from microagg.constrain.rule_encoding import cell_weights, filled_points, quotas, rule_arrays
from microagg.model.group_rules import GroupRules
from microagg.model.problem import Problem

if TYPE_CHECKING:
    from microagg.kernels.rules.member_lists import MemberLists
    from microagg.model.arrays import IntArray


class RuledProblem:
    """Problem with rules, encoded once for all the partitions of it that are made.

    Parameters
    ----------
    problem
        The records, and the smallest group allowed; where cells are blanked for whole groups, as points that tell which
        cells they lack.
    rules
        What groups must satisfy.
    """

    def __init__(self, problem: Problem, rules: GroupRules) -> None:
        if problem.prices is not None and problem.missing is not None:
            problem = problem.with_gaps()
        self.problem = problem
        self.rules = rules
        self.points = filled_points(problem)
        self.cells = cell_weights(problem)
        self.arrays = rule_arrays(rules, problem.n, problem.k)
        self.quotas = quotas(rules, problem.n, problem.k)

    def groups(self, labels: "IntArray") -> "MemberLists":
        """Return groups that kernels can change, with room for as many as there can be."""
        from microagg.kernels.rules.member_lists import member_lists

        return member_lists(self.problem.X, self.cells, labels, self.problem.n // self.problem.k)
