"""Extension records of SPSS files, without what they tell of columns that are left out."""

import re
from collections.abc import Callable, Iterator, Set
from typing import NamedTuple

from microagg.source.statistical.byte_cursor import ByteCursor, LayoutError
from microagg.source.statistical.spss_file import LONG_NAMES, VERY_LONG_TEXTS, Extension, SpssFile

_SETS = 5  # of columns
_RESPONSES = (7, 19)  # sets of multiple responses
_ATTRIBUTES = 18
_LONG_LABELS, _LONG_MISSING = 21, 22  # of texts of more than eight bytes
_ATTRIBUTE = re.compile(rb"[^(:/]+\((?:'[^\n]*'\n)+\)")


class GoneNames(NamedTuple):
    """Names of columns, in capital letters, about which extensions have something that goes.

    Parameters
    ----------
    columns
        Short and long names of the columns that are left out.
    long_texts
        Short names of those that are no very long texts any more.
    labels
        Short and long names of those that lose what belongs to their old values: labels and missing ones.
    """

    columns: frozenset[bytes]
    long_texts: frozenset[bytes]
    labels: frozenset[bytes]


def long_names(file: SpssFile) -> dict[bytes, bytes]:
    """Return the long names of columns by their short ones."""
    found = file.extension(LONG_NAMES)
    entries = found.content.split(b"\t") if found is not None else []
    return {short: name for short, _, name in (entry.partition(b"=") for entry in entries)}


def without_names(one: Extension, gone: GoneNames, order: str) -> Extension | None:
    """Return an extension without what it tells of some columns; None if nothing is left.

    Parameters
    ----------
    one
        The extension.
    gone
        Whose names, and what of them.
    order
        Order of bytes.
    """
    rules: dict[int, Callable[[], bytes]] = {
        LONG_NAMES: lambda: _without_entries(one.content, gone.columns),
        VERY_LONG_TEXTS: lambda: _without_entries(one.content, gone.columns | gone.long_texts),
        _ATTRIBUTES: lambda: b"/".join(_kept_attributes(one.content, gone.columns)),
        _LONG_LABELS: lambda: b"".join(_kept_labels(one.content, gone.columns | gone.labels, order)),
        _LONG_MISSING: lambda: b"".join(_kept_missing(one.content, gone.columns | gone.labels, order)),
        _SETS: lambda: b"".join(_kept_sets(one.content, gone.columns, _split_set)),
    } | dict.fromkeys(_RESPONSES, lambda: b"".join(_kept_sets(one.content, gone.columns, _split_responses)))
    if one.subtype not in rules or not any(gone):
        return one
    content = rules[one.subtype]()
    return Extension(one.subtype, one.size, content) if content else None


def _without_entries(content: bytes, gone: Set[bytes]) -> bytes:
    """Return NAME=… entries between tabs without some."""
    return b"\t".join(entry for entry in content.split(b"\t") if entry.partition(b"=")[0].upper() not in gone)


def _kept_attributes(content: bytes, gone: Set[bytes]) -> Iterator[bytes]:
    """Yield NAME:attribute('value'…)… of the columns that stay; values may hold any character but a line end."""
    place = 0
    while place < len(content):
        start = place
        name, colon, _ = content[start:].partition(b":")
        if not colon:
            raise LayoutError("its attributes of columns are not as they should be")
        place += len(name) + 1
        while found := _ATTRIBUTE.match(content, place):
            place = found.end()
        if name.upper() not in gone:
            yield content[start:place]
        if not content.startswith(b"/", place):
            return
        place += 1


def _kept_sets(
    content: bytes, gone: Set[bytes], split: Callable[[bytes], tuple[bytes, list[bytes]]]
) -> Iterator[bytes]:
    """Yield sets of columns, each a line, without some columns; one that has no others goes."""
    for line in content.splitlines(keepends=True):
        head, names = split(line.rstrip(b"\n"))
        kept = [name for name in names if name.upper() not in gone]
        if len(kept) == len(names):
            yield line
        elif kept:
            yield head + b"".join(b" " + name for name in kept) + b"\n"


def _split_set(line: bytes) -> tuple[bytes, list[bytes]]:
    """Split "set= a b" into what comes before the columns, and these."""
    head, equals, names = line.partition(b"=")
    return head + equals, names.split()


def _split_responses(line: bytes) -> tuple[bytes, list[bytes]]:
    """Split "$set=D1 1 5 label a b" into what comes before the columns, and these."""
    cursor = ByteCursor(line)
    cursor.place = line.find(b"=") + 1
    kind = cursor.take(1)
    if kind == b"E":
        cursor.place = line.find(b" ", cursor.place + 1)  # after a flag
    if kind in b"DE":
        cursor.follows(b" ")
        _counted_text(cursor)
    cursor.expect(b" ")
    _counted_text(cursor)
    return line[: cursor.place], cursor.rest().split()


def _counted_text(cursor: ByteCursor) -> bytes:
    found = re.compile(rb"(\d+) ").match(cursor.data, cursor.place)
    if found is None:
        raise LayoutError("its sets of multiple responses are not as they should be")
    cursor.place = found.end()
    return cursor.take(int(found[1]))


def _kept_labels(content: bytes, gone: Set[bytes], order: str) -> Iterator[bytes]:
    """Yield the labels of long texts but of some columns."""
    cursor = ByteCursor(content, order)
    while not cursor.at_end:
        start = cursor.place
        name = cursor.take(cursor.number("i"))
        cursor.number("i")  # width of the texts
        for _ in range(cursor.number("i")):
            cursor.take(cursor.number("i"))
            cursor.take(cursor.number("i"))
        if name.upper() not in gone:
            yield content[start : cursor.place]


def _kept_missing(content: bytes, gone: Set[bytes], order: str) -> Iterator[bytes]:
    """Yield the texts that stand for missing ones but of some columns."""
    cursor = ByteCursor(content, order)
    while not cursor.at_end:
        start = cursor.place
        name = cursor.take(cursor.number("i"))
        count = cursor.number("B")
        cursor.take(cursor.number("i") * count)
        if name.upper() not in gone:
            yield content[start : cursor.place]
