"""Lines of a commented plan: options with their reasons, and options that are asked about."""

from collections.abc import Sequence
from typing import Any

from microagg.model.names import shown_in_toml

_INDENT = "    "


def given(option: str, value: Any, why: str) -> str:
    """Return the line of an option that is given, and why."""
    return f"{option} = {as_toml(value)}  {comment(why)}"


def asked(option: str, value: Any, question: str) -> str:
    """Return the line of an option that is commented out, and the question that it is the answer to."""
    return comment(f"{option} = {as_toml(value)}  # {question}")


def entries(
    option: str, active: Sequence[tuple[str, str]], doubtful: Sequence[tuple[str, str]] = (), question: str = ""
) -> list[str]:
    """Return the lines of a list of names, each with its reason; doubtful ones are commented out, with a question."""
    lines = [f"{option} = ["]
    lines += [f"{_INDENT}{as_toml(name)},  {comment(why)}" for name, why in active]
    lines += [f"{_INDENT}{comment(question)}"] if doubtful else []
    lines += [f"{_INDENT}{comment(f'{as_toml(name)},  # {why}')}" for name, why in doubtful]
    return [*lines, "]"]


def comment(text: str) -> str:
    """Return a comment of one line; TOML allows no control character in it."""
    return f"# {''.join(each if each.isprintable() else ' ' for each in text)}"


def as_toml(value: Any) -> str:
    """Return a value as TOML text of one line."""
    import tomlkit

    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update(value)
        return shown_in_toml(table.as_string())
    return shown_in_toml(tomlkit.item(value).as_string())
