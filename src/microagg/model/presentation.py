"""Hooks by which values of the model are reported, drawn and written, filled in by higher layers.

The model imports nothing from above. The layers that make reports and pictures, and write files, register their
functions here when `microagg` is imported.
"""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

_hooks: dict[str, Callable[..., Any]] = {}


def register_hooks(**hooks: Callable[..., Any]) -> None:
    """Register `report(value, format)`, `html(value)`, `starter_plan(value, …)`, `write(release, …)` and others."""
    _hooks.update(hooks)


def starter_plan(inspection: object, file: str, command: Sequence[str] | None) -> str:
    """Return the starter plan of an inspection, as TOML text that will be in a file, to be run by a command."""
    return str(_hooks["starter_plan"](inspection, file, command))


def as_frame(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return columns of equal length as a dataframe of polars."""
    return _hooks["frame"](columns)


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

    def to_html(self, edition: str = "internal") -> str:
        """Return an HTML document that stands on its own, to be read, printed and signed.

        Parameters
        ----------
        edition
            "internal", which shows figures of the original data, or "public", which does not.

        Returns
        -------
        str
            One HTML page.

        Raises
        ------
        InputError
            If there is no such edition, or no document about such a result: there is one of a release, an assessment, a
            verification and a comparison.
        """
        return str(_hooks["document"](self, edition))

    def _repr_html_(self) -> str:
        return str(_hooks["html"](self))


class Plottable:
    """Mixin of values that pictures can be drawn of."""

    def plot(self) -> Any:
        """Draw a picture; a notebook shows it.

        Returns
        -------
        matplotlib.figure.Figure
            The picture, with nothing of pyplot: save it by its method `savefig`.

        Raises
        ------
        InputError
            If matplotlib is not installed: it is an extra, `pip install 'microagg[plot]'`.
        """
        return _hooks["plot"](self)


class Writable(Reportable):
    """Mixin of values that can be written to a file."""

    def write(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the released table to a file, of the kind that the ending of its name tells, or to a database.

        Parameters
        ----------
        path
            Where to write it.
        force
            Whether an existing file is replaced.
        """
        _hooks["write"](self, path, force=force)
