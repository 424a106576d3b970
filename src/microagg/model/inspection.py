"""What a table looks like before it is protected, and the role proposed for each of its columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from microagg.model.column import Kind
from microagg.model.names import quantity
from microagg.model.presentation import Reportable, starter_plan
from microagg.model.reading import Reading

Aspect = Literal[
    "identifier",
    "unit",
    "weight",
    "code",
    "category",
    "date",
    "sentinel",
    "structural zeros",
    "skewed",
    "nearly constant",
    "free text",
    "mixed",
    "infinite",
]
"""What a column may look like."""

Role = Literal["identifier", "unit", "weight", "quasi-identifier", "amount", "dropped", "unchanged"]
"""What a column may be proposed as.

Quasi-identifiers and amounts are protected together; an amount is of numbers, of which its name does not tell that
others know them.
"""


class Look(NamedTuple):
    """One thing that a column looks like.

    Parameters
    ----------
    aspect
        What it is.
    reason
        Why; completes a sentence that begins with "column 'x' " and shows no value but a sentinel.
    """

    aspect: Aspect
    reason: str


@dataclass(frozen=True)
class ValueSummary:
    """Kind, number and range of the values of a column.

    Parameters
    ----------
    kind
        Kind of the values.
    n_distinct
        Number of different values, missing ones not counted.
    n_missing
        Number of records without a value.
    low, high
        Range of numbers, and of dates in ISO format; None where there is none. Not in the repr.
    frequent
        Most frequent values of a column that has few, most frequent first. Not in the repr.
    """

    kind: Kind
    n_distinct: int
    n_missing: int
    low: float | str | None = field(default=None, repr=False)
    high: float | str | None = field(default=None, repr=False)
    frequent: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Proposal:
    """Role proposed for a column.

    Parameters
    ----------
    role
        What it is proposed as.
    nominal
        Whether its values are categories, without order or distance.
    question
        What only the owner of the data can answer, where the role is doubtful.
    """

    role: Role
    nominal: bool = False
    question: str | None = None


@dataclass(frozen=True, repr=False)
class ColumnInspection:
    """What one column looks like, and the role proposed for it.

    Parameters
    ----------
    name
        Name of the column.
    values
        Kind, number and range of its values.
    looks
        What it looks like.
    sentinels
        Numbers that may stand for missing values.
    proposal
        The role proposed for it.
    label
        What it is, in words, if the file says it.

    Examples
    --------
    >>> import microagg, polars
    >>> microagg.inspect(polars.DataFrame({"sex": [1, 2] * 10})).columns[0]
    ColumnInspection('sex', integer, proposed as quasi-identifier)
    """

    name: str
    values: ValueSummary
    looks: tuple[Look, ...]
    sentinels: tuple[float | str, ...]
    proposal: Proposal
    label: str | None = None

    def __repr__(self) -> str:
        return f"ColumnInspection({self.name!r}, {self.values.kind}, proposed as {self.proposal.role})"

    def look(self, aspect: Aspect) -> str | None:
        """Return why the column has an aspect.

        Parameters
        ----------
        aspect
            What it may look like.

        Returns
        -------
        str or None
            The reason; None if it does not look like that.
        """
        return next((look.reason for look in self.looks if look.aspect == aspect), None)


@dataclass(frozen=True)
class SinglingOut:
    """Number of records that few others, or none, agree with in some columns.

    Parameters
    ----------
    columns
        The columns.
    n_unique
        Number of records that differ from every other record.
    n_below_3, n_below_5
        Number of records that share their values with fewer than 3, fewer than 5, themselves included.
    """

    columns: tuple[str, ...]
    n_unique: int
    n_below_3: int
    n_below_5: int


@dataclass(frozen=True, repr=False)
class Inspection(Reportable):
    """What a table looks like, and the roles proposed for its columns.

    It is about the original data: its reports show ranges and frequent values, and are for their owner only.

    Parameters
    ----------
    n_records
        Number of records.
    columns
        Every column in order.
    singling_out
        Records that the columns to be protected single out: by the fewest columns first, then by all of them, and last
        by all columns that would be released.
    file
        Name of the file that was inspected, if it was one.
    reading
        How it was read, as far as the user said.
    header_doubt
        Why its first line may be a record and not the names of the columns, if it may.
    n_inspected
        Number of records that were looked at, where they are a sample: all but the numbers of records and of missing
        values is about these. None where all were.
    on_cluster
        Whether the records are on a cluster, where a plan must name more, and some options are not.
    read_as
        How the file was read, in words: the delimiter, the sheet and the like.

    Examples
    --------
    >>> import microagg, polars
    >>> survey = polars.DataFrame({"sex": [1, 2] * 10, "income": [100.5 + 7 * i * i for i in range(20)]})
    >>> inspection = microagg.inspect(survey)
    >>> inspection
    Inspection(20 records, 2 columns)
    >>> inspection.having_role("quasi-identifier"), inspection.having_role("amount")
    (('sex',), ('income',))
    """

    n_records: int
    columns: tuple[ColumnInspection, ...]
    singling_out: tuple[SinglingOut, ...] = ()
    file: str | None = None
    reading: Reading = field(default_factory=Reading)
    header_doubt: str | None = None
    n_inspected: int | None = None
    on_cluster: bool = False
    read_as: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        sample = "" if self.n_inspected is None else f", of which a sample of {self.n_inspected} was looked at"
        return f"Inspection({quantity(self.n_records, 'record')}{sample}, {quantity(len(self.columns), 'column')})"

    def having_role(self, role: Role) -> tuple[str, ...]:
        """Return the columns that a role is proposed for.

        Parameters
        ----------
        role
            "identifier", "unit", "weight", "quasi-identifier", "amount", "dropped" or "unchanged".

        Returns
        -------
        tuple of str
            Their names, in order.
        """
        return tuple(column.name for column in self.columns if column.proposal.role == role)

    def to_toml(self, file: str = "release.toml", command: Sequence[str] | None = None) -> str:
        """Return a starter plan as TOML text, each guess with its reason as a comment, to be edited and run.

        Parameters
        ----------
        file
            The file that the plan will be in, which a comment names.
        command
            Words of the command that carries it out, which a comment shows; None: the usual one.

        Returns
        -------
        str
            Text that `Plan.from_toml` reads; it shows no value but sentinels.
        """
        return starter_plan(self, file, command)
