"""The worked example of the MF-TSP paper: eleven companies, k = 3."""

import csv
from itertools import pairwise
from pathlib import Path

import numpy as np

from microagg.construct.leftovers import place_leftovers
from microagg.kernels.geometry.distances import distance_matrix
from microagg.kernels.walks.path_counts import count_near_pairs, group_by_counts
from microagg.model.arrays import FloatArray, IntArray

K = 3
_FILE = Path(__file__).parents[2] / "examples" / "companies.csv"

TABLE_II = {(747.5, 46): (0, 1, 2, 9), (756.67, 8): (3, 4, 8), (322.5, 33): (5, 6, 7, 10)}
"""Centroids as printed, and the companies that have them; the first company is 0."""

TABLE_III = (
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    (8, 7, 6, 2, 10, 1, 5, 4, 3, 9, 11),
    (10, 2, 6, 7, 8, 11, 9, 3, 4, 5, 1),
)
TABLE_IV = (  # the rows that can be read in our copy: not those from Com2 and Com4
    (1, 3, 4, 6, 7, 11, 10, 8, 9, 5, 2),
    (3, 1, 2, 5, 4, 6, 7, 11, 10, 8, 9),
    (5, 2, 1, 3, 4, 6, 9, 8, 10, 11, 7),
    (6, 5, 2, 1, 3, 4, 7, 11, 10, 8, 9),
    (7, 8, 10, 11, 4, 3, 1, 2, 5, 6, 9),
    (8, 10, 11, 7, 9, 5, 2, 1, 3, 4, 6),
    (9, 6, 5, 2, 1, 3, 4, 11, 10, 8, 7),
    (10, 11, 8, 7, 9, 6, 4, 3, 1, 2, 5),
    (11, 10, 8, 7, 9, 6, 4, 5, 2, 3, 1),
)
_TABLE_V = """
    11 11 8 11 0 1 0 1 1 1
    10 2 10 3 2 0 4 1 1
    9 3 5 1 1 1 0 3
    3 8 4 1 4 2 3
    6 2 1 6 1 2
    7 4 7 1 3
    6 5 10 9
    10 11 8
    6 3
    11
"""
TABLE_VI = ((1, 2, 3), (10, 8, 11), (6, 4, 5))
TABLE_VIII = ((743.33, 43.66), (385.0, 39.75), (695.0, 12.5))
"""Centroids of the groups of table VI, with company 7 in the second and company 9 in the third."""


def companies() -> FloatArray:
    """Return surface and employees of each company: table I."""
    with _FILE.open(newline="") as file:
        return np.array([[float(row["surface"]), float(row["employees"])] for row in csv.DictReader(file)])


def standardised() -> FloatArray:
    """Return both columns with mean 0 and variance 1."""
    X = companies()
    return np.asarray((X - X.mean(axis=0)) / X.std(axis=0))


def table_v() -> IntArray:
    """Return the counts of table V, as printed."""
    counts = np.zeros((11, 11), dtype=np.int64)
    for row, line in enumerate(_TABLE_V.split("\n")[1:-1]):
        counts[row, row + 1 :] = line.split()
    return counts + counts.T


def count(paths: list[IntArray]) -> IntArray:
    """Count on how many paths two companies are near each other, as table V does."""
    counts = np.zeros((11, 11), dtype=np.int64)
    for path in paths:
        count_near_pairs(path, K - 1, counts)
    return counts


def group(counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return the labels after the main loop, −1 where there is none yet, and in the end: tables VI and VII."""
    labels = group_by_counts(counts.copy(), K)
    final = labels.copy()
    place_leftovers(standardised(), final, np.flatnonzero(labels < 0), K)
    return labels, final


def length(path: tuple[int, ...] | IntArray) -> float:
    """Return the length of a path through the standardised companies, the first of which is 0."""
    distances = distance_matrix(standardised())
    return float(sum(distances[one, other] for one, other in pairwise(path)))
