"""The league of all methods: who takes part, and the page is what the raw results make."""

from typing import Any

import numpy as np
import pytest

import league
import league_runs
import microagg
from cached_tasks import Result, Task, settle
from documents import kept_pictures
from league_sentences import against, significance
from league_standings import Standings, critical_difference, friedman, shared_ranks, undominated
from microagg.methods import pipeline

X = np.random.default_rng(5).normal(size=(60, 3))


def test_every_method_takes_part_once() -> None:
    names = league_runs.competitors()
    stages = [pipeline(name).stages for name in names]
    assert len(set(stages)) == len(names)
    for method in microagg.methods():
        whole = f"mdav{method.name}" if method.name.startswith("+") else method.name
        if whole not in (*league_runs.LEFT_OUT, "individual-ranking"):
            assert pipeline(whole).stages in stages


@pytest.mark.parametrize("method", [one for one in league_runs.competitors() if one not in league_runs.RANDOM])
def test_methods_with_one_state_do_not_depend_on_it(method: str) -> None:
    losses = {microagg.solve(X, 3, method=method, random_state=state).sse for state in range(3)}
    assert len(losses) == 1


def test_no_time_limit_makes_a_search_longer() -> None:
    assert league_runs._with_effort("search") == "search(effort=standard)"
    assert league_runs._with_effort("mdav+search") == "mdav+search(effort=standard)"
    assert league_runs._with_effort("icsm") == "icsm"


def test_page_is_what_the_raw_results_make() -> None:
    with kept_pictures():
        assert league.DOCUMENT.read_text() == league.text(league.results()), "make league"


def test_the_file_of_results_is_settled(tmp_path: Any) -> None:
    copy = tmp_path / "results.jsonl"
    copy.write_text(league.CACHE.read_text())
    settle(copy)
    assert copy.read_text() == league.CACHE.read_text(), "sort it: cached_tasks.settle"


def test_the_page_says_what_is_not_run_yet() -> None:
    found = league.results()
    without = {task: result for task, result in found.items() if task[3] != "kmeans"}
    n_missing = len(list(league_runs.tasks())) - len(without)
    with kept_pictures():
        assert f" ({n_missing} more are not run yet)" in league.text(without)


def _standings(losses: dict[str, list[list[float]]]) -> Standings:
    """Return the standings of methods: the losses on each data set with each random state."""
    results: dict[Task, Result] = {
        ("run", f"data {number}", 3, method, state): {"loss": loss, "seconds": 2.0 * loss, "iterations": 1}
        for method, by_data in losses.items()
        for number, by_state in enumerate(by_data)
        for state, loss in enumerate(by_state)
    }
    return Standings(results)


@pytest.fixture
def standings() -> Standings:
    """Return the standings of three methods on two data sets, two of equal loss, and of one that is not on all."""
    return _standings({"one": [[2], [2]], "two": [[0.5, 1.5], [1, 1]], "three": [[1], [1]], "four": [[3]]})


def test_equal_losses_share_the_mean_of_their_ranks(standings: Standings) -> None:
    assert shared_ranks({"a": 2.0, "b": 1.0, "c": 1.0}) == {"a": 3.0, "b": 1.5, "c": 1.5}
    assert standings.ranks_of("two") == standings.ranks_of("three") == [1.5, 1.5]
    assert standings.excesses_of("one") == [100.0, 100.0]
    assert standings.firsts("two") == 2


def test_what_did_not_run_on_all_data_comes_last(standings: Standings) -> None:
    assert standings.order() == ["three", "two", "one", "four"]
    assert not standings.is_complete("four")
    assert set(standings.data_ranks()) == {"one", "two", "three"}
    assert "1 of 2 |" in league.league_table(standings).splitlines()[-1]


def test_the_spread_is_that_of_random_states(standings: Standings) -> None:
    assert standings.spreads_of("one") == []
    assert standings.spreads_of("two") == pytest.approx([100 * 0.5**0.5, 0.0])
    assert standings.n_states("two") == "2"


def test_sentences_turn_with_the_results(standings: Standings) -> None:
    assert against(standings, "one", "two") == (
        "`one` loses less than `two` in 0 of 2 cells, in the median 1e+02 % more, in 2 times the time"
    )
    assert "in 2 of 2 cells, in the median 50 % less, in 50 % of the time" in against(standings, "two", "one")


def test_a_difference_that_may_be_chance_is_called_so() -> None:
    rng = np.random.default_rng(0)
    alike = {name: [[float(rng.random())] for _ in range(8)] for name in "abc"}
    clear = {name: [[place + 0.1 * rng.random()] for _ in range(8)] for place, name in enumerate("abc", 1)}
    assert "do not differ by more than chance" in significance(_standings(alike))
    assert "`a` is significantly better than 1 of the 2 others; not, by this test, than `b`" in significance(
        _standings(clear)
    )


def test_tests_of_significance_are_those_of_the_textbook() -> None:
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.01)  # Demšar 2006, section 3.2.2
    assert friedman([[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]]) == pytest.approx(np.exp(-4))


def test_undominated_methods() -> None:
    places = {"quick": (1.0, 9.0), "good": (9.0, 1.0), "neither": (9.5, 9.5), "between": (5.0, 5.0)}
    assert undominated(places) == {"quick", "good", "between"}
