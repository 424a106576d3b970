"""Errors of the package."""

from microagg import (
    InputError,
    MicroaggError,
    PartitionError,
)


def test_every_error_is_one_of_ours() -> None:
    assert issubclass(InputError, MicroaggError)
    assert issubclass(InputError, ValueError)
    assert issubclass(PartitionError, MicroaggError)
