"""Text files are decoded by their byte order mark, as UTF-8, or byte by byte."""

import codecs
from pathlib import Path

import pytest

from microagg import ReadError, read, write
from microagg.source.text_decoding import decode


@pytest.mark.parametrize(
    ("raw", "given", "mark", "encoding", "text"),
    [
        ("a\u00e9".encode(), None, b"", "utf-8", "a\u00e9"),
        ("\ufeffa".encode(), None, codecs.BOM_UTF8, "utf-8", "a"),
        ("\ufeffa".encode("utf-16-le"), None, codecs.BOM_UTF16_LE, "utf-16-le", "a"),
        ("\ufeffa".encode("utf-16-be"), None, codecs.BOM_UTF16_BE, "utf-16-be", "a"),
        ("\ufeffa".encode("utf-32-le"), None, codecs.BOM_UTF32_LE, "utf-32-le", "a"),
        (b"\x80", None, b"", "cp1252", "\u20ac"),
        (b"\x81", None, b"", "latin-1", "\x81"),
        (b"\x80", "latin-1", b"", "iso8859-1", "\x80"),
        ("\ufeffa".encode(), "utf-8", codecs.BOM_UTF8, "utf-8", "a"),
        ("\ufeffa".encode("utf-16-be"), "utf-16", codecs.BOM_UTF16_BE, "utf-16-be", "a"),
        ("a".encode("utf-16-le"), "utf-16", b"", "utf-16-le", "a"),
    ],
)
def test_encoding_and_mark(raw: bytes, given: str | None, mark: bytes, encoding: str, text: str) -> None:
    assert decode(raw, "in.csv", given) == (mark, encoding, text.encode())


def test_bytes_that_are_not_valid_are_refused() -> None:
    with pytest.raises(ReadError, match="not valid utf-8: say its real encoding"):
        decode(b"\x80", "in.csv", "utf-8")
    with pytest.raises(ReadError, match="not valid utf-8, though it starts as such"):
        decode(codecs.BOM_UTF8 + b"\x80", "in.csv", None)
    with pytest.raises(ReadError, match="no text file"):
        decode(b"a\0b", "in.csv", None)


def test_mark_that_was_written_twice_loses_no_record(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes("\ufeff\ufeff".encode() + b"a\n1\n2\n")
    table = read(tmp_path / "in.csv")
    assert (table.names, table.values("a")) == (("a",), ["1", "2"])
    write(table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "in.csv").read_bytes()
