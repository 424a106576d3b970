"""The league of all methods."""

from typing import Any

import pytest

import league
import league_runs
import microagg
from microagg.methods import pipeline


def test_every_method_takes_part_once() -> None:
    names = league_runs.competitors()
    stages = [pipeline(name).stages for name in names]
    assert len(set(stages)) == len(names)
    for method in microagg.methods():
        whole = f"mdav{method.name}" if method.name.startswith("+") else method.name
        if whole not in ("univariate", "individual-ranking"):
            assert pipeline(whole).stages in stages


def test_no_time_limit_makes_a_search_longer() -> None:
    assert league_runs._limited("search") == "search(effort=standard)"
    assert league_runs._limited("mdav+search") == "mdav+search(effort=standard)"
    assert league_runs._limited("icsm") == "icsm"
    assert league_runs._limited("exact") == "exact"


@pytest.fixture
def standings(monkeypatch: pytest.MonkeyPatch) -> league.Standings:
    """Return the standings of three methods on one data set: two of equal loss, and one that did not finish."""
    losses = {"one": 2.0, "two": 1.0, "three": 1.0, "four": 3.0}
    monkeypatch.setattr(league, "DATA", {"some": None})
    monkeypatch.setattr(league, "KS", (3,))
    monkeypatch.setattr(league, "competitors", lambda: tuple(losses))
    results: dict[tuple[Any, ...], dict[str, Any]] = {
        ("run", "some", 3, name): {"loss": loss, "seconds": loss, "finished": name != "four"}
        for name, loss in losses.items()
    }
    return league.Standings(results)


def test_equal_losses_share_a_rank(standings: league.Standings) -> None:
    assert {task[3]: rank for task, rank in standings.ranks.items()} == {"one": 3, "two": 1, "three": 1}
    assert standings.of("one", standings.excesses) == [100.0]
    assert standings.order() == ["two", "three", "one"]


def test_what_did_not_finish_has_no_rank(standings: league.Standings) -> None:
    assert standings.of("four", standings.ranks) == []
    assert "`four`" not in league.league_table(standings)


def test_undominated_methods() -> None:
    places = {"quick": (1.0, 9.0), "good": (9.0, 1.0), "neither": (9.5, 9.5), "between": (5.0, 5.0)}
    assert league.undominated(places) == {"quick", "good", "between"}
