"""Hooks by which values of the model are reported and written, filled in by higher layers.

The model imports nothing from above. The layers that make reports and write files register their functions here when
`microagg` is imported.
"""

from collections.abc import Callable
from os import PathLike
from typing import Any

_hooks: dict[str, Callable[..., Any]] = {}


def register_hooks(**hooks: Callable[..., Any]) -> None:
    """Register `report(value, format)`, `html(value)`, `starter_plan(value, file)` and `write(release, …)`."""
    _hooks.update(hooks)


def starter_plan(inspection: object, file: str) -> str:
    """Return the starter plan of an inspection, as TOML text that will be in a file."""
    return str(_hooks["starter_plan"](inspection, file))


class Reportable:
    """Mixin of values that reports can be made of."""

    def summary(self) -> str:
        """Return a short report as plain text.

        Returns
        -------
        str
            A few lines.
        """
        return str(_hooks["report"](self, "text"))

    def to_json(self) -> str:
        """Return all facts but the data as JSON.

        Returns
        -------
        str
            One JSON object.
        """
        return str(_hooks["report"](self, "json"))

    def _repr_html_(self) -> str:
        return str(_hooks["html"](self))


class Writable(Reportable):
    """Mixin of values that can be written to a file."""

    def write(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the released table to a file: CSV, Parquet or Arrow, by the ending of its name.

        Parameters
        ----------
        path
            Where to write it.
        force
            Whether an existing file is replaced.
        """
        _hooks["write"](self, path, force=force)
