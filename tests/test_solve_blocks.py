"""Problems solved by blocks: legal, deterministic, never worse from round to round, and stopped at any moment."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divided import RecordedRounds, problem_of, solved
from microagg import Limits, MethodError, Partition, Problem, Run, soft_walls, solve
from microagg.control.loss_note import LossNote
from microagg.control.mapped_arrays import MappedArrays
from microagg.refine import search_schedule
from microagg.refine.block_schedule import n_block_rounds
from microagg.refine.proving import Proving
from microagg.soft_walls import SoftWalls
from naive_soft_walls import SHAPES, hard_points
from runs import CancelledAt
from strategies import weights_of
from watched_kernels import WatchedKernels

QUICK: dict[str, Any] = {"method": "auto", "effort": "quick"}


@pytest.fixture(autouse=True, scope="module")
def few_trials() -> Iterator[None]:
    """Make searches short: what is tested does not depend on their length."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_schedule, "_TRIALS_PER_RECORD", 50)
        yield


def _never_rises(sses: list[float]) -> bool:
    """Check that no sse is above the one before, but for the order of summation."""
    return all(after <= before * (1 + 1e-12) for before, after in pairwise(sses))


@settings(max_examples=8)
@given(st.sampled_from(SHAPES), st.integers(1, 4), st.integers(1, 5), st.integers(0, 99))
def test_groups_are_legal_and_the_same_whatever_the_data_and_the_threads(shape: str, d: int, k: int, seed: int) -> None:
    problem = Problem(hard_points(shape, 130, d, seed), k)
    one, two, three = (solved(problem, Run(workers=count), **QUICK) for count in (1, 2, 3))
    assert one.sizes.min() >= k
    np.testing.assert_array_equal(one.labels, two.labels)
    np.testing.assert_array_equal(one.labels, three.labels)
    if "equal" not in shape and d > 1:
        assert one.method == "search in blocks"


def test_the_loss_never_rises_from_round_to_round_and_falls() -> None:
    for options in (QUICK, {"method": "mdav+descent"}, {"method": "mdav+recut", "rounds": 6}, {"effort": "standard"}):
        run = RecordedRounds()
        solution = solved(problem_of(200), run, **options)
        assert _never_rises(run.sses)
        assert run.sses[-1] == pytest.approx(solution.sse)
        assert len(run.sses) == solution.iterations
        assert run.sses[-1] < run.sses[0]


def test_wandering_walls_make_up_for_most_of_what_blocks_lose() -> None:
    lost = np.zeros(2)
    for seed in range(3):
        problem = problem_of(400, d=2, random_state=seed)
        whole = solve(problem.X, 3, method="mdav+descent", standardise=False).sse
        lost += [solved(problem, method="mdav+descent", rounds=rounds).sse / whole - 1 for rounds in (1, 8)]
    assert 0 < lost[1] < lost[0] / 2


@pytest.mark.parametrize("method", ["mdav", "cbfs", "v-mdav"])
def test_a_constructor_alone_groups_each_block_as_if_it_were_alone(method: str) -> None:
    problem = problem_of(150)
    blocks = SoftWalls(problem, 40, 0).of_records()
    labels = np.empty(150, dtype=np.int64)
    for number, records in blocks.items():
        labels[records] = 1000 * number + solve(problem.X[records], 3, method=method, standardise=False).labels
    solution = solved(problem, method=method)
    assert len(blocks) > 3
    np.testing.assert_array_equal(solution.labels, Partition(problem, labels).labels)
    assert solution.method == f"{method} in blocks"
    assert solution.reason == "150 records are more than one block of about 40 holds; 1 round of blocks"
    assert (solution.iterations, solution.ended_by, solution.fallback_share) == (0, None, 0.0)
    assert not np.array_equal(solution.labels, solve(problem.X, 3, method=method, standardise=False).labels)


@given(st.integers(0, 2**32 - 1), st.data())
@settings(max_examples=10)
def test_weights_count(seed: int, data: st.DataObject) -> None:
    plain = problem_of(100, random_state=seed)
    problem = Problem(plain.X, 3, data.draw(weights_of(100)))
    run = RecordedRounds()
    solution = solved(problem, run, method="mdav+descent")
    assert solution.partition.problem is problem
    assert solution.sizes.min() >= 3
    assert run.sses[-1] == pytest.approx(solution.sse)
    assert _never_rises(run.sses)


def test_one_column_with_weights_is_divided_where_others_are() -> None:
    X = np.random.default_rng(0).normal(size=(100, 1))
    weights = np.random.default_rng(1).uniform(1, 5, 100)
    solution = solved(Problem(X, 3, weights), **QUICK)
    assert solution.method == "search in blocks"
    assert solution.sse <= solved(Problem(X, 3, weights), method="univariate").sse


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=10)
def test_cells_that_are_missing_do_not_count(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(100, 3))
    missing = rng.random((100, 3)) < 0.2
    missing[missing.all(axis=1)] = False
    X[missing] = 0.0
    problem = Problem(X, 3, None, missing)
    run = RecordedRounds()
    solution = solved(problem, run, method="mdav+descent")
    assert solution.sizes.min() >= 3
    assert _never_rises(run.sses)
    assert solution.sse == pytest.approx(Partition(problem, solution.labels).sse)


def test_iterations_are_rounds_of_blocks() -> None:
    problem = problem_of(200)
    constructed = solved(problem, method="mdav")
    for options in ({"method": "auto"}, QUICK, {"method": "mdav+descent"}, {"method": "auto", "rounds": 3}):
        none = solved(problem, Run(iterations=0), **options)
        np.testing.assert_array_equal(none.labels, constructed.labels)
        assert (none.iterations, none.ended_by) == (0, "iterations")
        one = solved(problem, Run(iterations=1), **options)
        two = solved(problem, Run(iterations=2), **options)
        assert (one.iterations, two.iterations) == (1, 2)
        assert constructed.sse > one.sse > two.sse
        assert one.ended_by == two.ended_by == "iterations"


def test_rounds_are_as_many_as_asked_for_and_make_the_same_number_of_trials() -> None:
    run = RecordedRounds()
    stages: list[str] = []

    def progress(stage: str, done: float | None, note: str = "") -> None:
        stages.append(stage)

    solution = solved(problem_of(120), Run(progress=progress), effort="quick", rounds=5)
    assert solution.iterations == 5
    assert solution.reason.endswith("; 5 rounds of blocks")
    assert dict.fromkeys(stages) == dict.fromkeys(
        ["divide", "blocks, round 1 of 5", *(s for n in range(2, 6) for s in ("divide", f"blocks, round {n} of 5"))]
    )
    solved(problem_of(120), run, method="search(effort=quick)+search(effort=standard)")
    assert len(run.sses) == n_block_rounds("standard", Limits()), "as many as the longest schedule has"


def _thirds(problem: Problem, rng: np.random.Generator, run: Run) -> Partition:
    return Partition(problem, np.arange(problem.n) // 3 % (problem.n // 3))


class _Swapping:
    """Refiner that swaps two records of the first two groups where that helps, and counts its calls."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def __call__(self, partition: Partition, rng: np.random.Generator, run: Run) -> Partition:
        self.sizes.append(partition.problem.n)
        labels = partition.labels.copy()
        first, second = rng.choice(len(labels), 2, replace=False)
        labels[first], labels[second] = labels[second], labels[first]
        return min(partition, Partition(partition.problem, labels), key=lambda one: one.sse)


def test_stages_of_the_user_work_in_blocks() -> None:
    refine = _Swapping()
    run = RecordedRounds(workers=1)
    solution = solved(problem_of(200), run, method=[_thirds, refine], rounds=6)
    assert len(run.sses) == 6
    assert _never_rises(run.sses)
    assert sum(refine.sizes) == 6 * 200
    assert max(refine.sizes) <= 80
    assert solution.sizes.min() >= 3


def test_a_refiner_that_makes_groups_worse_is_refused_in_every_round() -> None:
    def worse(partition: Partition, rng: np.random.Generator, run: Run) -> Partition:
        if run.elapsed and partition.sse < partition.problem.sst / 2:
            return Partition(partition.problem, np.zeros(partition.problem.n, dtype=np.int64))
        return partition

    rounds = iter(range(1000))

    def worse_later(partition: Partition, rng: np.random.Generator, run: Run) -> Partition:
        return partition if next(rounds) < 10 else worse(partition, rng, run)

    with pytest.raises(MethodError, match="made a partition worse, which no refiner may"):
        solved(problem_of(200), Run(workers=1), method=["mdav", worse_later], rounds=9)


def test_a_refiner_that_lets_the_end_of_the_run_through_is_allowed() -> None:
    calls = iter(range(1000))
    run = Run(workers=1)

    def cancelling(partition: Partition, rng: np.random.Generator, current: Run) -> Partition:
        if next(calls) == 12:
            run.cancel()
        current.check()
        return partition

    solution = solved(problem_of(200), run, method=["mdav", cancelling])
    assert solution.ended_by == "cancelled"
    assert solution.sizes.min() >= 3


@pytest.mark.parametrize("options", [QUICK, {"method": "mdav+descent"}, {"method": "auto"}])
def test_a_run_that_is_cancelled_at_any_moment_has_legal_groups(options: dict[str, Any]) -> None:
    problem = problem_of(200)
    for number in (1, 2, 3, 5, 8, 13, 21):
        run = CancelledAt(number, workers=1, iterations=4 if options.get("method") == "auto" else None)
        solution = solved(problem, run, **options)
        assert solution.sizes.min() >= 3
        assert np.isfinite(solution.sse)
        if run.cancelled and len(run.notes) > number:
            assert solution.ended_by == "cancelled"
            assert not solution.reproducible


def test_where_time_is_over_at_once_all_records_are_grouped_by_the_fallback() -> None:
    problem = problem_of(200)
    for options in (QUICK, {"method": "mdav"}, {"method": "auto"}):
        solution = solved(problem, Run(time_limit=1e-9), **options)
        assert solution.fallback_share == 1.0
        assert solution.ended_by == "time_limit"
        assert solution.sizes.min() >= 3


def test_each_block_has_its_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("microagg.control.clock.time.monotonic", lambda: now[0])

    def all_the_time(partition: Partition, rng: np.random.Generator, run: Run) -> Partition:
        assert run.time_left is not None
        now[0] += run.time_left
        run.check()
        return partition

    solution = solved(problem_of(200), Run(time_limit=100, workers=1), method=["mdav", all_the_time])
    assert solution.fallback_share == 0.0, "no block waits in vain"
    assert solution.ended_by == "time_limit"


@pytest.mark.parametrize("options", [QUICK, {"method": "mdav+descent", "rounds": 2}], ids=["quick", "descent"])
def test_a_run_that_ends_in_any_kernel_has_legal_groups(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = problem_of(150)
    kernels = WatchedKernels(monkeypatch)
    calls = kernels.calls_of(lambda run: solved(problem, run, **options))
    assert {"_project", "_route"} <= {name for name, _ in calls}
    for call in calls:
        solution = solved(problem, kernels.run_ended_by(call), **options)
        assert solution.sizes.min() >= 3
        assert solution.ended_by == "cancelled"


def test_the_effort_before_a_bound_does_not_grow_with_the_time() -> None:
    run = Run(time_limit=3600)
    solution = solved(problem_of(90), run, bound=True, method="auto", block_size=45)
    assert solution.iterations == n_block_rounds("standard", Limits())
    assert solution.bound is not None
    assert 0 < solution.bound.sse <= solution.sse


def test_an_attempt_at_a_proof_is_for_small_problems_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[Partition] = []

    def attempt(proving: Proving, partition: Partition, rng: np.random.Generator, run: Run) -> Partition:
        attempts.append(partition)
        return partition

    monkeypatch.setattr(Proving, "__call__", attempt)
    assert solved(problem_of(90), effort="thorough", block_size=45, rounds=2).iterations == 2
    assert attempts == []
    solved(problem_of(40), effort="thorough", block_size=45)
    assert len(attempts) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "mdav", "rounds": 2}, "'mdav' has no refiner that rounds of blocks could repeat"),
        ({"method": "exact"}, "'exact' proves the optimum of all records at once: leave it or block_size out"),
        ({"method": "univariate"}, "'Univariate' needs one column that varies: here are 90 records"),
    ],
)
def test_what_cannot_be_divided_is_refused(options: Any, words: str) -> None:
    with pytest.raises(MethodError, match=words):
        solved(problem_of(90), **options)


def test_limits_that_nothing_obeys_are_refused() -> None:
    with pytest.raises(MethodError, match="'mdav' has nothing that iterations could limit"):
        solved(problem_of(90), Run(iterations=3), method="mdav")


def test_no_bound_is_dropped_in_silence() -> None:
    weighted = Problem(problem_of(90).X, 3, np.linspace(1, 2, 90))
    with pytest.raises(MethodError, match="proves no bound where records are weighted"):
        solved(weighted, method="auto", bound=True)
    missing = np.zeros((90, 3), dtype=np.bool_)
    missing[0, 0] = True
    with pytest.raises(
        MethodError, match="no bound can be proved where a group may hold records with different missing cells"
    ):
        solved(Problem(weighted.X, 3, None, missing), method="auto", bound=True)
    with pytest.raises(MethodError, match="'cbfs-nc' cannot weigh records in its objective"):
        solved(weighted, method="cbfs")


def test_points_in_a_file_have_the_same_groups(tmp_path: Path) -> None:
    problem = problem_of(200)
    expected = solved(problem, **QUICK)
    with MappedArrays(tmp_path, 10**9) as arrays:
        X = arrays.empty(problem.X.shape)
        X[:] = problem.X
        X.flags.writeable = False
        run = Run()
        run.arrays = arrays
        np.testing.assert_array_equal(solved(Problem(X, 3), run, **QUICK).labels, expected.labels)


def test_the_walls_follow_the_rows_of_the_table_that_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soft_walls, "_MIN_SAMPLE", 50)
    monkeypatch.setattr(soft_walls, "_SAMPLE_PER_BLOCK", 20)
    problem = problem_of(400)
    plain = solved(problem, method="mdav").labels
    np.testing.assert_array_equal(solved(problem, method="mdav", rows=np.arange(400)).labels, plain)
    elsewhere = solved(problem, method="mdav", rows=np.arange(400) + 10**9).labels
    assert not np.array_equal(elsewhere, plain)


def test_the_loss_is_told_as_a_number_and_never_rises_once_all_records_have_groups() -> None:
    losses: list[float | None] = []

    def progress(stage: str, done: float | None, note: str = "") -> None:
        if isinstance(note, LossNote) and not stage.startswith("blocks, round 1 "):
            losses.append(note.loss)

    problem = problem_of(300)
    solution = solved(problem, Run(progress=progress), effort="quick", rounds=4)
    assert len(losses) >= 3
    assert losses == sorted(losses, key=lambda loss: -(loss or 0.0))
    assert losses[-1] == pytest.approx(solution.information_loss)
