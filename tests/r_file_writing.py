"""R files that tests read: data frames as R itself writes them, made of rdata's own parts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from rdata.conversion.to_r import ConverterFromPythonToR, build_r_char, build_r_object
from rdata.missing import R_INT_NA
from rdata.parser import RData as Parsed
from rdata.parser import RExtraInfo, RObject, RObjectType, RVersions
from rdata.unparser import unparse_file

_VERSIONS = RVersions(3, 0x40201, 0x30500)


class RWriter:
    """Maker of R objects; symbols that recur are written again, and not referred to."""

    def __init__(self) -> None:
        self._converter = ConverterFromPythonToR()

    def vector(self, values: Any, **attributes: Any) -> RObject:
        """Return a vector of numbers, booleans, texts or other objects, with attributes; None is a missing text."""
        if isinstance(values, list) and values and isinstance(values[0], RObject):
            return self._with_attributes(RObjectType.VEC, values, attributes)
        array = np.asarray(values)
        if array.dtype.kind in "OU":
            texts = self._converter.convert_to_r_object(np.array(values, dtype=object))
            return self._with_attributes(RObjectType.STR, texts.value, attributes)
        kind = {"b": RObjectType.LGL, "i": RObjectType.INT, "f": RObjectType.REAL}[array.dtype.kind]
        return self._with_attributes(kind, array, attributes)

    def with_missing(self, values: list[int | bool | None], **attributes: Any) -> RObject:
        """Return a vector of integers or booleans, None for missing ones."""
        missing = np.array([value is None for value in values])
        is_logical = any(isinstance(value, bool) for value in values)
        filled = [False if value is None else value for value in values]
        array = np.ma.array(np.array(filled, dtype=np.bool_ if is_logical else np.int32), mask=missing)
        kind = RObjectType.LGL if is_logical else RObjectType.INT
        return self._with_attributes(kind, array, attributes)

    def frame(self, columns: Mapping[str, RObject], **attributes: Any) -> RObject:
        """Return a data frame, whose rows are numbered unless it is given their names."""
        length = len(next(iter(columns.values())).value)
        rows = np.ma.array([R_INT_NA, -length], mask=[True, False], fill_value=R_INT_NA)
        numbered = build_r_object(RObjectType.INT, value=rows)
        known = {"names": list(columns), "class": "data.frame", "row.names": numbered, **attributes}
        return self._with_attributes(RObjectType.VEC, list(columns.values()), known)

    def save(self, objects: RObject | Mapping[str, RObject], path: Path, compression: Any = "gzip") -> Path:
        """Write one object as an .rds file, or several by name as an .rda file."""
        single = isinstance(objects, RObject)
        root = objects if isinstance(objects, RObject) else self._pairs(objects)
        parsed = Parsed(_VERSIONS, RExtraInfo("UTF-8"), root)
        unparse_file(path, parsed, file_type="rds" if single else "rda", compression=compression)
        return path

    def _with_attributes(self, kind: RObjectType, value: Any, attributes: Mapping[str, Any]) -> RObject:
        pairs = self._pairs(attributes) if attributes else None
        return build_r_object(kind, value=value, is_object="class" in attributes, attributes=pairs)

    def _pairs(self, pairs: Mapping[str, Any]) -> RObject:
        made = {name: self._as_object(value) for name, value in pairs.items()}
        rest = build_r_object(RObjectType.NILVALUE)
        for name, value in reversed(made.items()):
            symbol = build_r_object(RObjectType.SYM, value=build_r_char(name, encoding="utf-8"))
            rest = build_r_object(RObjectType.LIST, value=(value, rest), tag=symbol)
        return rest

    def _as_object(self, value: Any) -> RObject:
        if isinstance(value, RObject):
            return value
        return self.vector([value] if isinstance(value, str) else value)
