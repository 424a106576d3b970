"""Hostile tables: files, dataframes and arrays of hostile columns, and objects that are not tables."""

import codecs
import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
from numpy.random import Generator

from hostile_columns import FOR_FILES, GENERATORS, ODD_NAMES, Expectation, HostileColumn, Values, generate

_ROW_NUMBERS = r"|__index_level_\d+__"  # names that R and pandas give to the row numbers
_MIN_RECORDS_FOR_ORDER = 10  # fewer are often in order by chance
_PLAIN = ("amounts", "whole_amounts", "balances")
_MISSING_MARKS = ("", "NA", ".", "N/A", "NaN", "nan", "null", "NULL")

# Errors of a conversion that is not possible: then the column stays unconverted.
_CONVERSION_ERRORS = (
    TypeError,
    ValueError,
    OverflowError,
    NotImplementedError,
    pl.exceptions.PolarsError,
    pa.ArrowException,
)


@dataclass(frozen=True)
class HostileTable:
    """Table to be protected, and what is known of it.

    Parameters
    ----------
    kind
        "text file", "pandas", ….
    source
        A path or an object.
    columns
        Its columns; empty if it is not a table, or a damaged one.
    reading
        Keywords of `protect` that settle doubts about how a text file is to be read.
    guessed
        Whether the kinds of the columns must be guessed: not so of arrays.
    """

    kind: str
    source: Any
    columns: tuple[HostileColumn, ...] = ()
    reading: dict[str, Any] = field(default_factory=dict)
    guessed: bool = True

    @property
    def n_records(self) -> int:
        """The number of records."""
        return len(self.columns[0].values) if self.columns else 0

    @property
    def path(self) -> Path | None:
        """The file, if it is one."""
        return self.source if isinstance(self.source, Path) else None


def make_table(rng: Generator, folder: Path) -> HostileTable:
    """Return a table of any kind; files are written to a folder."""
    kinds = list(KINDS)
    shares = np.array([KINDS[kind][1] for kind in kinds])
    return KINDS[str(rng.choice(kinds, p=shares / shares.sum()))][0](rng, folder)


def _columns(rng: Generator, generators: Sequence[str]) -> tuple[HostileColumn, ...]:
    """Generate some columns of one length; most tables get enough plain ones to be released."""
    n = int(rng.choice([0, 1, 2, 5, *rng.integers(6, 60, 16)]))
    number = int(rng.integers(1, 6))
    hostile = rng.random() < 0.7
    chosen = [str(rng.choice(generators if hostile and rng.random() < 0.5 else _PLAIN)) for _ in range(number)]
    odd = rng.random() < 0.3
    columns: dict[str, HostileColumn] = {}
    for j, which in enumerate(chosen):
        name = str(rng.choice(ODD_NAMES)) if odd and rng.random() < 0.5 else f"v{j}"
        column = generate(which, rng, n, name)
        if re.fullmatch(_ROW_NUMBERS, column.name):
            column = _named_as_row_numbers(column)
        columns.setdefault(column.name, column)
    return tuple(columns.values())


def _named_as_row_numbers(column: HostileColumn) -> HostileColumn:
    """Return the column with another expectation: it is doubtful, unless it counts the rows, perhaps by chance."""
    if column.generator == "counted_records" or len(column.values) < _MIN_RECORDS_FOR_ORDER:
        return column.open()
    return replace(column, expected="doubtful") if column.expected == "plain" else column


# Text files.


def _text_file(rng: Generator, folder: Path) -> HostileTable:
    delimiter = str(rng.choice([",", ";", "\t", "|"]))
    decimal = str(rng.choice([".", ","], p=[0.8, 0.2] if delimiter == "," else [0.5, 0.5]))
    header = bool(rng.random() < 0.9)
    columns = tuple(_in_a_file(column, header) for column in _columns(rng, FOR_FILES))
    mark = str(rng.choice(_MISSING_MARKS))
    rows = [[column.name for column in columns]] if header else []
    texts = [[_text(value, decimal, mark) for value in column.values] for column in columns]
    rows += map(list, zip(*texts, strict=True))
    same_names = header and len(columns) > 1 and rng.random() < 0.03
    if same_names:
        rows[0] = [columns[0].name] * len(columns)
    text = io.StringIO()
    line_end = str(rng.choice(["\n", "\r\n", "\r"], p=[0.6, 0.3, 0.1]))
    dialect: dict[str, Any] = {"delimiter": delimiter, "lineterminator": line_end}
    if rng.random() < 0.2:
        dialect["quoting"] = csv.QUOTE_ALL
    csv.writer(text, **dialect).writerows(rows)
    raw, encoding = _encoded(text.getvalue(), rng)
    path = folder / str(rng.choice(["table.csv", "ta ble.txt", "größe.tsv", "table"]))
    reading = {"delimiter": delimiter, "decimal": decimal, "encoding": encoding, "header": header}
    if decimal == delimiter:
        del reading["decimal"]
    if rng.random() < 0.12:
        path.write_bytes(_damaged(raw, rng))
        return HostileTable("damaged text file", path, reading=reading)
    path.write_bytes(raw)
    return HostileTable("text file", path, () if same_names else columns, reading)


def _in_a_file(column: HostileColumn, header: bool) -> HostileColumn:
    """Return the column with the expectation of one that is written as text, perhaps without its name."""
    if column.generator == "numbers_as_text":
        return replace(column, expected="plain")
    named = GENERATORS[column.generator].name is not None or re.fullmatch(_ROW_NUMBERS, column.name)
    if not header and named:
        return column.open()
    return column


def _text(value: Any, decimal: str, mark: str) -> str:
    if value is None:
        return mark
    return repr(value).replace(".", decimal) if isinstance(value, float) else str(value)


def _encoded(text: str, rng: Generator) -> tuple[bytes, str]:
    encoding = str(rng.choice(["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-32", "latin-1"], p=[0.5, *[0.1] * 5]))
    try:
        return text.encode(encoding), encoding
    except UnicodeEncodeError:
        return text.encode(), "utf-8"


def _damaged(raw: bytes, rng: Generator) -> bytes:
    """Damage a file as transfers and editors do."""
    lines = raw.split(b"\n")
    row = int(rng.integers(len(lines)))
    position = int(rng.integers(len(raw) + 1))
    damages = (
        b"",
        raw[:position],
        raw[:position] + b"\0" + raw[position:],
        raw[:position] + b'"' + raw[position:],
        raw[:position] + rng.bytes(20) + raw[position:],
        raw + b"\n\n\n",
        b"\n\n" + raw,
        b"# a comment\n" + raw,
        codecs.BOM_UTF8 * 2 + raw,
        b"\n".join([*lines[:row], lines[row] + b",1", *lines[row + 1 :]]),
        b"\n".join([*lines[:row], lines[row].rpartition(b",")[0], *lines[row + 1 :]]),
        b"\n".join([*lines[:row], b"", *lines[row:]]),
        b"PAR1" + raw,
        b"ARROW1" + raw,
        rng.bytes(300),
    )
    return damages[int(rng.integers(len(damages)))]


# Dataframes: a column may be converted to another type, which changes what is expected of it.


Conversion = Callable[[Any, Expectation], tuple[Any, Expectation]]


def _as_text(expected: Expectation) -> Expectation:
    """Return what is expected of a column converted to text: its numbers are number-like now."""
    return "number-like" if expected in ("plain", "doubtful") else expected


def _rounded(expected: Expectation) -> Expectation:
    """Return what is expected of a column of rounded numbers: its nature may not be recognisable any more."""
    return "plain" if expected == "plain" else "open"


PANDAS_CONVERSIONS: dict[str, Conversion] = {
    "nullable": lambda series, expected: (series.convert_dtypes(), expected),
    "of arrow": lambda series, expected: (series.convert_dtypes(dtype_backend="pyarrow"), expected),
    "objects": lambda series, expected: (series.astype(object), expected),
    "category": lambda series, expected: (series.astype("category"), "open"),
    "single": lambda series, expected: (series.astype("float32"), _rounded(expected)),
    "half": lambda series, expected: (series.astype("float16"), _rounded(expected)),
    "sparse": lambda series, expected: (series.astype(pd.SparseDtype(series.dtype)), expected),
    "texts": lambda series, expected: (series.astype("string"), _as_text(expected)),
}
POLARS_CONVERSIONS: dict[str, Conversion] = {
    "category": lambda series, expected: (series.cast(pl.String).cast(pl.Categorical), "open"),
    "single": lambda series, expected: (series.cast(pl.Float32), _rounded(expected)),
    "decimal": lambda series, expected: (series.cast(pl.Decimal(38, 6)), _rounded(expected)),
    "texts": lambda series, expected: (series.cast(pl.String), _as_text(expected)),
    "lists": lambda series, expected: (series.reshape((len(series), 1)).arr.to_list(), "other"),
    "structs": lambda series, expected: (series.to_frame("inner").to_struct(series.name), "other"),
    "objects": lambda series, expected: (pl.Series(series.name, series.to_list(), dtype=pl.Object), "open"),
}
ARROW_CONVERSIONS: dict[str, Conversion] = {
    "dictionary": lambda array, expected: (array.dictionary_encode(), "open"),
    "decimal": lambda array, expected: (array.cast(pa.decimal128(38, 6), safe=False), _rounded(expected)),
    "texts": lambda array, expected: (array.cast(pa.large_string()), _as_text(expected)),
    "lists": lambda array, expected: (pa.ListArray.from_arrays(list(range(len(array) + 1)), array), "other"),
    "structs": lambda array, expected: (pa.StructArray.from_arrays([array], ["inner"]), "other"),
    "chunks": lambda array, expected: (pa.chunked_array([array[:3], array[3:]]), expected),
}


def _convert(
    rng: Generator, plain: Any, column: HostileColumn, conversions: dict[str, Conversion]
) -> tuple[Any, HostileColumn]:
    """Convert a column to another type, if that is possible; most stay as they are."""
    if not conversions or rng.random() < 0.75:
        return plain, column
    which = str(rng.choice(list(conversions)))
    try:
        converted, expected = conversions[which](plain, column.expected)
    except _CONVERSION_ERRORS:
        return plain, column
    return converted, replace(column, generator=f"{column.generator} as {which}", expected=expected)


def _pandas_series(values: Values) -> Any:
    try:
        return pd.Series(values)
    except _CONVERSION_ERRORS:
        return pd.Series(values, dtype=object)


def _polars_series(name: str, values: Values) -> pl.Series:
    try:
        return pl.Series(name, values)
    except _CONVERSION_ERRORS:
        return pl.Series(name, values, dtype=pl.Object)


def _arrow_array(values: Values) -> Any:
    try:
        return pa.array(values)
    except _CONVERSION_ERRORS:
        return pa.array([repr(value) for value in values])


def _pandas(rng: Generator, folder: Path) -> HostileTable:
    columns = []
    series = []
    for column in _columns(rng, list(GENERATORS)):
        converted, column = _convert(rng, _pandas_series(column.values), column, PANDAS_CONVERSIONS)
        series.append(converted)
        columns.append(column)
    frame = pd.concat(series, axis=1, keys=[column.name for column in columns])
    if rng.random() < 0.2:
        frame.index = pd.Index(rng.permutation(len(frame)) * 3, name=str(rng.choice(["v0", "index", "id"])))
    if rng.random() < 0.1:
        columns = [column.renamed(str(j)) for j, column in enumerate(columns)]
        frame.columns = pd.RangeIndex(len(columns))
    elif rng.random() < 0.05:
        frame.columns = [columns[0].name] * len(columns)
        columns = columns if len(columns) == 1 else []
    return HostileTable("pandas", frame, tuple(columns))


def _polars_frame(rng: Generator, *, objects: bool) -> tuple[pl.DataFrame, tuple[HostileColumn, ...]]:
    columns = []
    series = []
    for column in _columns(rng, list(GENERATORS)):
        plain = _polars_series(column.name, column.values)
        conversions = POLARS_CONVERSIONS if plain.dtype != pl.Object else {}  # polars panics over objects in structs
        converted, column = _convert(rng, plain, column, conversions)
        if objects or converted.dtype != pl.Object:
            series.append(converted)
            columns.append(column)
    return pl.DataFrame(series), tuple(columns)


def _polars(rng: Generator, folder: Path) -> HostileTable:
    frame, columns = _polars_frame(rng, objects=True)
    return HostileTable("polars", frame, columns)


def _arrow_table(rng: Generator) -> tuple[pa.Table, tuple[HostileColumn, ...]]:
    columns = []
    arrays = []
    for column in _columns(rng, list(GENERATORS)):
        plain = _arrow_array(column.values)
        if plain.type == pa.string() and not all(isinstance(value, str | None) for value in column.values):
            column = replace(column, expected="open")
        converted, column = _convert(rng, plain, column, ARROW_CONVERSIONS)
        arrays.append(converted)
        columns.append(column)
    return pa.table(arrays, names=[column.name for column in columns]), tuple(columns)


def _arrow(rng: Generator, folder: Path) -> HostileTable:
    table, columns = _arrow_table(rng)
    return HostileTable("pyarrow", table, columns)


def _binary_file(rng: Generator, folder: Path) -> HostileTable:
    """Write a Parquet or Arrow file by polars or pyarrow, sometimes a damaged one."""
    path = folder / str(rng.choice(["table.parquet", "table.arrow", "table.csv"]))
    parquet = bool(rng.random() < 0.5)
    try:
        columns = (_write_by_polars if rng.random() < 0.5 else _write_by_arrow)(rng, path, parquet)
    except _CONVERSION_ERRORS:
        path.write_bytes(b"")
        return HostileTable("damaged binary file", path)
    if rng.random() < 0.08:
        raw = path.read_bytes()
        path.write_bytes(_damaged(raw, rng))
        return HostileTable("damaged binary file", path)
    return HostileTable("binary file", path, columns)


def _write_by_polars(rng: Generator, path: Path, parquet: bool) -> tuple[HostileColumn, ...]:
    frame, columns = _polars_frame(rng, objects=False)
    if parquet:
        frame.write_parquet(path)
    else:
        frame.write_ipc(path)
    return columns


def _write_by_arrow(rng: Generator, path: Path, parquet: bool) -> tuple[HostileColumn, ...]:
    table, columns = _arrow_table(rng)
    if parquet:
        pa.parquet.write_table(table, str(path))
    else:
        pa.feather.write_feather(table, str(path))
    return columns


# Arrays and lists: their numbers are meant to be averaged.


def _array(rng: Generator, folder: Path) -> HostileTable:
    columns = _columns(rng, ["amounts", "whole_amounts", "balances", "codes", "households", "amounts_with_nan"])
    columns = tuple(replace(column, name=str(j), expected="plain") for j, column in enumerate(columns))
    values = np.array([column.values for column in columns], dtype=np.float64).T
    shapes: tuple[Callable[[], Any], ...] = (
        lambda: values,
        lambda: np.asfortranarray(values),
        lambda: values.astype(">f8"),
        lambda: values.astype(np.longdouble),
        lambda: values.tolist(),
        lambda: tuple(map(tuple, values)),
        lambda: values.astype(object),
    )
    array = shapes[int(rng.integers(len(shapes)))]()
    return HostileTable("array", array, columns, guessed=False)


def _odd_array(rng: Generator, folder: Path) -> HostileTable:
    """Return an array that is hard to read as a table, or not one."""
    values = rng.lognormal(9, 1, (int(rng.integers(0, 30)), int(rng.integers(0, 4))))
    rounded = np.nan_to_num(values).astype(np.int64)
    odd: tuple[Callable[[], Any], ...] = (
        lambda: rounded,
        lambda: rounded.astype(np.uint8),
        lambda: values.astype(np.float16),
        lambda: values.astype(complex),
        lambda: values.astype(str),
        lambda: values > 1e4,
        lambda: values[:, :1].ravel(),
        lambda: values[:, :, None],
        lambda: np.array(3.5),
        lambda: np.ma.masked_greater(values, 1e4),
        lambda: rounded.astype("datetime64[s]"),
        lambda: np.zeros(5, dtype=[("a", float), ("b", int)]),
        lambda: np.array([2**63, 2**53 + 1, 5] * 4, dtype=np.uint64),
        lambda: [[10**30, 1.5], [2, 3], [4, 5]],
        lambda: [[1, 2], [3]],
        lambda: [["a", 1.5], ["b", 2.5]],
        lambda: [{"a": 1}, {"a": 2}],
        list,
    )
    return HostileTable("odd array", odd[int(rng.integers(len(odd)))](), guessed=False)


def _no_table(rng: Generator, folder: Path) -> HostileTable:
    """Return an object that is not a table."""
    others: tuple[Callable[[], Any], ...] = (
        lambda: None,
        lambda: 5,
        lambda: folder,
        lambda: folder / "there is none.csv",
        lambda: "there is none.parquet",
        lambda: "",
        lambda: "a\0b",
        lambda: b"a,b\n1,2\n",
        lambda: {"a": [1.5, 2.5]},
        lambda: pd.Series([1.5, 2.5, 4.5]),
        lambda: pl.Series([1.5, 2.5, 4.5]),
        lambda: pl.LazyFrame({"a": [1.5, 2.5]}),
        lambda: pl.DataFrame(),
        pd.DataFrame,
        lambda: (row for row in [[1, 2], [3, 4]]),
        lambda: io.StringIO("a,b\n1,2\n"),
        object,
    )
    return HostileTable("no table", others[int(rng.integers(len(others)))]())


KINDS: dict[str, tuple[Callable[[Generator, Path], HostileTable], float]] = {
    "text file": (_text_file, 0.4),
    "pandas": (_pandas, 0.15),
    "polars": (_polars, 0.12),
    "pyarrow": (_arrow, 0.1),
    "binary file": (_binary_file, 0.1),
    "array": (_array, 0.06),
    "odd array": (_odd_array, 0.04),
    "no table": (_no_table, 0.03),
}
"""The function that makes each kind of table, and the share of that kind."""
