"""Figures of docs/search.md, whose raw results are not kept: read from the page, and computed anew.

Those of docs/methods.md are left out: some of its runs end by a time limit, and where many distances are equal, losses
depend on the last digit of the standardised columns.
"""

import re
from functools import cache
from typing import NamedTuple

from classics import CLASSICS
from documents import DOCS
from microagg import datasets, solve

PAGE = "search"
_STANDARD = re.compile(r"^\| (\w+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \| [\d.]+% \|.*$", re.MULTILINE)
_THOROUGH = re.compile(r"^\| (\w+) \| (\d+) \| ([\d.]+) \| [\d.]+(?: \(missed\))? \| [\d.]+ s \|.*$", re.MULTILINE)
_STATES = range(10)


class Printed(NamedTuple):
    """Loss of the search on the page: between the best and the worst of several random states."""

    data: str
    k: int
    effort: str
    random_state: int
    best: str
    worst: str

    def computed(self) -> str:
        """Return the best that is printed, if the loss, computed anew, is not outside of what the page says."""
        method = f"search(effort={self.effort})"
        loss = solve(datasets.matrix(self.data), self.k, method=method, random_state=self.random_state).information_loss
        n_digits = len(self.best.partition(".")[2])
        rounded = f"{loss:.{n_digits}f}"
        return self.best if float(self.best) <= float(rounded) <= float(self.worst) else rounded


@cache
def printed_figures() -> tuple[Printed, ...]:
    """Return the figures of the page."""
    names = {title: name for name, title in CLASSICS.items()}
    text = (DOCS / f"{PAGE}.md").read_text()
    standard = [
        Printed(names[title], int(k), "standard", state, best, worst)
        for title, k, best, worst in _STANDARD.findall(text)
        for state in _STATES
    ]
    thorough = [Printed(names[title], int(k), "thorough", 0, loss, loss) for title, k, loss in _THOROUGH.findall(text)]
    return (*standard, *thorough)
