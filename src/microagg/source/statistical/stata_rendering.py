"""Rendering of Stata files from their parts."""

from collections.abc import Sequence

from microagg.source.statistical.byte_cursor import Packer
from microagg.source.statistical.stata_file import FIRST_TAGGED, LabelSet, StataFile

_FIRST_WITH_LONG_RECORD = 118
_N_OFFSETS = 14


def render_stata(file: StataFile) -> bytes:
    """Put a Stata file together.

    Parameters
    ----------
    file
        Its parts.
    """
    return _render_tagged(file) if file.version >= FIRST_TAGGED else _render_plain(file)


def _render_tagged(file: StataFile) -> bytes:
    is_long = file.version >= _FIRST_WITH_LONG_RECORD
    count = "H" if file.sizes.counts == 2 else "I"
    pack = Packer(file.order)
    n_columns = len(file.columns)
    header = b"".join(
        [
            b"<stata_dta><header><release>%d</release>" % file.version,
            b"<byteorder>%s</byteorder>" % (b"LSF" if file.order == "<" else b"MSF"),
            b"<K>%s</K>" % pack(count, n_columns),
            b"<N>%s</N>" % pack("Q" if is_long else "I", len(file.records)),
            b"<label>%s%s</label>" % (pack("H" if is_long else "B", len(file.label)), file.label),
            b"<timestamp>%s%s</timestamp></header>" % (pack("B", len(file.timestamp)), file.timestamp),
        ]
    )
    sorted_by = [*file.sorted_by, *[0] * (n_columns + 1 - len(file.sorted_by))]
    sections = [
        b"<variable_types>%s</variable_types>"
        % b"".join(pack("H", column.storage.code(file.version)) for column in file.columns),
        b"<varnames>%s</varnames>" % b"".join(column.name for column in file.columns),
        b"<sortlist>%s</sortlist>" % b"".join(pack(count, number) for number in sorted_by),
        b"<formats>%s</formats>" % b"".join(column.format for column in file.columns),
        b"<value_label_names>%s</value_label_names>" % b"".join(column.label_set for column in file.columns),
        b"<variable_labels>%s</variable_labels>" % b"".join(column.label for column in file.columns),
        b"<characteristics>%s</characteristics>"
        % b"".join(b"<ch>%s%s</ch>" % (pack("I", len(one.content)), one.content) for one in file.characteristics),
        b"<data>%s</data>" % file.records.tobytes(),
        b"<strls>%s</strls>" % _long_texts(file, pack, "Q" if is_long else "I"),
        b"<value_labels>%s</value_labels>"
        % b"".join(b"<lbl>%s</lbl>" % _label_set(one, pack) for one in file.label_sets),
    ]
    return header + _map(len(header), sections, pack) + b"".join(sections) + b"</stata_dta>"


def _map(start: int, sections: Sequence[bytes], pack: Packer) -> bytes:
    """Return the section that tells where every section begins, and where the file ends."""
    places = [0, start]
    place = start + len(b"<map></map>") + 8 * _N_OFFSETS
    for section in sections:
        places.append(place)
        place += len(section)
    places += [place, place + len(b"</stata_dta>")]
    return b"<map>%s</map>" % b"".join(pack("Q", place) for place in places)


def _render_plain(file: StataFile) -> bytes:
    pack = Packer(file.order)
    sorted_by = [*file.sorted_by, *[0] * (len(file.columns) + 1 - len(file.sorted_by))]
    return b"".join(
        [
            bytes([file.version, 2 if file.order == "<" else 1, 1, 0]),
            pack("H", len(file.columns)),
            pack("I", len(file.records)),
            file.label,
            file.timestamp,
            bytes(column.storage.code(file.version) for column in file.columns),
            *(column.name for column in file.columns),
            *(pack("H", number) for number in sorted_by),
            *(column.format for column in file.columns),
            *(column.label_set for column in file.columns),
            *(column.label for column in file.columns),
            *(pack("B", one.kind) + pack("I", len(one.content)) + one.content for one in file.characteristics),
            b"\0" * 5,
            file.records.tobytes(),
            *(_label_set(one, pack) for one in file.label_sets),
        ]
    )


def _long_texts(file: StataFile, pack: Packer, record: str) -> bytes:
    return b"".join(
        b"GSO%s%s%s%s%s"
        % (
            pack("I", one.column),
            pack(record, one.record),
            pack("B", one.kind),
            pack("I", len(one.content)),
            one.content,
        )
        for one in file.long_texts
    )


def _label_set(one: LabelSet, pack: Packer) -> bytes:
    if one.raw is not None:
        return one.raw
    texts = [label + b"\0" for _, label in one.labels]
    offsets = [sum(map(len, texts[:number])) for number in range(len(texts))]
    table = b"".join(
        [
            pack("i", len(texts)),
            pack("i", sum(map(len, texts))),
            *(pack("i", offset) for offset in offsets),
            *(pack("i", value) for value, _ in one.labels),
            *texts,
        ]
    )
    return pack("I", len(table)) + one.name + b"\0" * 3 + table


def padded(text: bytes, size: int) -> bytes:
    """Return a field of some size: a text, and zeros."""
    return text[: size - 1].ljust(size, b"\0")
