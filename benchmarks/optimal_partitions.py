"""Publish the five proved optima: the groups of every record, and the proof, in benchmarks/optimal/.

    python benchmarks/optimal_partitions.py                # what is missing
    python benchmarks/optimal_partitions.py "census 3"     # one cell, anew

A file of labels has a line a record, in the order of the data set: the number of its group, counted from 0 in the order
of the records. The certificate beside it is what `microagg certify` checks; one above a million bytes, or whose check
takes minutes, is not kept in the repository, and made again by this command. Each proof takes one to three minutes.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from classics import CLASSICS
from microagg import InputError, as_certificate, datasets, solve
from microagg.model.arrays import FloatArray, IntArray
from prove_optima import CELLS

FOLDER = Path(__file__).parent / "optimal"
_HEADER = "group"
_NOT_KEPT = (("tarragona", 3), ("tarragona", 4))  # above a million bytes, or not checked: see .gitignore


def labels_path(name: str, k: int) -> Path:
    """Return where the labels of an optimum are."""
    return FOLDER / f"{name}_k{k}.csv"


def certificate_path(name: str, k: int) -> Path:
    """Return where the proof of an optimum is, if it was made here or is kept."""
    return FOLDER / f"{name}_k{k}.json"


def is_kept(name: str, k: int) -> bool:
    """Return whether the repository has the certificate."""
    return (name, k) not in _NOT_KEPT


def read_labels(name: str, k: int) -> IntArray:
    """Read the group of each record."""
    header, *lines = labels_path(name, k).read_text().splitlines()
    if header != _HEADER:
        raise AssertionError(f"{labels_path(name, k)} begins with {header}")
    return np.array(lines, dtype=np.int64)


def sse_of(X: FloatArray, labels: IntArray) -> float:
    """Return the sum of squares within groups, on standardised columns."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    sizes = np.bincount(labels)
    centroids = np.stack([np.bincount(labels, weights=column) / sizes for column in Z.T], axis=1)
    return float(((Z - centroids[labels]) ** 2).sum())


def publish(name: str, k: int) -> None:
    """Prove an optimum, and write its groups and its proof.

    Raises
    ------
    AssertionError
        If it was not proved.
    """
    data = datasets.load(name)
    solution = solve(data, k, method="exact", columns=data.names, random_state=0)
    if solution.status != "optimal":
        raise AssertionError(f"{name}, k = {k}: {solution.status}, gap {solution.gap:.2g}")
    FOLDER.mkdir(exist_ok=True)
    labels = "\n".join(map(str, in_order(solution.labels)))
    labels_path(name, k).write_text(f"{_HEADER}\n{labels}\n")
    certificate_path(name, k).write_text(as_certificate(solution))
    print(f"{CLASSICS[name]}, k = {k}: {solution.sse!r}, {certificate_path(name, k).stat().st_size / 1e6:.2f} MB")


def in_order(labels: Iterable[int]) -> list[int]:
    """Return the labels of the same groups, numbered in the order of the records."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(int(label), len(numbers)) for label in labels]


def main() -> None:
    """Publish the chosen optima, or those that are missing."""
    chosen = sys.argv[1:]
    try:
        for name, k in CELLS:
            if f"{name} {k}" in chosen or not (chosen or labels_path(name, k).exists()):
                publish(name, k)
    except InputError as error:
        sys.exit(f"nothing is proved: {error}")


if __name__ == "__main__":
    main()
