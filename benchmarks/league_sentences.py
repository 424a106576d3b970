"""Sentences of docs/methods.md that compare methods: each is made of the raw results."""

from statistics import mean, median

from league_standings import Standings, critical_difference, friedman

_CLUSTERS = "25 clusters, d = 4"
_LEAST = 1e-7  # relative: losses that differ by less are equal
_ALIKE = 0.005  # percent: what prints as 0.00


def sentences(standings: Standings) -> dict[str, str]:
    """Return every sentence by its place in the template."""
    pairs = {
        "search_ls": ("search", "ls"),
        "icsm_search": ("icsm", "search"),
        "ls_icsm": ("ls", "icsm"),
        "descent_icsm": ("mdav+descent", "icsm"),
        "cbfs_mdav": ("cbfs-nc", "mdav"),
        "gsms_mdav": ("gsms-nn", "mdav"),
    }
    found = {place: against(standings, *pair) for place, pair in pairs.items()}
    found |= {"search_place": place(standings, "search"), "front": front(standings)}
    found |= {"significance": significance(standings), "states": states(standings)}
    return found | {"clusters": clusters(standings), "one_number": one_number(standings)}


def place(standings: Standings, method: str) -> str:
    """Return how a method stands in the league."""
    ranks = standings.ranks_of(method)
    firsts = f"it loses least in {standings.firsts(method)} of {len(ranks)} cells"
    worst = max(standings.excesses_of(method))
    return f"{firsts} (mean rank {mean(ranks):.1f}), {worst:.2f} % above the least loss at worst"


def against(standings: Standings, one: str, other: str) -> str:
    """Return a sentence on how a method compares with another one: where it loses less, by how much, in what time."""
    cells = [cell[:2] for cell in standings.losses if cell[2] == one and (*cell[:2], other) in standings.losses]
    ratios = [
        mean(standings.losses[*cell, one]) / mean(standings.losses[*cell, other])
        for cell in cells
        if mean(standings.losses[*cell, other])
    ]
    less = sum(ratio < 1 - _LEAST for ratio in ratios)
    middle = 100 * (median(ratios) - 1)
    share = "as much" if abs(middle) < _ALIKE else f"{abs(middle):.2g} % {'less' if middle < 0 else 'more'}"
    time = _times(standings.usual_time(one) / standings.usual_time(other))
    where = f"`{one}` loses less than `{other}` in {less} of {len(cells)} cells"
    return f"{where}, in the median {share}, in {time} the time"


def _times(ratio: float) -> str:
    """Return a ratio of times in words."""
    return f"{100 * ratio:.2g} % of" if ratio < 1 else f"{ratio:.2g} times" if ratio < 99.5 else f"{ratio:.0f} times"


def front(standings: Standings) -> str:
    """Return the methods than which none is faster and loses less, the fastest first."""
    every = standings.undominated()
    return ", ".join(f"`{one}` ({median(standings.excesses_of(one)):.1f} %)" for one in every)


def significance(standings: Standings) -> str:
    """Return what the tests say of the ranks."""
    ranks = standings.data_ranks()
    n_data = len(next(iter(ranks.values())))
    chance = friedman(ranks.values())
    least = critical_difference(len(ranks), n_data)
    means = {one: mean(found) for one, found in ranks.items()}
    first = min(means, key=lambda one: means[one])
    alike = [one for one in means if one != first and means[one] - means[first] <= least]
    p = "p < 0.001" if chance < 0.001 else f"p = {chance:.2g}"
    told = f"Mean ranks of {len(ranks)} methods on {n_data} data sets differ by more than chance (Friedman test, {p})"
    if chance >= 0.05:
        told = f"Mean ranks of {len(ranks)} methods on {n_data} data sets do not differ by more than chance ({p})"
    names = ", ".join(f"`{one}`" for one in alike)
    rest = f"`{first}` is significantly better than {len(means) - 1 - len(alike)} of the {len(means) - 1} others"
    others = f"; not, by this test, than {names}" if alike else ""
    rule = f"Two methods differ significantly where their mean ranks differ by {least:.1f} (Nemenyi, 5 %)"
    return f"{told}. {rule}: {rest}{others}"


def states(standings: Standings) -> str:
    """Return with how many random states the methods ran that depend on them."""
    several = [one for one in standings.order() if standings.spreads_of(one)]
    return ", ".join(f"`{one}` {standings.n_states(one)}" for one in several) or "none more than one"


def clusters(standings: Standings) -> str:
    """Return how many times as much as the best some methods lose where records form clusters, at the least k."""
    k = min(cell[1] for cell in standings.losses)
    names = ("mdav", "cbfs-nc", "gsms-nn", "mst", "k-ward", "kmeans", "tsp-mhm-tour", "mdav+recut", "search")
    found = {one: standings.excesses.get((_CLUSTERS, k, one)) for one in names}
    known = {one: 1 + excess / 100 for one, excess in found.items() if excess is not None}
    ordered = sorted(known, key=lambda one: -known[one])
    return f"k = {k}: " + ", ".join(f"`{one}` {known[one]:.2g}" for one in ordered)


def one_number(standings: Standings) -> str:
    """Return how many times as much as the best those methods lose that order by one number, or cut by one column."""
    known = {one: median(standings.excesses_of(one)) for one in ("pca-mhm", "zscore-mhm", "mondrian")}
    return ", ".join(f"`{one}` {1 + excess / 100:.1f} times" for one, excess in known.items())
