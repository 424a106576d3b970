"""Publish the five proved optima: certificates in benchmarks/optimal/, with the group of every record and the proof.

    python benchmarks/optimal_partitions.py                # what is missing
    python benchmarks/optimal_partitions.py "census 3"     # one cell, anew

The `labels` of a certificate are the groups of the records, in the order of the data set; `microagg certify` checks
the rest. A certificate above a million bytes, or whose check takes minutes, is not kept in the repository, and made
again by this command. Each proof takes minutes.
"""

import json
import sys
from pathlib import Path

import numpy as np

from classics import CLASSICS
from microagg import InputError, as_certificate, datasets, solve
from microagg.model.arrays import FloatArray, IntArray
from prove_optima import CELLS

FOLDER = Path(__file__).parent / "optimal"
_NOT_KEPT = (("tarragona", 3), ("tarragona", 4))  # above a million bytes, or not checked: see .gitignore


def certificate_path(name: str, k: int) -> Path:
    """Return where the proof of an optimum is, if it was made here or is kept."""
    return FOLDER / f"{name}_k{k}.json"


def is_kept(name: str, k: int) -> bool:
    """Return whether the repository has the certificate."""
    return (name, k) not in _NOT_KEPT


def read_labels(name: str, k: int) -> IntArray:
    """Read the group of each record from the certificate."""
    return np.array(json.loads(certificate_path(name, k).read_text())["labels"], dtype=np.int64)


def sse_of(X: FloatArray, labels: IntArray) -> float:
    """Return the sum of squares within groups, on standardised columns."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    sizes = np.bincount(labels)
    centroids = np.stack([np.bincount(labels, weights=column) / sizes for column in Z.T], axis=1)
    return float(((Z - centroids[labels]) ** 2).sum())


def publish(name: str, k: int) -> None:
    """Prove an optimum, and write its certificate.

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
    certificate_path(name, k).write_text(as_certificate(solution))
    print(f"{CLASSICS[name]}, k = {k}: {solution.sse!r}, {certificate_path(name, k).stat().st_size / 1e6:.2f} MB")


def main() -> None:
    """Publish the chosen optima, or those that are missing."""
    chosen = sys.argv[1:]
    try:
        for name, k in CELLS:
            if f"{name} {k}" in chosen or not (chosen or certificate_path(name, k).exists()):
                publish(name, k)
    except InputError as error:
        sys.exit(f"nothing is proved: {error}")


if __name__ == "__main__":
    main()
