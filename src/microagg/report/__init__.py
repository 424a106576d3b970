"""Reports on results: plain facts, rendered as text, JSON or HTML."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from microagg.model.errors import InputError
from microagg.model.names import suggestion
from microagg.model.presentation import register_hooks
from microagg.report.facts import Facts, OutputFile, facts
from microagg.report.html import as_html
from microagg.report.json import as_json
from microagg.report.starter_plan import starter_plan
from microagg.report.text import as_text

__all__ = ["FORMATS", "OutputFile", "format_of", "report"]

FORMATS: dict[str, Callable[[Facts], str]] = {
    "text": as_text,
    "json": as_json,
}
"""The function that renders each format."""

_FORMAT_OF_SUFFIX = {".txt": "text", ".json": "json"}


def report(result: Any, format: str = "text", output: OutputFile | None = None) -> str:  # noqa: A002
    """Report on a result; the data themselves are in no report.

    Parameters
    ----------
    result
        A release, a solution, measures, a verification, a certification, an inspection, an estimate, a
        plan, or the list of methods.
    format
        "text" or "json".
    output
        The file that a release was written to, if it was.

    Returns
    -------
    str
        The report, without a line end after its last line.

    Raises
    ------
    InputError
        If there is no such format.
    TypeError
        If there is nothing to report on such an object.

    Examples
    --------
    >>> import microagg
    >>> from microagg.report import report
    >>> print(report(microagg.measure([[1.0], [2.0]], [[1.5], [1.5]])))
    information loss: 100.0000 %
    k reached:        2 (1 distinct combination of values in 2 records)
    <BLANKLINE>
    column  mean before  mean after  variance before  variance after    loss %
    0               1.5         1.5              0.5               0  100.0000
    """
    if format not in FORMATS:
        raise InputError(f"there is no report format {format!r}: {suggestion(format, tuple(FORMATS))}")
    return FORMATS[format](facts(result, output))


def format_of(path: Path) -> str:
    """Return the format of a report by the ending of its file's name.

    Parameters
    ----------
    path
        The file that the report is to be written to.

    Returns
    -------
    str
        "text" or "json".

    Raises
    ------
    InputError
        If the ending is not that of a format.

    Examples
    --------
    >>> from pathlib import Path
    >>> from microagg.report import format_of
    >>> format_of(Path("report.json"))
    'json'
    """
    suffix = path.suffix.lower()
    if suffix not in _FORMAT_OF_SUFFIX:
        raise InputError(f"the report {path} must end in {' or '.join(_FORMAT_OF_SUFFIX)}, which sets its format")
    return _FORMAT_OF_SUFFIX[suffix]


def _html(result: Any) -> str:
    return as_html(facts(result))


register_hooks(report=report, html=_html, starter_plan=starter_plan)
