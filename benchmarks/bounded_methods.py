"""Loss of each method of the table in docs/choosing.md, with and without a bound: a bound changes no method's groups.

    python benchmarks/bounded_methods.py              # Census, k = 3
    python benchmarks/bounded_methods.py tarragona 5

Prints a Markdown table: the loss without a bound, the loss and the gap with one, and the loss of better groups that the
proof found, which only "auto", "search", "exact" and "column-generation" take. Ends with 1 where a method loses
something else with a bound.
"""

import sys
from typing import Any

from classics import CLASSICS
from documents import table
from microagg import datasets, solve
from microagg.methods import pipeline

METHODS = ("mdav", "mst", "mdav-mhm", "imhm", "icsm", "search")


def main() -> int:
    """Print the table; return 1 if a method that takes no better groups has others with a bound."""
    name, k = (sys.argv[1], int(sys.argv[2])) if len(sys.argv) > 2 else ("census", 3)
    X: Any = datasets.matrix(name)
    rows = []
    changed = 0
    for method in METHODS:
        plain = solve(X, k, method=method, random_state=0)
        bounded = solve(X, k, method=method, random_state=0, bound=True)
        takes = pipeline(method).takes_improved
        changed += not takes and bounded.sse != plain.sse
        better = "–" if bounded.improved is None else f"{bounded.improved.information_loss:.4f}"
        losses = [f"{one.information_loss:.4f}" for one in (plain, bounded)]
        rows.append([f"`{method}`", *losses, f"{bounded.gap:.2%}", better, "yes" if takes else "no"])
    print(f"{CLASSICS[name]}, k = {k}\n")
    header = ["method", "loss", "loss with a bound", "gap", "better groups of the proof", "takes them"]
    print(table(header, rows))
    return min(changed, 1)


if __name__ == "__main__":
    sys.exit(main())
