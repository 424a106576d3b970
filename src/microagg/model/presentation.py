"""What nouns do by the hands of higher layers: words, pages and files.

Nouns import nothing from above. The layers that can put them into words and files hand their functions in here when
`microagg` is imported.
"""

from collections.abc import Callable
from os import PathLike
from typing import Any

_abilities: dict[str, Callable[..., Any]] = {}


def hand_in(**abilities: Callable[..., Any]) -> None:
    """Let nouns use functions: `report`, `html` and `write`."""
    _abilities.update(abilities)


class Shown:
    """A noun that can be put into words."""

    def summary(self) -> str:
        """Say in a few lines what this is."""
        return str(_abilities["report"](self, "text"))

    def to_json(self) -> str:
        """Write everything that a program may want to know of this, in JSON."""
        return str(_abilities["report"](self, "json"))

    def _repr_html_(self) -> str:
        return str(_abilities["html"](self))


class Written(Shown):
    """A noun that can be written to a file."""

    def write(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the released table to a file: CSV, Parquet or Arrow, by the ending of its name.

        Parameters
        ----------
        path
            Where to write it.
        force
            Whether a file that is there is replaced.
        """
        _abilities["write"](self, path, force=force)
