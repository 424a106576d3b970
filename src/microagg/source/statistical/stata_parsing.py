"""Parsing of Stata files into their parts."""

from collections.abc import Iterator

import numpy as np

from microagg.source.statistical.byte_cursor import ByteCursor, LayoutError
from microagg.source.statistical.stata_file import (
    FIRST_TAGGED,
    VERSIONS,
    ByteArray,
    Characteristic,
    FieldSizes,
    LabelSet,
    LongText,
    StataColumn,
    StataFile,
    Storage,
)

_VERSION_WITHOUT_LONG_RECORD = 117  # record numbers of long texts have 4 bytes there, 8 later


def parse_stata(data: bytes) -> StataFile:
    """Take a Stata file apart.

    Parameters
    ----------
    data
        The whole file.

    Raises
    ------
    LayoutError
        If it is damaged, or of a version that is not known.
    """
    cursor = ByteCursor(data)
    parsed = _parse_tagged(cursor) if data.startswith(b"<stata_dta>") else _parse_plain(cursor)
    if cursor.place != len(data):
        raise LayoutError("it goes on after its end")
    return parsed


def _sizes(version: int) -> FieldSizes:
    if version not in VERSIONS:
        raise LayoutError(f"it is of version {version}")
    return VERSIONS[version]


def _parse_tagged(cursor: ByteCursor) -> StataFile:
    cursor.expect(b"<stata_dta><header><release>")
    release = cursor.take(3)
    version = int(release) if release.isdigit() else 0
    sizes = _sizes(version)
    is_long = version > _VERSION_WITHOUT_LONG_RECORD
    cursor.expect(b"</release><byteorder>")
    cursor.order = "<" if cursor.take(3) == b"LSF" else ">"
    cursor.expect(b"</byteorder><K>")
    n_columns = cursor.number("H" if sizes.counts == 2 else "I")
    cursor.expect(b"</K><N>")
    n_records = cursor.number("Q" if is_long else "I")
    cursor.expect(b"</N><label>")
    label = cursor.take(cursor.number("H" if is_long else "B"))
    cursor.expect(b"</label><timestamp>")
    timestamp = cursor.take(cursor.number("B"))
    cursor.expect(b"</timestamp></header><map>")
    cursor.take(14 * 8)
    cursor.expect(b"</map><variable_types>")
    storages = [Storage.of_code(cursor.number("H"), version) for _ in range(n_columns)]
    cursor.expect(b"</variable_types><varnames>")
    names = cursor.fields(n_columns, sizes.name)
    cursor.expect(b"</varnames><sortlist>")
    sorted_by = [cursor.number("H" if sizes.counts == 2 else "I") for _ in range(n_columns + 1)]
    cursor.expect(b"</sortlist><formats>")
    formats = cursor.fields(n_columns, sizes.format)
    cursor.expect(b"</formats><value_label_names>")
    label_sets = cursor.fields(n_columns, sizes.name)
    cursor.expect(b"</value_label_names><variable_labels>")
    labels = cursor.fields(n_columns, sizes.label)
    cursor.expect(b"</variable_labels><characteristics>")
    characteristics = list(_tagged_characteristics(cursor))
    cursor.expect(b"</characteristics><data>")
    records = _records(cursor, n_records, storages)
    cursor.expect(b"</data><strls>")
    long_texts = list(_long_texts(cursor, is_long))
    cursor.expect(b"</strls><value_labels>")
    sets = []
    while cursor.follows(b"<lbl>"):
        sets.append(_label_set(cursor, sizes))
        cursor.expect(b"</lbl>")
    cursor.expect(b"</value_labels></stata_dta>")
    columns = map(StataColumn, storages, names, formats, label_sets, labels)
    return StataFile(
        version,
        cursor.order,
        label,
        timestamp,
        tuple(columns),
        _until_zero(sorted_by),
        tuple(characteristics),
        records,
        tuple(long_texts),
        tuple(sets),
    )


def _parse_plain(cursor: ByteCursor) -> StataFile:
    version = cursor.number("B")
    sizes = _sizes(version)
    if version >= FIRST_TAGGED:
        raise LayoutError("its tags are missing")
    cursor.order = "<" if cursor.number("B") == 2 else ">"
    cursor.take(2)  # always 1 and 0
    n_columns = cursor.number("H")
    n_records = cursor.number("I")
    label = cursor.take(sizes.label)
    timestamp = cursor.take(18)
    storages = [Storage.of_code(cursor.number("B"), version) for _ in range(n_columns)]
    names = cursor.fields(n_columns, sizes.name)
    sorted_by = [cursor.number("H") for _ in range(n_columns + 1)]
    formats = cursor.fields(n_columns, sizes.format)
    label_sets = cursor.fields(n_columns, sizes.name)
    labels = cursor.fields(n_columns, sizes.label)
    characteristics = list(_plain_characteristics(cursor))
    records = _records(cursor, n_records, storages)
    sets = []
    while cursor.place < len(cursor.data):
        sets.append(_label_set(cursor, sizes))
    columns = map(StataColumn, storages, names, formats, label_sets, labels)
    return StataFile(
        version,
        cursor.order,
        label,
        timestamp,
        tuple(columns),
        _until_zero(sorted_by),
        tuple(characteristics),
        records,
        (),
        tuple(sets),
    )


def _tagged_characteristics(cursor: ByteCursor) -> Iterator[Characteristic]:
    while cursor.follows(b"<ch>"):
        yield Characteristic(1, cursor.take(cursor.number("I")))
        cursor.expect(b"</ch>")


def _plain_characteristics(cursor: ByteCursor) -> Iterator[Characteristic]:
    while True:
        kind = cursor.number("B")
        length = cursor.number("I")
        if not kind and not length:
            return
        yield Characteristic(kind, cursor.take(length))


def _records(cursor: ByteCursor, n_records: int, storages: list[Storage]) -> ByteArray:
    width = sum(storage.width for storage in storages)
    return np.frombuffer(cursor.take(n_records * width), dtype=np.uint8).reshape(n_records, width)


def _long_texts(cursor: ByteCursor, is_long: bool) -> Iterator[LongText]:
    while cursor.follows(b"GSO"):
        column = cursor.number("I")
        record = cursor.number("Q" if is_long else "I")
        kind = cursor.number("B")
        yield LongText(column, record, kind, cursor.take(cursor.number("I")))


def _label_set(cursor: ByteCursor, sizes: FieldSizes) -> LabelSet:
    start = cursor.place
    length = cursor.number("I")
    name = cursor.take(sizes.name)
    cursor.take(3)  # padding
    table = cursor.take(length)
    inner = ByteCursor(table, cursor.order)
    n_labels = inner.number("i")
    inner.number("i")  # length of all texts
    offsets = [inner.number("i") for _ in range(n_labels)]
    values = [inner.number("i") for _ in range(n_labels)]
    texts = table[inner.place :]
    labels = [texts[offset:].partition(b"\0")[0] for offset in offsets]
    return LabelSet(name, tuple(zip(values, labels, strict=True)), cursor.data[start : cursor.place])


def _until_zero(numbers: list[int]) -> tuple[int, ...]:
    return tuple(numbers[: numbers.index(0)] if 0 in numbers else numbers)
