"""Reading of Stata, SPSS and SAS files by pyreadstat."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from microagg.model.errors import ReadError
from microagg.model.source_protocol import FileKind
from microagg.source.file_handler import FileContent, needing_extra
from microagg.source.statistical.codebook import Codebook, CodebookEntry, MissingRange
from microagg.source.statistical.statistical_columns import typed_column
from microagg.source.statistical.statistical_source import StatisticalSource

_WITHOUT_CODES = ("read_por", "read_xport")  # these do not return the codes of missing values


@dataclass(frozen=True)
class StatisticalReader:
    """Reader of one kind of statistical file.

    Parameters
    ----------
    kind
        Kind of the file.
    function
        Name of the function of pyreadstat that reads it.
    """

    kind: FileKind
    function: str

    def source(self, content: FileContent, n_records: int = 0) -> StatisticalSource:
        """Return a file as a source; only its first records if their number is not 0.

        Raises
        ------
        ReadError
            If the file is damaged, or pyreadstat is not installed.
        """
        import polars as pl

        options = {} if self.function in _WITHOUT_CODES else {"user_missing": True}
        values, found = self._read(BytesIO(content.data), content, row_limit=n_records, **options)
        book = _codebook(found, content.reading.encoding)
        self._check(values, found, book, content, n_records)
        columns = {
            name: typed_column(list(values[name]), entry, self.kind, has_letters=name in found.missing_user_values)
            for name, entry in book.entries.items()
        }
        frame = pl.DataFrame({name: column.values for name, column in columns.items()})
        codes = {name: one.missing_codes for name, one in columns.items() if one.missing_codes is not None}
        return StatisticalSource(frame, book, codes, content, self.kind)

    def metadata(self, content: FileContent) -> Any:
        """Return the metadata of a file, of which only the beginning need be there, as pyreadstat has them."""
        return self._read(content.path, content, metadataonly=True)[1]

    def _read(self, file: Any, content: FileContent, **options: Any) -> tuple[Mapping[str, Any], Any]:
        label = content.label
        with needing_extra("statfiles", f"the {self.kind} file {label}"):
            import pyreadstat
        read: Callable[..., Any] = getattr(pyreadstat, self.function)
        if content.reading.encoding is not None:
            if self.function == "read_por":
                raise ReadError(f"'encoding' is given, found the portable file {label}, which has none: leave it out")
            options["encoding"] = content.reading.encoding
        try:
            values, found = read(file, disable_datetime_conversion=True, output_format="dict", **options)
        except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, OverflowError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise ReadError(f"{label} is a damaged {self.kind} file: {reason}") from None
        return values, found

    def _check(
        self, values: Mapping[str, Any], found: Any, book: Codebook, content: FileContent, n_records: int
    ) -> None:
        """Refuse a file whose columns or records are not as many as it says."""
        if len(book.entries) < len(found.column_names):
            raise ReadError(f"{content.label} has columns of the same name: give each a name of its own")
        n_found = len(next(iter(values.values()), ()))
        expected = found.number_rows
        if expected is not None and n_records == 0 and n_found != expected:
            raise ReadError(
                f"{content.label} is a damaged {self.kind} file: it has {n_found} records, and should have {expected}"
            )


def _codebook(found: Any, encoding: str | None) -> Codebook:
    entries = {name: _entry(name, found) for name in found.column_names}
    notes = tuple(found.notes or ())
    return Codebook(entries, found.file_label or None, notes, encoding or found.file_encoding)


def _entry(name: str, found: Any) -> CodebookEntry:
    ranges = found.missing_ranges.get(name, ())
    return CodebookEntry(
        label=found.column_names_to_labels.get(name) or None,
        storage=found.readstat_variable_types[name],
        width=found.variable_storage_width.get(name, 0),
        format=found.original_variable_types.get(name),
        value_labels=dict(found.variable_value_labels.get(name, {})),
        missing=tuple(MissingRange(one["lo"], one["hi"]) for one in ranges),
        measure=found.variable_measure.get(name, "unknown"),
        display_width=found.variable_display_width.get(name, 0),
        alignment=found.variable_alignment.get(name, "unknown"),
    )
