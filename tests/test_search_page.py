"""The search on docs/search.md is the search of the code: every constant, and every formula that gives a number."""

import importlib
import re
from itertools import islice, product
from math import ceil, floor, sqrt
from typing import Any

import numpy as np
import pytest

from microagg import Partition, Problem
from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.methods import pipeline
from microagg.model.problem_shape import Shape
from microagg.refine.block_schedule import block_rounds, length_in_part
from microagg.refine.descent import neighbour_lists
from microagg.refine.search import Search
from microagg.soft_walls import n_sample_wanted
from walk_throughs import ROOT

PAGE = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
METHOD = PAGE[PAGE.index("## How it works") : PAGE.index("## What it reaches")]
TEXT = METHOD[: METHOD.index("## Constants")]
ROWS = re.findall(r"^\| ([A-Z_]+) \| (.+) \| `([\w.]+)` \|$", METHOD, re.MULTILINE)
CLASSICS = ((834, 13), (1080, 13), (4092, 11))
EFFORTS = ("quick", "standard", "thorough")
SHAPES = [Shape(*shape) for shape in product((6, 500, 1080, 4092, 20_000), (2, 13, 40), (2, 3, 12))]
LARGE = [Shape(*shape) for shape in product((5_001, 30_000, 1_000_000, 10**8), (2, 40), (3, 12))]


def _read(value: str) -> Any:
    """Return a value of the page: a number, a list, pairs, or numbers by effort."""
    pairs = re.findall(r"\(([\d.]+), ([\d.]+)\)", value)
    if pairs:
        return tuple((float(one), float(other)) for one, other in pairs)
    efforts = re.findall(r"(quick|standard|thorough) ([\d.]+)", value)
    if efforts:
        return {effort: float(number) for effort, number in efforts}
    numbers = tuple(map(float, value.split(", ")))
    return numbers if len(numbers) > 1 else numbers[0]


C = {name: _read(value) for name, value, _ in ROWS}


def _in_code(place: str) -> Any:
    path, _, name = place.rpartition(".")
    try:
        return getattr(importlib.import_module(f"microagg.{path}"), name)
    except ModuleNotFoundError:
        owner = _in_code(path)
    return {key: getattr(one, name) for key, one in owner.items()} if isinstance(owner, dict) else getattr(owner, name)


def _trials(n: float, d: int, k: int) -> float:
    """Return the trials of a round of length 1, before they are rounded, as the page says."""
    records = min(n, sqrt(C["N_LINEAR"] * n))
    return float(C["TRIALS"] * records * min(1, C["D_FREE"] / d) / (k * min(k, C["K_COSTLY"]) ** 1.5))


def test_template_says_the_same() -> None:
    assert METHOD in (ROOT / "benchmarks" / "search.in.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "value", "place"), ROWS, ids=[row[0] for row in ROWS])
def test_constants_are_those_of_the_code(name: str, value: str, place: str) -> None:
    assert _read(value) == _in_code(place), name


def test_the_table_of_constants_is_complete() -> None:
    used = set(re.findall(r"\b(?:[A-Z]+_)?[A-Z]{3,}(?:_[A-Z]+)*\b|\b[A-Z]_[A-Z]+\b", TEXT)) - {"EIA", "MDAV", "SSE"}
    assert used == set(C)


def test_other_numbers_are_left_to_the_table() -> None:
    prose = "\n".join(line for line in TEXT.splitlines() if not line.startswith("|"))
    numbers = set(re.findall(r"(?<![\w.^])\d[\d.]*\d|(?<![\w.^])\d", prose))
    assert numbers <= {"0", "1", "2", "3", "10"}  # 3 and 10: of the length of neighbour lists, tested below


@pytest.mark.parametrize("effort", EFFORTS)
def test_rounds_are_those_of_the_page(effort: str) -> None:
    row = re.search(rf"^\| {effort} \| (.*) \|$", TEXT, re.MULTILINE)
    assert row is not None
    n_rounds, lengths, shares, restarts, *totals = row[1].split(" | ")
    for (n, d), total in zip(CLASSICS, totals, strict=True):
        shape = Shape(n, d, 3)
        rounds = list(Search(effort).rounds(shape, int(n_rounds)))
        assert sum(one.n_trials for one in rounds) == int(total)
        assert [one.n_trials // rounds[0].n_trials for one in rounds] == list(map(int, lengths.split(", ")))
        assert [one.temperature_share for one in rounds] == list(map(float, shares.split(", ")))
        restarting = [str(number) for number, one in enumerate(rounds, start=1) if one.restarts]
        assert ", ".join(restarting) == restarts.replace("–", "")


@pytest.mark.parametrize("effort", EFFORTS)
def test_trials_and_patience_are_those_of_the_formula(effort: str) -> None:
    for n, d, k, *_ in SHAPES:
        quick = min(1, sqrt(C["N_QUICK"] / n)) if effort == "quick" else 1
        planned = list(Search(effort, length=0.7).rounds(Shape(n, d, k), int(C["ROUNDS"][effort])))
        if n < 2 * k:  # one group only
            assert planned == []
            continue
        first = planned[0]
        assert first.n_trials == 1 + floor(0.7 * quick * _trials(n, d, k))
        for one, (length, share) in zip(planned, C["LENGTHS"], strict=False):
            assert one.n_trials == length * first.n_trials
            assert one.temperature_share == share
            assert one.restarts == (length >= C["L_RESTART"])
            assert one.patience == C["PATIENCE"] * (1 + length)


@pytest.mark.parametrize("effort", EFFORTS)
def test_trials_of_blocks_are_those_of_the_formula(effort: str) -> None:
    for shape in LARGE:
        n, d, k = shape.n, shape.d, shape.k
        lengths = [length for length, _ in C["LENGTHS"]][: int(C["WHOLE"][effort])]
        whole = C["RUNS"] * sum(lengths) * _trials(C["N_WHOLE"], d, k)
        q = min(sqrt(C["N_QUICK"] / C["N_WHOLE"]), sqrt(C["N_WHOLE"] / n)) if effort == "quick" else 1
        slower = min(1, C["N_DENSE"] / n) ** C["SLOWER"][effort]
        least = C["LEAST"][effort] * C["RUNS"] * _trials(1, d, k) * slower
        long_lists = max(0.7 * q * whole / n, least)
        short = effort == "quick" and long_lists < C["FEW"]
        m = max(0.7 * q * C["SHORT_MORE"] * whole / n, least) if short else long_lists
        n_walls = int(C["WALLS"][effort])
        rounds = list(block_rounds(effort, C["HEAT"], shape, n_walls, 0.7))
        assert [(one.begin, one.end) for one in rounds] == [(j / n_walls, (j + 1) / n_walls) for j in range(n_walls)]
        for one in rounds:
            assert one.trials_per_record == pytest.approx(m, rel=1e-12)
            assert one.temperature == C["HEAT"]
            assert one.short_lists == short


def test_cycles_without_end_are_those_of_the_page() -> None:
    shape = Shape(30_000, 5, 3)
    (m,) = {one.trials_per_record for one in block_rounds("standard", 0.3, shape, 8)}
    n_walls = int(C["WALLS"]["standard"])
    rounds = list(islice(block_rounds(None, 0.3, shape, None), 5 * n_walls))
    for cycle, length in enumerate((*C["CYCLES"], C["CYCLES"][-1])):
        for one in rounds[cycle * n_walls : (cycle + 1) * n_walls]:
            assert one.trials_per_record == pytest.approx(length * m)
            assert one.temperature == (0.3 if cycle == 0 else 0.15)


def test_blocks_samples_and_parts_are_those_of_the_formulas() -> None:
    auto = pipeline("auto")
    for n, k in product((5_000, 5_001, 10_007, 60_000, 10**6), (2, 5, 2_000)):
        whole = n <= max(C["N_WHOLE"], C["GROUPS"] * k)
        size = max(C["GROUPS"] * k, min(C["SIZE"], ceil(n / 2)))
        assert auto.block_size_for(Shape(n, 4, k)) == (None if whole else size)
        sample = max(C["SAMPLE"], max(C["SAMPLE_EACH"], C["SAMPLE_GROUPS"] * k) * 300)
        assert n_sample_wanted(300, k) == sample
        assert length_in_part("quick", 700, n) == pytest.approx(min(1, sqrt(max(700, C["N_WHOLE"]) / n)))
        assert length_in_part("standard", 700, n) == 1


@pytest.mark.parametrize("k", [2, 3, 10, 25])
def test_neighbour_lists_are_those_of_the_formula(k: int) -> None:
    n = 200
    problem = Problem(np.random.default_rng(0).normal(size=(n, 3)), k)
    partition = Partition(problem, np.minimum(np.arange(n) // k, n // k - 1))
    near = neighbour_lists(partition, RoundProgress("test", problem, Run()))
    length = int(min(C["L_NEAR"], 10 + 3 * k // 2))
    reach = int(max(length, C["REACH"] * k))
    half = length // 2
    ranks = [*range(half), *(int(rank) for rank in np.linspace(half, reach - 1, length - half))]
    distances = ((problem.X[:, None] - problem.X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    assert (near == np.argsort(distances, axis=1, kind="stable")[:, ranks]).all()
