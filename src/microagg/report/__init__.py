"""Reports on results: plain facts, rendered as text, JSON or HTML."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from microagg.model.comparison import Comparison
from microagg.model.errors import InputError
from microagg.model.names import suggestion
from microagg.model.presentation import register_hooks
from microagg.model.release import Release
from microagg.report.document import EDITIONS, Edition, as_document
from microagg.report.document_facts import document_facts
from microagg.report.facts import Facts, OutputFile, facts
from microagg.report.html import as_html
from microagg.report.json import as_json
from microagg.report.provenance import Provenance, ReportedFile, provenance_facts
from microagg.report.starter_plan import starter_plan
from microagg.report.text import as_summary, as_text

__all__ = ["EDITIONS", "FORMATS", "OutputFile", "Provenance", "ReportedFile", "format_of", "report", "summary"]

FORMATS: dict[str, Callable[[Facts], str]] = {
    "text": as_text,
    "json": as_json,
}
"""The function that renders each format; "html" is a document, of which there are two editions."""

_DOCUMENT = "html"
_FORMAT_OF_SUFFIX = {".txt": "text", ".json": "json", ".html": _DOCUMENT}
_ENDINGS = ".txt, .json or .html"


def report(
    result: Any,
    format: str = "text",  # noqa: A002
    output: OutputFile | None = None,
    *,
    edition: Edition | None = None,
    provenance: Provenance | None = None,
    comparison: Comparison | None = None,
    max_columns: int | None = None,
) -> str:
    """Report on a result; the data themselves are in no report.

    Parameters
    ----------
    result
        A release, a solution, measures, an assessment, a verification, a certification, an inspection, a comparison, an
        estimate, a plan, or the list of methods.
    format
        "text", "json" or "html": a document to be read, printed and signed, of a release, an assessment, a verification
        or a comparison.
    output
        The file that a release was written to, if it was.
    edition
        Of a document: "internal", which shows figures of the original data, or "public", which does not. The default
        is "internal".
    provenance
        The command, the plan and the files behind the result, where they are to be told.
    comparison
        Of the document of a release: the choices that were compared.
    max_columns
        Lines of tables of columns in a text; None: all.

    Returns
    -------
    str
        The report, without a line end after its last line.

    Raises
    ------
    InputError
        If there is no such format or edition, or no document about such a result.
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
    known_formats = (*FORMATS, _DOCUMENT)
    if format not in known_formats:
        raise InputError(f"there is no report format {format!r}: {suggestion(format, known_formats)}")
    if format == _DOCUMENT:
        return as_document(document_facts(result, output, provenance, comparison), edition or EDITIONS[0])
    if edition is not None or comparison is not None:
        what = "an edition" if edition is not None else "a comparison"
        raise InputError(f"{what} belongs to a document: choose the format 'html', or leave it out")
    known = facts(result, output)
    known = known if provenance is None else {**known, "provenance": provenance_facts(provenance)}
    return as_text(known, max_columns) if format == "text" else FORMATS[format](known)


def summary(release: Release) -> str:
    """Return what matters most of a measured release, in a few lines.

    Parameters
    ----------
    release
        A release with all measures.
    """
    return as_summary(facts(release))


def format_of(path: Path) -> str:
    """Return the format of a report by the ending of its file's name.

    Parameters
    ----------
    path
        The file that the report is to be written to.

    Returns
    -------
    str
        "text", "json" or "html".

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
        raise InputError(f"the report {path} must end in {_ENDINGS}, which sets its format")
    return _FORMAT_OF_SUFFIX[suffix]


def _html(result: Any) -> str:
    return as_html(facts(result))


def _document(result: Any, edition: Edition) -> str:
    return report(result, _DOCUMENT, edition=edition)


register_hooks(report=report, html=_html, document=_document, starter_plan=starter_plan)
