"""Targets of the measurements of scale: what is wanted, what was seen, and whether that is enough."""

from typing import NamedTuple

from cached_tasks import Task
from scale_data import HARD, PLAIN
from scale_results import NOT_THERE, ScaleResults, count_text, memory_text, ratio
from scale_tasks import EFFORTS, N_KILLS, Sizes


class Target(NamedTuple):
    """A target.

    Parameters
    ----------
    what
        What is measured.
    wanted
        The most that is wanted.
    seen
        What was seen.
    met
        Whether it is enough; None where it is not known yet.
    """

    what: str
    wanted: str
    seen: str
    met: bool | None


def targets(results: ScaleResults, sizes: Sizes) -> list[Target]:
    """Return every target."""
    return [
        *_growth(results, sizes),
        *_beside_mdav(results, sizes),
        *_large(results, sizes),
        *_undivided(results, sizes),
        *_file(results, sizes),
        *_hard(results, sizes),
        _kills(results),
    ]


def _growth(results: ScaleResults, sizes: Sizes) -> list[Target]:
    """Return the targets of growth: the worst of the shapes."""
    found = []
    for effort in EFFORTS:
        ratios = [growth(results, shape, effort, sizes.middle, sizes.large) for shape in PLAIN]
        known = [one for one in ratios if one is not None]
        many = f"time of {count_text(sizes.large)} in times of {count_text(sizes.middle)}"
        name = f"`{effort}`: {many}, worst shape" + (" so far" if len(known) < len(ratios) else "")
        target = _at_most(name, max(known, default=None), 11.0)
        is_known = target.met is False or len(known) == len(ratios)
        found.append(target if is_known else target._replace(met=None))
    return found


def growth(results: ScaleResults, shape: str, effort: str, few: int, many: int) -> float | None:
    """Return how many times as long many records take as few."""
    return ratio(
        results.value(("solve", shape, many, effort), "wall"), results.value(("solve", shape, few, effort), "wall")
    )


def _beside_mdav(results: ScaleResults, sizes: Sizes) -> list[Target]:
    task = ("beside-mdav", "mixture", sizes.middle)
    n = count_text(sizes.middle)
    mdav = results.value(task, "loss", "mdav")
    time = ratio(results.value(task, "wall", "quick"), results.value(task, "wall", "mdav"))
    standard = results.value(("solve", "mixture", sizes.middle, "standard"), "loss")
    return [
        _at_most(f"{n}, `quick`: time in times of exact MDAV", time, 2.0),
        _at_most(f"{n}, `quick`: loss beside MDAV", ratio(results.value(task, "loss", "quick"), mdav), 0.93),
        _at_most(f"{n}, `standard`: loss beside MDAV", ratio(standard, mdav), 0.84),
    ]


def _large(results: ScaleResults, sizes: Sizes) -> list[Target]:
    n = count_text(sizes.large)
    quick: Task = ("solve", "mixture", sizes.large, "quick")
    standard: Task = ("solve", "mixture", sizes.large, "standard")
    leaves = results.value(("leaves", "mixture", sizes.large), "loss")
    neighbours = results.value(("neighbours", "mixture", sizes.large), "wall")
    time = ratio(results.value(quick, "wall"), neighbours)
    name = f"{n}, `quick`: time beside scipy's exact neighbours"
    return [
        _at_most(name, time, 0.15),
        _below_memory(f"{n}, `quick`: memory", results.value(quick, "peak"), 1.5e9),
        _at_most(f"{n}, `quick`: loss beside MDAV in leaves", ratio(results.value(quick, "loss"), leaves), 0.79),
        _at_most(f"{n}, `standard`: loss beside MDAV in leaves", ratio(results.value(standard, "loss"), leaves), 0.74),
    ]


def _undivided(results: ScaleResults, sizes: Sizes) -> list[Target]:
    n = count_text(sizes.undivided)
    ours: Task = ("solve", "mixture", sizes.undivided, "standard")
    before: Task = ("undivided", "mixture", sizes.undivided)
    loss = ratio(results.value(ours, "loss"), results.value(before, "loss"))
    cpu = ratio(results.value(ours, "cpu"), results.value(before, "cpu"))
    return [
        _at_most(f"{n}, `standard`: loss beside undivided", loss, 1.01, ".4f"),
        _at_most(f"{n}, `standard`: processor time beside undivided", cpu, 0.5),
    ]


def _file(results: ScaleResults, sizes: Sizes) -> list[Target]:
    n = count_text(sizes.file)
    task: Task = ("file", sizes.file, "quick")
    time = results.value(task, "wall", "protect")
    in_memory = results.value(("solve", "mixture", sizes.large, "quick"), "wall")
    from_file = results.value(("file", sizes.large, "quick"), "wall", "protect")
    times_as_many = sizes.file / sizes.large
    per_solve = ratio(ratio(time, in_memory), times_as_many)
    per_file = ratio(ratio(time, from_file), times_as_many)
    few = count_text(sizes.large)
    return [
        _below_memory(f"{n} in a file: memory of `protect`", results.value(task, "peak", "protect"), 2e9),
        _below_memory(f"{n} in a file: memory of `verify`, passed", results.value(task, "peak", "verify"), 2e9),
        _at_most(f"{n} in a file: time a record beside `solve` of {few} in memory", per_solve, 2.0),
        _at_most(f"{n} in a file: time a record beside `protect` of {few} in memory", per_file, 2.0),
    ]


def _hard(results: ScaleResults, sizes: Sizes) -> list[Target]:
    """Return the targets of the hard shapes: the worst of them."""
    found = []
    for effort in EFFORTS:
        tasks = [("hard", shape, sizes.middle, effort) for shape in HARD]
        pairs = [(results.part(task, "hard"), results.part(task, "plain")) for task in tasks]
        known = [(hard, plain) for hard, plain in pairs if hard is not None and plain is not None]
        whole = len(known) == len(pairs)
        worst = max(hard["wall"] / plain["wall"] for hard, plain in known) if whole else None
        legal = all(hard["legal"] for hard, _ in known) if whole else None
        said = NOT_THERE if legal is None else "yes" if legal else "no"
        found.append(_at_most(f"hard shapes, `{effort}`: time in times of plain data, worst shape", worst, 3.0))
        found.append(Target(f"hard shapes, `{effort}`: all groups legal", "yes", said, legal))
    return found


def _kills(results: ScaleResults) -> Target:
    found = results.part(("kill", N_KILLS))
    what = f"{N_KILLS} runs out of core killed at random moments, and resumed"
    said = NOT_THERE if found is None else str(found["found"])
    return Target(what, "no failure", said, None if found is None else bool(found["passed"]))


def _at_most(what: str, seen: float | None, most: float, form: str = ".3g") -> Target:
    if seen is None:
        return Target(what, f"≤ {most:g}", NOT_THERE, None)
    return Target(what, f"≤ {most:g}", f"{seen:{form}}", seen <= most)


def _below_memory(what: str, seen: float | None, most: float) -> Target:
    met = None if seen is None else seen < most
    return Target(what, f"< {memory_text(most)}", memory_text(seen), met)
