"""Plan from the text that a page sent: never from a file that the text may name, and never from an endless one."""

import hashlib

from microagg.model.errors import InputError
from microagg.model.plan import Plan

_LONGEST = 1_000_000  # characters; a plan that names ten thousand columns is shorter


def parsed_plan(text: str) -> Plan:
    """Return the plan of a TOML text.

    Parameters
    ----------
    text
        The text of a plan. `Plan.from_toml` would open a text of one line as a file: here it is always a text.

    Raises
    ------
    InputError
        If it is no plan.
    """
    if len(text) > _LONGEST:
        raise InputError(
            f"a plan must have at most {_LONGEST} characters, found {len(text)}: name fewer columns, or use "
            "the command line"
        )
    return Plan.from_toml(f"{text}\n")


def plan_hash(text: str) -> str:
    """Return what a page sends along to say which plan it has shown.

    Parameters
    ----------
    text
        The text of the plan.
    """
    return hashlib.sha256(text.encode()).hexdigest()
