"""Measure every method on thirteen data sets, and write docs/methods.md.

The registry decides which methods run: a new one appears by itself. Raw results are in benchmarks/results/league.jsonl,
a line a run; an interrupted run resumes where it stopped, and those of methods that have changed are computed anew. The
page, its tables and its sentences are made of the raw results alone.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median, stdev

import league_runs
from cached_tasks import Result, Task, kept_results, known_results, run_tasks, settle
from documents import DOCS, fill, new_figure, save_figure, table
from league_data import DATA, TITLES
from league_runs import KS
from league_sentences import sentences
from league_standings import Standings, undominated
from microagg import InputError
from source_state import method_state

CACHE = Path(__file__).parent / "results" / "league.jsonl"
TEMPLATE = Path(__file__).parent / "league.in.md"
DOCUMENT = DOCS / "methods.md"
PICTURE = DOCS / "methods.svg"
_LEAST_EXCESS = 0.1  # percent: the lower end of the axis of the picture
_NAME_SIZE = (75.0, 9.0)  # width and height of a name in the picture


def state(task: Task) -> str:
    """Return the state of the sources that a run depends on."""
    return method_state(task[3])


def league_table(standings: Standings) -> str:
    """Return the league table: a line a method."""
    rows = []
    for place, method in enumerate(standings.order(), 1):
        ranks = standings.ranks_of(method)
        excesses = standings.excesses_of(method)
        cells = [f"{mean(ranks):.1f}", str(standings.firsts(method)), f"{median(excesses):.2f}"]
        cells += [f"{max(excesses):.1f}", _spread(standings, method), _times(standings, method)]
        times = standings.times_of(method)
        cells += [seconds(max(times)), "" if standings.is_complete(method) else f"{len(ranks)} of {standings.n_cells}"]
        rows.append([str(place), f"`{method}`", *cells])
    header = [
        "",
        "method",
        "mean rank",
        "firsts",
        "above best, %",
        "at worst, %",
        "spread, %",
        "time",
        "longest",
        "cells",
    ]
    return table(header, rows)


def _spread(standings: Standings, method: str) -> str:
    """Return the standard deviation over random states, the median of that of all cells, and how many states."""
    spreads = standings.spreads_of(method)
    return f"{median(spreads):.2f} ({standings.n_states(method)})" if spreads else ""


def _times(standings: Standings, method: str) -> str:
    return seconds(standings.usual_time(method))


def data_table(standings: Standings, data: str) -> str:
    """Return loss, time and rank of every method on a data set."""
    rows = [
        [f"`{method}`", *(_cell(standings, (data, k, method)) for k in KS)]
        for method in standings.order()
        if any((data, k, method) in standings.ranks for k in KS)
    ]
    return table([TITLES[data], *(f"k = {k}" for k in KS)], rows)


def _cell(standings: Standings, cell: tuple[str, int, str]) -> str:
    if cell not in standings.ranks:
        return "–"
    losses = standings.losses[cell]
    spread = f" ± {stdev(losses):.1g}" if len(losses) > 1 else ""
    return f"{mean(losses):.4g}{spread} · {seconds(standings.seconds[cell])} · {standings.ranks[cell]:g}"


def seconds(time: float) -> str:
    """Return a time with two digits."""
    return f"{time * 1000:.2g} ms" if time < 0.1 else f"{time:.2g} s" if time < 9.5 else f"{time:.0f} s"


def draw(standings: Standings) -> None:
    """Draw how much each method loses above the best, over its time; a name stands where there is room for it."""
    places = {
        method: (standings.usual_time(method), max(median(standings.excesses_of(method)), _LEAST_EXCESS))
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


def text(results: dict[Task, Result]) -> str:
    """Return the text of the page; save its picture."""
    standings = Standings(results)
    draw(standings)
    parts = {"league": league_table(standings)}
    parts["tables"] = "\n\n".join(data_table(standings, data) for data in DATA)
    parts |= {"n_data": str(len(DATA)), "n_runs": str(len(results)), "n_methods": str(len(standings.order()))}
    n_missing = len(list(league_runs.tasks())) - len(results)
    parts["missing"] = f" ({n_missing} more are not run yet)" if n_missing else ""
    return fill(TEMPLATE, parts | sentences(standings))


def results() -> dict[Task, Result]:
    """Return the raw results."""
    return known_results(CACHE, list(league_runs.tasks()))


def main() -> None:
    """Measure, and write the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--so-far", action="store_true", help="run nothing: write the document with what there is")
    functions: dict[str, Callable[..., Result]] = {"run": league_runs.run}
    wanted = list(league_runs.tasks())
    try:
        if not parser.parse_args().so_far:
            run_tasks(CACHE, state, wanted, functions)
            settle(CACHE)
    except KeyboardInterrupt:
        sys.exit("interrupted: run again to resume here")
    except InputError as error:
        sys.exit(f"error: {error}")
    found = results()
    DOCUMENT.write_text(text(found))
    print(f"written: {DOCUMENT}, {PICTURE}, from {len(found)} of {len(wanted)} runs")
    if n_earlier := len(found) - len(kept_results(CACHE, wanted, state)):
        print(f"{n_earlier} results are of earlier code")


if __name__ == "__main__":
    main()
