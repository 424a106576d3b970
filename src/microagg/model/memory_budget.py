"""Memory budget of a run: how much of the machine's memory it may use."""

import re
from numbers import Integral

from microagg.model.errors import InputError

SMALLEST_BUDGET = 400_000_000
"""Bytes: Python, its libraries and one block of records need so much."""

BYTES_OF_PROGRAM = 250_000_000
"""Memory of Python, its libraries, compiled kernels and the blocks at work."""

BYTES_PER_RECORD = 100
"""Memory of labels, orders and codes, whatever the number of columns."""

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_BUDGET = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([KMGT]?)B?", re.IGNORECASE)


def memory_budget(value: object) -> int:
    """Return a memory budget in bytes.

    Parameters
    ----------
    value
        A number of bytes, or a text such as "2G" or "512M": units are powers of 1000.

    Raises
    ------
    InputError
        If it is no such number, or too little for any run.

    Examples
    --------
    >>> memory_budget("1.5G")
    1500000000
    """
    if not isinstance(value, bool) and isinstance(value, Integral):
        budget = int(value)
    else:
        found = n_bytes_of(value) if isinstance(value, str) else None
        if found is None:
            raise InputError(f"memory must be a number of bytes, or a text such as '2G' or '512M', found {value!r}")
        budget = found
    if budget < SMALLEST_BUDGET:
        found_bytes = f"{value!r}, which is {budget} bytes"
        raise InputError(f"memory must be at least {SMALLEST_BUDGET // 10**6}M, found {found_bytes}: give it more")
    return budget


def n_bytes_of(text: str) -> int | None:
    """Return the number of bytes that a text such as "2G" or "512M" says; None if it says none."""
    found = _BUDGET.fullmatch(text.strip())
    return None if found is None else round(float(found[1]) * _UNITS[found[2].upper()])


def check_out_of_core(budget: int, n_records: int) -> None:
    """Refuse a memory budget that is too small for what stays in memory of a file that does not.

    Parameters
    ----------
    budget
        The memory budget in bytes.
    n_records
        The number of records of the file.

    Raises
    ------
    InputError
        If it is too small.
    """
    needed = BYTES_OF_PROGRAM + BYTES_PER_RECORD * n_records
    if budget < needed:
        least = f"{-(-needed // 10**8) / 10:.1f}G"
        raise InputError(
            f"memory must be at least {least} for {n_records} records, as some numbers of each stay in memory, found "
            f"{in_words(budget)}: give it more"
        )


def in_words(n_bytes: int) -> str:
    """Write a number of bytes for people, such as "1.5 GB"."""
    unit = "GB" if n_bytes >= 10**9 else "MB"
    return f"{n_bytes / 10 ** (9 if unit == 'GB' else 6):.3g} {unit}"
