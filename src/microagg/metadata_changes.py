"""List what has changed between two tables beside their values: types, labels, formats."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from microagg.model.change_report import MetadataChange
from microagg.model.table import Table

_Known = str | dict[str, str]
"""A text, which reports show; or entries by key, such as value labels, of which they show how many have changed."""

_NAMES = {"storage": "type", "measure": "measure level", "missing": "missing values", "file_label": "label"}
_NOT_KNOWN = (None, "", "unknown", 0)


@runtime_checkable
class _Described(Protocol):
    """Source that knows more of its columns than their values."""

    def description(self, name: str | None) -> Mapping[str, Any]:
        """Return the metadata of a column, or with None those of the file, as plain values by what they are."""


def table_metadata(table: Table) -> dict[str, _Known]:
    """Return what is known of a table beside its columns, its kind of file among it."""
    return {"kind of file": table.source.file_kind or "none"} | _described(table, None)


def column_metadata(table: Table, name: str) -> dict[str, _Known]:
    """Return what is known of a column beside its values."""
    return _described(table, name)


def metadata_changes(before: Mapping[str, _Known], after: Mapping[str, _Known]) -> tuple[MetadataChange, ...]:
    """Compare what is known of a table, or of a column, before and after.

    Parameters
    ----------
    before, after
        Texts, or entries, by name.

    Returns
    -------
    tuple of MetadataChange
        What differs, in the order of its names before, then of those that are new.
    """
    names = dict.fromkeys([*before, *after])
    changes = (_change(name, before.get(name), after.get(name)) for name in names)
    return tuple(change for change in changes if change is not None)


def _described(table: Table, name: str | None) -> dict[str, _Known]:
    if not isinstance(table.source, _Described):
        return {}
    described = table.source.description(name).items()
    known = {what: _plain(value) for what, value in described if not _is_unknown(value)}
    return {_NAMES.get(what, what.replace("_", " ")): value for what, value in known.items()}


def _is_unknown(value: Any) -> bool:
    return (isinstance(value, Mapping | Sequence) and not value) or value in _NOT_KNOWN


def _plain(value: Any) -> _Known:
    if isinstance(value, Mapping):
        return {_key(key): str(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return {str(number): str(each) for number, each in enumerate(value)}
    return str(value)


def _key(key: Any) -> str:
    """Return the key of an entry as a text: a code is the same, whether a file holds it as an integer or as a float."""
    return str(int(key)) if isinstance(key, float) and key.is_integer() else str(key)


def _change(what: str, before: _Known | None, after: _Known | None) -> MetadataChange | None:
    if before == after:
        return None
    if not isinstance(before, dict) and not isinstance(after, dict):
        return MetadataChange(what, before, after)
    old = _entries(before)
    new = _entries(after)
    return MetadataChange(
        what,
        lost=len(old.keys() - new.keys()),
        added=len(new.keys() - old.keys()),
        altered=len([key for key in old if key in new and old[key] != new[key]]),
    )


def _entries(known: _Known | None) -> dict[str, str]:
    if known is None:
        return {}
    return {"": known} if isinstance(known, str) else known
