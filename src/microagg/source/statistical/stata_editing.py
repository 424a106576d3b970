"""Stata files with changes: everything that is not changed stays as it is, byte for byte."""

import re
from dataclasses import dataclass, replace

import numpy as np

from microagg.model.arrays import IntArray
from microagg.model.errors import WriteError
from microagg.model.source_protocol import Changes
from microagg.source.statistical.stata_file import STRL, ByteArray, StataColumn, StataFile, Storage, text_of
from microagg.source.statistical.stata_labels import EditedLabels, kept_characteristics
from microagg.source.statistical.stata_long_texts import LongTexts
from microagg.source.statistical.stata_numbers import PRESENT, Cells, decoded, encoded, fitting_storage
from microagg.source.statistical.stata_rendering import padded
from microagg.source.statistical.statistical_source import StatisticalSource
from microagg.source.statistical.stored_values import StoredValues, stored_values

_FIXED = re.compile(rb"%(-?0?)(\d+)([.,])0(fc?)")  # a format without decimals
_DECIMALS = 2
_FORMAT_OF_NUMBERS = b"%10.0g"
_FORMAT_OF_TEXTS = b"%-9s"


@dataclass(frozen=True, eq=False)
class _Output:
    """A column to write: its cells, or the numbers of its long texts."""

    column: StataColumn
    cells: ByteArray | None
    long_texts: IntArray | None = None

    def in_order(self, order: IntArray | None) -> "_Output":
        """Return the same with its records in another order."""
        if order is None:
            return self
        cells = None if self.cells is None else self.cells[order]
        return _Output(self.column, cells, None if self.long_texts is None else self.long_texts[order])


def edited_stata(file: StataFile, source: StatisticalSource, changes: Changes) -> StataFile:
    """Return a Stata file with changes.

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
    texts = LongTexts(file)
    labels = EditedLabels(file)
    new = {column.name: column for column in changes.replaced}
    kept = [file.columns[source.names.index(name)] for name in changes.names]
    unlabelled = []
    outputs = []
    for name, column in zip(changes.names, kept, strict=True):
        number = source.names.index(name)
        if name not in new:
            outputs.append(_kept(file, number, texts))
            continue
        values = stored_values(source, new[name], changes.as_read.get(name))
        if not values.are_codes:
            unlabelled.append(column)
            column = labels.of_missing_only(column)
        outputs.append(_replaced(file, number, column, values, texts))
    outputs = [output.in_order(changes.order) for output in outputs]
    long = {place: one.long_texts for place, one in enumerate(outputs) if one.long_texts is not None}
    cells, long_texts = texts.stored(long)
    cells |= {place: one.cells for place, one in enumerate(outputs) if one.cells is not None}
    n_records = len(file.records) if changes.order is None else len(changes.order)
    in_place = [cells[place] for place in range(len(outputs))]
    characteristics = kept_characteristics(file, kept, unlabelled)
    columns = tuple(output.column for output in outputs)
    return replace(
        file,
        columns=columns,
        sorted_by=_sorted_by(file, source, changes),
        characteristics=characteristics,
        records=np.concatenate([np.empty((n_records, 0), dtype=np.uint8), *in_place], axis=1),
        long_texts=long_texts,
        label_sets=labels.sets(columns, characteristics),
    )


def _kept(file: StataFile, number: int, texts: LongTexts) -> _Output:
    column = file.columns[number]
    cells = file.cells(number)
    return _Output(column, None, texts.numbers(cells)) if column.storage.name == STRL else _Output(column, cells)


def _replaced(file: StataFile, number: int, column: StataColumn, values: StoredValues, texts: LongTexts) -> _Output:
    if values.texts is None:
        return _replaced_numbers(file, number, column, values)
    return _replaced_texts(file, number, column, values, texts)


def _replaced_numbers(file: StataFile, number: int, column: StataColumn, values: StoredValues) -> _Output:
    assert values.numbers is not None
    old = Cells(np.zeros(len(values.numbers)), np.zeros(len(values.numbers), dtype=np.int64))
    if column.storage.is_number:
        old = decoded(file.cells(number), column.storage, file.order)
    missing = np.where(values.as_read, old.missing, np.where(values.missing, 0, PRESENT))
    cells = Cells(np.where(values.as_read, old.numbers, values.numbers), missing)
    storage = fitting_storage(column.storage, cells.numbers[missing == PRESENT])
    column = _stored_as(column, storage, file.sizes.format)
    if not values.are_whole:
        column = replace(column, format=padded(with_decimals(text_of(column.format)), file.sizes.format))
    return _Output(column, encoded(cells, storage, file.order))


def _replaced_texts(
    file: StataFile, number: int, column: StataColumn, values: StoredValues, texts: LongTexts
) -> _Output:
    listed = _encoded_texts(file, number, values, texts)
    longest = max(map(len, listed), default=0)
    if longest <= file.sizes.long_text:
        width = max(longest, column.storage.width if column.storage.name == "str" else 1)
        cells = np.array(listed, dtype=f"S{width}").view(np.uint8).reshape(len(listed), width)
        return _Output(_stored_as(column, Storage("str", width), file.sizes.format), cells)
    if not texts.are_possible:
        raise WriteError(
            f"column {values.name!r} would have texts of {longest} bytes, and a Stata file of this version holds "
            f"{file.sizes.long_text}: save it by a newer Stata first, or write another kind of file"
        )
    numbers = np.array([texts.add(text) for text in listed])
    return _Output(_stored_as(column, Storage.of_long_texts(), file.sizes.format), None, numbers)


def _encoded_texts(file: StataFile, number: int, values: StoredValues, texts: LongTexts) -> list[bytes]:
    """Return new texts as they are stored, with some as they were."""
    assert values.texts is not None
    try:
        new = [text.encode(file.sizes.encoding) for text in values.texts]
    except UnicodeEncodeError:
        raise WriteError(
            f"column {values.name!r} would have characters that a Stata file of this version cannot hold: save it by a "
            "newer Stata first, or write another kind of file"
        ) from None
    storage = file.columns[number].storage
    if storage.is_number or not values.as_read.any():
        return new
    cells = file.cells(number)
    if storage.name == STRL:
        old = [texts.content(one) for one in texts.numbers(cells).tolist()]
    else:
        old = [text_of(bytes(row)) for row in cells]
    return [before if kept else text for text, before, kept in zip(new, old, values.as_read.tolist(), strict=True)]


def _stored_as(column: StataColumn, storage: Storage, size: int) -> StataColumn:
    """Return a column of another type; texts in place of numbers, and the other way round, have another format."""
    if column.storage.is_number == storage.is_number:
        return replace(column, storage=storage)
    shown = _FORMAT_OF_NUMBERS if storage.is_number else _FORMAT_OF_TEXTS
    return replace(column, storage=storage, format=padded(shown, size))


def with_decimals(shown: bytes) -> bytes:
    """Return a format that shows decimals, in place of one that does not."""
    found = _FIXED.fullmatch(shown)
    if found is None:
        return shown
    flags, width, sign, ending = found.groups()
    return b"%%%s%d%s%d%s" % (flags, int(width) + _DECIMALS + 1, sign, _DECIMALS, ending)


def _sorted_by(file: StataFile, source: StatisticalSource, changes: Changes) -> tuple[int, ...]:
    """Return the columns by which the records are still sorted."""
    if changes.order is not None and (np.diff(changes.order) < 0).any():
        return ()
    replaced = {column.name for column in changes.replaced}
    numbers = []
    for number in file.sorted_by:
        name = source.names[number - 1]
        if name in replaced or name not in changes.names:
            break
        numbers.append(changes.names.index(name) + 1)
    return tuple(numbers)
