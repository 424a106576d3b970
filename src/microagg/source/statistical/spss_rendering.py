"""Rendering of SPSS system files from their parts."""

import numpy as np

from microagg.source.statistical.byte_cursor import Packer
from microagg.source.statistical.spss_compression import compressed, deflated
from microagg.source.statistical.spss_file import (
    DISPLAY,
    N_RECORDS,
    ROWS,
    ZLIB,
    Documents,
    Extension,
    OtherRecord,
    SpssFile,
    ValueLabels,
    VariableRecord,
)

_LINE = 80


def render_spss(file: SpssFile) -> bytes:
    """Put an SPSS system file together.

    Parameters
    ----------
    file
        Its parts.
    """
    pack = Packer(file.order)
    variables = [record for column in file.columns for record in column.records]
    dictionary = b"".join(
        [
            b"$FL3" if file.compression == ZLIB else b"$FL2",
            file.product,
            pack("i", file.layout, len(variables) if file.has_case_size else -1, file.compression),
            pack("i", 0 if file.weight is None else _places(file)[file.weight]),
            pack("i", len(file.cells) if file.has_count else -1),
            np.array(file.bias, dtype=f"{file.order}f8").tobytes(),
            file.stamp,
            *(_variable(record, pack) for record in variables),
            *(_other(one, file, pack) for one in file.others),
            pack("i", 999, 0),
        ]
    )
    return dictionary + _data(file, len(dictionary))


def _data(file: SpssFile, place: int) -> bytes:
    if not file.compression:
        return file.cells.tobytes()
    is_text = [not column.is_number for column in file.columns for _ in column.records]
    stream = compressed(file.cells, np.array(is_text, dtype=np.bool_), file.order, file.bias)
    return stream if file.compression == ROWS else deflated(stream, place, file.order, file.bias)


def _places(file: SpssFile) -> list[int]:
    """Return the place of each column in the dictionary, from 1."""
    lengths = [len(column.records) for column in file.columns]
    return [1 + sum(lengths[:number]) for number in range(len(lengths))]


def _variable(record: VariableRecord, pack: Packer) -> bytes:
    has_label = int(record.label is not None)
    fixed = pack("i", 2, record.width, has_label, record.n_missing, record.print_format, record.write_format)
    return fixed + record.name + (record.label or b"") + record.missing


def _other(one: OtherRecord, file: SpssFile, pack: Packer) -> bytes:
    if isinstance(one, ValueLabels):
        places = _places(file)
        labels = b"".join(value + _counted(label) for value, label in one.labels)
        columns = [places[number] for number in one.columns]
        return pack("i", 3, len(one.labels)) + labels + pack("i", 4, len(columns), *columns)
    if isinstance(one, Documents):
        return pack("i", 6, len(one.content) // _LINE) + one.content
    content = _content(one, file, pack)
    return pack("i", 7, one.subtype, one.size, len(content) // one.size) + content


def _content(one: Extension, file: SpssFile, pack: Packer) -> bytes:
    if one.subtype == DISPLAY:
        return pack("i", *(number for column in file.columns for shown in column.display for number in shown))
    if one.subtype == N_RECORDS:
        return one.content[:8] + pack("q", len(file.cells))
    return one.content


def _counted(label: bytes) -> bytes:
    """Return a label after its length, padded to whole cells."""
    return (bytes([len(label)]) + label).ljust(-(-(len(label) + 1) // 8) * 8)
