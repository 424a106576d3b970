"""Stata and SPSS files made of tables of other kinds, by pyreadstat."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from microagg.model.errors import WriteError
from microagg.model.source_protocol import Changes, FileKind, Source
from microagg.source.file_handler import needing_extra
from microagg.source.statistical.codebook import CodebookEntry
from microagg.source.statistical.statistical_names import check_names
from microagg.source.statistical.statistical_source import StatisticalSource
from microagg.source.statistical.storable_columns import exceeds_long, storable_series

if TYPE_CHECKING:
    import polars as pl

_LONGEST_LABEL: dict[FileKind, int] = {"Stata": 80, "SPSS": 256}  # bytes
_LONGEST_FILE_LABEL: dict[FileKind, int] = {"Stata": 80, "SPSS": 64}
_LONGEST_VALUE_LABEL: dict[FileKind, int] = {"Stata": 32_000, "SPSS": 120}
_WHOLE_NUMBERS: dict[FileKind, str] = {"Stata": "%17.0f", "SPSS": "F17.0"}
_MEASURES = ("nominal", "ordinal", "scale")
_STATA_VERSION = 14  # newer ones read it, too
_TRUTH_VALUES = {0: "false", 1: "true"}


def write_new(source: Source, changes: Changes, path: Path, kind: FileKind) -> None:
    """Write a table as a new Stata or SPSS file; from a file of another of these kinds with its labels.

    Parameters
    ----------
    source, changes
        The table.
    path
        Where it is written; .zsav is compressed.
    kind
        "Stata" or "SPSS".

    Raises
    ------
    WriteError
        If such a file cannot hold a name or a value of the table, or pyreadstat is not installed.
    """
    with needing_extra("statfiles", f"the {kind} file {path.name}", WriteError):
        import pyreadstat
    import polars as pl

    frame = source.written(changes, kind)
    check_names(frame.columns, kind)
    storable = pl.DataFrame([storable_series(series, kind) for series in frame.iter_columns()])
    options = _labels_of_frame(frame, kind)
    if isinstance(source, StatisticalSource):
        _add_labels(options, source, changes, storable, kind)
    try:
        if kind == "Stata":
            pyreadstat.write_dta(storable, path, version=_STATA_VERSION, **options)
        else:
            is_zipped = path.suffix.lower() == ".zsav"
            pyreadstat.write_sav(storable, path, compress=is_zipped, row_compress=not is_zipped, **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, OverflowError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise WriteError(f"the {kind} file cannot be written: {reason}") from None


def _labels_of_frame(frame: "pl.DataFrame", kind: FileKind) -> dict[str, Any]:
    """Return labels of truth values, and formats of large whole numbers."""
    import polars as pl

    whole = [series.name for series in frame.iter_columns() if series.dtype.is_integer() and exceeds_long(series)]
    return {
        "variable_value_labels": {name: _TRUTH_VALUES for name, dtype in frame.schema.items() if dtype == pl.Boolean},
        "variable_format": dict.fromkeys(whole, _WHOLE_NUMBERS[kind]),
    }


def _add_labels(
    options: dict[str, Any], source: StatisticalSource, changes: Changes, frame: "pl.DataFrame", kind: FileKind
) -> None:
    """Add the labels of a statistical file of another kind."""
    entries = {name: source.book.entries[name] for name in frame.columns}
    no_codes = {column.name for column in changes.replaced if column.kind != "category"}
    for name, entry in entries.items():
        labels = {} if name in no_codes else _value_labels(entry, frame[name], kind)
        if labels:
            options["variable_value_labels"][name] = labels
    labelled = {name: entry.label for name, entry in entries.items() if entry.label}
    options["column_labels"] = {name: _cut(label, _LONGEST_LABEL[kind]) for name, label in labelled.items()}
    options["file_label"] = _cut(source.book.file_label or "", _LONGEST_FILE_LABEL[kind])
    if kind == "SPSS":
        options["variable_measure"] = {name: one.measure for name, one in entries.items() if one.measure in _MEASURES}
        options["note"] = list(source.book.notes) or None


def _value_labels(entry: CodebookEntry, series: "pl.Series", kind: FileKind) -> dict[Any, str]:
    """Return the labels of codes; Stata labels whole numbers only."""
    import polars as pl

    if series.dtype.is_temporal() or (kind == "Stata" and series.dtype == pl.String):
        return {}
    labels = {value: _cut(label, _LONGEST_VALUE_LABEL[kind]) for value, label in entry.labels_of_codes.items()}
    if series.dtype == pl.String:
        return labels
    only_whole = kind == "Stata" or series.dtype.is_integer()
    cast = int if series.dtype.is_integer() else float
    return {cast(value): label for value, label in labels.items() if value == int(value) or not only_whole}


def _cut(text: str, n_bytes: int) -> str:
    """Return the beginning of a text that takes at most so many bytes."""
    return text.encode()[:n_bytes].decode(errors="ignore")
