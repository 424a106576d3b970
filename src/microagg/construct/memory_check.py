"""Refuse what would not fit into memory, before anything is done."""

from microagg.model.errors import MethodError


def check_memory(method: str, what: str, needed: float, limit: float, instead: str) -> None:
    """Say what a method needs so many bytes for, and what to do, if the limit is lower."""
    if needed > limit:
        raise MethodError(
            f"method {method!r} needs {needed / 1e9:.3g} GB for {what}, the limit is {limit / 1e9:.3g} GB: "
            f"choose a method such as {instead!r}, or allow more, as in '{method}(memory_limit={2 * needed:.0e})'"
        )
