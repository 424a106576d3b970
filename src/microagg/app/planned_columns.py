"""What a plan says of each column, looked up by its name: made once, as a table may have thousands of them."""

from microagg.model.plan import Plan
from microagg.model.roles import ROLES
from microagg.model.treatment_options import named_in


class PlannedColumns:
    """What a plan says of each column.

    Parameters
    ----------
    plan
        The plan.
    """

    def __init__(self, plan: Plan) -> None:
        sets = enumerate(plan.sets, start=1)
        self._numbers = {name: number for number, one in sets for name in one.columns or ()}
        self._naming: dict[str, set[str]] = {}
        for option, names in (*((role, plan.roles.columns_of(role)) for role in ROLES), ("drop", plan.drop)):
            for name in names:
                self._naming.setdefault(name, set()).add(option)
        self._excluded = frozenset(plan.exclude)
        codes = plan.codes
        self._levels = dict.fromkeys(named_in(codes.ordinal), "ordinal") | dict.fromkeys(codes.nominal, "nominal")

    def set_number(self, name: str) -> int:
        """Return the number of the set that names a column, from 1 on; 0 if none does."""
        return self._numbers.get(name, 0)

    def role_options(self, name: str) -> set[str]:
        """Return the options that name a column: roles, and "drop"."""
        return self._naming.get(name, set())

    def is_excluded(self, name: str) -> bool:
        """Return whether a column is released unchanged although it is numeric."""
        return name in self._excluded

    def level(self, name: str) -> str:
        """Return "nominal" or "ordinal" for a column that the plan says to hold codes, else "plain"."""
        return self._levels.get(name, "plain")
