"""Options of reading a file."""

from dataclasses import dataclass, fields

from microagg.model.checks import flag, one_of
from microagg.model.errors import InputError

_LAST_ASCII = 127


@dataclass(frozen=True)
class Reading:
    """Format of a text file, or the table of a file with several, as far as the user states it; the rest is detected.

    Parameters
    ----------
    delimiter
        Character between two fields.
    decimal
        Decimal sign, "." or ",". Where it is given, no other sign is taken for one, nor it for anything else.
    encoding
        Name of the encoding in Python: "utf-8", "cp1252".
    header
        Whether the first line, or row of a sheet, names the columns. Without names, they are called column_1, ….
    table_name
        Name of the sheet of a workbook, the object of an R file, or the table of a database.
    """

    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    header: bool | None = None
    table_name: str | None = None

    def __post_init__(self) -> None:
        if self.delimiter is not None and not (isinstance(self.delimiter, str) and len(self.delimiter) == 1):
            raise InputError(f"delimiter must be one character, found {self.delimiter!r}")
        if self.delimiter is not None and (self.delimiter in '"\r\n' or ord(self.delimiter) > _LAST_ASCII):
            raise InputError(f"delimiter must be a character such as ';' and no quote, found {self.delimiter!r}")
        if self.decimal is not None:
            one_of("decimal", self.decimal, (".", ","))
        if self.delimiter is not None and self.delimiter == self.decimal:
            raise InputError(f"delimiter and decimal are both {self.decimal!r}: they must differ")
        if self.encoding is not None:
            _check_encoding(self.encoding)
        if self.header is not None:
            flag("header", self.header)
        if self.table_name is not None and not (isinstance(self.table_name, str) and self.table_name):
            raise InputError(f"table_name must name a sheet, an object or a table, found {self.table_name!r}")

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the options that are given."""
        return tuple(field.name for field in fields(self) if getattr(self, field.name) is not None)


def _check_encoding(name: object) -> None:
    try:
        known = isinstance(name, str) and "a".encode(name).decode(name) == "a"
    except (LookupError, ValueError):  # an unknown name, or a codec that is not for text
        known = False
    if not known:
        raise InputError(f"encoding must be a name such as 'utf-8' or 'cp1252', found {name!r}")
