"""The oracle: slow and obvious versions of every kernel."""

from fractions import Fraction
from itertools import combinations

import numpy as np


def sse(X, labels):
    return sum(
        float(((X[labels == group] - X[labels == group].mean(axis=0)) ** 2).sum()) for group in np.unique(labels)
    )


def partitions(records, k):
    """Yield every partition of `records` into groups of k to 2k − 1."""
    if not records:
        yield []
        return
    first, *rest = records
    for size in range(k, 2 * k):
        for others in combinations(rest, size - 1):
            left = [record for record in rest if record not in others]
            if not left or len(left) >= k:
                for groups in partitions(left, k):
                    yield [[first, *others], *groups]


def best_sse(X, k):
    """The optimum by brute force over all partitions."""
    return min(
        sum(float(((X[group] - X[group].mean(axis=0)) ** 2).sum()) for group in groups)
        for groups in partitions(list(range(len(X))), k)
    )


def mdav(X, k):
    """Maximum distance to average vector."""
    left = np.arange(len(X))
    labels = np.empty(len(X), dtype=np.int64)
    group = 0

    def distances(point):
        return ((X[left] - point) ** 2).sum(axis=1)

    def take(point):
        nonlocal left, group
        chosen = np.argsort(distances(point), kind="stable")[:k]
        labels[left[chosen]] = group
        left = np.delete(left, chosen)
        group += 1

    while len(left) >= 2 * k:
        r = X[left[distances(X[left].mean(axis=0)).argmax()]]
        take(r)
        s = X[left[distances(r).argmax()]]  # no nearer than what was taken: the farthest of all
        take(s)
    if len(left) >= k:
        labels[left] = group
    else:
        grouped = np.setdiff1d(np.arange(len(X)), left)
        centroids = [X[grouped][labels[grouped] == g].mean(axis=0) for g in range(group)]
        for record in left:
            labels[record] = np.argmin([((X[record] - centroid) ** 2).sum() for centroid in centroids])
    return labels


def exact_cut(values, k):
    """The least sse of cutting sorted numbers into runs of k to 2k − 1, in exact fractions."""
    numbers = [Fraction(float(value)) for value in values]
    n = len(numbers)
    if n < 2 * k:
        return _exact_sse(numbers)
    best = [Fraction(0)] + [None] * n
    for end in range(k, n + 1):
        starts = [start for start in range(max(0, end - 2 * k + 1), end - k + 1) if best[start] is not None]
        if starts:
            best[end] = min(best[start] + _exact_sse(numbers[start:end]) for start in starts)
    return best[n]


def _exact_sse(numbers):
    mean = sum(numbers) / len(numbers)
    return sum((number - mean) ** 2 for number in numbers)


def cut_path(X, order, k):
    """The least sse of cutting an order into runs of k to 2k − 1 (all of fewer than 2k)."""
    Y = X[order]
    n = len(Y)
    best = [0.0] + [np.inf] * n
    for end in range(k, n + 1):
        for start in range(max(0, end - 2 * k + 1), end - k + 1):
            group = Y[start:end]
            best[end] = min(best[end], best[start] + float(((group - group.mean(axis=0)) ** 2).sum()))
    return best[n]


def cut_tour(X, order, k):
    """The same for a tour: the best of every way to open it."""
    return min(cut_path(X, np.roll(order, -shift), k) for shift in range(len(order)))


def group_by_group(X, labels):
    """Walk through the groups: nearest next within a group, then to the nearest record left."""

    def nearest(point, records):
        return min(records, key=lambda record: (float(((X[record] - point) ** 2).sum()), record))

    left = set(range(len(X)))
    here = int(np.argmax(((X - X.mean(axis=0)) ** 2).sum(axis=1)))
    order = []
    while True:
        members = {record for record in left if labels[record] == labels[here]}
        left -= members
        while members:
            members.remove(here)
            order.append(here)
            if members:
                here = nearest(X[order[-1]], members)
        if not left:
            return np.array(order)
        here = nearest(X[order[-1]], left)
