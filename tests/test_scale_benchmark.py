"""The measurements of scale draw the data they say, and judge their results."""

import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mdav_in_leaves import LEAF, leaves, mdav_in_leaves
from microagg import solve
from process_meter import FamilySampler, high_water_mark, run_metered
from scale_data import BATCH, HARD, PLAIN, TITLES, data, plain
from scale_results import ScaleResults
from scale_targets import Target, targets
from scale_tasks import Sizes, task_groups
from watched_processes import WAIT_TO_BE_SEEN, let_go_when_seen

SIZES = Sizes()


@pytest.mark.parametrize("shape", PLAIN)
def test_fewer_records_are_the_beginning_of_more(shape: str) -> None:
    many = plain(shape, BATCH + 7, 2)
    assert many.shape == (BATCH + 7, 2)
    np.testing.assert_array_equal(plain(shape, 100, 2), many[:100])
    assert not np.isin(many[BATCH:, 0], many[:BATCH, 0]).any()


def test_hard_shapes_are_what_they_are_called() -> None:
    n = 1_000
    hard = {shape: data(shape, n, 3) for shape in HARD}
    assert len(np.unique(hard["duplicates"], axis=0)) == 0.7 * n
    assert np.ptp(hard["constant-column"][:, 0]) == 0
    assert np.unique(hard["two-values"][:, 0], return_counts=True)[1].tolist() == [500, 500]
    assert (hard["zeros"][:, 0] == 0).sum() == 990
    assert sorted(np.unique(hard["all-equal"], axis=0, return_counts=True)[1].tolist())[-2:] == [1, 980]


def test_every_shape_has_a_title() -> None:
    assert set(TITLES) == {*PLAIN, *HARD}


def test_leaves_hold_every_record_once() -> None:
    found = list(leaves(plain("normal", 5_000, 2)))
    assert max(map(len, found)) <= LEAF
    assert sorted(np.concatenate(found).tolist()) == list(range(5_000))


def test_one_leaf_is_exact_mdav() -> None:
    X = plain("mixture", 200, 3)
    assert mdav_in_leaves(X, 5) == pytest.approx(solve(X, 5, method="mdav").information_loss)


def test_a_process_is_measured_with_its_descendants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    let_go_when_seen(FamilySampler, tmp_path, monkeypatch)
    child = f"x = bytearray(150_000_000)\n{WAIT_TO_BE_SEEN}"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}]); print('done')"
    before = time.perf_counter()
    done = run_metered([sys.executable, "-c", parent])
    assert (done.code, done.output, done.errors) == (0, "done\n", "")
    assert done.high_water < 150_000_000 < done.peak
    assert 0 < done.reading.wall <= time.perf_counter() - before
    assert high_water_mark() > 10_000_000


def test_nothing_measured_meets_nothing() -> None:
    assert {target.met for target in targets(ScaleResults({}), SIZES)} == {None}


def test_a_failed_run_counts_as_not_measured() -> None:
    failed = ScaleResults({("leaves", "mixture", SIZES.large): {"error": "MemoryError: "}})
    assert failed.part(("leaves", "mixture", SIZES.large)) is None
    assert len(failed.errors()) == 1


@pytest.mark.parametrize(("wall", "met"), [(11.0, True), (11.1, False)])
def test_growth_is_that_of_the_worst_shape(wall: float, met: bool) -> None:
    results = {}
    for task in task_groups(SIZES)["growth"]:
        _, shape, n, _ = task
        worst = shape == "normal" and n == SIZES.large
        results[task] = {"wall": wall if worst else 1.0, "loss": 1.0, "peak": 1e9}
    (target,) = _named(results, "`quick`: time of 1 000 000")
    assert target.met is met


def test_memory_at_the_limit_is_not_below_it() -> None:
    results = {("solve", "mixture", SIZES.large, "quick"): {"peak": 1.5e9, "wall": 1.0, "loss": 1.0}}
    (target,) = _named(results, "1 000 000, `quick`: memory")
    assert target.met is False


def _named(results: dict, name: str) -> list[Target]:  # type: ignore[type-arg]
    return [target for target in targets(ScaleResults(results), SIZES) if target.what.startswith(name)]
