"""Types of the values of arguments."""

import argparse
import re


def integer(text: str) -> int:
    """Parse a whole number."""
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise argparse.ArgumentTypeError(f"must be a whole number, found {text!r}")
    return int(text)


def number(text: str) -> float:
    """Parse a number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, found {text!r}") from None


def delimiter(text: str) -> str:
    r"""Parse a delimiter, for which \t is a tab."""
    return "\t" if text == r"\t" else text
