"""Draw docs/search.svg: how the loss of the search and of other methods falls over time.

Every method is run on a few records first, so that its kernels are compiled, and then several times: each loss is drawn
at the median of the times at which it was reached, and a dot at that of the times at which the runs ended.
"""

import time
from statistics import median

from classics import CLASSICS
from documents import DOCS, new_figure, save_figure
from microagg import Solution, datasets, solve
from microagg.model.arrays import FloatArray

PICTURE = DOCS / "search.svg"
PLOTTED = {
    "search": "search",
    "ICSM, 50 starts": "icsm(starts=50,perturb=best)",
    "RepOrdMic": "reporder",
    "IGD (from GSMS-NN)": "gsms-nn+igd",
    "MDAV": "mdav",
}
PANELS = (("census", 5), ("tarragona", 3))
RUNS = 5
_WARMING_RECORDS = 60
_SHORTEST = 1e-3  # seconds: the left end of the axis


def warm_steps(name: str, k: int, method: str) -> tuple[list[float], list[float]]:
    """Return losses that are reached, and when: the median of several runs with compiled kernels, up to their end."""
    X = datasets.matrix(name)
    solve(X[:_WARMING_RECORDS], k, method=method)
    runs = [_timed(X, k, method) for _ in range(RUNS)]
    solutions = [solution for solution, _ in runs]
    sses = sorted({step.sse for solution in solutions for step in solution.history}, reverse=True)
    times = [median(_seconds_to(sse, solution) for solution in solutions) for sse in sses]
    times.append(median(seconds for _, seconds in runs))
    losses = [100 * sse / solutions[0].sst for sse in (*sses, sses[-1])]
    return [max(seconds, _SHORTEST) for seconds in times], losses


def _timed(X: FloatArray, k: int, method: str) -> tuple[Solution, float]:
    """Solve, and return how many seconds it took, too."""
    begin = time.perf_counter()
    solution = solve(X, k, method=method)
    return solution, time.perf_counter() - begin


def _seconds_to(sse: float, solution: Solution) -> float:
    """Return when a run came to an sse, or below: each comes to the same in the end."""
    return min(step.seconds for step in solution.history if step.sse <= sse * (1 + 1e-12))


def draw() -> None:
    """Draw the picture."""
    figure, panels = new_figure(1, len(PANELS), 11, 4.2)
    for panel, (name, k) in zip(panels[0], PANELS, strict=True):
        for label, method in PLOTTED.items():
            seconds, losses = warm_steps(name, k, method)
            (line,) = panel.step(seconds, losses, where="post", label=label)
            panel.plot(seconds[-1], losses[-1], "o", color=line.get_color(), markersize=4)
        panel.set(
            xscale="log", xlabel="seconds", ylabel="information loss in percent", title=f"{CLASSICS[name]}, k = {k}"
        )
        panel.grid(alpha=0.3)
    panels[0, 0].legend()
    save_figure(figure, PICTURE)


if __name__ == "__main__":
    draw()
    print(f"written: {PICTURE}")
