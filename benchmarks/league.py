"""Measure every method on thirteen data sets, and write docs/methods.md.

The registry decides which methods there are: a new one appears by itself. Results are kept in benchmarks/.league.jsonl,
so that an interrupted run resumes where it stopped; those of methods that have changed are computed anew.
"""

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from typing import Any

import league_runs
from cached_tasks import Result, Task, kept_results, run_tasks
from documents import DOCS, fill, new_figure, save_figure, table
from league_data import DATA, TITLES
from league_runs import LIMIT, competitors
from microagg import InputError
from source_state import method_state

KS = (3, 5, 10)
CACHE = Path(__file__).parent / ".league.jsonl"
TEMPLATE = Path(__file__).parent / "league.in.md"
DOCUMENT = DOCS / "methods.md"
PICTURE = DOCS / "methods.svg"
_TIE = 1e-9  # relative difference of losses that share a rank
_LEAST_EXCESS = 0.1  # percent: the lower end of the axis of the picture
_NAME_SIZE = (75.0, 9.0)  # width and height of a name in the picture


def tasks() -> list[Task]:
    """Return every run."""
    return [("run", data, k, method) for data in DATA for k in KS for method in competitors()]


def state(task: Task) -> str:
    """Return the state of the sources that a run depends on."""
    return method_state(task[3])


class Standings:
    """Losses, ranks and times of all methods on all data sets.

    Parameters
    ----------
    results
        The result of each run that has one: a run without one counts as not finished.
    """

    def __init__(self, results: dict[Task, Result]) -> None:
        self.results = results
        self.ranks: dict[Task, int] = {}
        self.excesses: dict[Task, float] = {}
        for data in DATA:
            for k in KS:
                self._rank({method: ("run", data, k, method) for method in competitors()})

    def _rank(self, cell: dict[str, Task]) -> None:
        """Rank the methods that finished on a data set at one k."""
        found = {task: self.results[task] for task in cell.values() if task in self.results}
        losses = {task: result["loss"] for task, result in found.items() if result["finished"]}
        best = min(losses.values(), default=0.0)
        for task, loss in losses.items():
            self.ranks[task] = 1 + sum(other < loss * (1 - _TIE) for other in losses.values())
            self.excesses[task] = 100 * (loss / best - 1) if best else 0.0

    def of(self, method: str, kind: dict[Task, Any]) -> list[Any]:
        """Return the ranks or excesses of a method where it finished."""
        return [value for task, value in kind.items() if task[3] == method]

    def times(self, method: str) -> list[float]:
        """Return the seconds of the runs of a method that finished."""
        return [self.results[task]["seconds"] for task in self.ranks if task[3] == method]

    def order(self) -> list[str]:
        """Return the methods by the mean of their ranks; those that did not finish everywhere come last."""
        complete = len(DATA) * len(KS)
        finished = {method: self.of(method, self.ranks) for method in competitors()}
        return sorted(
            (method for method, ranks in finished.items() if ranks),
            key=lambda method: (len(finished[method]) < complete, mean(finished[method])),
        )


def league_table(standings: Standings) -> str:
    """Return the league table: a line a method."""
    rows = []
    for place, method in enumerate(standings.order(), 1):
        ranks = standings.of(method, standings.ranks)
        excesses = standings.of(method, standings.excesses)
        times = standings.times(method)
        finished = "" if len(ranks) == len(DATA) * len(KS) else f"{len(ranks)} of {len(DATA) * len(KS)}"
        cells = [f"{mean(ranks):.1f}", str(sum(rank == 1 for rank in ranks)), f"{median(excesses):.2f}"]
        cells += [f"{max(excesses):.1f}", seconds(_geometric_mean(times)), seconds(max(times)), finished]
        rows.append([str(place), f"`{method}`", *cells])
    header = ["", "method", "mean rank", "firsts", "above best, %", "at worst, %", "time", "longest", "finished"]
    return table(header, rows)


def data_table(standings: Standings, data: str) -> str:
    """Return loss, time and rank of every method on a data set."""
    rows = []
    for method in standings.order():
        cells = []
        for k in KS:
            task = ("run", data, k, method)
            if task not in standings.ranks:
                cells.append("–")
                continue
            found = standings.results[task]
            cells.append(f"{found['loss']:.4g} · {seconds(found['seconds'])} · {standings.ranks[task]}")
        rows.append([f"`{method}`", *cells])
    return table([TITLES[data], *(f"k = {k}" for k in KS)], rows)


def seconds(time: float) -> str:
    """Return a time with two digits."""
    return f"{time * 1000:.2g} ms" if time < 0.1 else f"{time:.2g} s" if time < 9.5 else f"{time:.0f} s"


def _geometric_mean(times: list[float]) -> float:
    return math.exp(mean(map(math.log, times)))


def undominated(places: dict[str, tuple[float, float]]) -> set[str]:
    """Return the methods of which none is both faster and better."""
    return {
        one
        for one, (time, excess) in places.items()
        if not any(other[0] < time and other[1] < excess for other in places.values())
    }


def draw(standings: Standings) -> None:
    """Draw how much each method loses above the best, over its time; a name stands where there is room for it."""
    places = {
        method: (
            _geometric_mean(standings.times(method)),
            max(median(standings.of(method, standings.excesses)), _LEAST_EXCESS),
        )
        for method in standings.order()
    }
    front = undominated(places)
    figure, panels = new_figure(1, 1, 11, 7.5)
    panel = panels[0, 0]
    panel.set(xscale="log", yscale="log", xlabel="processor seconds, geometric mean")
    panel.set_ylabel("loss above that of the best, percent, median")
    panel.step(*zip(*sorted(places[method] for method in front), strict=True), where="post", color="C3", alpha=0.4)
    for method, place in places.items():
        panel.plot(*place, "o", color="C3" if method in front else "C0", markersize=7 if method in front else 5)
    panel.margins(0.1)
    panel.grid(alpha=0.3)
    figure.draw_without_rendering()  # so that the places of the names are known
    named: list[tuple[float, float]] = []
    for method in sorted(places, key=lambda method: method not in front):
        x, y = panel.transData.transform(places[method])
        if all(abs(x - other[0]) > _NAME_SIZE[0] or abs(y - other[1]) > _NAME_SIZE[1] for other in named):
            named.append((x, y))
            colour = "C3" if method in front else "C0"
            panel.annotate(method, places[method], textcoords="offset points", xytext=(6, 3), fontsize=8, color=colour)
    save_figure(figure, PICTURE)


def main() -> None:
    """Measure, and write the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--so-far", action="store_true", help="run nothing: write the document with what there is")
    functions: dict[str, Callable[..., Result]] = {"run": league_runs.run}
    wanted = tasks()
    try:
        if not parser.parse_args().so_far:
            run_tasks(CACHE, state, wanted, functions)
    except KeyboardInterrupt:
        sys.exit("interrupted: run again to resume here")
    except InputError as error:
        sys.exit(f"error: {error}")
    results = kept_results(CACHE, wanted, state)
    standings = Standings(results)
    draw(standings)
    tables = "\n\n".join(data_table(standings, data) for data in DATA)
    parts = {"league": league_table(standings), "tables": tables, "limit": f"{LIMIT:g}"}
    parts |= {"n_methods": str(len(competitors())), "n_data": str(len(DATA))}
    parts |= {"n_results": str(len(results)), "n_runs": str(len(wanted))}
    DOCUMENT.write_text(fill(TEMPLATE, parts))
    print(f"written: {DOCUMENT}, {PICTURE}, from {len(results)} of {len(wanted)} runs")


if __name__ == "__main__":
    main()
