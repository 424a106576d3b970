"""Dataframes of any library that narwhals supports, and typed files, as a source of columns."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import NUMERIC, Column, Kind, floats, number_distinct
from microagg.model.errors import ReadError, WriteError
from microagg.model.source_protocol import Changes, FileKind
from microagg.source.frame_libraries import FrameLibrary, library_of, narwhals_frame
from microagg.source.object_columns import is_number
from microagg.source.polars_columns import detached, object_columns, series_of_column, series_of_objects, with_objects
from microagg.source.polars_files import save_frame, storable

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, repr=False)
class FrameSource:
    """Source of the columns of a dataframe, given by the user or read from a typed file.

    Parameters
    ----------
    frame
        The dataframe, its columns named by strings.
    labels
        The column labels of pandas, if these are not plain strings.
    path, file_kind, sha256
        The file that was read, if any; `frame` is then a polars dataframe.
    """

    frame: Any
    labels: Any = None
    path: Path | None = None
    file_kind: FileKind | None = None
    sha256: str | None = None
    may_hold_identifiers: ClassVar[bool] = True
    _kinds: dict[str, Kind] = field(default_factory=dict)

    def __repr__(self) -> str:
        where = "" if self.path is None else f"{self.path.name!r}, "
        return f"FrameSource({where}{self._library_name}, {self.n_records} records, {len(self.names)} columns)"

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle, without what can be computed again."""
        state = {each.name: getattr(self, each.name) for each in fields(self)} | {"_kinds": {}}
        objects = object_columns(self.frame)
        return state | {"frame": self.frame.drop(list(objects)), "_objects": objects} if objects else state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state, with the Python objects that polars does not pickle."""
        objects = state.pop("_objects", None)
        if objects is not None:
            state["frame"] = with_objects(state["frame"], objects)
        self.__dict__.update(state)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(narwhals_frame(self.frame).columns)

    @property
    def n_records(self) -> int:
        """The number of records."""
        return len(self.frame)

    @property
    def record_labels(self) -> Any:
        """The labels of the records, which pandas calls the index; None where the library has none."""
        index: Any = getattr(self.frame, "index", None)
        return index if hasattr(index, "equals") else None

    @property
    def has_index(self) -> bool:
        """Whether the records have labels, as in pandas: they are in no column, but in the released dataframe."""
        index = self.record_labels
        return index is not None and not index.equals(type(self.frame)(index=range(len(index))).index)

    @property
    def index_names(self) -> tuple[str, ...]:
        """The names of the labels of records, unless these only count them: those of columns are not among them."""
        if not self.has_index or type(self.frame.index).__name__ == "RangeIndex":
            return ()
        index = self.frame.index
        usual = ["index"] if index.nlevels == 1 else [f"level_{place}" for place in range(index.nlevels)]
        names = [other if name is None else str(name) for name, other in zip(index.names, usual, strict=True)]
        return tuple(f"{name} (index)" if name in self.names else name for name in names)

    def index_columns(self) -> "FrameSource":
        """Return the labels of records as columns."""
        names = self.index_names
        return FrameSource(self.frame.index.to_frame(index=False, name=names[0] if len(names) == 1 else list(names)))

    def header_doubt(self) -> str | None:
        """Return None: the columns of a dataframe are named for certain."""
        return None

    def kind(self, name: str) -> Kind:
        """Return the kind of a column."""
        if name not in self._kinds:
            self._kinds[name] = self._library.kind(self.frame, name)
        return self._kinds[name]

    def column(self, name: str) -> Column:
        """Return a column with its type."""
        return self._library.column(self.frame, name, self.kind(name))

    def numbers(self, name: str) -> FloatArray:
        """Return a column as floats; raise `ReadError`, naming the first other value, if it does not hold numbers."""
        if self.kind(name) in NUMERIC:
            return self.column(name).numbers()
        values = self.values(name)
        for row, value in enumerate(values):
            if value is not None and not is_number(value):
                raise ReadError(
                    f"column {name!r} is {narwhals_frame(self.frame)[name].dtype}, not numbers: row {row + 1} holds "
                    f"{value!r}; convert it, or leave it out by naming the columns"
                )
        return floats(values)

    def codes(self, name: str) -> IntArray:
        """Return a number for each value of a column, equal for equal values, of shape (n,)."""
        dtype = narwhals_frame(self.frame)[name].dtype
        if self.kind(name) == "number" and not dtype.is_float():  # decimals and fractions are compared exactly
            return number_distinct(self.values(name))
        return self.column(name).codes()

    def values(self, name: str) -> list[Any]:
        """Return the original values of a column, None where one is missing."""
        return self._library.values(self.frame, name)

    def description(self, name: str | None) -> Mapping[str, Any]:
        """Return the type and the categories of a column, or with None what pandas knows of the dataframe."""
        if name is None:
            return {
                "library": self._library_name if self.path is None else None,
                "index": "labels of records" if self.has_index else None,
                "attributes": dict(getattr(self.frame, "attrs", {})),
            }
        known = {"type": self._library.type_name(self.frame, name)}
        if self.kind(name) != "category":
            return known
        column = self.column(name)
        places = enumerate(column.categories or ())
        categories = {str(category): str(place) if column.ordered else "" for place, category in places}
        return known | {"categories": categories, "order of categories": "given" if column.ordered else None}

    def native(self, changes: Changes) -> Any:
        """Return the edited dataframe, of the same library; an index that only counts the records counts them anew."""
        native = detached(self._library.edited(self.frame, changes), changes)
        counts_records = self.record_labels is not None and not self.index_names
        if changes.without_index or (counts_records and len(native) < len(self.frame)):  # gaps tell who was left out
            native = self._without_index(native, changes.without_index)
        if self.labels is not None:
            native.columns = self.labels[[self.names.index(name) for name in changes.names]]
        if getattr(self.frame, "attrs", None):
            native.attrs = dict(self.frame.attrs)
        return native

    def _without_index(self, native: Any, names: Collection[str]) -> Any:
        """Return a dataframe without some of the labels of records."""
        kept = [place for place, name in enumerate(self.index_names) if name not in names]
        if not kept:
            return native.reset_index(drop=True)
        if native.index.nlevels != len(self.index_names):  # the records are reordered, and have no labels any more
            return native
        return native.droplevel([place for place in range(len(self.index_names)) if place not in kept])

    def save(self, changes: Changes, path: Path, kind: FileKind) -> None:
        """Write the edited dataframe as a file, without the index of pandas."""
        save_frame(self.written(changes, kind), path, kind)

    def written(self, changes: Changes, kind: FileKind) -> "pl.DataFrame":
        """Return the polars dataframe that is written as a file of this kind."""
        import polars as pl

        edited = FrameSource(self._library.edited(self.frame, changes))
        frame = edited.frame
        if not isinstance(frame, pl.DataFrame):
            frame = pl.DataFrame({name: edited._polars(name) for name in edited.names})
        return storable(frame, kind)

    def _polars(self, name: str) -> "pl.Series":
        """Return a column as a polars series; conversion by Arrow, the usual way, fails for some Python objects."""
        import polars as pl

        series = narwhals_frame(self.frame)[name]
        if _holds_objects(series.to_native()):
            typed = series_of_objects(self.values(name)).alias(name)
            return typed if typed.dtype != pl.Object else series_of_column(self.column(name))
        try:
            return series.to_polars().alias(name)
        except ImportError:
            raise WriteError(
                f"column {name!r} cannot be written to a file without the package pyarrow: install it"
            ) from None
        except (TypeError, ValueError, NotImplementedError, OverflowError, pl.exceptions.PolarsError):
            return series_of_column(self.column(name))

    @property
    def _library_name(self) -> str:
        return type(self.frame).__module__.partition(".")[0]

    @property
    def _library(self) -> FrameLibrary:
        return library_of(self.frame)


def _holds_objects(series: Any) -> bool:
    """Check whether a pandas series holds Python objects, or categories that are such."""
    dtype = getattr(series, "dtype", None)
    categories = getattr(dtype, "categories", None)
    return getattr(dtype if categories is None else categories.dtype, "char", "") == "O"
