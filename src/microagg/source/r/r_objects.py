"""Objects of an R file, as rdata parses them: their attributes, texts and numbers."""

import warnings
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from typing import Any

from microagg.model.errors import ReadError
from microagg.model.memory_budget import in_words
from microagg.source.file_handler import needing_extra

_GZIP = b"\x1f\x8b"
_BZIP2 = b"BZh"
_XZ = b"\xfd7zXZ\x00"
_STARTS = (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n", b"RDB2\n", b"RDB3\n")
_SERIALISED = (b"X\n\0\0\0\2", b"X\n\0\0\0\3", b"A\n2\n", b"A\n3\n", b"B\n\2\0\0\0", b"B\n\3\0\0\0")
_GZIP_WINDOW = 31  # of zlib: data with the header of gzip
_N_STARTING = 16  # bytes that tell an R file
_PIECE = 2**22  # bytes that are decompressed at once
_MOST_UNTOLD = 10**9  # bytes that a file may have when it is decompressed, whatever it says
_COMPRESSION = 20  # times that a file may be larger in memory, where its size there is not known


def begins_as_r(beginning: bytes) -> bool:
    """Check whether a file begins like one of R, compressed or not."""
    start = beginning
    if beginning.startswith(_BZIP2):
        return True  # the beginning of a block tells nothing
    if beginning.startswith(_GZIP):
        start = _inflated(beginning)
    elif beginning.startswith(_XZ):
        start = _unpacked(beginning)
    return start.startswith((*_STARTS, *_SERIALISED))


def _inflated(beginning: bytes) -> bytes:
    """Return the first bytes of what gzip has compressed, as far as they can be told."""
    import zlib

    with suppress(zlib.error):
        return zlib.decompressobj(_GZIP_WINDOW).decompress(beginning, _N_STARTING)
    return b""


def _unpacked(beginning: bytes) -> bytes:
    """Return the first bytes of what xz has compressed, as far as they can be told."""
    import lzma

    with suppress(lzma.LZMAError):
        return lzma.LZMADecompressor().decompress(beginning, _N_STARTING)
    return b""


def estimated_size(data_end: bytes, size: int, beginning: bytes) -> int:
    """Estimate the bytes of a file that is decompressed, by its end, size and beginning."""
    if beginning.startswith(_GZIP):
        return max(size, int.from_bytes(data_end[-4:], "little"))
    return size if beginning.startswith((*_STARTS, *_SERIALISED)) else _COMPRESSION * size


@dataclass(frozen=True, eq=False, repr=False)
class RObjects:
    """Objects of an R file by name.

    Parameters
    ----------
    named
        The objects; one without a name, as in an .rds file, is called "".
    encoding
        Encoding of texts that do not tell theirs.
    """

    named: dict[str, Any]
    encoding: str

    @classmethod
    def parsed(cls, data: bytes, file: str) -> "RObjects":
        """Parse the bytes of a file; raise `ReadError` if it is damaged, or holds what rdata does not know."""
        with needing_extra("r", f"the R file {file}"):
            import rdata
        plain = _decompressed(data, file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about endings and tags, which tell nothing of the values
            try:
                found = rdata.parser.parse_data(plain, extension=None)
            except NotImplementedError as error:
                raise ReadError(f"the R file {file} holds what cannot be read: {error}") from None
            except Exception as error:  # rdata raises whatever it meets
                raise ReadError(f"{file} is a damaged R file: {type(error).__name__}") from None
        encoding = found.extra.encoding or "utf-8"
        if found.object.info.type.name != "LIST":
            return cls({"": found.object}, encoding)
        return cls(_pairs(found.object, encoding), encoding)

    def attributes(self, item: Any) -> dict[str, Any]:
        """Return the attributes of an object by name."""
        return {} if item.attributes is None else _pairs(item.attributes, self.encoding)

    def texts(self, item: Any) -> list[str | None]:
        """Return the texts of a character vector, None for those that are missing; of none, if it is no such vector."""
        if item is None or item.info.type.name != "STR":
            return []
        return [_text(each, self.encoding) for each in item.value]

    def classes(self, item: Any) -> list[str | None]:
        """Return the classes of an object."""
        return self.texts(self.attributes(item).get("class"))


def _decompressed(data: bytes, file: str) -> bytes:
    """Return what R has written, piece by piece: a file that is made to fill the memory is refused before it does."""
    modules = {_GZIP: "gzip", _BZIP2: "bz2", _XZ: "lzma"}
    module = next((name for magic, name in modules.items() if data.startswith(magic)), None)
    if module is None:
        return data
    most = max(_MOST_UNTOLD, estimated_size(data[-4:], len(data), data[:_N_STARTING]))
    plain = bytearray()
    try:
        with import_module(module).open(BytesIO(data)) as stream:
            while len(plain) <= most and (piece := stream.read(_PIECE)):
                plain += piece
    except Exception as error:  # each library has errors of its own
        raise ReadError(f"{file} is a damaged R file: {type(error).__name__}") from None
    if len(plain) > most:
        raise ReadError(
            f"{file} must take at most {in_words(most)} when it is decompressed, as its size says, found more: save it "
            "in R with compress = FALSE, and read that"
        )
    return bytes(plain)


def _pairs(item: Any, encoding: str) -> dict[str, Any]:
    """Return the objects of a pairlist by their tags."""
    pairs = {}
    while item.info.type.name == "LIST":
        tag = item.tag.referenced_object or item.tag
        pairs[_text(tag.value, encoding) or ""] = item.value[0]
        item = item.value[1]
    return pairs


def _text(item: Any, encoding: str) -> str | None:
    """Return a text of R, in the encoding that it tells, or that of the file."""
    if item.value is None:
        return None
    from rdata.parser import CharFlags

    known = {CharFlags.UTF8: "utf-8", CharFlags.LATIN1: "cp1252", CharFlags.ASCII: "ascii"}
    told = next((name for flag, name in known.items() if item.info.gp & flag), encoding)
    for name in (told, "utf-8", "latin-1"):
        with suppress(UnicodeDecodeError, LookupError):
            return str(item.value, name)
    raise AssertionError("latin-1 decodes every text")
