"""Solve the parts of a problem, side by side, and join their solutions."""

from dataclasses import dataclass

from microagg.control.grouped_records import GroupedRecords
from microagg.control.run import Run
from microagg.join import join_solutions
from microagg.methods import Pipeline
from microagg.model.division import Division
from microagg.model.errors import InputError, MethodError
from microagg.model.group_rules import GroupRules
from microagg.model.problem import Problem
from microagg.model.solution import Solution
from microagg.run_pipeline import known_random_state
from microagg.solve_blocks import solve_problem

LARGE_PART = 2000
"""Records from which on a part uses all threads itself; smaller ones are solved side by side."""


def solve_parts(
    chosen: Pipeline, problem: Problem, division: Division, rules: GroupRules, random_state: int | None, run: Run
) -> Solution:
    """Solve each part of a problem as if it were alone, and join the solutions.

    Parameters
    ----------
    chosen
        The pipeline, the same for all parts.
    problem
        The problem of all records.
    division
        Its parts.
    rules
        What each group must satisfy, besides having k records.
    random_state
        The same number gives the same groups: those of each part alone.
    run
        The run; a time limit is shared by the numbers of records.

    Returns
    -------
    Solution
        The solution of the problem; it keeps those of its parts, if there are several.
    """
    tasks = _Tasks(chosen, problem, division, rules, known_random_state(random_state))
    sizes = [len(part.records) for part in division.parts]
    if len(sizes) == 1:
        return tasks.solve(0, run)
    solutions: dict[int, Solution] = {}
    large = [number for number, size in enumerate(sizes) if size >= LARGE_PART]
    small = [number for number, size in enumerate(sizes) if size < LARGE_PART]
    n_left = problem.n
    grouped = GroupedRecords(problem)

    def solve_part(number: int, run_of_part: Run) -> Solution:
        solution = tasks.solve(number, run_of_part)
        grouped.add(division.parts[number].records, solution.sse)
        return solution

    def report(n_done: int) -> None:
        run.report("parts", n_done / len(sizes), grouped.note(n_done, len(sizes)))

    for n_done, number in enumerate(large, start=1):
        share_of_part = run.share(n_left / sizes[number])
        share_of_part.tells_loss = False  # that of one part is not that of all records
        solutions[number] = solve_part(number, share_of_part)
        n_left -= sizes[number]
        report(n_done)
    if small:
        share = run.workers.count / n_left
        solved = run.workers.map(
            lambda number: solve_part(number, run.task(share * sizes[number])),
            small,
            lambda n_done: report(len(large) + n_done),
        )
        solutions.update(zip(small, solved, strict=True))
    return join_solutions(problem, division, [solutions[number] for number in range(len(sizes))])


@dataclass(frozen=True)
class _Tasks:
    """Solving of each part; its problem is stated when its turn comes, as all together may not fit in memory."""

    chosen: Pipeline
    problem: Problem
    division: Division
    rules: GroupRules
    random_state: int

    def solve(self, number: int, run: Run) -> Solution:
        """Solve one part."""
        part = self.division.parts[number]
        chosen = self.chosen.in_part(len(part.records), self.problem.n)
        problem = self.problem.part(part.records, None if run.arrays is None else run.arrays.empty)
        numbered = run.child(run.limits)
        numbered.checkpoint = run.checkpoint.under(f"part{number}")
        rules = self.rules.part(part.records)
        try:
            return solve_problem(chosen, problem, rules, self.random_state, numbered, self.division.rows(part))
        except MethodError:
            raise
        except InputError as error:
            raise InputError(f"{part.name}: {error}") from None
