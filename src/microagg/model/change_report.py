"""Change report: everything that differs between a table and its release, without any value of either."""

from dataclasses import dataclass
from typing import Literal

from microagg.model.column import Kind
from microagg.model.presentation import Reportable

RecordOrder = Literal["kept", "assumed", "changed", "unknown"]
"""Order of the records: "kept", as a column shows; "assumed" to be kept, as no column shows it; "changed", where they
are in other rows; "unknown", where there are others."""


@dataclass(frozen=True)
class CellChanges:
    """Numbers of the cells of a column that differ from those of the same records before.

    Parameters
    ----------
    altered
        Cells with another value.
    to_missing
        Cells that had a value, and have none.
    from_missing
        Cells that had none, and have a value.
    rewritten
        Cells with the same value, written in another way, as 1.50 and 1.5.

    Examples
    --------
    >>> import microagg
    >>> microagg.CellChanges(altered=7, to_missing=2).total
    9
    """

    altered: int = 0
    to_missing: int = 0
    from_missing: int = 0
    rewritten: int = 0

    @property
    def total(self) -> int:
        """Number of cells whose value differs."""
        return self.altered + self.to_missing + self.from_missing


@dataclass(frozen=True)
class MetadataChange:
    """Change of something that is known of a table or a column beside its values.

    Parameters
    ----------
    what
        Its name: "type", "label", "value labels".
    before, after
        The texts before and after; None where there was none, or where there are entries.
    lost, added, altered
        Where there are entries, such as value labels: how many are gone, new, or have another text.

    Examples
    --------
    >>> import microagg
    >>> microagg.MetadataChange("label", "Income", None)
    MetadataChange(what='label', before='Income', after=None, lost=0, added=0, altered=0)
    """

    what: str
    before: str | None = None
    after: str | None = None
    lost: int = 0
    added: int = 0
    altered: int = 0


@dataclass(frozen=True)
class ColumnChange:
    """What has changed of one column.

    Parameters
    ----------
    name
        Name of the column.
    role
        What the plan does to it: "protected", "renumbered", "identifier", "dropped" or "untouched"; None without
        a plan.
    kind_before, kind_after
        Kind of its values before and after; None where the table lacks the column.
    cells
        Numbers of the cells that differ; None where records cannot be compared row by row, or a table lacks the column.
    same_values
        Whether it holds the same values as before, in any order; None where that was not compared.
    metadata
        What has changed besides the values.

    Examples
    --------
    >>> import microagg
    >>> found = microagg.changes([[1.0, 5.0], [2.0, 6.0]], [[1.5, 5.0], [1.5, 6.0]])
    >>> [(column.name, column.cells.altered, column.is_changed) for column in found.columns]
    [('0', 2, True), ('1', 0, False)]
    """

    name: str
    role: str | None
    kind_before: Kind | None
    kind_after: Kind | None
    cells: CellChanges | None = None
    same_values: bool | None = None
    metadata: tuple[MetadataChange, ...] = ()

    @property
    def is_dropped(self) -> bool:
        """Whether the release lacks it."""
        return self.kind_after is None

    @property
    def is_added(self) -> bool:
        """Whether the original lacks it."""
        return self.kind_before is None

    @property
    def is_changed(self) -> bool:
        """Whether it is dropped, added, or holds other values."""
        return self.is_dropped or self.is_added or self.same_values is False

    @property
    def is_unplanned(self) -> bool:
        """Whether it has changed, or is new, although the plan releases what it does not name as it came."""
        return self.is_changed and self.role == "untouched"


@dataclass(frozen=True)
class ChangeReport(Reportable):
    """Everything that differs between a table and its release; no value of either.

    Parameters
    ----------
    n_before, n_after
        Numbers of records.
    order
        What is known of the order of the records: "kept", "assumed", "changed" or "unknown".
    columns
        The columns of the original in their order, then those that only the release has.
    columns_in_order
        Whether the columns that both have are in the same order.
    table
        What has changed of the tables as a whole: kind of file, format, labels.

    Examples
    --------
    >>> import microagg
    >>> found = microagg.changes([[1.0, 5.0], [2.0, 6.0]], [[1.5, 5.0], [1.5, 6.0]])
    >>> found.n_left_out, found.order, found.changed
    (0, 'kept', ('0',))
    """

    n_before: int
    n_after: int
    order: RecordOrder
    columns: tuple[ColumnChange, ...]
    columns_in_order: bool = True
    table: tuple[MetadataChange, ...] = ()

    @property
    def n_left_out(self) -> int:
        """Number of records that are left out."""
        return max(0, self.n_before - self.n_after)

    @property
    def dropped(self) -> tuple[str, ...]:
        """Columns that the release lacks."""
        return tuple(column.name for column in self.columns if column.is_dropped)

    @property
    def added(self) -> tuple[str, ...]:
        """Columns that the original lacks."""
        return tuple(column.name for column in self.columns if column.is_added)

    @property
    def changed(self) -> tuple[str, ...]:
        """Columns of both that hold other values."""
        return tuple(
            column.name for column in self.columns if column.is_changed and not (column.is_dropped or column.is_added)
        )

    @property
    def unplanned(self) -> tuple[str, ...]:
        """Columns that have changed although the plan does nothing to them; none without a plan."""
        return tuple(column.name for column in self.columns if column.is_unplanned)
