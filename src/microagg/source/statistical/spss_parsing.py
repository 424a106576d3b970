"""Parsing of SPSS system files into their parts."""

import numpy as np

from microagg.source.statistical.byte_cursor import ByteCursor, LayoutError
from microagg.source.statistical.spss_compression import decompressed, inflated
from microagg.source.statistical.spss_file import (
    DISPLAY,
    VERY_LONG_TEXTS,
    ZLIB,
    Documents,
    Extension,
    OtherRecord,
    SpssColumn,
    SpssFile,
    ValueLabels,
    VariableRecord,
    WordArray,
)

_VARIABLE, _LABELS, _LABELLED, _DOCUMENTS, _EXTENSION, _END = 2, 3, 4, 6, 7, 999
_SEGMENT = 252  # bytes of a very long text that each part of it adds
_LINE = 80  # bytes of a line of a document
_STAMP = 9 + 8 + 64 + 3


def parse_spss(data: bytes) -> SpssFile:
    """Take an SPSS system file apart.

    Parameters
    ----------
    data
        The whole file, .sav or .zsav.

    Raises
    ------
    LayoutError
        If it is damaged, or not laid out as it should be.
    """
    cursor = ByteCursor(data)
    if cursor.take(4) not in (b"$FL2", b"$FL3"):
        raise LayoutError("it is no system file")
    product = cursor.take(60)
    cursor.order = _order(data[64:68])
    layout = cursor.number("i")
    case_size = cursor.number("i")
    compression = cursor.number("i")
    weight = cursor.number("i")
    n_records = cursor.number("i")
    bias = float(np.frombuffer(cursor.take(8), dtype=f"{cursor.order}f8")[0])
    stamp = cursor.take(_STAMP)
    variables: list[VariableRecord] = []
    others: list[OtherRecord] = []
    while (code := cursor.number("i")) != _END:
        if code == _VARIABLE:
            variables.append(_variable(cursor))
        elif code == _LABELS:
            others.append(_value_labels(cursor))
        elif code == _DOCUMENTS:
            others.append(Documents(cursor.take(_LINE * cursor.number("i"))))
        elif code == _EXTENSION:
            others.append(_extension(cursor))
        else:
            raise LayoutError(f"it has a record of type {code}")
    cursor.take(4)
    cells = _cells(cursor, compression, bias)
    columns = _columns(variables, others, cursor.order)
    n_cells = len(variables)
    if n_cells == 0 or len(cells) % n_cells or (n_records >= 0 and len(cells) != n_records * n_cells):
        raise LayoutError("it does not have as many values as it should have")
    of_cell = [number for number, column in enumerate(columns) for _ in column.records]
    return SpssFile(
        cursor.order,
        product,
        layout,
        compression,
        bias,
        case_size > 0,
        n_records >= 0,
        of_cell[weight - 1] if 0 < weight <= n_cells else None,
        stamp,
        columns,
        tuple(_numbered(one, of_cell) if isinstance(one, ValueLabels) else one for one in others),
        cells.reshape(-1, n_cells),
    )


def _order(layout: bytes) -> str:
    for order, name in (("<", "little"), (">", "big")):
        if int.from_bytes(layout, name) in (2, 3):  # type: ignore[arg-type]
            return order
    raise LayoutError("its order of bytes is not known")


def _variable(cursor: ByteCursor) -> VariableRecord:
    width = cursor.number("i")
    has_label = cursor.number("i")
    n_missing = cursor.number("i")
    print_format = cursor.number("i")
    write_format = cursor.number("i")
    name = cursor.take(8)
    label = None
    if has_label:
        start = cursor.place
        length = cursor.number("i")
        cursor.take(-(-length // 4) * 4)
        label = cursor.data[start : cursor.place]
    missing = cursor.take(8 * abs(n_missing))
    return VariableRecord(width, label, n_missing, missing, print_format, write_format, name)


def _value_labels(cursor: ByteCursor) -> ValueLabels:
    """Return labels; their columns are places in the dictionary at first."""
    labels = []
    for _ in range(cursor.number("i")):
        value = cursor.take(8)
        length = cursor.number("B")
        padded = cursor.take(-(-(length + 1) // 8) * 8 - 1)
        labels.append((value, padded[:length]))
    if cursor.number("i") != _LABELLED:
        raise LayoutError("its value labels belong to no column")
    places = [cursor.number("i") for _ in range(cursor.number("i"))]
    return ValueLabels(tuple(labels), tuple(places))


def _numbered(labels: ValueLabels, of_cell: list[int]) -> ValueLabels:
    """Return labels with the numbers of columns in place of places in the dictionary, which begin with 1."""
    if not all(0 < place <= len(of_cell) for place in labels.columns):
        raise LayoutError("its value labels belong to no column")
    return ValueLabels(labels.labels, tuple(of_cell[place - 1] for place in labels.columns))


def _extension(cursor: ByteCursor) -> Extension:
    subtype = cursor.number("i")
    size = cursor.number("i")
    return Extension(subtype, size, cursor.take(size * cursor.number("i")))


def _columns(variables: list[VariableRecord], others: list[OtherRecord], order: str) -> tuple[SpssColumn, ...]:
    """Put the records of each column together."""
    if variables and variables[0].is_continuation:
        raise LayoutError("its first column has no name")
    segments: list[list[VariableRecord]] = []
    for record in variables:
        if record.is_continuation:
            segments[-1].append(record)
        else:
            segments.append([record])
    display = _display(others, len(segments), order)
    lengths = _very_long_texts(others)
    columns = []
    number = 0
    while number < len(segments):
        length = lengths.get(segments[number][0].name.rstrip(), 0)
        end = number + max(1, -(-length // _SEGMENT))
        records = tuple(record for segment in segments[number:end] for record in segment)
        columns.append(SpssColumn(records, tuple(display[number:end])))
        number = end
    return tuple(columns)


def _display(others: list[OtherRecord], n_segments: int, order: str) -> list[tuple[int, ...]]:
    """Return the display parameters of each record but continuations: two or three numbers, or none."""
    found = next((one for one in others if isinstance(one, Extension) and one.subtype == DISPLAY), None)
    if found is None:
        return [()] * n_segments
    numbers = np.frombuffer(found.content, dtype=f"{order}i4").tolist()
    if n_segments == 0 or len(numbers) not in (2 * n_segments, 3 * n_segments):
        raise LayoutError("its display parameters are not as many as its columns")
    each = len(numbers) // n_segments
    return [tuple(numbers[start : start + each]) for start in range(0, len(numbers), each)]


def _very_long_texts(others: list[OtherRecord]) -> dict[bytes, int]:
    """Return the length of each text of more than 255 bytes, by its short name."""
    found = next((one for one in others if isinstance(one, Extension) and one.subtype == VERY_LONG_TEXTS), None)
    lengths = {}
    for entry in found.content.split(b"\t") if found is not None else ():
        name, _, length = entry.rstrip(b"\0").partition(b"=")
        if length.isdigit():
            lengths[name] = int(length)
    return lengths


def _cells(cursor: ByteCursor, compression: int, bias: float) -> WordArray:
    if not compression:
        rest = cursor.rest()
        if len(rest) % 8:
            raise LayoutError("it ends too early")
        return np.frombuffer(rest, dtype=np.uint64)
    stream = inflated(cursor.data, cursor.place, cursor.order) if compression == ZLIB else cursor.rest()
    return decompressed(stream, cursor.order, bias)
