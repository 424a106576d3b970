"""Errors of the package."""

import pickle

import microagg
from microagg import DoubtError, InputError, MicroaggError, PartitionError, VerificationError
from microagg.model.errors import Doubt


def test_every_error_is_one_of_ours() -> None:
    for name in ("ReadError", "WriteError", "MethodError", "CancelledError", "DoubtError"):
        assert issubclass(getattr(microagg, name), InputError)
    for mistake in (InputError, PartitionError):
        assert issubclass(mistake, MicroaggError)
        assert issubclass(mistake, ValueError)
    assert issubclass(VerificationError, MicroaggError)
    assert issubclass(VerificationError, RuntimeError)
    assert not issubclass(VerificationError, InputError)


def test_doubts_are_told_with_and_without_advice() -> None:
    assert str(DoubtError("found this")) == "found this"
    error = DoubtError("found this", [Doubt("x", "is odd")], ["y"], "do that")
    assert str(error) == "found this: do that"
    assert (error.finding, error.doubts, error.plain, error.advice) == (
        "found this",
        (("x", "is odd"),),
        ("y",),
        "do that",
    )
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.doubts, again.plain, again.advice) == (str(error), error.doubts, ("y",), "do that")
