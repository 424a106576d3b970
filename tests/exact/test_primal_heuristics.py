"""Better partitions, found on the way to a proof."""

from numpy.random import Generator

from lp_cases import one_group, random_problem
from microagg import Partition, Run
from microagg.exact.exact_bound import Exact


def test_rounded_partitions_are_refined_and_searched_on_from() -> None:
    problem = random_problem(1, 50, 3)
    seen: list[tuple[Partition, tuple[str, ...]]] = []

    def refine(partition: Partition, rng: Generator, run: Run) -> Partition:
        seen.append((partition, run.limits.given))
        return partition

    run = Run(time_limit=1e9)
    _, partition = Exact(refine=refine, search=refine)(problem, one_group(problem), run)
    assert {limits for _, limits in seen} == {(), ("time_limit",)}, "only the search is limited"
    assert partition.sse <= min(one.sse for one, _ in seen)
    assert run.log.iterations == 0
