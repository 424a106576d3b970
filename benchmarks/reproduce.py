"""Compare the published information losses with ours, and write docs/reproduction.md.

Finds the classic data sets as the tests do. Results are kept in benchmarks/.reproduction.csv, so that an interrupted
run resumes where it stopped; they are computed anew when the package has changed.
"""

import csv
import hashlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from microagg import InputError, datasets, solve
from published import CLASSICS, ROUNDS, TABLES, Line, Table
from simulated import sets

HERE = Path(__file__).parent
PUBLISHED = HERE / "published_information_loss.csv"
CACHE = HERE / ".reproduction.csv"
COLUMNS = ("state", "dataset", "k", "method", "loss", "seconds")
DOCUMENT = HERE.parent / "docs" / "reproduction.md"
os.environ.setdefault("MICROAGG_DATA", str(HERE.parents[1] / "shared" / "data"))

Results = dict[tuple[str, int, str], tuple[float, float]]
"""Loss and seconds by data set, k and method."""


class Row(NamedTuple):
    """Published figure and ours."""

    dataset: str
    k: int
    line: Line
    published: float
    ours: float
    seconds: float

    @property
    def difference(self) -> float:
        """Our figure minus the published one, in percent of the published one."""
        return 100 * (self.ours / self.published - 1)


def figures(table: Table) -> Iterator[tuple[str, int, Line, float]]:
    """Generate the published figures of a table: data set, k, line, information loss."""
    with PUBLISHED.open(newline="") as file:
        for row in csv.DictReader(file):
            for line in table.lines:
                same_line = (row["source"], row["method"]) == (table.source, line.published)
                if same_line and row["dataset"] in table.datasets:
                    yield row["dataset"], int(row["k"]), line, float(row["information_loss_percent"])


def count_uncovered() -> int:
    """Count the published figures that no table covers."""
    with PUBLISHED.open(newline="") as file:
        rows = {(row["source"], row["dataset"], int(row["k"]), row["method"]) for row in csv.DictReader(file)}
    return len(rows - {(t.source, name, k, line.published) for t in TABLES for name, k, line, _ in figures(t)})


def digest() -> str:
    """Return a digest of the package and of the simulated data: results of another state do not count."""
    sources = [*sorted((HERE.parent / "src").rglob("*.py")), HERE / "simulated.py"]
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


def kept_results(state: str) -> Results:
    """Read the complete rows that earlier runs have kept."""
    if not CACHE.exists():
        return {}
    with CACHE.open(newline="") as file:
        rows = [row for row in csv.reader(file) if len(row) == len(COLUMNS) and row[0] == state]
    return {(name, int(k), method): (float(loss), float(seconds)) for _, name, k, method, loss, seconds in rows}


def loss(name: str, k: int, method: str) -> float:
    """Solve one data set, or all simulated ones of a name, and return the (mean) information loss."""
    if name in CLASSICS:
        return solve(datasets.matrix(name), k, method=method).information_loss
    if name in ROUNDS and method == "icsm":
        method = f"icsm(max_iterations={ROUNDS[name]})"
    return mean(solve(X, k, method=method).information_loss for X in sets(name))


def compute() -> Results:
    """Solve what the tables need and no earlier run has solved."""
    state = digest()
    results = kept_results(state)
    needed = dict.fromkeys(
        (name, k, method) for table in TABLES for name, k, line, _ in figures(table) for method in line.ours
    )
    remaining = [key for key in needed if key not in results]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with CACHE.open("w", newline="") as file, Progress(*columns) as progress:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows([state, *key, *result] for key, result in results.items())
        bar = progress.add_task("", total=len(needed), completed=len(needed) - len(remaining))
        for name, k, method in remaining:
            progress.update(bar, description=f"{name} k = {k} {method}")
            start = time.perf_counter()
            results[name, k, method] = loss(name, k, method), time.perf_counter() - start
            writer.writerow([state, name, k, method, *results[name, k, method]])
            file.flush()
            progress.advance(bar)
    return results


def section(table: Table, results: Results) -> str:
    """Return the section of one table, with its counts and notes."""
    rows = [
        Row(name, k, line, published, *min(results[name, k, method] for method in line.ours))
        for name, k, line, published in figures(table)
    ]
    heading = f"## {table.source}: {table.part}" if table.part else f"## {table.source}"
    lines = [
        heading,
        "",
        "| published | ours | within | largest difference | better | worse |",
        "|---|---|---|---|---|---|",
    ]
    for line in table.lines:
        chosen = [row for row in rows if row.line == line]
        within = sum(abs(row.difference) <= table.tolerance for row in chosen)
        worst = max(chosen, key=lambda row: abs(row.difference))
        lines.append(
            f"| {line.published} | {line.name} | {within} of {len(chosen)} within {table.tolerance:g} % | "
            f"{worst.difference:+.2f} % ({table.datasets[worst.dataset]}, k = {worst.k}) | "
            f"{sum(row.difference < -0.1 for row in chosen)} | {sum(row.difference > 0.1 for row in chosen)} |"
        )
    within = sum(abs(row.difference) <= table.tolerance for row in rows)
    highest = max(row.difference for row in rows)
    lines += [
        "",
        f"Altogether {within} of {len(rows)} within {table.tolerance:g} %, the highest at {highest:+.2f} %. "
        "Published, ours, difference:",
        "",
    ]
    for name in dict.fromkeys(row.dataset for row in rows):
        ks = sorted({row.k for row in rows if row.dataset == name})
        titles = " | ".join(f"k = {k}" for k in ks)
        lines += [f"| {table.datasets[name]} | {titles} |", "|---" * (len(ks) + 1) + "|"]
        for line in table.lines:
            cells = {row.k: row for row in rows if (row.dataset, row.line) == (name, line)}
            texts = [
                f"{cells[k].published:g} · {cells[k].ours:.4f} · {cells[k].difference:+.2f} %" if k in cells else ""
                for k in ks
            ]
            lines.append(f"| {line.name} | " + " | ".join(texts) + " |")
        lines.append("")
    return "\n".join([*lines, table.notes])


INTRODUCTION = """\
# Published figures beside ours

Information loss in percent, 100·sse/sst on standardised columns, of Tarragona (834 × 13), Census (1080 × 13) and EIA
(4092 × 11), and of simulated data sets. "Better" and "worse" count the cells where ours differs by more than 0.1 %.
Made by `make reproduce` from `benchmarks/published_information_loss.csv`, with `random_state` 0.

Every one of its {count} figures is here. None were published in these papers for `md-nn`, `md-nc`, `mst`, `kmeans` and
the other orderings.
"""


def main() -> None:
    """Compute what is missing and write the document."""
    try:
        results = compute()
    except KeyboardInterrupt:
        sys.exit("interrupted: run again to resume here")
    except InputError as error:
        sys.exit(f"error: {error}")
    if n_uncovered := count_uncovered():
        sys.exit(f"error: {n_uncovered} published figures are in no table of benchmarks/published.py")
    with PUBLISHED.open(newline="") as file:
        introduction = INTRODUCTION.format(count=sum(1 for _ in csv.DictReader(file)))
    DOCUMENT.parent.mkdir(exist_ok=True)
    sections = (section(table, results) for table in TABLES)
    DOCUMENT.write_text("\n\n".join([introduction.rstrip(), *sections]) + "\n")
    print(f"written: {DOCUMENT.relative_to(Path.cwd()) if DOCUMENT.is_relative_to(Path.cwd()) else DOCUMENT}")


if __name__ == "__main__":
    main()
