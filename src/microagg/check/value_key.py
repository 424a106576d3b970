"""Key by which values of columns of any kind are compared: numbers as numbers, all else as text."""

from decimal import Decimal, InvalidOperation


def value_key(value: object) -> Decimal | str | None:
    """Return what a value is compared by: 1, 1.0 and "1" are the same number. None stays None."""
    if value is None:
        return None
    text = str(value).strip()
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    return number if number.is_finite() else text
