"""Times are predicted for methods that do the same work on any data, grow with the data, and are not made up."""

import pytest

from microagg.methods import SYSTEMS, pipeline
from microagg.model.limits import Limits
from microagg.stage_times import Shape, StageTime, stage_time

PREDICTED = (
    "mdav", "mdav-nc", "cbfs-nn", "cbfs-nc", "tfrp-nn", "tfrp-nc", "v-mdav", "mondrian", "univariate", "pca-fixed",
    "pca-mhm", "zscore-fixed", "zscore-mhm-tour",
)  # fmt: skip


def _time(method: str, shape: Shape, limits: Limits | None = None) -> StageTime | None:
    """Return the time of all stages of a method; None if that of one is unknown."""
    times = [stage_time(stage, shape, limits or Limits()) for stage in pipeline(method).stages]
    known = [time for time in times if time is not None]
    if len(known) < len(times):
        return None
    return StageTime(sum(time.kernel for time in known), sum(time.search for time in known))


def _seconds(method: str, shape: Shape) -> float:
    time = _time(method, shape)
    assert time is not None
    return time.kernel + time.search


@pytest.mark.parametrize("method", [*PREDICTED, "mdav+descent", "search", "auto"])
def test_times_grow_with_the_records_at_least_in_proportion(method: str) -> None:
    seconds = [_seconds(method, Shape(n, 10, 5)) for n in (1000, 2000, 100_000)]
    assert seconds[0] < seconds[1] < seconds[2]
    if "search" not in pipeline(method).name:  # its trials do not
        assert seconds[2] >= 100 * seconds[0]


@pytest.mark.parametrize("method", ["exact", "icsm", "igd", "kmeans", "gsms-nn", "md-nn", "column-generation", "ona"])
def test_what_depends_on_the_data_is_unknown(method: str) -> None:
    chosen = method if method in SYSTEMS or "-" in method or method == "kmeans" else f"mdav+{method}"
    assert _time(chosen, Shape(1000, 10, 5)) is None


def test_a_search_takes_longer_with_more_effort() -> None:
    shape = Shape(5000, 10, 5)
    quick, standard, thorough = (
        _seconds(f"mdav+search(effort={effort})", shape) for effort in ("quick", "standard", "thorough")
    )
    assert quick < standard < thorough
    assert _seconds("mdav+search", shape) == standard


def test_iterations_end_a_search_and_a_time_limit_alone_leaves_it_open() -> None:
    shape = Shape(5000, 10, 5)
    short = _time("search", shape, Limits(iterations=10))
    long = _time("search", shape, Limits(iterations=100))
    assert short is not None
    assert long is not None
    assert long.search == pytest.approx(10 * short.search)
    assert long.kernel == short.kernel
    assert _time("search", shape, Limits(time_limit=60)) is None
    effort = _time("mdav+search(effort=quick)", shape, Limits(time_limit=60))
    assert effort is not None
