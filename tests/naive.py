"""The oracle: slow and obvious versions of every kernel."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

from microagg.model.arrays import FloatArray, IntArray

Labels = npt.NDArray[Any]
Records = IntArray | Sequence[int]
First = Callable[[FloatArray, int, IntArray], Iterator[int]]
Grow = Callable[[FloatArray, int, IntArray, int], Records]


def sse(X: FloatArray, labels: Labels) -> float:
    """Compute the sum of squares within the groups."""
    return sum(
        float(((X[labels == group] - X[labels == group].mean(axis=0)) ** 2).sum()) for group in np.unique(labels)
    )


def partitions(records: list[int], k: int) -> Iterator[list[list[int]]]:
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


def best_sse(X: FloatArray, k: int) -> float:
    """Compute the optimum by brute force over all partitions."""
    return min(
        sum(float(((X[group] - X[group].mean(axis=0)) ** 2).sum()) for group in groups)
        for groups in partitions(list(range(len(X))), k)
    )


def squares(X: FloatArray, point: FloatArray) -> FloatArray:
    """Compute the squared distances from a point."""
    distances: FloatArray = ((X - point) ** 2).sum(axis=1)
    return distances


def fixed_size(X: FloatArray, k: int, first: First, grow: Grow) -> IntArray:
    """Make groups of k: `first` yields the record each starts at, `grow` returns its records as they join."""
    labels = np.full(len(X), -1)
    group = 0
    for record in first(X, k, labels):
        labels[grow(X, k, np.flatnonzero(labels < 0), record)] = group
        group += 1
    left = np.flatnonzero(labels < 0)
    if len(left) >= k:
        labels[left] = group
    else:
        join_nearest(X, labels, left)
    return labels


def join_nearest(X: FloatArray, labels: IntArray, left: IntArray) -> None:
    """Let each record left join the group whose centroid was the nearest before any of them joined."""
    centroids = [X[labels == group].mean(axis=0) for group in range(labels.max() + 1)]
    for record in left:
        labels[record] = np.argmin([((X[record] - centroid) ** 2).sum() for centroid in centroids])


def nn(X: FloatArray, k: int, left: IntArray, record: int) -> IntArray:
    """List the k records left that are nearest to a record, itself first."""
    return left[np.argsort(squares(X[left], X[record]), kind="stable")[:k]]


def nc(X: FloatArray, k: int, left: IntArray, record: int) -> list[int]:
    """List the k records of a group that grows by the record nearest to its centroid."""
    group = [record]
    sums = X[record].copy()
    while len(group) < k:
        others = left[~np.isin(left, group)]
        group.append(int(others[squares(X[others], sums / len(group)).argmin()]))
        sums = sums + X[group[-1]]
    return group


def first_mdav(X: FloatArray, k: int, labels: IntArray) -> Iterator[int]:
    """Yield the record farthest from the centroid, and the one farthest from that, by turns."""
    while (labels < 0).sum() >= 2 * k:
        left = np.flatnonzero(labels < 0)
        r = left[squares(X[left], X[left].mean(axis=0)).argmax()]
        yield r
        left = np.flatnonzero(labels < 0)
        yield left[squares(X[left], X[r]).argmax()]


def first_cbfs(X: FloatArray, k: int, labels: IntArray) -> Iterator[int]:
    """Yield the record farthest from the centroid of those left."""
    while (labels < 0).sum() >= k:
        left = np.flatnonzero(labels < 0)
        yield left[squares(X[left], X[left].mean(axis=0)).argmax()]


def first_tfrp(X: FloatArray, k: int, labels: IntArray) -> Iterator[int]:
    """Yield the record farthest from the two extreme points, by turns."""
    turn = 0
    while (labels < 0).sum() >= k:
        left = np.flatnonzero(labels < 0)
        yield left[squares(X[left], [X.max(axis=0), X.min(axis=0)][turn % 2]).argmax()]
        turn += 1


def first_tfrp_left(X: FloatArray, k: int, labels: IntArray) -> Iterator[int]:
    """Yield the record farthest from the two extreme points of the records left, by turns."""
    turn = 0
    while (labels < 0).sum() >= k:
        left = np.flatnonzero(labels < 0)
        extreme = X[left].max(axis=0) if turn % 2 == 0 else X[left].min(axis=0)
        yield left[squares(X[left], extreme).argmax()]
        turn += 1


def first_md(X: FloatArray, k: int, labels: IntArray) -> Iterator[int]:
    """Yield the two records farthest from each other, the outer one first."""
    while (labels < 0).sum() >= 2 * k:
        left = np.flatnonzero(labels < 0)
        _, *ends = min((-squares(X[[j]], X[i])[0], i, j) for i, j in combinations(left.tolist(), 2))
        outer = squares(X[ends], X[left].mean(axis=0)).argmax()
        one, other = ends[outer], ends[1 - outer]
        yield one
        left = np.flatnonzero(labels < 0)
        yield other if labels[other] < 0 else int(left[squares(X[left], X[one]).argmax()])


def first_gsms(X: FloatArray, k: int, labels: IntArray) -> Iterator[int]:
    """Yield the record whose group leaves the least sse, its own and that of the rest."""
    while (labels < 0).sum() >= k:
        left = np.flatnonzero(labels < 0)

        def lost(record: int, left: IntArray = left) -> float:
            group = nn(X, k, left, record)
            rest = left[~np.isin(left, group)]
            return sum(float(((X[part] - X[part].mean(axis=0)) ** 2).sum()) for part in (group, rest) if len(part))

        yield min(left.tolist(), key=lost)


FIRST: dict[str, First] = {
    "mdav": first_mdav,
    "cbfs": first_cbfs,
    "tfrp": first_tfrp,
    "md": first_md,
    "gsms": first_gsms,
}
GROW: dict[str, Grow] = {"nn": nn, "nc": nc}


def mdav(X: FloatArray, k: int) -> IntArray:
    """Group by the maximum distance to the average vector."""
    return fixed_size(X, k, first_mdav, nn)


def v_mdav(X: FloatArray, k: int, gamma: float) -> IntArray:
    """Make groups around the records farthest from the centroid of all, extended while records are near."""
    labels = np.full(len(X), -1)
    group = 0
    away = squares(X, X.mean(axis=0))
    while (labels < 0).sum() >= k:
        left = np.flatnonzero(labels < 0)
        members = list(nn(X, k, left, left[away[left].argmax()]))
        labels[members] = group
        while len(members) < 2 * k - 1 and (labels < 0).any():
            left = np.flatnonzero(labels < 0)
            inner = np.min([squares(X[left], X[member]) for member in members], axis=0)
            e = left[inner.argmin()]
            outer = min((squares(X[[other]], X[e])[0] for other in left if other != e), default=np.inf)
            if not inner.min() < gamma**2 * outer:
                break
            members.append(e)
            labels[e] = group
        group += 1
    join_nearest(X, labels, np.flatnonzero(labels < 0))
    return labels


def mst_parts(X: FloatArray, k: int) -> IntArray:
    """Label the parts of the minimum spanning tree (Kruskal) whose longest edges are cut where both sides keep k."""
    n = len(X)
    edges = sorted((squares(X[[j]], X[i])[0], i, j) for i, j in combinations(range(n), 2))
    tree = []
    part = list(range(n))
    for edge in edges:
        one, other = part[edge[1]], part[edge[2]]
        if one != other:
            tree.append(edge)
            part = [one if label == other else label for label in part]

    def parts(tree: Iterable[tuple[float, int, int]]) -> IntArray:
        label = list(range(n))
        for _, i, j in tree:
            label = [label[i] if other == label[j] else other for other in label]
        return np.array(label)

    for edge in reversed(tree.copy()):
        rest = [other for other in tree if other != edge]
        if np.unique(parts(rest), return_counts=True)[1].min() >= k:
            tree = rest
    return parts(tree)


def most_distant_records(X: FloatArray) -> tuple[int, int]:
    """Find the two most distant records."""
    pairs = combinations(range(len(X)), 2)
    return min(pairs, key=lambda pair: (-squares(X[[pair[0]]], X[pair[1]])[0], pair))


def nearest_next(X: FloatArray, start: int | None = None) -> IntArray:
    """Walk from a record, or from the one farthest from the centroid, to the nearest record left, and so on."""
    order = [int(squares(X, X.mean(axis=0)).argmax()) if start is None else start]
    while len(order) < len(X):
        left = np.setdiff1d(np.arange(len(X)), order)
        order.append(int(left[squares(X[left], X[order[-1]]).argmin()]))
    return np.array(order)


def last_joined_first(X: FloatArray, groups: Sequence[Records]) -> IntArray:
    """Walk from group to nearest group, from the record nearest to the centroid, last joined first."""
    walk: list[int] = []
    here = int(squares(X, X.mean(axis=0)).argmin())
    while True:
        group = next(list(group) for group in groups if here in group)[::-1]
        walk += sorted(group, key=lambda record: (squares(X[[record]], X[group[0]])[0], group.index(record)))
        left = np.setdiff1d(np.arange(len(X)), walk)
        if not len(left):
            return np.array(walk)
        here = left[squares(X[left], X[walk[-1]]).argmin()]


def length(X: FloatArray, tour: Records) -> float:
    """Compute the length of a closed tour."""
    tour = np.asarray(tour)
    return float(np.sqrt(((X[tour] - X[np.roll(tour, -1)]) ** 2).sum(axis=1)).sum())


def insertion_path(distances: FloatArray, start: int, sequence: Iterable[int]) -> list[int]:
    """Insert records in a sequence where the path from a start grows least."""
    path = [start]
    for record in sequence:
        if record != start:
            ways = [
                distances[path[i], record] + distances[record, path[i + 1]] - distances[path[i], path[i + 1]]
                for i in range(len(path) - 1)
            ]
            path.insert(1 + int(np.argmin([*ways, distances[path[-1], record]])), int(record))
    return path


def group_by_counts(counts: IntArray, k: int) -> IntArray:
    """Group by how often records follow each other: [MF-TSP] algorithm 1, lines 11 to 24, over all pairs each time."""
    labels = np.full(len(counts), -1)
    group = 0

    def highest(row: IntArray) -> int:
        return max(np.flatnonzero(labels < 0).tolist(), key=lambda record: (row[record], -record))

    while (labels < 0).sum() >= 2 * k - 1:
        left = np.flatnonzero(labels < 0)
        i, j = max(combinations(left.tolist(), 2), key=lambda pair: (counts[pair], -pair[0], -pair[1]))
        labels[[i, j]] = group
        for _ in range(k - 2):
            row, column = highest(counts[i]), highest(counts[j])
            labels[row if counts[i, row] > counts[j, column] else column] = group
        group += 1
    return labels


def transport(X: FloatArray, centres: FloatArray, low: int, high: int) -> IntArray:
    """Assign low to high records to each centre at the least total distance, by linear programming."""
    n, m = len(X), len(centres)
    ways = np.sqrt(((X[:, None] - centres) ** 2).sum(axis=2))
    into = np.tile(np.eye(m), n)
    found = linprog(  # whose vertices are whole numbers
        ways.ravel(),
        A_ub=np.vstack([into, -into]),
        b_ub=np.repeat([high, -low], m),
        A_eq=np.repeat(np.eye(n), m, axis=1),
        b_eq=np.ones(n),
    )
    labels: IntArray = found.x.reshape(n, m).argmax(axis=1).astype(np.int64)
    return labels


def exact_cut(values: Iterable[float], k: int) -> Fraction:
    """Compute the least sse of cutting sorted numbers into runs of k to 2k − 1, in exact fractions."""
    numbers = [Fraction(float(value)) for value in values]
    n = len(numbers)
    if n < 2 * k:
        return _exact_sse(numbers)
    best = {0: Fraction(0)}
    for end in range(k, n + 1):
        starts = [start for start in range(max(0, end - 2 * k + 1), end - k + 1) if start in best]
        if starts:
            best[end] = min(best[start] + _exact_sse(numbers[start:end]) for start in starts)
    return best[n]


def _exact_sse(numbers: list[Fraction]) -> Fraction:
    mean = sum(numbers, Fraction(0)) / len(numbers)
    return sum(((number - mean) ** 2 for number in numbers), Fraction(0))


def cut_path(X: FloatArray, order: IntArray, k: int) -> float:
    """Compute the least sse of cutting an order into runs of k to 2k − 1."""
    Y = X[order]
    n = len(Y)
    best = [0.0] + [np.inf] * n
    for end in range(k, n + 1):
        for start in range(max(0, end - 2 * k + 1), end - k + 1):
            group = Y[start:end]
            best[end] = min(best[end], best[start] + float(((group - group.mean(axis=0)) ** 2).sum()))
    return best[n]


def cut_tour(X: FloatArray, order: IntArray, k: int) -> float:
    """Compute the least sse of cutting a tour: the best of every place to open it."""
    return min(cut_path(X, np.roll(order, -shift), k) for shift in range(len(order)))


def group_by_group(X: FloatArray, labels: IntArray) -> IntArray:
    """Walk through the groups: nearest next within a group, then to the nearest record left."""

    def nearest(point: FloatArray, records: Iterable[int]) -> int:
        return min(records, key=lambda record: (float(((X[record] - point) ** 2).sum()), record))

    left = set(range(len(X)))
    here = int(np.argmax(((X - X.mean(axis=0)) ** 2).sum(axis=1)))
    order: list[int] = []
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


def towards_next_centroid(X: FloatArray, labels: IntArray) -> IntArray:
    """Walk through the groups, each from the record farthest from the centroid of the next group to the nearest."""
    members = {group: [int(record) for record in np.flatnonzero(labels == group)] for group in range(labels.max() + 1)}
    centroids = {group: X[records].mean(axis=0) for group, records in members.items()}
    here = int(labels[squares(X, X.mean(axis=0)).argmax()])
    walk: list[int] = []
    while True:
        records = members.pop(here)
        steps = [(float(squares(X[[record]], centroids[group])[0]), group) for group in members for record in records]
        following = min(steps, default=(0.0, here))[1]
        away = squares(X, centroids[following])
        walk += sorted(records, key=lambda record: (-away[record], record))
        if not members:
            return np.array(walk)
        here = following


def by_insertion(X: FloatArray, labels: IntArray, nearest: bool = False) -> IntArray:
    """Walk through the groups: from the record entered to the farthest one, the others by insertion."""

    def distance(one: int, other: int) -> float:
        return float(np.sqrt(((X[one] - X[other]) ** 2).sum()))

    walk: list[int] = []
    here = int(squares(X, X.mean(axis=0)).argmax())
    while True:
        waiting = [int(record) for record in np.flatnonzero(labels == labels[here]) if record != here]
        part = [here]
        if waiting:
            part.append(max(waiting, key=lambda record: (distance(here, record), -record)))
            waiting.remove(part[-1])
        while waiting:
            closest = min(waiting, key=lambda record: (min(distance(record, other) for other in part), record))
            _, record, place = min(
                (distance(a, record) + distance(record, b) - distance(a, b), record, place)
                for record in ([closest] if nearest else waiting)
                for place, (a, b) in enumerate(pairwise(part), start=1)
            )
            part.insert(place, record)
            waiting.remove(record)
        walk += part
        left = np.setdiff1d(np.arange(len(X)), walk)
        if not len(left):
            return np.array(walk)
        here = int(left[squares(X[left], X[walk[-1]]).argmin()])


def reorder(X: FloatArray, k: int, labels: IntArray, nearest: bool = False) -> list[float]:
    """Order and cut until nothing is gained, [RepOrdMic] algorithm 1: the sse after each round."""
    losses = [np.inf]
    while True:
        walk = by_insertion(X, labels, nearest)
        best = [0.0] + [np.inf] * len(X)
        cuts: dict[int, int] = {}
        for end in range(k, len(X) + 1):
            for start in range(max(0, end - 2 * k + 1), end - k + 1):
                total = best[start] + sse(X[walk[start:end]], np.zeros(end - start))
                if total < best[end]:
                    best[end] = total
                    cuts[end] = start
        losses.append(best[-1])
        if losses[-2] - losses[-1] < 1e-7:
            return losses[1:]
        labels = np.empty(len(X), dtype=np.int64)
        end = len(X)
        while end:
            labels[walk[cuts[end] : end]] = end
            end = cuts[end]


def igd_round(X: FloatArray, k: int, labels: IntArray, moved: bool, shrinks: bool, above_k: bool = False) -> IntArray:
    """Do [IGD] figures 2 to 4 once, by sums over complete groups; figure 3, line 14, to the letter if `above_k`."""
    groups: dict[int, list[int]] = {label: list(np.flatnonzero(labels == label)) for label in range(labels.max() + 1)}

    def within(group: list[int]) -> float:
        return sse(X[group], np.zeros(len(group)))

    def nearest(record: int, without: int | None) -> int:
        others = [(place, group) for place, group in groups.items() if place != without]
        return min(others, key=lambda item: float(squares(X[[record]], X[item[1]].mean(axis=0))[0]))[0]

    def split() -> None:
        for place in list(groups):
            if len(groups[place]) < 2 * k:
                continue
            rest = groups.pop(place)
            while len(rest) > k or (len(rest) == k and not above_k):
                far = rest[int(squares(X[rest], X[rest].mean(axis=0)).argmax())]
                new = nc(X, k, np.array(rest), far)
                rest = [record for record in rest if record not in new]
                groups[max([place, *groups]) + 1] = list(new)
            for record in rest:
                groups[nearest(record, None)].append(record)

    for place in list(groups):
        if len(groups) > 1:
            targets = {record: nearest(record, place) for record in groups[place]}
            after = {
                target: groups[target] + [r for r in targets if targets[r] == target] for target in targets.values()
            }
            if moved:
                change = sum(within(after[target]) - within(groups[target]) for target in after)
            else:
                change = sum(squares(X[[r]], X[groups[target]].mean(axis=0))[0] for r, target in targets.items())
            if change < within(groups[place]):
                del groups[place]
                groups.update(after)
    split()
    if shrinks:
        for place in list(groups):
            while len(groups[place]) > k and len(groups) > 1:
                changes = []
                for record in groups[place]:
                    target = nearest(record, place)
                    rest = [other for other in groups[place] if other != record]
                    before = within(groups[place]) + within(groups[target])
                    changes.append((within(rest) + within([*groups[target], record]) - before, record, target))
                change, record, target = min(changes)
                if change >= -1e-12:
                    break
                groups[place].remove(record)
                groups[target].append(record)
        split()
    labels = np.empty(len(X), dtype=int)
    for place, group in groups.items():
        labels[group] = place
    return labels


def changes_that_gain(X: FloatArray, labels: IntArray, k: int) -> list[tuple[float, int, int]]:
    """List (change, record, other) of what gains, in order: [ICSM] algorithm 3, lines 6 to 14, recomputing the sse."""
    n = len(X)
    before = sse(X, labels)
    sizes = np.bincount(labels)
    found = []
    for record in range(n):
        for other in range(record + 1, n + len(sizes)):
            new = labels.copy()
            if other < n:
                new[record], new[other] = labels[other], labels[record]
            elif other - n == labels[record] or sizes[labels[record]] <= k or sizes[other - n] >= 2 * k - 1:
                continue
            else:
                new[record] = other - n
            if sse(X, new) - before < -1e-9:
                found.append((sse(X, new) - before, record, other))
    return found


def least_score(X: FloatArray, labels: IntArray) -> FloatArray:
    """Score each group by [ICSM] equation 7, pair by pair."""

    def taking_the_place(record: int, other: int) -> float:
        group = np.flatnonzero(labels == labels[other])
        after = [record if member == other else member for member in group.tolist()]
        return sse(X[after], np.zeros(len(after))) - sse(X[group], np.zeros(len(group)))

    scores = np.zeros(labels.max() + 1)
    for record in range(len(X)):
        for other in range(len(X)):
            if labels[record] != labels[other]:
                change = taking_the_place(record, other)
                scores[labels[record]] += change
                scores[labels[other]] -= change
    return scores


def best_cycle(X: FloatArray, labels: IntArray, k: int, source: int) -> float:
    """Compute the change of the best cycle through a group with rising ranks, over all cycles: [ICSM] algorithm 4."""
    n = len(X)
    sizes = np.bincount(labels)
    centroids = np.array([X[labels == group].mean(axis=0) for group in range(len(sizes))])
    away = squares(centroids, centroids[source])
    away[source] = -1.0
    order = [int(group) for group in np.argsort(away, kind="stable")]
    nodes = {group: [*map(int, np.flatnonzero(labels == group)), n + group] for group in order}
    best = 0.0

    def change(cycle: list[int]) -> float:
        new = labels.copy()
        for node, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            if node < n:
                new[node] = labels[following] if following < n else following - n
        after = np.bincount(new, minlength=len(sizes))
        return sse(X, new) - sse(X, labels) if after.min() >= k and after.max() <= 2 * k - 1 else np.inf

    def extend(cycle: list[int], rank: int) -> None:
        nonlocal best
        if len(cycle) > 1 and not (cycle[0] >= n and cycle[-1] >= n):
            best = min(best, change(cycle))
        for higher in range(rank + 1, len(order)):
            for node in nodes[order[higher]]:
                if not (node >= n and cycle[-1] >= n):
                    extend([*cycle, node], higher)

    for start in nodes[source]:
        extend([start], 0)
    return best


def scan(X: FloatArray, labels: IntArray, k: int) -> tuple[FloatArray, FloatArray]:
    """Compute the changes of all exchanges and migrations of [ICSM] at once, in matrices: inf where not allowed.

    Returns
    -------
    exchanges, migrations
        Of shapes (n, n) and (n, n_groups).
    """
    sizes = np.bincount(labels)
    centroids = np.column_stack([np.bincount(labels, weights=column) for column in X.T]) / sizes[:, None]
    norms = (X**2).sum(axis=1)
    apart = norms[:, None] + norms - 2 * X @ X.T
    away = norms[:, None] + (centroids**2).sum(axis=1) - 2 * X @ centroids.T
    own, size = away[np.arange(len(X)), labels], sizes[labels]
    crossed = away[:, labels]
    exchanges = crossed + crossed.T - own[:, None] - own - apart * (1 / size[:, None] + 1 / size)
    exchanges[labels[:, None] == labels] = np.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        migrations = away * (sizes / (sizes + 1)) - (own * size / (size - 1))[:, None]
    migrations[(size <= k)[:, None] | (sizes >= 2 * k - 1) | (labels[:, None] == np.arange(len(sizes)))] = np.inf
    return exchanges, migrations


def best_change(X: FloatArray, labels: IntArray, k: int) -> float:
    """Compute the sse after the best move or exchange of records by trying all; groups keep k to 2k − 1 records."""
    best = np.inf
    sizes = np.bincount(labels)
    for i in range(len(X)):
        for group in np.flatnonzero(sizes):
            if group != labels[i] and sizes[labels[i]] > k and sizes[group] < 2 * k - 1:
                changed = labels.copy()
                changed[i] = group
                best = min(best, sse(X, changed))
        for j in range(i):
            if labels[i] != labels[j]:
                changed = labels.copy()
                changed[i], changed[j] = labels[j], labels[i]
                best = min(best, sse(X, changed))
    return best


def cheapest_groups(X: FloatArray, duals: FloatArray, order: IntArray, size: int) -> list[list[float]]:
    """List for each place of an order the reduced costs of all groups rooted there, cheapest first."""
    place = np.argsort(order)
    costs: list[list[float]] = [[] for _ in order]
    for group in combinations(range(len(X)), size):
        members = X[list(group)]
        costs[min(place[list(group)])].append(
            np.square(members - members.mean(axis=0)).sum() - duals[list(group)].sum()
        )
    return [sorted(of_root) for of_root in costs]


def neighbour_bound(X: FloatArray, k: int) -> float:
    """Add up the least that each record can cost, by its nearest neighbours: no partition loses less."""
    total = 0.0
    for point in X:
        halves = sorted(squares(X, point) / 2)[1:]
        total += min(sum(halves[: m - 1]) / m for m in range(k, min(2 * k - 1, len(X)) + 1))
    return total


def grow_groups(X: FloatArray, duals: FloatArray, size: int, ceiling: float) -> list[list[int]]:
    """Price by SolveHeuristicPricing of the column generation paper, line by line."""
    left = sorted(range(len(X)), key=lambda record: (-duals[record], record))
    found = []
    while len(left) >= size:
        group = [left.pop(0)]

        def cost(w: int, group: list[int] = group) -> float:
            return float(sum(np.square(X[w] - X[c]).sum() for c in group) / size - duals[w] / (size - 1))

        while len(group) < size:
            group.append(min(sorted(set(left) - set(group)), key=cost))
        members = X[group]
        if np.square(members - members.mean(axis=0)).sum() - duals[group].sum() < ceiling:
            found.append(group)
            left = [record for record in left if record not in group]
    return found


def glue(pairs: Iterable[tuple[int, int]], n: int, most: int) -> list[list[int]]:
    """Join the groups of each pair in turn where they have at most `most` records together."""
    groups = [{record} for record in range(n)]
    for one, other in pairs:
        a, b = (next(group for group in groups if record in group) for record in (one, other))
        if a is not b and len(a) + len(b) <= most:
            groups = [group for group in groups if group is not a and group is not b] + [a | b]
    return sorted(map(sorted, groups))


def take_largest(X: FloatArray, k: int, groups: Sequence[Sequence[int]], values: Sequence[float]) -> list[list[int]]:
    """Round by SimpleRoundingHeuristic of the column generation paper, line by line."""
    left = set(range(len(X)))
    chosen: list[list[int]] = []
    columns = list(range(len(groups)))
    while len(left) >= 2 * k and columns:
        best = max(columns, key=lambda column: (values[column], -column))
        chosen.append(list(groups[best]))
        left -= set(groups[best])
        columns = [column for column in columns if not set(groups[column]) & set(groups[best])]
    if k <= len(left) < 2 * k:
        chosen.append(sorted(left))
    else:
        centroids = [X[group].mean(axis=0) for group in chosen]
        for record in sorted(left):
            chosen[int(np.argmin([np.square(X[record] - centre).sum() for centre in centroids]))].append(record)
    return sorted(map(sorted, chosen))


class RankOneCuts(Protocol):
    """Rank-1 cuts: records with their weights, and a denominator for each."""

    @property
    def n_cuts(self) -> int: ...
    @property
    def starts(self) -> IntArray: ...
    @property
    def records(self) -> IntArray: ...
    @property
    def weights(self) -> IntArray: ...
    @property
    def denominators(self) -> IntArray: ...


def counted(cuts: RankOneCuts, group: Iterable[int]) -> list[int]:
    """Compute the coefficient of a group in each rank-1 cut: ⌊w/q⌋."""
    group = set(map(int, group))
    counts = []
    for cut in range(cuts.n_cuts):
        start, end = cuts.starts[cut], cuts.starts[cut + 1]
        terms = zip(cuts.records[start:end], cuts.weights[start:end], strict=True)
        counts.append(int(sum(weight for record, weight in terms if int(record) in group) // cuts.denominators[cut]))
    return counts


def least_sse(X: FloatArray, k: int) -> float:
    """Compute the optimum: the best group of the first record with the optimum of the rest, sets being bits."""
    n = len(X)
    known = {0: 0.0}

    def least(left: int) -> float:
        if left not in known:
            first, *others = (record for record in range(n) if left >> record & 1)
            known[left] = min(
                (
                    losses[group] + least(left & ~sum(1 << record for record in group))
                    for size in range(k - 1, min(2 * k - 1, len(others) + 1))
                    if len(others) - size == 0 or len(others) - size >= k
                    for group in ((first, *rest) for rest in combinations(others, size))
                ),
                default=np.inf,
            )
        return known[left]

    losses = {
        group: sse(X[list(group)], np.zeros(len(group)))
        for size in range(k, min(2 * k - 1, n) + 1)
        for group in combinations(range(n), size)
    }
    return least(2**n - 1)


def group_in_slabs(points: FloatArray, k: int) -> IntArray:
    """Label by sort-tile-recursive packing, slab by slab, along one coordinate of the points after another."""
    n, axes = points.shape

    def arranged(records: Sequence[int], axis: int) -> list[int]:
        if axis == axes:
            return list(records)
        records = sorted(records, key=lambda record: (points[record, axis], record))
        n_groups = len(records) // k
        pieces = round(n_groups ** (1 / (axes - axis)))
        ends = [k * (piece * n_groups // pieces) for piece in range(pieces)] + [len(records)]
        return [record for start, end in pairwise(ends) for record in arranged(records[start:end], axis + 1)]

    labels = np.empty(n, dtype=np.int64)
    labels[arranged(range(n), 0)] = np.minimum(np.arange(n) // k, n // k - 1)
    return labels
