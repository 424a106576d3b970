"""K-means with groups of k to 2k − 1 by the package k-means-constrained, for a Python that has it: prints JSON.

Usage: `python constrained_kmeans.py DATA.npy K`, where the data are standardised. As many groups as suit the package
best, with one start: the others would multiply its time.
"""

import json
import sys
import time

import numpy as np

_MEAN_SIZE = 1.1  # of groups, in k: fewer and more groups lost more at 2 000 records


def main() -> None:
    """Group, and print seconds and loss."""
    from k_means_constrained import KMeansConstrained

    X = np.load(sys.argv[1])
    k = int(sys.argv[2])
    n_groups = int(len(X) / (_MEAN_SIZE * k))
    means = KMeansConstrained(n_groups, size_min=k, size_max=2 * k - 1, n_init=1, random_state=0, n_jobs=1)
    wall = time.perf_counter()
    cpu = time.process_time()
    labels = means.fit_predict(X)
    wall = time.perf_counter() - wall
    cpu = time.process_time() - cpu
    sizes = np.bincount(labels)
    centroids = np.column_stack([np.bincount(labels, weights=column) for column in X.T]) / sizes[:, None]
    loss = 100.0 * float(np.square(X - centroids[labels]).sum()) / X.size
    print(json.dumps({"wall": wall, "cpu": cpu, "loss": loss, "legal": int(sizes.min()) >= k}))


if __name__ == "__main__":
    main()
