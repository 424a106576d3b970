"""Columns as pyreadstat stores them in a Stata or SPSS file, or the reason why such a file cannot hold them."""

from typing import TYPE_CHECKING, Any

from microagg.model.column import EXACT_INTEGER_LIMIT
from microagg.model.errors import WriteError
from microagg.model.source_protocol import FileKind
from microagg.source.file_handler import with_article

if TYPE_CHECKING:
    import polars as pl

_LARGEST_LONG = 2_147_483_620  # of Stata; larger ones stand for missing values
_LONGEST_TEXT: dict[FileKind, int] = {"Stata": 2_000_000_000, "SPSS": 32_767}  # bytes


def storable_series(series: "pl.Series", kind: FileKind) -> "pl.Series":
    """Return a column as pyreadstat stores it.

    Parameters
    ----------
    series
        The column.
    kind
        "Stata" or "SPSS".

    Raises
    ------
    WriteError
        If such a file cannot hold it.
    """
    import polars as pl

    dtype = series.dtype
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        return _texts(series.cast(pl.String).fill_null(""), kind)
    if dtype == pl.Boolean:
        return series.cast(pl.Int32)
    if dtype.is_integer():
        return _integers(series, kind)
    if dtype.is_numeric() or dtype == pl.Null:
        return _floats(series.cast(pl.Float64).fill_nan(None), kind)
    if dtype == pl.Date or (isinstance(dtype, pl.Datetime) and dtype.time_zone is None):
        return series
    raise _refusal(series, f"values of type {dtype}", kind, "convert it")


def exceeds_long(series: "pl.Series") -> bool:
    """Check whether integers are too large for 32 bits, of which Stata needs some for missing values."""
    return _largest(series) > _LARGEST_LONG


def _texts(texts: "pl.Series", kind: FileKind) -> "pl.Series":
    longest: Any = texts.str.len_bytes().max() or 0
    if longest > _LONGEST_TEXT[kind]:
        raise _refusal(texts, f"a text of more than {_LONGEST_TEXT[kind]} bytes", kind, "shorten it")
    if texts.str.contains("\0", literal=True).any():
        raise _refusal(texts, "a text with a zero byte", kind, "remove that")
    return texts


def _integers(series: "pl.Series", kind: FileKind) -> "pl.Series":
    import polars as pl

    if not exceeds_long(series):
        return series.cast(pl.Int32)
    if _largest(series) >= EXACT_INTEGER_LIMIT:
        raise _refusal(series, "integers of more than 53 bits", kind, "convert them to texts")
    return series.cast(pl.Float64)


def _floats(series: "pl.Series", kind: FileKind) -> "pl.Series":
    if series.is_infinite().any():
        raise _refusal(series, "infinite numbers", kind, "replace them")
    return series


def _largest(series: "pl.Series") -> int:
    ends: list[Any] = [series.min(), series.max()]
    return max(abs(0 if value is None else int(value)) for value in ends)


def _refusal(series: "pl.Series", what: str, kind: FileKind, advice: str) -> WriteError:
    return WriteError(
        f"column {series.name!r} has {what}, which {with_article(kind)} cannot hold: {advice}, drop the column, or "
        "write another kind of file"
    )
