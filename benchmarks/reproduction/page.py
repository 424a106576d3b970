"""Page of a paper: the tasks that it needs, and the parts that fill its template."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from cached_tasks import Result, Task
from documents import DOCS, fill
from reproduction.loss_tables import LossTable, section
from reproduction.loss_tables import tasks as loss_tasks

FOLDER = DOCS / "reproduction"
_TEMPLATES = Path(__file__).parent

Results = dict[Task, Result]


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
        Function that makes these parts, and the pictures beside the page.
    """

    name: str
    title: str
    tables: dict[str, LossTable]
    other_tasks: list[Task]
    other_parts: Callable[[Results], dict[str, str]]

    @property
    def tasks(self) -> list[Task]:
        """Every task whose result is on the page."""
        return list(dict.fromkeys([*loss_tasks(list(self.tables.values())), *self.other_tasks]))

    def write(self, results: Results) -> Path:
        """Write the page; return its path."""
        sections = {place: section(one, results) for place, one in self.tables.items()}
        path = FOLDER / f"{self.name}.md"
        path.write_text(fill(_TEMPLATES / f"{self.name}.in.md", sections | self.other_parts(results)))
        return path
