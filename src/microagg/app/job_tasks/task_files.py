"""Files of a task: the tables that it reads, and the results that it writes."""

import json
from pathlib import Path
from typing import Any

from microagg.model.errors import WriteError
from microagg.model.table import Table
from microagg.source.file_kinds import FORMATS, kind_of_ending
from microagg.write import output_kind

_TEXT = ".csv"


def write_text(path: Path, text: str) -> None:
    """Write a text, completely or not at all; it ends with a line end."""
    temporary = path.with_name(f"{path.name}.part")
    temporary.write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")
    temporary.replace(path)


def write_json(path: Path, facts: Any) -> None:
    """Write facts as JSON, completely or not at all."""
    write_text(path, json.dumps(facts, ensure_ascii=True, allow_nan=False))


def released_name(table: Table, name: str) -> str:
    """Return the name of the released file: of the same kind as the original if such can be written, else CSV.

    Parameters
    ----------
    table
        The original.
    name
        Name of its file, as the user knows it.
    """
    suffix = Path(name).suffix.lower()
    for ending in (suffix, *_endings(table, suffix)):
        target = Path(f"safe{ending}")
        try:
            output_kind(table, target)
        except WriteError:
            continue
        if kind_of_ending(target) is not None:
            return target.name
    return f"safe{_TEXT}"


def _endings(table: Table, suffix: str) -> tuple[str, ...]:
    """Return the endings of files of the same kind as the original."""
    kind = table.source.file_kind
    return () if kind is None or kind == "CSV" else FORMATS[kind].written_suffixes
