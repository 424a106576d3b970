"""Comparison of releases: one candidate for each k and method, the front of the best, and the recommended one."""

from dataclasses import asdict, dataclass, field
from typing import Any

from microagg.model.checks import positive_number
from microagg.model.errors import InputError
from microagg.model.figure import Figure
from microagg.model.names import quantity, suggestion
from microagg.model.plan import Plan
from microagg.model.presentation import Plottable, Reportable, as_frame


@dataclass(frozen=True)
class Aim:
    """What candidates are compared by, and what may be lost or risked at most.

    Parameters
    ----------
    utility, risk
        Names of the figures on the two axes of the map, as in docs/measures.md.
    max_loss, max_risk
        Largest values of these figures that are acceptable; None: any.

    Raises
    ------
    InputError
        If a limit is no positive number.

    Examples
    --------
    >>> from microagg import Aim
    >>> Aim(max_risk=10)
    Aim(utility='information_loss', risk='dld', max_loss=None, max_risk=10.0)
    """

    utility: str = "information_loss"
    risk: str = "dld"
    max_loss: float | None = None
    max_risk: float | None = None

    def __post_init__(self) -> None:
        for name in ("max_loss", "max_risk"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, positive_number(name, value))


@dataclass(frozen=True)
class Candidate:
    """A release that might be made, and what was measured of it.

    Parameters
    ----------
    k
        Smallest group allowed.
    method
        The method that made the groups.
    information_loss
        In percent; None where there is no release.
    k_reached
        Fewest records, or units, that share their protected values.
    seconds
        Seconds that protecting took.
    figures
        What was measured, utility first.
    error
        Why there is no release: one sentence; None where there is one.
    on_front
        Whether no other candidate is as good on both axes, and better on one.

    Examples
    --------
    >>> import microagg
    >>> comparison = microagg.compare([[1.0], [2.0], [8.0], [9.0]], k=(2, 4), methods=["mdav"])
    >>> [(one.name, one.k_reached, one.on_front) for one in comparison.candidates]
    [('k = 2 with mdav', 2, True), ('k = 4 with mdav', 4, True)]
    """

    k: int
    method: str
    information_loss: float | None = None
    k_reached: int | None = None
    seconds: float | None = None
    figures: tuple[Figure, ...] = field(default=(), repr=False)
    error: str | None = None
    on_front: bool = False

    @property
    def name(self) -> str:
        """Name in words: k and method."""
        return f"k = {self.k} with {self.method}"

    def figure(self, name: str) -> Figure:
        """Return a figure by its name.

        Parameters
        ----------
        name
            As in docs/measures.md, such as "dld" or "il1s".

        Returns
        -------
        Figure
            The number, and what it says.

        Raises
        ------
        InputError
            If it was not measured.
        """
        found = {one.name: one for one in self.figures}
        if name not in found:
            why = self.error or suggestion(name, tuple(found))
            raise InputError(f"there is no figure {name!r} of {self.name}: {why}")
        return found[name]


@dataclass(frozen=True, eq=False)
class Comparison(Reportable, Plottable):
    """Candidates of a release: what each loses, what each risks, and which one is recommended.

    Parameters
    ----------
    candidates
        One for each k and method, in the order given.
    aim
        The two axes, and what may be lost or risked at most.
    recommended
        The candidate that is recommended: one of the front; None where none stays within the limits of the aim.
    reason
        Why, in a few sentences.
    plan
        The plan of the recommended candidate, to protect by; None where there is none.
    n_records
        Number of records of the table.
    file
        Name of the file that was read, if it was one.

    Examples
    --------
    >>> import microagg
    >>> comparison = microagg.compare([[1.0], [2.0], [8.0], [9.0]], k=(2, 4), methods=["mdav"])
    >>> comparison
    Comparison(2 candidates, 2 on the front, recommended: k = 4 with mdav)
    >>> release = microagg.protect([[1.0], [2.0], [8.0], [9.0]], plan=comparison.plan)
    >>> release.k
    4
    """

    candidates: tuple[Candidate, ...]
    aim: Aim
    recommended: Candidate | None
    reason: str
    plan: Plan | None
    n_records: int
    file: str | None = None

    def __repr__(self) -> str:
        recommended = "none" if self.recommended is None else self.recommended.name
        count = quantity(len(self.candidates), "candidate")
        return f"Comparison({count}, {len(self.front)} on the front, recommended: {recommended})"

    @property
    def front(self) -> tuple[Candidate, ...]:
        """The Pareto front: candidates that no other beats on both axes, in the order given."""
        return tuple(one for one in self.candidates if one.on_front)

    @property
    def figure_names(self) -> tuple[str, ...]:
        """Names of all figures that were measured."""
        return tuple(dict.fromkeys(figure.name for one in self.candidates for figure in one.figures))

    def rows(self) -> list[dict[str, Any]]:
        """Return what is known of each candidate, by name.

        Returns
        -------
        list of dict
            One row for each candidate; each has the same names.
        """
        return [self._row(one) for one in self.candidates]

    def to_frame(self) -> Any:
        """Return the candidates as a dataframe, one row each.

        Returns
        -------
        polars.DataFrame
            The columns are k, method, every figure by its name, k_reached, seconds, on_front, recommended and error.

        Examples
        --------
        >>> import microagg
        >>> comparison = microagg.compare([[1.0], [2.0], [8.0], [9.0]], k=(2, 4), methods=["mdav"])
        >>> comparison.to_frame()["information_loss"].round(2).to_list()
        [2.0, 100.0]
        """
        return as_frame({name: [row[name] for row in self.rows()] for name in self._row(self.candidates[0])})

    def _row(self, candidate: Candidate) -> dict[str, Any]:
        values = {figure.name: figure.value for figure in candidate.figures}
        fields = asdict(candidate)
        return {
            **{name: fields[name] for name in ("k", "method", "information_loss")},
            **{name: values.get(name) for name in self.figure_names if name != "information_loss"},
            **{name: fields[name] for name in ("k_reached", "seconds", "on_front")},
            "recommended": candidate is self.recommended,
            "error": candidate.error,
        }
