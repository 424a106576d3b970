"""Report in plain text."""

from microagg.release import Measures, Release
from microagg.solution import Solution


def as_text(release: Release) -> str:
    """Write the summary and a table of the protected columns."""
    return f"{release.summary()}\n\n{columns_table(release.measures)}"


def solution_text(solution: Solution) -> str:
    """Say how much is lost, and how much must be."""
    lines = {
        "records": f"{len(solution.labels)}",
        "method": f"{solution.method}, k = {solution.partition.problem.k}",
        "information loss": f"{solution.information_loss:.4f} %",
        "bound": solution.bound_summary(),
    }
    return "\n".join(f"{name + ':':<18}{text}" for name, text in lines.items())


def columns_table(measures: Measures) -> str:
    """Show each column before and after."""
    rows = [["column", "mean before", "mean after", "variance before", "variance after", "loss %"]]
    for column in measures.columns:
        loss = "–" if column.information_loss is None else f"{column.information_loss:.4f}"
        numbers = (column.mean_before, column.mean_after, column.variance_before, column.variance_after)
        rows.append([column.name, *(f"{number:.6g}" for number in numbers), loss])
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    )
