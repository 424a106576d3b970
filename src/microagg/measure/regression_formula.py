"""Formulas of regressions: the response, and the terms that explain it."""

import re
from typing import NamedTuple

from microagg.model.errors import InputError

_TOKEN = re.compile(r"\s*(?:`(?P<quoted>[^`]+)`|(?P<sign>[~+])|(?P<plain>[^\s~+`]+))")
_EXPECTED = "expected a response and terms, as in 'income ~ age + sex', names with blanks in backticks"


class Formula(NamedTuple):
    """A regression to be fitted.

    Parameters
    ----------
    text
        The formula as given.
    response
        Column that is explained.
    terms
        Columns that explain it.
    """

    text: str
    response: str
    terms: tuple[str, ...]


def parse_formula(text: str) -> Formula:
    """Parse a formula.

    Parameters
    ----------
    text
        As "income ~ age + sex"; names with blanks or signs in backticks: "`net income` ~ age".

    Returns
    -------
    Formula
        The response and the terms.

    Raises
    ------
    InputError
        If it is no such formula.
    """
    if not isinstance(text, str):
        raise InputError(f"a regression is a text, found {text!r}: {_EXPECTED}")
    tokens = _tokens(text)
    names = [name for name, _ in tokens[::2]]
    signs = [name for name, _ in tokens[1::2]]
    in_place = all(not is_sign for _, is_sign in tokens[::2]) and all(is_sign for _, is_sign in tokens[1::2])
    if not in_place or len(tokens) % 2 == 0 or signs[:1] != ["~"] or "~" in signs[1:]:
        raise InputError(f"the regression {text!r} cannot be read: {_EXPECTED}")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the regression {text!r} names column {name!r} {names.count(name)} times: name it once")
    return Formula(text, names[0], tuple(names[1:]))


def _tokens(text: str) -> list[tuple[str, bool]]:
    """Return the names and signs of a formula in order, and which of them are signs."""
    found = []
    place = 0
    stripped = text.rstrip()
    while place < len(stripped):
        token = _TOKEN.match(stripped, place)
        if token is None:
            raise InputError(f"the regression {text!r} has a backtick without its pair: {_EXPECTED}")
        found.append((token[token.lastgroup or 0].strip(), token.lastgroup == "sign"))
        place = token.end()
    return found
