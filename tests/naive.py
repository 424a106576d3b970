"""The oracle: slow and obvious versions of every kernel."""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
from scipy.optimize import linprog


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


def squares(X, point):
    """Squared distances from a point."""
    return ((X - point) ** 2).sum(axis=1)


def fixed_size(X, k, first, grow):
    """Groups of k: `first` yields the record each starts at, `grow` gives its records in the order of joining."""
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


def join_nearest(X, labels, left):
    """Each record left joins the group whose centroid was the nearest before any of them."""
    centroids = [X[labels == group].mean(axis=0) for group in range(labels.max() + 1)]
    for record in left:
        labels[record] = np.argmin([((X[record] - centroid) ** 2).sum() for centroid in centroids])


def nn(X, k, left, record):
    return left[np.argsort(squares(X[left], X[record]), kind="stable")[:k]]


def nc(X, k, left, record):
    group, sums = [record], X[record].copy()
    while len(group) < k:
        others = left[~np.isin(left, group)]
        group.append(others[squares(X[others], sums / len(group)).argmin()])
        sums = sums + X[group[-1]]
    return group


def first_mdav(X, k, labels):
    while (labels < 0).sum() >= 2 * k:
        left = np.flatnonzero(labels < 0)
        r = left[squares(X[left], X[left].mean(axis=0)).argmax()]
        yield r
        left = np.flatnonzero(labels < 0)
        yield left[squares(X[left], X[r]).argmax()]


def first_cbfs(X, k, labels):
    while (labels < 0).sum() >= k:
        left = np.flatnonzero(labels < 0)
        yield left[squares(X[left], X[left].mean(axis=0)).argmax()]


def first_tfrp(X, k, labels):
    turn = 0
    while (labels < 0).sum() >= k:
        left = np.flatnonzero(labels < 0)
        yield left[squares(X[left], [X.max(axis=0), X.min(axis=0)][turn % 2]).argmax()]
        turn += 1


def first_md(X, k, labels):
    while (labels < 0).sum() >= 2 * k:
        left = np.flatnonzero(labels < 0)
        _, *ends = min((-squares(X[[j]], X[i])[0], i, j) for i, j in combinations(left, 2))
        outer = squares(X[ends], X[left].mean(axis=0)).argmax()
        one, other = ends[outer], ends[1 - outer]
        yield one
        left = np.flatnonzero(labels < 0)
        yield other if labels[other] < 0 else left[squares(X[left], X[one]).argmax()]


def first_gsms(X, k, labels):
    while (labels < 0).sum() >= k:
        left = np.flatnonzero(labels < 0)

        def lost(record, left=left):
            group = nn(X, k, left, record)
            rest = left[~np.isin(left, group)]
            return sum(((X[part] - X[part].mean(axis=0)) ** 2).sum() for part in (group, rest) if len(part))

        yield min(left, key=lost)


FIRST = {"mdav": first_mdav, "cbfs": first_cbfs, "tfrp": first_tfrp, "md": first_md, "gsms": first_gsms}
GROW = {"nn": nn, "nc": nc}


def mdav(X, k):
    """Maximum distance to average vector."""
    return fixed_size(X, k, first_mdav, nn)


def v_mdav(X, k, gamma):
    """Groups around the records farthest from the centroid of all, extended while records are near."""
    labels, group = np.full(len(X), -1), 0
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


def mst_parts(X, k):
    """The minimum spanning tree by Kruskal, its longest edges cut where both sides keep k; the part of each record."""
    n = len(X)
    edges = sorted((squares(X[[j]], X[i])[0], i, j) for i, j in combinations(range(n), 2))
    tree, part = [], list(range(n))
    for edge in edges:
        one, other = part[edge[1]], part[edge[2]]
        if one != other:
            tree.append(edge)
            part = [one if label == other else label for label in part]

    def parts(tree):
        label = list(range(n))
        for _, i, j in tree:
            label = [label[i] if other == label[j] else other for other in label]
        return np.array(label)

    for edge in reversed(tree.copy()):
        rest = [other for other in tree if other != edge]
        if np.unique(parts(rest), return_counts=True)[1].min() >= k:
            tree = rest
    return parts(tree)


def nearest_next(X):
    order = [int(squares(X, X.mean(axis=0)).argmax())]
    while len(order) < len(X):
        left = np.setdiff1d(np.arange(len(X)), order)
        order.append(int(left[squares(X[left], X[order[-1]]).argmin()]))
    return np.array(order)


def last_joined_first(X, groups):
    """From the record nearest to the centroid to the group of the nearest record, in at the record that joined last."""
    walk, here = [], int(squares(X, X.mean(axis=0)).argmin())
    while True:
        group = next(list(group) for group in groups if here in group)[::-1]
        walk += sorted(group, key=lambda record: (squares(X[[record]], X[group[0]])[0], group.index(record)))
        left = np.setdiff1d(np.arange(len(X)), walk)
        if not len(left):
            return np.array(walk)
        here = left[squares(X[left], X[walk[-1]]).argmin()]


def length(X, tour):
    return float(np.sqrt(((X[tour] - X[np.roll(tour, -1)]) ** 2).sum(axis=1)).sum())


def insertion_path(distances, start, sequence):
    path = [start]
    for record in sequence:
        if record != start:
            ways = [
                distances[path[i], record] + distances[record, path[i + 1]] - distances[path[i], path[i + 1]]
                for i in range(len(path) - 1)
            ]
            path.insert(1 + int(np.argmin([*ways, distances[path[-1], record]])), int(record))
    return path


def group_by_counts(counts, k):
    """[MF-TSP] algorithm 1, lines 11 to 24, over the whole matrix each time."""
    labels, group = np.full(len(counts), -1), 0

    def highest(row):
        return max(np.flatnonzero(labels < 0), key=lambda record: (row[record], -record))

    while (labels < 0).sum() >= 2 * k - 1:
        left = np.flatnonzero(labels < 0)
        i, j = max(combinations(left, 2), key=lambda pair: (counts[pair], -pair[0], -pair[1]))
        labels[[i, j]] = group
        for _ in range(k - 2):
            row, column = highest(counts[i]), highest(counts[j])
            labels[row if counts[i, row] > counts[j, column] else column] = group
        group += 1
    return labels


def transport(X, centres, low, high):
    """The least total squared distance, by linear programming over all ways."""
    n, m = len(X), len(centres)
    ways = ((X[:, None] - centres) ** 2).sum(axis=2)
    into = np.tile(np.eye(m), n)
    found = linprog(
        ways.ravel(),
        A_ub=np.vstack([into, -into]),
        b_ub=np.repeat([high, -low], m),
        A_eq=np.repeat(np.eye(n), m, axis=1),
        b_eq=np.ones(n),
    )
    return found.fun


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


def by_insertion(X, labels):
    """Walk through the groups: from the record entered to the farthest one, the others by cheapest insertion."""

    def distance(one, other):
        return float(np.sqrt(((X[one] - X[other]) ** 2).sum()))

    walk, here = [], int(squares(X, X.mean(axis=0)).argmax())
    while True:
        waiting = [int(record) for record in np.flatnonzero(labels == labels[here]) if record != here]
        part = [here]
        if waiting:
            part.append(max(waiting, key=lambda record: (distance(here, record), -record)))
            waiting.remove(part[-1])
        while waiting:
            _, record, place = min(
                (distance(a, record) + distance(record, b) - distance(a, b), record, place)
                for record in waiting
                for place, (a, b) in enumerate(pairwise(part), start=1)
            )
            part.insert(place, record)
            waiting.remove(record)
        walk += part
        left = np.setdiff1d(np.arange(len(X)), walk)
        if not len(left):
            return np.array(walk)
        here = int(left[squares(X[left], X[walk[-1]]).argmin()])


def reorder(X, k, labels):
    """[RepOrdMic] algorithm 1: the sse after each round."""
    losses = [np.inf]
    while True:
        walk = by_insertion(X, labels)
        best, cuts = [0.0] + [np.inf] * len(X), {}
        for end in range(k, len(X) + 1):
            for start in range(max(0, end - 2 * k + 1), end - k + 1):
                total = best[start] + sse(X[walk[start:end]], np.zeros(end - start))
                if total < best[end]:
                    best[end], cuts[end] = total, start
        losses.append(best[-1])
        if losses[-2] - losses[-1] < 1e-7:
            return losses[1:]
        labels, end, group = np.empty(len(X), dtype=int), len(X), 0
        while end:
            labels[walk[cuts[end] : end]] = group
            end, group = cuts[end], group + 1


def igd_round(X, k, labels, moved, shrinks):
    """[IGD] figures 2 to 4 once, by sums over whole groups."""
    groups = {label: list(np.flatnonzero(labels == label)) for label in range(labels.max() + 1)}

    def within(group):
        return sse(X[group], np.zeros(len(group)))

    def nearest(record, without):
        others = [(place, group) for place, group in groups.items() if place != without]
        return min(others, key=lambda item: squares(X[[record]], X[item[1]].mean(axis=0))[0])[0] if others else None

    def split():
        for place in list(groups):
            if len(groups[place]) < 2 * k:
                continue
            rest = groups.pop(place)
            while len(rest) >= k:
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


def changes_that_gain(X, labels, k):
    """[ICSM] algorithm 3, lines 6 to 14, by recomputing the sse: (change, record, other), in order."""
    n, before, sizes = len(X), sse(X, labels), np.bincount(labels)
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


def least_score(X, labels):
    """[ICSM] equation 7, pair by pair."""

    def taking_the_place(record, other):
        group = np.flatnonzero(labels == labels[other])
        after = [record if member == other else member for member in group]
        return sse(X[after], np.zeros(len(after))) - sse(X[group], np.zeros(len(group)))

    scores = np.zeros(labels.max() + 1)
    for record in range(len(X)):
        for other in range(len(X)):
            if labels[record] != labels[other]:
                change = taking_the_place(record, other)
                scores[labels[record]] += change
                scores[labels[other]] -= change
    return scores


def best_cycle(X, labels, k, source):
    """[ICSM] algorithm 4: the change of the best cycle through a group with rising ranks, over all cycles."""
    n, sizes = len(X), np.bincount(labels)
    centroids = np.array([X[labels == group].mean(axis=0) for group in range(len(sizes))])
    away = squares(centroids, centroids[source])
    away[source] = -1.0
    order = [int(group) for group in np.argsort(away, kind="stable")]
    nodes = {group: [*map(int, np.flatnonzero(labels == group)), n + group] for group in order}
    best = 0.0

    def change(cycle):
        new = labels.copy()
        for node, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            if node < n:
                new[node] = labels[following] if following < n else following - n
        after = np.bincount(new, minlength=len(sizes))
        return sse(X, new) - sse(X, labels) if after.min() >= k and after.max() <= 2 * k - 1 else np.inf

    def extend(cycle, rank):
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


def scan(X, labels, k):
    """All migrations and exchanges of [ICSM] at once, with whole matrices: the change of each, inf where not allowed.

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


def best_change(X, labels, k):
    """The sse after the best move or exchange of records, by trying them all; groups keep k to 2k − 1 records."""
    best, sizes = np.inf, np.bincount(labels)
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


def cheapest_groups(X, duals, order, size):
    """List for each place of an order the reduced costs of all groups rooted there, cheapest first."""
    place = np.argsort(order)
    costs = [[] for _ in order]
    for group in combinations(range(len(X)), size):
        members = X[list(group)]
        costs[min(place[list(group)])].append(
            np.square(members - members.mean(axis=0)).sum() - duals[list(group)].sum()
        )
    return [sorted(of_root) for of_root in costs]


def half_squares(X, k):
    """The least that each record costs, by its nearest, added up: no partition loses less."""
    total = 0.0
    for point in X:
        halves = sorted(squares(X, point) / 2)[1:]
        total += min(sum(halves[: m - 1]) / m for m in range(k, min(2 * k - 1, len(X)) + 1))
    return total


def grow_groups(X, duals, size, ceiling):
    """SolveHeuristicPricing of the column generation paper, word by word."""
    left, found = sorted(range(len(X)), key=lambda record: (-duals[record], record)), []
    while len(left) >= size:
        group = [left.pop(0)]
        while len(group) < size:
            group.append(
                min(
                    sorted(set(left) - set(group)),
                    key=lambda w: sum(np.square(X[w] - X[c]).sum() for c in group) / size - duals[w] / (size - 1),
                )
            )
        members = X[group]
        if np.square(members - members.mean(axis=0)).sum() - duals[group].sum() < ceiling:
            found.append(group)
            left = [record for record in left if record not in group]
    return found


def glue(pairs, n, most):
    """Glue the groups of each pair in turn where they have at most so many records together."""
    groups = [{record} for record in range(n)]
    for one, other in pairs:
        a, b = (next(group for group in groups if record in group) for record in (one, other))
        if a is not b and len(a) + len(b) <= most:
            groups = [group for group in groups if group is not a and group is not b] + [a | b]
    return sorted(map(sorted, groups))


def take_largest(X, k, groups, parts):
    """SimpleRoundingHeuristic of the column generation paper, word by word."""
    left, chosen = set(range(len(X))), []
    columns = list(range(len(groups)))
    while len(left) >= 2 * k and columns:
        best = max(columns, key=lambda column: (parts[column], -column))
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


def counted(cuts, group):
    """The coefficient of a group in each rank-1 cut: ⌊w/q⌋."""
    counts = []
    for cut in range(cuts.n_cuts):
        start, end = cuts.starts[cut], cuts.starts[cut + 1]
        terms = zip(cuts.records[start:end], cuts.weights[start:end], strict=True)
        counts.append(sum(weight for record, weight in terms if record in group) // cuts.denominators[cut])
    return counts


def least_sse(X, k):
    """The sse of the best partition: the best group of the first record, and the best of the rest, by sets as bits."""
    n, known = len(X), {0: 0.0}

    def least(left):
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


def group_in_slabs(points, k):
    """The labels of sort-tile-recursive packing, slab by slab, along one coordinate of the points after another."""
    n, axes = points.shape

    def arranged(records, axis):
        if axis == axes:
            return records
        records = sorted(records, key=lambda record: (points[record, axis], record))
        n_groups = len(records) // k
        pieces = round(n_groups ** (1 / (axes - axis)))
        ends = [k * (piece * n_groups // pieces) for piece in range(pieces)] + [len(records)]
        return [record for start, end in pairwise(ends) for record in arranged(records[start:end], axis + 1)]

    labels = np.empty(n, dtype=np.int64)
    labels[arranged(range(n), 0)] = np.minimum(np.arange(n) // k, n // k - 1)
    return labels
