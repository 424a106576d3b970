"""Plan: what is to be done to which columns, the same from keywords, a TOML file and the command line."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from os import PathLike
from typing import Any

from microagg.model.by_column import as_given
from microagg.model.checks import flag, whole_number
from microagg.model.column_set import SET_OPTIONS, ColumnSet, GroupingOptions, SetOptions, check_known
from microagg.model.errors import InputError
from microagg.model.given_sets import GivenSets, given_sets
from microagg.model.limits import Limits
from microagg.model.missing_policy import MISSING_OPTIONS, MissingOptions, MissingPolicy
from microagg.model.names import column_names
from microagg.model.plan_file import options_from_toml, options_to_toml
from microagg.model.presentation import Reportable
from microagg.model.privacy import PRIVACY_OPTIONS, Privacy, PrivacyOptions
from microagg.model.reading import Reading
from microagg.model.roles import ROLES, RoleOptions, Roles
from microagg.model.treatment import Treatment


class PlanOptions(GroupingOptions, RoleOptions, MissingOptions, PrivacyOptions, total=False):
    """Options of a plan except k: see `Plan`."""

    sets: Sequence[ColumnSet | SetOptions]
    exclude: Iterable[Hashable]
    drop: Iterable[Hashable]
    shuffle: bool
    random_state: int | None
    time_limit: float | None
    iterations: int | None
    target_gap: float | None
    allow_k1: bool
    strict: bool
    delimiter: str | None
    decimal: str | None
    encoding: str | None
    header: bool | None
    table_name: str | None


PLAN_OPTIONS = ("k", *PlanOptions.__annotations__)
"""Names of all options, in the order in which a plan states them."""

LIMITS = tuple(one.name for one in fields(Limits))
READING = tuple(one.name for one in fields(Reading))


@dataclass(frozen=True, init=False, repr=False)
class Plan(Reportable):
    """What is to be done to which columns.

    Every option has the same name here, as a keyword of `protect`, in a TOML file and, with dashes, on the command
    line. Options that are not given have defaults.

    Parameters
    ----------
    k, columns, method, effort, block_size, rounds, standardise, bound, keep_integers, weighted_loss
        Options of the one column set, see `ColumnSet`; with `sets`, those of each set that has none of its own.
    scale, transform, nominal, ordinal, aggregate, rounding
        How columns are encoded for the distances and aggregated: options of a column set, too. Those that name columns
        may name columns of any set.
    sets
        Several column sets, each grouped on its own. Each is then k-anonymous on its own columns, not on those of
        several sets together.
    identifiers, renumber, confidential, strata, weight, unit
        What other columns are: see `Roles`. None of these is protected.
    missing, missing_values, small_strata
        What is done about missing values and about small strata: see `MissingPolicy`.
    l_diversity, entropy_l_diversity, t_closeness, dominance, p_percent
        Privacy on top of k: see `Privacy`.
    exclude
        Columns that are released unchanged, and known to be: they are not protected although they are numeric, and
        nobody is asked about one that alone singles out nearly every record.
    drop
        Columns that are left out of the release.
    shuffle
        Whether the released records are put in a random order, by fresh randomness of the operating system, never by
        `random_state`: an order that can be drawn again can be undone.
    random_state
        The same number gives the same groups; None ("fresh" in TOML) takes fresh randomness. The default is 0.
    time_limit, iterations, target_gap
        Limits of the work: see `Run`.
    allow_k1
        Whether k = 1 is allowed, which protects nothing.
    strict
        Whether nothing is released unless the verdict is "verified": unless k holds on all released columns that others
        may know.
    delimiter, decimal, encoding, header, table_name
        How a file is to be read, where that must not be detected: see `read`.

    Attributes
    ----------
    sets : tuple of ColumnSet
        The column sets, complete.
    given : dict
        The options that were given, by name.

    Raises
    ------
    InputError
        If an option is unknown, has a value that it cannot have, or contradicts another.

    Examples
    --------
    >>> from microagg import Plan
    >>> plan = Plan(k=5, columns=["income", "assets"], random_state=1)
    >>> print(plan.to_toml())
    k = 5
    columns = ["income", "assets"]
    random_state = 1
    <BLANKLINE>
    >>> Plan.from_toml(plan.to_toml()) == plan
    True
    """

    sets: tuple[ColumnSet, ...]
    roles: Roles
    missing_policy: MissingPolicy
    privacy: Privacy
    exclude: tuple[str, ...]
    drop: tuple[str, ...]
    shuffle: bool
    random_state: int | None
    allow_k1: bool
    strict: bool
    limits: Limits
    reading: Reading
    _given_names: tuple[str, ...] = field(compare=False)
    _given_sets: GivenSets = field(compare=False)

    def __init__(self, **options: Any) -> None:
        check_known(options, PLAN_OPTIONS, "a plan")
        roles = Roles(**_named(options, ROLES))
        given = given_sets(options, roles.confidential)
        values = {
            "sets": given.sets,
            "roles": roles,
            "missing_policy": MissingPolicy(**_named(options, MISSING_OPTIONS)),
            "privacy": Privacy(**_named(options, PRIVACY_OPTIONS)),
            "exclude": column_names("exclude", options.get("exclude")) or (),
            "drop": column_names("drop", options.get("drop")) or (),
            "shuffle": flag("shuffle", options.get("shuffle", False)),
            "random_state": _random_state(options.get("random_state", 0)),
            "allow_k1": flag("allow_k1", options.get("allow_k1", False)),
            "strict": flag("strict", options.get("strict", False)),
            "limits": Limits(**_named(options, LIMITS)),
            "reading": Reading(**_named(options, READING)),
            "_given_names": tuple(name for name in PLAN_OPTIONS if name in options),
            "_given_sets": given,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        if not self.allow_k1 and any(one.k == 1 for one in self.sets):
            raise InputError("k = 1 protects nothing: choose a larger k, or allow it, as in allow_k1=True (--allow-k1)")
        chosen = Counter(name for one in self.sets for name in one.columns or ())
        for name, number in chosen.items():
            if number > 1:
                raise InputError(f"column {name!r} is in {number} column sets: name it in one")
        for what, names in (("excluded", self.exclude), ("dropped", self.drop)):
            if both := [name for name in names if name in chosen]:
                raise InputError(f"column {both[0]!r} is to be protected and to be {what}: name it once")
        dropped = frozenset(self.drop)
        if both := [name for name in self.exclude if name in dropped]:
            raise InputError(f"column {both[0]!r} is to be excluded and to be dropped: name it once")
        self._check_roles(chosen, dropped)

    def _check_roles(self, chosen: Mapping[str, int], dropped: frozenset[str]) -> None:
        roles = self.roles
        for role in ROLES:
            for name in roles.columns_of(role):
                if name in chosen:
                    raise InputError(f"column {name!r} is in {role} and is to be protected: name it once")
        for name in (*roles.identifiers, *roles.renumber, *roles.confidential):
            if name in dropped:
                raise InputError(f"column {name!r} has a role and is to be dropped: name it once")
        if self.missing_policy.small_strata != "error" and not (
            roles.strata or self.missing_policy.missing == "pattern"
        ):
            raise InputError("small_strata is given, but neither strata nor missing='pattern': leave it out")
        if any(one.weighted_loss for one in self.sets) and roles.weight is None:
            raise InputError(
                "weighted_loss is given, but no weight: name the column of weights, as in weight='w' (--weight w)"
            )
        known = None if any(one.columns is None for one in self.sets) else tuple(chosen)
        self.privacy.check_columns(roles.confidential, known)

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        return f"Plan({options})"

    @property
    def given(self) -> dict[str, Any]:
        """Options that were given, by name: `Plan(**plan.given)` is the same plan."""
        return {name: self._value(name) for name in self._given_names}

    def _value(self, name: str) -> Any:
        if name == "sets":
            several = zip(self.sets, self._given_sets.own, strict=True)
            return [{each: as_given(getattr(one, each)) for each in names} for one, names in several]
        return as_given(getattr(self._holder(name), name))

    def _holder(self, name: str) -> Any:
        """Return the part of the plan that holds an option."""
        for names, part in (
            (SET_OPTIONS, self._given_sets.shared or self.sets[0]),
            (LIMITS, self.limits),
            (READING, self.reading),
            (ROLES, self.roles),
            (MISSING_OPTIONS, self.missing_policy),
            (PRIVACY_OPTIONS, self.privacy),
        ):
            if name in names:
                return part
        return self

    @property
    def codes(self) -> Treatment:
        """Which columns hold codes, with or without order: of all column sets, and confidential ones."""
        return self._given_sets.codes

    @classmethod
    def from_toml(cls, source: str | PathLike[str]) -> "Plan":
        r"""Read a plan.

        Parameters
        ----------
        source
            Path of a TOML file, or its text.

        Returns
        -------
        Plan
            The plan.

        Raises
        ------
        ReadError
            If it is not valid TOML.
        InputError
            If a key is unknown, or its value cannot be.

        Examples
        --------
        >>> from microagg import Plan
        >>> Plan.from_toml('k = 5\ndrop = ["name"]\n')
        Plan(k=5, drop=('name',))
        """
        return cls(**options_from_toml(source))

    def to_toml(self) -> str:
        """Return the options that were given as TOML text, as `from_toml` reads it.

        Returns
        -------
        str
            One key a line.

        Raises
        ------
        InputError
            If a stage of the user's own is among the options: TOML cannot hold it.
        """
        return options_to_toml(self.given)

    def with_options(self, **options: Any) -> "Plan":
        """Return the plan with more options.

        Parameters
        ----------
        **options
            As in `Plan`.

        Returns
        -------
        Plan
            The plan with these options, too.

        Raises
        ------
        InputError
            If an option is unknown, or contradicts the plan.

        Examples
        --------
        >>> from microagg import Plan
        >>> Plan(k=5).with_options(shuffle=True)
        Plan(k=5, shuffle=True)
        """
        before = self.given
        plan = Plan(**{**before, **options})
        after = plan.given
        for name, value in options.items():
            if name in before and before[name] != after[name]:
                says = f"which says {before[name]!r}"
                raise InputError(f"{name} = {value!r} contradicts the plan, {says}: leave one of them out")
        return plan

    def settled(self, columns: Sequence[Sequence[str]], limits: Limits, random_state: int) -> "Plan":
        """Return the plan with every open choice settled.

        Parameters
        ----------
        columns
            Columns of each column set.
        limits
            Limits of plan and run together.
        random_state
            A number, also where the plan takes fresh randomness.

        Returns
        -------
        Plan
            The plan that gives the same release again.
        """
        given = {name: value for name, value in self.given.items() if name != "random_state"}
        if "sets" in given:
            for one, names in zip(given["sets"], columns, strict=True):
                one["columns"] = tuple(names)
        else:
            given["columns"] = tuple(columns[0])
        known = {name: getattr(limits, name) for name in limits.given}
        return Plan(**{**given, **known, "random_state": random_state})


def _named(options: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return those of some options that are given."""
    return {name: options[name] for name in names if name in options}


def _random_state(value: object) -> int | None:
    return None if value is None else whole_number("random_state", value, at_least=0)
