"""Path heuristics of MF-TSP, by name."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.random import Generator

from microagg.kernels.tick import Tick, no_tick
from microagg.model.arrays import FloatArray, IntArray

PathHeuristic = Callable[[FloatArray, int, Generator], IntArray]
"""Function of the distances, of shape (n, n), the start and a random generator: a path through all records."""


class NamedHeuristic(Protocol):
    """Path heuristic that has a name here, and ticks where a path may take longer than a fraction of a second."""

    def __call__(self, distances: FloatArray, start: int, rng: Generator, tick: Tick = no_tick) -> IntArray:
        """Return a path through all records."""


def _nearest_neighbour(distances: FloatArray, start: int, rng: Generator, tick: Tick = no_tick) -> IntArray:
    from microagg.kernels.walks.hamiltonian_paths import nearest_path

    return nearest_path(distances, start)


def _nearest_insertion(distances: FloatArray, start: int, rng: Generator, tick: Tick = no_tick) -> IntArray:
    from microagg.kernels.walks.hamiltonian_paths import distance_insertion_path

    return distance_insertion_path(distances, start, farthest=False)


def _farthest_insertion(distances: FloatArray, start: int, rng: Generator, tick: Tick = no_tick) -> IntArray:
    from microagg.kernels.walks.hamiltonian_paths import distance_insertion_path

    return distance_insertion_path(distances, start, farthest=True)


def _cheapest_insertion(distances: FloatArray, start: int, rng: Generator, tick: Tick = no_tick) -> IntArray:
    from microagg.kernels.walks.hamiltonian_paths import cheapest_insertion_path

    return cheapest_insertion_path(distances, start, tick)


def _arbitrary_insertion(distances: FloatArray, start: int, rng: Generator, tick: Tick = no_tick) -> IntArray:
    from microagg.kernels.walks.hamiltonian_paths import insertion_path

    return insertion_path(distances, start, np.arange(len(distances)))


def _random_insertion(distances: FloatArray, start: int, rng: Generator, tick: Tick = no_tick) -> IntArray:
    from microagg.kernels.walks.hamiltonian_paths import insertion_path

    return insertion_path(distances, start, rng.permutation(len(distances)))


PATH_HEURISTICS: dict[str, NamedHeuristic] = {
    "nearest": _nearest_neighbour,
    "nearest-insertion": _nearest_insertion,
    "farthest-insertion": _farthest_insertion,
    "cheapest-insertion": _cheapest_insertion,
    "arbitrary-insertion": _arbitrary_insertion,
    "random-insertion": _random_insertion,
}
