"""Page of a paper: the tasks that it needs, and the parts that fill its template."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from cached_tasks import Task
from documents import DOCS, fill
from reproduction.loss_tables import LossTable, section
from reproduction.loss_tables import tasks as loss_tasks
from reproduction.results import NOT_YET, MissingResultError, Results

FOLDER = DOCS / "reproduction"
_TEMPLATES = Path(__file__).parent


class Page(NamedTuple):
    """Page of a paper.

    Parameters
    ----------
    name
        The name of the template and of the page.
    title
        The name of the paper.
    tables
        Its tables of information losses, by their place in the template.
    other_tasks
        The tasks that other parts of the page need.
    other_parts
        Function that makes each of these parts, and the picture in it, by their place in the template.
    """

    name: str
    title: str
    tables: dict[str, LossTable]
    other_tasks: list[Task]
    other_parts: dict[str, Callable[[Results], str]]

    @property
    def tasks(self) -> list[Task]:
        """Every task whose result is on the page."""
        return list(dict.fromkeys([*loss_tasks(list(self.tables.values())), *self.other_tasks]))

    @property
    def path(self) -> Path:
        """Where it is."""
        return FOLDER / f"{self.name}.md"

    def text(self, results: Results) -> str:
        """Return the text of the page, which says what is not computed yet; save its pictures."""
        sections = {place: section(one, results) for place, one in self.tables.items()}
        parts = {place: _part(make, results) for place, make in self.other_parts.items()}
        return fill(_TEMPLATES / f"{self.name}.in.md", sections | parts)

    def write(self, results: Results) -> Path:
        """Write the page; return its path."""
        self.path.write_text(self.text(results))
        return self.path


def _part(make: Callable[[Results], str], results: Results) -> str:
    try:
        return make(results)
    except MissingResultError:
        return NOT_YET
