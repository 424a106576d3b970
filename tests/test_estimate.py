"""Estimates rest on the size of the data and the speed of the machine, and say so where they cannot."""

import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

from microagg import InputError, Plan, estimate
from microagg.calibrate import MachineSpeed
from microagg.data_size import data_size
from microagg.model.problem_shape import Shape

MODULE = sys.modules["microagg.estimate"]


@pytest.fixture(autouse=True)
def speed(monkeypatch: pytest.MonkeyPatch) -> list[MachineSpeed]:
    """Speed of the machine, which a test can set."""
    found = [MachineSpeed()]
    monkeypatch.setattr(MODULE, "machine_speed", lambda: found[-1])
    return found


def _records(n: int, d: int) -> Any:
    return np.random.default_rng(0).normal(size=(n, d))


def test_more_records_take_longer_and_more_memory() -> None:
    small = estimate(_records(1000, 3), k=5, method="mdav")
    large = estimate(_records(100_000, 3), k=5, method="mdav")
    assert small.seconds is not None
    assert large.seconds is not None
    assert small.seconds * 100 < large.seconds
    assert small.memory < large.memory
    assert (small.n_records, large.n_records) == (1000, 100_000)


def test_a_slower_machine_takes_longer(speed: list[MachineSpeed]) -> None:
    before = estimate(_records(100_000, 5), k=5)
    speed.append(MachineSpeed(kernel=2.0, search=2.0, table=2.0))
    after = estimate(_records(100_000, 5), k=5)
    assert before.seconds is not None
    assert after.seconds == pytest.approx(2 * before.seconds)


def test_a_short_run_needs_no_calibration(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> MachineSpeed:
        raise AssertionError("calibrated")

    monkeypatch.setattr(MODULE, "machine_speed", fail)
    assert estimate(_records(1000, 3), k=5, method="mdav").seconds is not None
    with pytest.raises(AssertionError, match="calibrated"):
        estimate(_records(400_000, 3), k=5, method="mdav")


def test_threads_share_a_search() -> None:
    one = estimate(_records(20_000, 3), k=5, workers=1).seconds
    four = estimate(_records(20_000, 3), k=5, workers=4).seconds
    many = estimate(_records(20_000, 3), k=5, workers=64).seconds
    assert one is not None
    assert four is not None
    assert four < one
    assert many == four  # four runs side by side are all there is to share


def test_what_cannot_be_predicted_is_unknown_unless_there_is_a_time_limit() -> None:
    unknown = estimate(_records(1000, 3), k=5, method="exact")
    assert unknown.seconds is None
    assert unknown.reasons == ("the time that method 'exact' takes depends on the data: set a time limit",)
    limited = estimate(_records(1000, 3), k=5, method="exact", time_limit=100)
    assert limited.seconds == pytest.approx(100, abs=1)


def test_a_time_limit_ends_the_solving() -> None:
    free = estimate(_records(20_000, 3), k=5, effort="thorough", method="search", time_limit=None)
    limited = estimate(_records(20_000, 3), k=5, time_limit=2)
    assert free.seconds is None  # an attempt to prove the optimum follows
    assert limited.seconds is not None
    assert 2 <= limited.seconds < 3


def test_one_column_is_solved_at_once() -> None:
    one = estimate(_records(100_000, 1), k=5).seconds
    two = estimate(_records(100_000, 2), k=5).seconds
    assert one is not None
    assert two is not None
    assert one < two / 10


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"confidential": ["s"], "l_diversity": 2}, "rules of privacy take further time"),
        ({"unit": "s"}, "rules of privacy take further time"),
        ({"missing": "available"}, "records with missing values take further time"),
    ],
)
def test_what_takes_further_time_is_named(options: dict[str, Any], reason: str) -> None:
    frame = pl.DataFrame({"x": np.arange(100.0), "y": np.arange(100.0) ** 2, "s": ["a", "b"] * 50})
    expected = estimate(frame, k=5, columns=["x", "y"], **options)
    assert expected.at_least
    assert reason in expected.reasons[0]


def test_strata_shorten_a_quadratic_method_and_lengthen_a_search() -> None:
    X = _records(200_000, 2)
    frame = pl.DataFrame({"x": X[:, 0], "y": X[:, 1], "s": np.arange(200_000) % 50})
    options: dict[str, Any] = {"k": 5, "columns": ["x", "y"], "workers": 1}
    times = {
        (method, strata): estimate(frame, method=method, effort=effort, strata=strata, **options).seconds
        for method, effort in (("mdav", None), ("auto", "quick"))
        for strata in ((), ("s",))
    }
    assert all(seconds is not None for seconds in times.values())
    assert cast(float, times["mdav", ("s",)]) < 0.7 * cast(float, times["mdav", ()])
    assert cast(float, times["auto", ("s",)]) > 1.3 * cast(float, times["auto", ()])


def test_small_strata_are_solved_side_by_side() -> None:
    X = _records(40_000, 3)
    frame = pl.DataFrame({"x": X[:, 0], "y": X[:, 1], "few": np.arange(40_000) % 2, "many": np.arange(40_000) % 40})
    one, two = (
        [estimate(frame, k=5, columns=["x", "y"], method="mdav", strata=[name], workers=n).seconds for n in (1, 2)]
        for name in ("few", "many")
    )
    assert one[0] == one[1]
    assert cast(float, two[0]) > cast(float, two[1])


def test_strata_of_a_large_file_are_those_of_its_first_records(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    n = 300_000
    pl.DataFrame({"x": _records(n, 1)[:, 0], "s": np.arange(n) % 3}).write_csv(path)
    size = data_size(path, Plan(k=5, columns=["x"], strata=["s"]))
    assert len(size.parts) == 3
    assert sum(size.parts) == pytest.approx(n, rel=0.02)
    assert "strata are expected to be as the first" in size.reasons[-1]


def test_more_than_the_records_cannot_be_k() -> None:
    with pytest.raises(InputError, match="k = 12 is more than the 11 records there are: choose a smaller k"):
        estimate(_records(11, 2), k=12)
    assert estimate(_records(11, 2), k=11).n_records == 11


def test_the_size_of_a_problem_counts_categories_and_sets() -> None:
    frame = pl.DataFrame({"x": np.arange(100.0), "y": np.arange(100.0), "c": ["a", "b", "c", "d"] * 25})
    plan = Plan(sets=[{"columns": ["x", "c"], "k": 3}, {"columns": ["y"], "k": 5}])
    size = data_size(frame, plan)
    assert [shape for _, shape in size.sets] == [Shape(100, 5, 3), Shape(100, 1, 5)]
    assert size.n_cells == 300


def test_individual_ranking_has_a_set_for_each_column() -> None:
    size = data_size(_records(50, 3), Plan(k=3, method="individual-ranking"))
    assert [shape for _, shape in size.sets] == [Shape(50, 1, 3)] * 3


def test_only_the_beginning_of_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    with path.open("w") as file:
        file.write("x,y\n")
        for number in range(200_000):
            file.write(f"{number}.5,{number % 1000}.25\n")
        file.write("this is no record\n")
    expected = estimate(path, k=5, columns=["x", "y"])
    assert expected.n_records == pytest.approx(200_000, rel=0.02)
    assert expected.reasons == ("the number of records is estimated from the size of the file",)


def test_standard_input_cannot_be_estimated() -> None:
    with pytest.raises(InputError, match="standard input cannot be estimated"):
        estimate("-", k=5)


def test_a_plan_that_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="nothing"):
        estimate(_records(100, 2), k=5, columns=["nothing"])
    with pytest.raises(InputError, match="workers"):
        estimate(_records(100, 2), k=5, workers=0)
