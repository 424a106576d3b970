"""Workspace of a call on files: its memory budget, and the work folder for what does not fit."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike

from microagg.control.left_folders import has_results
from microagg.control.mapped_arrays import MappedArrays
from microagg.control.resident_memory import free_bytes
from microagg.control.run import Run
from microagg.control.work_folder import WorkFolder
from microagg.model.location import Location, file_of, location
from microagg.model.memory_budget import SMALLEST_BUDGET, check_out_of_core, in_words, memory_budget
from microagg.model.reading import Reading
from microagg.model.table import Table
from microagg.read import STANDARD_INPUT, file_to_read, read
from microagg.source.memory_estimate import estimated_memory
from microagg.write import STANDARD_OUTPUT

_SHARE_OF_FREE = 2  # one part of so many of the free memory is the budget where none is given
_COPIES = 5  # of a table in memory while it is protected: as read, as points, released, as an object, read again

_log = logging.getLogger("microagg")


class Workspace:
    """Memory budget of a call on files, and the work folder for those that do not fit in it; a context manager.

    A file that fits is read into memory. Any other is read column by column, and arrays of its size are kept in files:
    the call goes out of core, with the same results.

    Parameters
    ----------
    memory
        Bytes that the process may occupy, or a text such as "2G"; None: half of what is free.
    output
        Where the call writes: the work folder is beside it. None: it is in the system's temporary folder.
    resume
        Whether to go on from the checkpoint of a run that was killed while it wrote this output.

    Attributes
    ----------
    budget : int or None
        The memory budget in bytes; None where it is not given, and free memory is unknown.
    """

    def __init__(
        self, memory: int | str | None = None, output: Location | None = None, *, resume: bool = False
    ) -> None:
        self.budget = _free_share() if memory is None else memory_budget(memory)
        self._is_given = memory is not None
        self._output = None if output is None or output == STANDARD_OUTPUT else file_of(output)
        self._resume = resume
        self._cleanup = ExitStack()
        self._folder: WorkFolder | None = None
        self._arrays: MappedArrays | None = None

    def __enter__(self) -> "Workspace":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and issubclass(kind, KeyboardInterrupt) and self._folder is not None:
            self._folder.keep()
            if has_results(self._folder.path):
                _log.warning(
                    "what was found so far is kept for this output, in the hidden folder %s: --resume goes on from "
                    "there; remove the folder if you do not want that",
                    self._folder.path,
                )
        self._cleanup.close()

    @property
    def folder(self) -> WorkFolder:
        """The work folder, made when it is first needed."""
        if self._folder is None:
            output = self._output
            folder = WorkFolder.temporary() if output is None else WorkFolder.beside(output, resume=self._resume)
            self._folder = self._cleanup.enter_context(folder)
        return self._folder

    @property
    def out_of_core(self) -> bool:
        """Whether a file was too large for the memory budget."""
        return self._arrays is not None

    def fits(self, path: str | PathLike[str], reading: Reading | None = None) -> bool:
        """Check whether a file, which is not standard input, is read into memory.

        Parameters
        ----------
        path
            The file.
        reading
            How it is to be read.
        """
        if self.budget is None:
            return True
        file = file_to_read(path, reading)
        assert file.path is not None, "standard input has no size"
        return estimated_memory(file.path, file.reading) <= self.budget // _COPIES

    def read(self, path: str | PathLike[str], reading: Reading | None = None) -> Table:
        """Read a file into memory if it fits there, else open it to be read column by column.

        Parameters
        ----------
        path
            The file; "-" is standard input, which is read into memory unless a budget is given.
        reading
            Format of a text file.

        Returns
        -------
        Table
            The table; it lasts as long as the workspace.
        """
        if self.budget is None or (str(path) == STANDARD_INPUT and not self._is_given) or _is_pipe(path):
            return read(path, reading)
        if str(path) != STANDARD_INPUT and self.fits(path, reading):
            return read(path, reading)
        table = read(path, reading, memory=self.budget // _COPIES, folder=self.folder.path)
        if is_large(table):
            self._go_out_of_core(path, table.n_records)
        return table

    def equip(self, run: Run) -> None:
        """Give a run its memory budget and, out of core, the place of its arrays.

        Parameters
        ----------
        run
            The run, which has not begun.
        """
        run.memory = self.budget
        run.folder = self._folder
        run.arrays = self._arrays

    def _go_out_of_core(self, path: str | PathLike[str], n_records: int) -> None:
        assert self.budget is not None, "else everything is read into memory"
        if self._is_given:
            check_out_of_core(self.budget, n_records)
        if self._arrays is None:
            self._arrays = self._cleanup.enter_context(MappedArrays(self.folder.path, self.budget))
        what = "the memory given" if self._is_given else f"half of the free memory, {in_words(self.budget)}"
        _log.warning("out of core: what is made of %s may take more than %s", path, what)


def _is_pipe(path: str | PathLike[str]) -> bool:
    """Check whether a path is that of a pipe, which can be read only once, and so only into memory."""
    return str(path) != STANDARD_INPUT and file_of(location(path)).is_fifo()


@contextmanager
def out_of_core_arrays(run: Run, *tables: Table) -> Iterator[None]:
    """Give a run on tables of files larger than memory, in a `with` block, a place for its arrays if it has none.

    Parameters
    ----------
    run
        The run.
    *tables
        The tables that it works on.

    Yields
    ------
    None
        Nothing.
    """
    from microagg.source.large_file import LargeSource

    folders = [table.source.folder for table in tables if isinstance(table.source, LargeSource)]
    if not folders or run.arrays is not None:
        yield
        return
    budget = run.memory or max(SMALLEST_BUDGET, _free_share() or 0)
    with MappedArrays(folders[0], budget) as run.arrays:
        yield


def is_large(table: Table) -> bool:
    """Check whether a table is that of a file that does not fit in memory."""
    from microagg.source.large_file import LargeSource

    return isinstance(table.source, LargeSource)


def _free_share() -> int | None:
    free = free_bytes()
    return None if free is None else free // _SHARE_OF_FREE
