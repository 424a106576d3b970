"""SPSS files with changes: everything that is not changed stays as it is, byte for byte."""

from dataclasses import dataclass, replace

import numpy as np

from microagg.model.errors import WriteError
from microagg.model.source_protocol import Changes
from microagg.source.statistical.spss_compression import system_missing
from microagg.source.statistical.spss_extensions import GoneNames, long_names, without_names
from microagg.source.statistical.spss_file import (
    CONTINUATION,
    Extension,
    OtherRecord,
    SpssColumn,
    SpssFile,
    ValueLabels,
    VariableRecord,
    WordArray,
)
from microagg.source.statistical.statistical_source import StatisticalSource
from microagg.source.statistical.stored_values import StoredValues, stored_values

_LONGEST_TEXT = 255
_DECIMALS = 2
_WIDEST = 40
_TEXT, _COMMA, _DOLLAR, _FIXED, _PADDED, _ZONED = 1, 3, 4, 5, 15, 16  # formats
_WITH_DECIMALS = (_COMMA, _DOLLAR, _FIXED, 31, 32, 33, 34, 35, 36, 37)
_OF_CONTINUATION = 0x011D01
_NUMBER_WITHOUT_DECIMALS = _FIXED << 16 | 8 << 8


@dataclass(frozen=True, eq=False)
class _Output:
    """A column to write, and whether its labels still go with its values."""

    column: SpssColumn
    cells: WordArray
    keeps_labels: bool = True


def edited_spss(file: SpssFile, source: StatisticalSource, changes: Changes) -> SpssFile:
    """Return an SPSS file with changes.

    Parameters
    ----------
    file
        The file that was read.
    source
        The same as a source.
    changes
        What is to be replaced, left out, or put in another order.

    Raises
    ------
    WriteError
        If the file cannot hold new values.
    """
    new = {column.name: column for column in changes.replaced}
    outputs = {}
    for name in changes.names:
        number = source.names.index(name)
        if name in new:
            values = stored_values(source, new[name], changes.as_read.get(name))
            outputs[number] = _replaced(file, source, number, values)
        else:
            outputs[number] = _Output(file.columns[number], file.cells_of(number))
    n_records = len(file.cells)
    cells = np.concatenate([np.empty((n_records, 0), np.uint64), *(one.cells for one in outputs.values())], axis=1)
    places = {number: place for place, number in enumerate(outputs)}
    return replace(
        file,
        weight=None if file.weight is None else places.get(file.weight),
        columns=tuple(one.column for one in outputs.values()),
        others=_others(file, source, outputs, places),
        cells=cells if changes.order is None else cells[changes.order],
    )


def _replaced(file: SpssFile, source: StatisticalSource, number: int, values: StoredValues) -> _Output:
    before = file.columns[number]
    old = file.cells_of(number)
    if values.numbers is not None:
        column = _column_of_numbers(before, values)
        words = values.numbers.astype(f"{file.order}f8").view(np.uint64)
        words = np.where(values.missing, system_missing(file.order), words)
        cells = np.where(values.as_read & before.is_number, old[:, 0], words)[:, None]
        return _Output(column, cells, values.are_codes)
    texts = _encoded_texts(values, source.book.encoding)
    column = _column_of_texts(before, max(map(len, texts), default=1), values.name)
    n_cells = len(column.records)
    padded = [text.ljust(8 * n_cells) for text in texts]
    cells = np.frombuffer(b"".join(padded), dtype=np.uint64).reshape(len(texts), n_cells)
    if not before.is_number:
        spaces = np.frombuffer(b" " * 8, dtype=np.uint64)[0]
        shown = np.full_like(cells, spaces)
        n_shared = min(n_cells, old.shape[1])
        shown[:, :n_shared] = old[:, :n_shared]
        cells = np.where(values.as_read[:, None], shown, cells)
    return _Output(column, cells, values.are_codes)


def _encoded_texts(values: StoredValues, encoding: str | None) -> list[bytes]:
    assert values.texts is not None
    try:
        return [text.encode(encoding or "utf-8") for text in values.texts]
    except (UnicodeEncodeError, LookupError):
        raise WriteError(
            f"column {values.name!r} would have characters that the encoding {encoding} of the file lacks: save it in "
            "Unicode first, or write another kind of file"
        ) from None


def _column_of_numbers(before: SpssColumn, values: StoredValues) -> SpssColumn:
    """Return a column of numbers in place of another, which shows decimals if there are any."""
    record = before.records[0]
    if not before.is_number:
        record = record._replace(
            width=0,
            n_missing=0,
            missing=b"",
            print_format=_NUMBER_WITHOUT_DECIMALS,
            write_format=_NUMBER_WITHOUT_DECIMALS,
        )
        return SpssColumn((record,), before.display[:1])
    if values.are_whole:
        return before
    print_format = with_decimals(record.print_format)
    widened = (print_format >> 8 & 0xFF) - (record.print_format >> 8 & 0xFF)
    record = record._replace(print_format=print_format, write_format=with_decimals(record.write_format))
    return SpssColumn((record,), (_widened(before.display[0], widened),))


def _widened(display: tuple[int, ...], by: int) -> tuple[int, ...]:
    """Return display parameters of a wider column; where there are two, none of them is the width."""
    if len(display) < 3 or not display[1]:
        return display
    return (display[0], display[1] + by, *display[2:])


def with_decimals(number_format: int) -> int:
    """Return a format that shows decimals, in place of one of numbers that does not."""
    kind = number_format >> 16
    width = number_format >> 8 & 0xFF
    kind = _FIXED if kind in (_PADDED, _ZONED) else kind
    if kind not in _WITH_DECIMALS or number_format & 0xFF:
        return number_format
    return kind << 16 | min(_WIDEST, width + _DECIMALS + 1) << 8 | _DECIMALS


def _column_of_texts(before: SpssColumn, longest: int, name: str) -> SpssColumn:
    """Return a column of texts in place of another: the same if it holds them."""
    first = before.records[0]
    if not before.is_number and longest <= first.width and len(before.segments) == 1:
        return before
    if longest > _LONGEST_TEXT:
        raise WriteError(
            f"column {name!r} would have texts of {longest} bytes, and one of an SPSS file that is replaced holds "
            f"{_LONGEST_TEXT}: write another kind of file"
        )
    shown = _TEXT << 16 | longest << 8
    record = first._replace(width=longest, print_format=shown, write_format=shown)
    if before.is_number:
        record = record._replace(n_missing=0, missing=b"")
    blank = VariableRecord(CONTINUATION, None, 0, b"", _OF_CONTINUATION, _OF_CONTINUATION, b" " * 8)
    return SpssColumn((record, *[blank] * (-(-longest // 8) - 1)), before.display[:1])


def _others(
    file: SpssFile, source: StatisticalSource, outputs: dict[int, _Output], places: dict[int, int]
) -> tuple[OtherRecord, ...]:
    """Return the records of the dictionary besides the columns, without what belongs to columns or codes that go."""
    gone = _gone_names(file, outputs)
    others: list[OtherRecord] = []
    for one in file.others:
        if isinstance(one, ValueLabels):
            others += _value_labels(one, file, source, outputs, places)
        elif isinstance(one, Extension):
            kept = without_names(one, gone, file.order)
            others += [kept] if kept is not None else []
        else:
            others.append(one)
    return tuple(others)


def _gone_names(file: SpssFile, outputs: dict[int, _Output]) -> GoneNames:
    names = long_names(file)
    both = [{column.short_name.upper(), names.get(column.short_name, b"").upper()} for column in file.columns]
    numbers = range(len(file.columns))
    dropped = [number for number in numbers if number not in outputs]
    shorter = [
        number
        for number in numbers
        if number in outputs and len(outputs[number].column.segments) < len(file.columns[number].segments)
    ]
    unlabelled = [number for number in numbers if number in outputs and not outputs[number].keeps_labels]
    return GoneNames(
        frozenset(name for number in dropped for name in both[number] if name),
        frozenset(file.columns[number].short_name.upper() for number in shorter),
        frozenset(name for number in unlabelled for name in both[number] if name),
    )


def _value_labels(
    labels: ValueLabels,
    file: SpssFile,
    source: StatisticalSource,
    outputs: dict[int, _Output],
    places: dict[int, int],
) -> list[ValueLabels]:
    """Return labels for the columns that keep them, and for each that holds no codes those of missing values."""
    kept = [places[number] for number in labels.columns if number in outputs and outputs[number].keeps_labels]
    found = [ValueLabels(labels.labels, tuple(kept))] if kept else []
    for number in labels.columns:
        if number not in outputs or outputs[number].keeps_labels or not outputs[number].column.is_number:
            continue
        entry = source.book.entries[source.names[number]]
        of_missing = tuple(
            (value, label)
            for value, label in labels.labels
            if not entry.is_text and entry.stands_for_missing(float(np.frombuffer(value, f"{file.order}f8")[0]))
        )
        if of_missing:
            found.append(ValueLabels(of_missing, (places[number],)))
    return found
