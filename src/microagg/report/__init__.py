"""Reports: facts of what came of the work, and one file a format that writes them down."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from microagg.model.errors import InputError
from microagg.model.presentation import register_hooks
from microagg.report.facts import Facts, OutputFile, facts
from microagg.report.html import as_html
from microagg.report.json import as_json
from microagg.report.text import as_text

__all__ = ["FORMATS", "OutputFile", "format_of", "report"]

FORMATS: dict[str, Callable[[Facts], str]] = {
    "text": as_text,
    "json": as_json,
}

_SUFFIXES = {".txt": "text", ".json": "json"}


def report(noun: Any, format: str = "text", output: OutputFile | None = None) -> str:  # noqa: A002
    """Write a report about a release, a solution, measures, a verdict, a plan or the methods.

    Parameters
    ----------
    format
        "text" or "json".
    output
        Where a release was written to.
    """
    return FORMATS[format](facts(noun, output))


def format_of(path: Path) -> str:
    """Tell the format of a report from its file's name."""
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"the report {path} must end in {' or '.join(_SUFFIXES)}: that tells its format")
    return _SUFFIXES[path.suffix.lower()]


def _in_html(noun: Any) -> str:
    return as_html(facts(noun))


register_hooks(report=report, html=_in_html)
