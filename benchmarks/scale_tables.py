"""Tables of docs/scale.md."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cached_tasks import Result
from documents import table
from scale_data import HARD, PLAIN, TITLES
from scale_results import ScaleResults, count_text, memory_text, number_text, ratio, time_text
from scale_targets import growth, targets
from scale_tasks import BORDER, EFFORTS, Sizes

_LOSS = ".3f"
_VERDICTS = {True: "met", False: "**not met**", None: "not measured"}


class Before(NamedTuple):
    """A figure that was measured before, on the same kind of machine and data."""

    program: str
    n: int
    seconds: float
    loss: float | None
    remark: str


def measured_before() -> list[Before]:
    """Return the figures that were measured before."""
    with Path(__file__).with_name("measured_before.csv").open(newline="", encoding="utf-8") as file:
        return [_before(row) for row in csv.DictReader(file)]


def _before(row: dict[str, str]) -> Before:
    loss = float(row["loss"]) if row["loss"] else None
    return Before(row["program"], int(row["n"]), float(row["seconds"]), loss, row["remark"])


def summary(results: ScaleResults, sizes: Sizes) -> str:
    """Return one sentence: what the largest data sets take."""
    found = []
    for effort in EFFORTS:
        one = results.part(("solve", "mixture", sizes.large, effort))
        if one is not None:
            found.append(f"{time_text(one)} and {memory_text(one['peak'])} with `{effort}` effort")
    sentences = [f"{count_text(sizes.large)} records of ten columns take {', '.join(found)}"] if found else []
    task = ("file", sizes.file, "quick")
    file = results.part(task, "protect")
    if file is not None:
        whole = f"a file of {count_text(sizes.file)}, from file to file, {time_text(file)}"
        sentences.append(f"{whole} and {memory_text(file['peak'])} with `quick` effort")
    return "; ".join(sentences) + "." if sentences else "Not measured yet."


def target_table(results: ScaleResults, sizes: Sizes) -> str:
    """Return every target, what was seen, and whether it is met."""
    rows = [[one.what, one.wanted, one.seen, _VERDICTS[one.met]] for one in targets(results, sizes)]
    return table(["what", "wanted", "seen", ""], rows)


def growth_table(results: ScaleResults, sizes: Sizes) -> str:
    """Return time, memory and loss of each shape, effort and number of records."""
    rows = []
    for shape in PLAIN:
        for effort in EFFORTS:
            for n in sizes.in_memory:
                found = results.part(("solve", shape, n, effort))
                rows.append(
                    [TITLES[shape], f"`{effort}`", count_text(n), *_cells(found), _grown(results, shape, effort, n)]
                )
    header = ["data", "effort", "records", "time", "processor time", "memory", "loss, %", "time in times of a tenth"]
    return table(header, rows)


def _cells(found: Result | None) -> list[str]:
    """Return time, processor time, memory and loss."""
    values = found or {}
    cpu = number_text(values.get("cpu"), ".0f" if values.get("cpu", 0.0) >= 99.5 else ".3g")
    return [time_text(found), cpu, memory_text(values.get("peak")), number_text(values.get("loss"), _LOSS)]


def _grown(results: ScaleResults, shape: str, effort: str, n: int) -> str:
    return number_text(growth(results, shape, effort, n // 10, n), ".1f")


def mdav_table(results: ScaleResults, sizes: Sizes) -> str:
    """Return exact MDAV and ours beside each other."""
    rows = []
    for shape in PLAIN:
        for n in (sizes.small, sizes.middle):
            task = ("beside-mdav", shape, n)
            mdav = results.part(task, "mdav")
            quick = results.part(task, "quick")
            standard = results.part(("solve", shape, n, "standard"))
            cells = [_time_and_loss(one) for one in (mdav, quick, standard)]
            rows.append([TITLES[shape], count_text(n), *cells, _share(quick, mdav), _share(standard, mdav)])
    header = ["data", "records", "exact MDAV", "`quick`", "`standard`", "loss of `quick` in MDAV's", "of `standard`"]
    return table(header, rows)


def leaves_table(results: ScaleResults, sizes: Sizes) -> str:
    """Return MDAV in leaves and ours beside each other."""
    rows = []
    for shape in PLAIN:
        for n in (sizes.middle, sizes.large):
            leaves = results.part(("leaves", shape, n))
            ours = [results.part(("solve", shape, n, effort)) for effort in EFFORTS]
            shares = [_share(one, leaves) for one in ours]
            rows.append([TITLES[shape], count_text(n), *map(_time_and_loss, (leaves, *ours)), *shares])
    header = ["data", "records", "MDAV in leaves", "`quick`", "`standard`", "loss of `quick` in that of leaves"]
    return table([*header, "of `standard`"], rows)


def _time_and_loss(found: Result | None) -> str:
    loss = None if found is None else found["loss"]
    return f"{time_text(found)} · {number_text(loss, _LOSS)}"


def _share(ours: Result | None, other: Result | None) -> str:
    if ours is None or other is None:
        return number_text(None)
    return number_text(ours["loss"] / other["loss"], _LOSS)


def border_table(results: ScaleResults) -> str:
    """Return the largest data that are searched at once, and the smallest that are divided, beside each other."""
    rows = []
    for effort in EFFORTS:
        whole, divided = (results.part(("solve", "mixture", n, effort)) for n in BORDER)
        times = ratio(*(None if one is None else one["cpu"] for one in (divided, whole)))
        rows.append([f"`{effort}`", *map(_time_and_loss, (whole, divided)), number_text(times), _share(divided, whole)])
    header = ["effort", *(count_text(n) for n in BORDER), "processor time, ratio", "loss, ratio"]
    return table(header, rows)


def bounds_table(results: ScaleResults, sizes: Sizes) -> str:
    """Return the bounds of many records."""
    found = results.part(("bounds", sizes.middle))
    return "Not measured yet." if found is None else str(found["table"])


def undivided_table(results: ScaleResults, sizes: Sizes) -> str:
    """Return version 0.1, which divides nothing, and ours beside each other."""
    tasks = {
        "undivided (0.1)": ("undivided", "mixture", sizes.undivided),
        "now": ("solve", "mixture", sizes.undivided, "standard"),
    }
    rows = [[name, *_cells(results.part(task))] for name, task in tasks.items()]
    return table(
        [f"{count_text(sizes.undivided)} records, `standard`", "time", "processor time", "memory", "loss, %"], rows
    )


def hard_table(results: ScaleResults, sizes: Sizes) -> str:
    """Return the hard shapes beside the plain data they were made of."""
    rows = []
    for shape in HARD:
        cells = [TITLES[shape]]
        for effort in EFFORTS:
            task = ("hard", shape, sizes.middle, effort)
            times = ratio(results.value(task, "wall", "hard"), results.value(task, "wall", "plain"))
            legal = results.value(task, "legal", "hard")
            said = number_text(None) if legal is None else "legal" if legal else "**not legal**"
            cells += [said, time_text(results.part(task, "hard")), number_text(times)]
        rows.append(cells)
    header = [f"{count_text(sizes.middle)} records"]
    for effort in EFFORTS:
        header += [f"`{effort}`", "time", "in times of plain data"]
    return table(header, rows)


def file_table(results: ScaleResults, sizes: Sizes) -> str:
    """Return the command line on files: time and memory of protecting and verifying."""
    rows = []
    for n, effort in ((sizes.large, "quick"), (sizes.file, "quick"), (sizes.file, "standard")):
        task = ("file", n, effort)
        loss = number_text(results.value(task, "loss"), _LOSS)
        cells = [count_text(n), memory_text(results.value(task, "bytes")), f"`{effort}`", loss]
        for command in ("protect", "verify"):
            cells += [time_text(results.part(task, command)), memory_text(results.value(task, "peak", command))]
        rows.append(cells)
    return table(["records", "file", "effort", "loss, %", "`protect`", "memory", "`verify`", "memory"], rows)


def peer_table(results: ScaleResults, sizes: Sizes) -> str:
    """Return other programs: those that were run here, and those that were measured before."""
    rows = list(_peers_here(results, sizes))
    for one in measured_before():
        remark = f"before; {one.remark}" if one.remark else "before"
        rows.append([one.program, count_text(one.n), f"{one.seconds:g} s", number_text(one.loss, _LOSS), remark])
    return table(["program", "records", "time", "loss, %", "measured"], rows)


def _peers_here(results: ScaleResults, sizes: Sizes) -> Iterator[list[str]]:
    means = results.part(("constrained-kmeans", "mixture", sizes.small))
    loss = number_text(None if means is None else means["loss"], _LOSS)
    yield ["k-means-constrained, one start", count_text(sizes.small), time_text(means), loss, "here"]
    for n in (sizes.middle, sizes.large):
        query = results.part(("neighbours", "mixture", n))
        yield ["scipy's cKDTree: the 17 nearest of each record, no groups", count_text(n), time_text(query), "", "here"]
