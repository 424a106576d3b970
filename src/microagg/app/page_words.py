"""Words and numbers that several pages share."""

_UNITS = ("bytes", "kB", "MB", "GB")


def size_in_words(n_bytes: int) -> str:
    """Write the size of a file for people, such as "1.5 MB"."""
    size = float(n_bytes)
    place = 0
    while size >= 1000 and place < len(_UNITS) - 1:
        size /= 1000
        place += 1
    return f"{n_bytes} bytes" if place == 0 else f"{size:.1f} {_UNITS[place]}"


def whole_number(number: int) -> str:
    """Write a whole number with its thousands apart."""
    return f"{number:,}".replace(",", "\u202f") if number >= 10_000 else f"{number}"


def listed(names: list[str]) -> str:
    """Join words for a sentence: "a, b and c"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
