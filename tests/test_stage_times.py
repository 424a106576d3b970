"""Times are predicted for methods that do the same work on any data, grow with the data, and are not made up."""

from dataclasses import replace

import pytest

from microagg.bound import BOUNDS
from microagg.methods import SYSTEMS, pipeline
from microagg.methods.pipelines import BLOCK_SIZE
from microagg.model.limits import Limits
from microagg.model.problem_shape import Shape
from microagg.pipeline_times import pipeline_work
from microagg.stage_times import Work

PREDICTED = (
    "mdav", "mdav-nc", "cbfs-nn", "cbfs-nc", "tfrp-nn", "tfrp-nc", "v-mdav", "mondrian", "univariate", "pca-fixed",
    "pca-mhm", "zscore-fixed", "zscore-mhm-tour",
)  # fmt: skip


def _work(method: str, shape: Shape, limits: Limits | None = None) -> list[Work] | None:
    return pipeline_work(pipeline(method), shape, limits or Limits())


def _seconds(method: str, shape: Shape, limits: Limits | None = None) -> float:
    work = _work(method, shape, limits)
    assert work is not None
    return sum(one.seconds for one in work)


@pytest.mark.parametrize("method", [*PREDICTED, "mdav+descent", "search", "auto"])
def test_times_grow_with_the_records_at_least_in_proportion(method: str) -> None:
    seconds = [_seconds(method, Shape(n, 10, 5)) for n in (1000, 2000, 100_000)]
    assert seconds[0] < seconds[1] < seconds[2]
    if "search" not in pipeline(method).name:  # its trials do not
        assert seconds[2] >= 100 * seconds[0]


@pytest.mark.parametrize("method", ["exact", "icsm", "igd", "kmeans", "gsms-nn", "md-nn", "column-generation", "ona"])
def test_what_depends_on_the_data_is_unknown(method: str) -> None:
    chosen = method if method in SYSTEMS or "-" in method or method == "kmeans" else f"mdav+{method}"
    assert _work(chosen, Shape(1000, 10, 5)) is None


def test_a_search_takes_longer_with_more_effort() -> None:
    shape = Shape(5000, 10, 5)
    quick, standard, thorough = (
        _seconds(f"mdav+search(effort={effort})", shape) for effort in ("quick", "standard", "thorough")
    )
    assert quick < standard < thorough
    assert _seconds("mdav+search", shape) == standard


def test_iterations_end_a_search_and_a_time_limit_alone_leaves_it_open() -> None:
    shape = Shape(5000, 10, 5)
    none, short, long = (_seconds("search", shape, Limits(iterations=number)) for number in (0, 10, 100))
    assert long - none == pytest.approx(10 * (short - none))
    assert _work("search", shape, Limits(time_limit=60)) is None
    assert _work("mdav+search(effort=quick)", shape, Limits(time_limit=60)) is not None


def test_blocks_take_time_in_proportion_to_the_records() -> None:
    for effort in ("quick", "standard"):
        chosen = pipeline("auto", effort)
        works = [pipeline_work(chosen, Shape(n, 10, 5), Limits()) for n in (10**6, 10**7)]
        seconds = [sum(one.seconds for one in work or ()) for work in works]
        assert seconds[1] == pytest.approx(10 * seconds[0], rel=0.15)


def test_blocks_are_shared_by_threads() -> None:
    work = pipeline_work(pipeline("auto", "quick"), Shape(10**6, 10, 5), Limits())
    assert work is not None
    assert {one.n_threads for one in work[1:]} == {-(-(10**6) // BLOCK_SIZE)}


def test_time_does_not_jump_where_blocks_begin() -> None:
    for effort in ("quick", "standard"):
        chosen = pipeline("auto", effort)
        assert chosen.largest_whole is not None
        border = [pipeline_work(chosen, Shape(chosen.largest_whole + more, 10, 5), Limits()) for more in (0, 1)]
        whole, divided = (sum(one.seconds for one in work or ()) for work in border)
        assert 0.4 < divided / whole < 2.5


def test_the_bound_of_the_whole_is_counted_once() -> None:
    shape = Shape(10**5, 1, 5)
    works = [
        pipeline_work(replace(pipeline("mdav", bound=BOUNDS["sorted-cut"]), block_size=size), shape, Limits())
        for size in (1000, 50_000)
    ]
    bounds = [work[-1] for work in works if work is not None]
    assert len(bounds) == 2
    assert bounds[0] == bounds[1]


def test_a_thorough_search_by_blocks_can_be_predicted() -> None:
    assert pipeline_work(pipeline("auto", "thorough"), Shape(10**5, 10, 5), Limits()) is not None


def test_rounds_that_only_time_ends_are_unknown() -> None:
    assert pipeline_work(pipeline("auto"), Shape(10**6, 10, 5), Limits(time_limit=60)) is None
    assert pipeline_work(pipeline("auto"), Shape(10**6, 10, 5), Limits(iterations=2)) is not None
