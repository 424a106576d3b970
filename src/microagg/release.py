"""Hold what `protect` gives: the released data, how they were made, and what they measure."""

from dataclasses import dataclass
from typing import Any

from microagg.arrays import IntArray
from microagg.solution import Solution, Status
from microagg.table import Table


@dataclass(frozen=True)
class ColumnMeasures:
    """Measure one column before and after.

    Variances divide by n − 1. The information loss is in percent of this column's total squares; None
    where the original is constant.
    """

    name: str
    mean_before: float
    mean_after: float
    variance_before: float
    variance_after: float
    information_loss: float | None


@dataclass(frozen=True)
class Measures:
    """Measure a released table against its original.

    Parameters
    ----------
    n_records
        How many records there are.
    k_reached
        The smallest number of records that share their values in all the protected columns.
    n_patterns
        How many distinct combinations of these values there are.
    information_loss
        In percent: 100·(squares between original and release)/(total squares).
    columns
        Each protected column on its own.
    """

    n_records: int
    k_reached: int
    n_patterns: int
    information_loss: float
    columns: tuple[ColumnMeasures, ...]


@dataclass(frozen=True, eq=False)
class Release:
    """Hold a protected table.

    Parameters
    ----------
    data
        The released data, the same kind of object as was given. Of a file: a polars dataframe.
    table
        The same, ready to be written.
    solution
        The groups, and how good they are proved to be. Records are in the order of the input.
    measures
        Computed from the released table itself.
    columns
        The protected columns.
    keep_integers
        Whether whole numbers were kept whole.
    """

    data: Any
    table: Table
    solution: Solution
    measures: Measures
    columns: tuple[str, ...]
    keep_integers: bool

    @property
    def k(self) -> int:
        """The smallest group allowed."""
        return self.solution.partition.problem.k

    @property
    def labels(self) -> IntArray:
        """The group of each record of the input, of shape (n,)."""
        return self.solution.labels

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return self.solution.n_groups

    @property
    def sizes(self) -> IntArray:
        """How many records each group has, of shape (n_groups,)."""
        return self.solution.sizes

    @property
    def sse(self) -> float:
        """The squares within the groups."""
        return self.solution.sse

    @property
    def information_loss(self) -> float:
        """100·sse/sst in percent."""
        return self.solution.information_loss

    @property
    def lower_bound(self) -> float | None:
        """What no partition can beat, as sse; None while no bound was asked for."""
        return self.solution.lower_bound

    @property
    def gap(self) -> float | None:
        """(sse − lower_bound)/sse; None while no bound was asked for."""
        return self.solution.gap

    @property
    def status(self) -> Status:
        """Say how much is proved of the solution."""
        return self.solution.status

    def _refining(self) -> dict[str, str]:
        """Say how far the refining came where it was ended early, and what would be reproducible."""
        solution = self.solution
        if solution.ended_by is None:
            return {}
        ending = f"ended by {solution.ended_by} after {solution.iterations} iterations"
        if solution.ended_by in ("time_limit", "interruption"):
            ending += ": not reproducible"
            ending += f", iterations={solution.iterations} is" if solution.bound is None else ""
        return {"refining": ending}

    def summary(self) -> str:
        """Say in a few lines what was done and what was lost."""
        sizes = self.sizes
        loss = f"{self.information_loss:.4f} %"
        if self.keep_integers:
            loss += f", {self.measures.information_loss:.4f} % with whole numbers kept"
        lines = {
            "records": f"{len(self.labels)}",
            "protected": ", ".join(self.columns),
            "as they came": ", ".join(name for name in self.table.names if name not in self.columns) or "no column",
            "method": f"{self.solution.method}, k = {self.k}",
            **self._refining(),
            "groups": f"{self.n_groups} of {sizes.min()} to {sizes.max()} records",
            "information loss": loss,
            "bound": self.solution.bound_summary(),
            "verified": f"every group has at least {self.k} records (k reached: {self.measures.k_reached})",
        }
        return "\n".join(f"{name + ':':<18}{text}" for name, text in lines.items())
