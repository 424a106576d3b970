"""Options of a plan while they are changed: column sets, roles of columns, and what names columns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from microagg.app.form_state import ROLE_OPTIONS
from microagg.model.column_set import SET_OPTIONS
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.treatment_options import BY_COLUMN, CODES

_ONE_COLUMN = ("weight", "unit")
_NAMING = ("identifiers", "renumber", "confidential", "strata", "weight", "unit", "drop", "exclude")

Options = dict[str, Any]


class PlanDraft:
    """Options of a plan while they are changed.

    Parameters
    ----------
    base
        The plan to begin with: what is not changed stays as it gives it.
    """

    def __init__(self, base: Plan) -> None:
        self.options: Options = base.given
        self.options.update({name: _changeable(value) for name, value in self.options.items() if name != "sets"})
        self._has_sets = "sets" in self.options
        listed = self.options.pop("sets", None) or [{"columns": self.options.pop("columns", None)}]
        self.sets: list[Options] = [{name: _changeable(value) for name, value in one.items()} for one in listed]

    def plan(self) -> Plan:
        """Return the plan that came of it.

        Raises
        ------
        InputError
            If it contradicts itself.
        """
        options = dict(self.options)
        if self._has_sets:
            options["sets"] = [dict(one) for one in self.sets]
            for name in [name for name in SET_OPTIONS if name in options and all(name in one for one in self.sets)]:
                del options[name]
        else:
            options |= {name: value for name, value in self.sets[0].items() if value is not None or name != "columns"}
        return Plan(**options)

    def set_option(self, number: int, name: str, value: object) -> None:
        """Give an option of a column set; None takes it away from this set."""
        if value is None and self._has_sets and name in self.options:
            self._share_out(name)
        own = self.sets[number - 1] if self._has_sets else self.options
        if value is None:
            own.pop(name, None)
        else:
            own[name] = value

    def set_plan_option(self, name: str, value: object) -> None:
        """Give an option of the whole plan; None takes it away."""
        if value is None:
            self.options.pop(name, None)
        else:
            self.options[name] = value

    def name_columns(self, names: Sequence[str]) -> None:
        """Name the columns of the one set that had every numeric one."""
        self.sets[0]["columns"] = list(names)

    def take_out(self, name: str) -> None:
        """Take a column out of its set and out of every role."""
        for one in self.sets:
            if name in (one.get("columns") or ()):
                one["columns"].remove(name)
        for option in _NAMING:
            _without(self.options, option, name)

    def give_role(self, name: str, role: str) -> None:
        """Give a column a role that is no protection."""
        for option in ROLE_OPTIONS[role]:
            if option in _ONE_COLUMN:
                other = self.options.get(option)
                if other is not None:
                    raise InputError(f"columns {other!r} and {name!r} are both the {option}: choose one")
                self.options[option] = name
            else:
                self.options.setdefault(option, []).append(name)

    def exclude(self, name: str) -> None:
        """Release a numeric column as it came, where every numeric one is protected."""
        self.options.setdefault("exclude", []).append(name)

    def put_into(self, name: str, number: int, before: int = 0) -> None:
        """Put a column into a column set.

        Parameters
        ----------
        name
            The column.
        number
            Number of the set; one that there is not yet means a new set.
        before
            Number of the set that it was in, whose options a new set has, too; 0 if it was in none.
        """
        if number > len(self.sets):
            self._add_set(self.sets[max(1, before) - 1])
            number = len(self.sets)
        one = self.sets[number - 1]
        one["columns"] = [*(one.get("columns") or ()), name]

    def _add_set(self, like: Options) -> None:
        """Add a column set with the options of another, but for those that name columns."""
        self._has_sets = True
        own = {name: value for name, value in like.items() if not isinstance(value, list | dict) or name == "method"}
        self.sets.append({**own, "columns": []})

    def remove_empty_sets(self) -> None:
        """Remove the sets that have no column any more.

        Raises
        ------
        InputError
            If no set is left.
        """
        self.sets = [one for one in self.sets if one.get("columns", None) != []]
        if not self.sets:
            raise InputError("no column is protected: choose at least one column to protect")

    @property
    def first_set(self) -> int:
        """Number of the first column set that has columns."""
        return next((place for place, one in enumerate(self.sets, start=1) if one.get("columns")), 1)

    @property
    def can_exclude(self) -> bool:
        """Whether a numeric column can be excluded: only where columns are not named, and there is no list of sets."""
        return not self._has_sets and self.sets[0].get("columns") is None

    def own_values(self, name: str, number: int) -> Options:
        """Return the values that options give to a column by name, in its set."""
        found = {}
        for option in BY_COLUMN:
            value = self._holder(option, number).get(option)
            if option not in CODES and isinstance(value, Mapping) and name in value:
                found[option] = value[name]
        order = self._holder("ordinal", number).get("ordinal")
        if isinstance(order, Mapping) and name in order:
            found["ordinal"] = order[name]
        return found

    def forget(self, name: str) -> None:
        """Take a column out of every option of a column set that names it."""
        for options in (self.options, *self.sets):
            for option in BY_COLUMN:
                _without(options, option, name)

    def name_again(self, name: str, number: int, level: str, values: Mapping[str, Any]) -> None:
        """Treat a column as it is chosen, and as options gave it by name before.

        Parameters
        ----------
        name
            The column, which no option names.
        number
            Its column set.
        level
            "plain", "nominal" or "ordinal".
        values
            What `own_values` returned.
        """
        if level == "nominal":
            self._holder("nominal", number).setdefault("nominal", []).append(name)
        elif level == "ordinal":
            self._make_ordinal(name, number, values.get("ordinal"))
        for option, value in values.items():
            holder = self._holder(option, number)
            if option not in CODES and isinstance(holder.setdefault(option, {}), dict):
                holder[option][name] = value

    def _make_ordinal(self, name: str, number: int, order: Sequence[Any] | None) -> None:
        holder = self._holder("ordinal", number)
        before = holder.get("ordinal")
        if order is not None and not before:
            holder["ordinal"] = {name: order}
        elif isinstance(before, dict):
            if order is None:
                asked = f"add those of {name!r} to its text"
                raise InputError(f"the plan lists categories in order by column: {asked}")
            before[name] = order
        else:
            holder.setdefault("ordinal", []).append(name)

    def _holder(self, option: str, number: int) -> Options:
        """Return the options in which one of a column set stands: its own, or those of all sets."""
        own = self.sets[number - 1]
        if option in own or (self._has_sets and option not in self.options):
            return own
        return self.options

    def _share_out(self, name: str) -> None:
        """Give an option of all sets to each that has none of its own."""
        value = self.options.pop(name)
        for one in self.sets:
            one.setdefault(name, value)


def _without(options: Options, option: str, name: str) -> None:
    """Take a column out of an option; one that names nothing any more is not given."""
    value = options.get(option)
    if option in _ONE_COLUMN and value == name:
        del options[option]
    elif isinstance(value, list | dict) and name in value:
        options[option] = _others(value, name)
        if not options[option]:
            del options[option]


def _others(value: Iterable[str], name: str) -> Any:
    if isinstance(value, dict):
        return {one: each for one, each in value.items() if one != name}
    return [one for one in value if one != name]


def _changeable(value: Any) -> Any:
    """Return lists in place of tuples, and a copy of a mapping."""
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value
