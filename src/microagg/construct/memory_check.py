"""Check of the memory that a method needs, before any work is done."""

from microagg.model.errors import MethodError


def check_memory(method: str, what: str, needed: float, limit: float, instead: str) -> None:
    """Raise an error if a method needs more memory than allowed.

    Parameters
    ----------
    method
        The name of the method.
    what
        What it needs the memory for.
    needed, limit
        The bytes that it needs, and those that it may use.
    instead
        A method that needs less.
    """
    if needed > limit:
        raise MethodError(
            f"method {method!r} needs {needed / 1e9:.3g} GB for {what}, the limit is {limit / 1e9:.3g} GB: "
            f"choose a method such as {instead!r}, or allow more, as in '{method}(memory_limit={2 * needed:.0e})'"
        )
