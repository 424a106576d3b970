"""Names of columns that statistical files can hold."""

import re
from collections.abc import Sequence

from microagg.model.errors import WriteError
from microagg.model.source_protocol import FileKind
from microagg.source.file_handler import with_article

_STATA_RESERVED = {
    "_all",
    "_b",
    "_coef",
    "_cons",
    "_n",
    "_N",
    "_pi",
    "_pred",
    "_rc",
    "_skip",
    "if",
    "in",
    "using",
    "with",
}
_STATA_TYPE = re.compile(r"byte|int|long|float|double|str(?:L|\d+)")
_STATA_LONGEST = 32  # characters
_SPSS_NAME = re.compile(r"[^\W\d_](?:[\w.$#@]*[\w$#@])?")
_SPSS_RESERVED = {"ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"}
_SPSS_LONGEST = 64  # bytes

_RULES: dict[FileKind, str] = {
    "Stata": f"at most {_STATA_LONGEST} letters, digits and underscores, beginning with no digit, and no word of Stata",
    "SPSS": f"at most {_SPSS_LONGEST} bytes of letters, digits and ._$#@, beginning with a letter, and no word of SPSS",
}


def check_names(names: Sequence[str], kind: FileKind) -> None:
    """Refuse names that a Stata or SPSS file cannot hold.

    Parameters
    ----------
    names
        Names of the columns.
    kind
        "Stata" or "SPSS".

    Raises
    ------
    WriteError
        If one of them must be renamed.
    """
    is_legal = _is_legal_in_stata if kind == "Stata" else _is_legal_in_spss
    seen: dict[str, str] = {}
    for name in names:
        if not is_legal(name):
            raise WriteError(
                f"column {name!r} has a name that {with_article(kind)} cannot hold ({_RULES[kind]}): rename it, or "
                "write another kind of file"
            )
        key = name if kind == "Stata" else name.upper()
        if key in seen:
            raise WriteError(
                f"columns {seen[key]!r} and {name!r} have the same name in {with_article(kind)}: rename one, or write "
                "another kind of file"
            )
        seen[key] = name


def _is_legal_in_stata(name: str) -> bool:
    reserved = name in _STATA_RESERVED or _STATA_TYPE.fullmatch(name) is not None
    return name.isidentifier() and len(name) <= _STATA_LONGEST and not reserved


def _is_legal_in_spss(name: str) -> bool:
    is_short = len(name.encode()) <= _SPSS_LONGEST
    return is_short and _SPSS_NAME.fullmatch(name) is not None and name.upper() not in _SPSS_RESERVED
