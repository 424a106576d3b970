"""Types of the values of arguments."""

import argparse
import re

from microagg.model.errors import InputError
from microagg.model.location import Location, location
from microagg.model.memory_budget import memory_budget, n_bytes_of


def integer(text: str) -> int:
    """Parse a whole number."""
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise argparse.ArgumentTypeError(f"must be a whole number, found {text!r}")
    return int(text)


def integers(text: str) -> list[int]:
    """Parse whole numbers that are separated by commas."""
    return [integer(part.strip()) for part in text.split(",")]


def method_names(text: str) -> list[str]:
    """Parse names of methods that are separated by commas, which may stand within parentheses, too."""
    return [part.strip() for part in re.split(r",(?![^()]*\))", text)]


def number(text: str) -> float:
    """Parse a number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, found {text!r}") from None


def table_location(text: str) -> Location:
    """Parse where a table is: a file, or the address of a table of a database; no password is ever shown."""
    try:
        return location(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def frame_name(text: str) -> str:
    """Parse where records of Spark are: the path of a file or folder, or "table:" and a name."""
    if text in ("", "-", "table:"):
        raise argparse.ArgumentTypeError(f"must be a folder or file of Parquet, or table:NAME, found {text!r}")
    return text


def setting(text: str) -> tuple[str, str]:
    """Parse a setting, KEY=VALUE."""
    name, separator, value = text.partition("=")
    if not name.strip() or not separator:
        raise argparse.ArgumentTypeError(f"must be KEY=VALUE, as spark.executor.memory=8g, found {text!r}")
    return name.strip(), value


def memory(text: str) -> int:
    """Parse an amount of memory."""
    try:
        return memory_budget(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("memory ")) from None


def n_bytes(text: str) -> int:
    """Parse a size of files."""
    found = n_bytes_of(text)
    if not found:
        raise argparse.ArgumentTypeError(f"must be a size such as 2G or 500M, found {text!r}")
    return found


def delimiter(text: str) -> str:
    r"""Parse a delimiter, for which \t is a tab."""
    return "\t" if text == r"\t" else text
