"""Finished candidates of a comparison, kept in a file, so that one that was interrupted can go on."""

import hashlib
import json
import os
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from microagg.model.comparison import Candidate
from microagg.model.errors import InputError, WriteError
from microagg.model.figure import Figure
from microagg.model.limits import Limits
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.resumption import fingerprint

_HEADER = {"file": "finished candidates of microagg compare", "schema": 1}


class KeptCandidates:
    """File of finished candidates: a header, then a line of JSON for each, which is there completely or not at all.

    Parameters
    ----------
    path
        The file; it is made when the first candidate is finished.
    table
        The table that the candidates protect.
    figures
        Names of the figures that are measured.
    limits
        Limits of the run, which may end the work on a candidate.

    Raises
    ------
    InputError
        If it is a file of something else, or cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from microagg import Plan, read
    >>> table = read([[1.0], [2.0], [8.0], [9.0]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "candidates.jsonl")
    ...     KeptCandidates(file, table, []).store(Plan(k=2), Candidate(2, "search"))
    ...     again = KeptCandidates(file, table, [])
    ...     again.load(Plan(k=2)).name, again.load(Plan(k=3))
    ('k = 2 with search', None)
    """

    def __init__(self, path: Path, table: Table, figures: Sequence[str], limits: Limits | None = None) -> None:
        self._path = path
        self._table = table
        self._common = {
            "figures": json.dumps(sorted(figures)),
            "table": _table_sha256(table),
            "run_limits": json.dumps(asdict(limits or Limits())),
        }
        self._lock = threading.Lock()
        self._found = {line["key"]: line["candidate"] for line in self._lines()}

    def load(self, plan: Plan) -> Candidate | None:
        """Return the candidate of a plan, if it was kept."""
        found = self._found.get(self._key(plan))
        if found is None:
            return None
        return Candidate(**{**found, "figures": tuple(Figure(**one) for one in found["figures"])})

    def store(self, plan: Plan, candidate: Candidate) -> None:
        """Append the candidate of a plan to the file.

        Raises
        ------
        WriteError
            If it cannot be written.
        """
        line = json.dumps({"key": self._key(plan), "candidate": asdict(candidate)}, ensure_ascii=False)
        with self._lock:
            try:
                self._append(line)
            except OSError as error:
                raise WriteError(f"cannot write the checkpoint {self._path}: {error.strerror or error}") from None

    def _key(self, plan: Plan) -> str:
        """Return the checksum of all that a candidate depends on: its plan, the data, the version, what is measured."""
        known = fingerprint(plan, self._table) | self._common
        return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()

    def _append(self, line: str) -> None:
        """Append a line in one piece, after the header where the file begins, and after a line that was cut off."""
        with self._path.open("a+b") as file:
            size = file.seek(0, os.SEEK_END)
            before = "" if size else f"{json.dumps(_HEADER)}\n"
            if size:
                file.seek(-1, os.SEEK_END)
                before = "" if file.read(1) == b"\n" else "\n"
            file.write(f"{before}{line}\n".encode())
            file.flush()
            os.fsync(file.fileno())

    def _lines(self) -> list[dict[str, Any]]:
        """Return the lines that are complete; refuse a file of something else."""
        try:
            texts = self._path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"cannot read the checkpoint {self._path}: {error.strerror or error}") from None
        if texts != [b""] and _parsed(texts[0]) != _HEADER:
            raise InputError(f"the checkpoint {self._path} is there, but holds something else: name another file")
        lines = map(_parsed, texts[1:])
        return [line for line in lines if line is not None and "key" in line]


def _table_sha256(table: Table) -> str:
    """Return the checksum of a table: of its columns, unless the file that it was read from has one."""
    source = table.source
    is_as_read = not table.replaced and not table.dropped and table.order is None
    if source.sha256 is not None and is_as_read:
        return f"{source.sha256} {getattr(source, 'reading', None)!r}"
    digest = hashlib.sha256()
    for name in table.names:
        column = table.column(name)
        values = column.values
        digest.update(repr((name, column.kind, values.dtype.str, column.categories)).encode())
        digest.update(repr(values.tolist()).encode() if values.dtype == object else values.tobytes())
        digest.update(b"" if column.missing is None else column.missing.tobytes())
    return digest.hexdigest()


def _parsed(text: bytes) -> dict[str, Any] | None:
    """Return the object of a line; None where it is not complete."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
