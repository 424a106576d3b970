"""TOML text of a plan."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from microagg.model.errors import InputError, ReadError
from microagg.model.names import shown_in_toml

_FRESH = "fresh"  # stands for a random_state of None, which TOML lacks


def options_from_toml(source: str | PathLike[str]) -> dict[str, Any]:
    """Return the options in a TOML file, given by its path, or in TOML text."""
    import tomllib

    text, where = _text(source)
    try:
        options = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        twice = "a key is given twice: " if "overwrite" in str(error) else ""
        raise ReadError(f"{where} is not valid TOML: {twice}{error}") from None
    except RecursionError:
        raise ReadError(f"{where} is not valid TOML: brackets are nested too deeply, which no option needs") from None
    if options.get("random_state") == _FRESH:
        options["random_state"] = None
    return options


def options_to_toml(given: Mapping[str, Any]) -> str:
    """Return options as TOML text, as `options_from_toml` reads it."""
    import tomlkit

    document = tomlkit.document()
    options = dict(given)
    sets = options.pop("sets", [])
    if options.get("random_state", 0) is None:
        options["random_state"] = _FRESH
    for name, value in _plain(options).items():
        document.append(name, tomlkit.item(value))
    if sets:
        tables = tomlkit.aot()
        for one in sets:
            table = tomlkit.table()
            for name, value in _plain(one).items():
                table.append(name, tomlkit.item(value))
            tables.append(table)
        document.append("sets", tables)
    return shown_in_toml(tomlkit.dumps(document))


def _text(source: str | PathLike[str]) -> tuple[str, str]:
    """Return the text of a plan, and where it was found."""
    if isinstance(source, str) and ("\n" in source or ("=" in source and not Path(source).exists())):
        return source, "the plan"
    try:
        return Path(source).read_text(encoding="utf-8-sig"), str(source)
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise ReadError(f"the plan {source} is not UTF-8: save it as UTF-8") from None
        raise ReadError(f"cannot read the plan {source}: {getattr(error, 'strerror', None) or error}") from None


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as TOML can hold them; one that is None is as good as not given."""
    plain: dict[str, Any] = {}
    for name, value in options.items():
        values = value if isinstance(value, tuple) else (value,)
        if any(callable(one) for one in values):
            raise InputError(f"{name} holds a stage of your own, which TOML cannot hold: pass it as a keyword instead")
        if value is not None:
            plain[name] = _plain_value(value)
    return plain


def _plain_value(value: Any) -> Any:
    """Return a value as TOML can hold it: a list, or an inline table."""
    import tomlkit

    if isinstance(value, tuple):
        return [_plain_value(each) for each in value]
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        table.update({name: _plain_value(each) for name, each in value.items()})
        return table
    return value
