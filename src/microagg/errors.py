"""Name everything that can go wrong, so that a caller can tell its own mistake from ours."""


class MicroaggError(Exception):
    """Be the root of all errors of this package."""


class InputError(MicroaggError, ValueError):
    """Say that what the user gave cannot be used: one sentence, and what to do."""


class ReadError(InputError):
    """Say that a file or an object cannot be read as a table."""


class WriteError(InputError):
    """Say that a table cannot be written where it was asked to be."""


class MethodError(InputError):
    """Say that a method is unknown, or cannot do what was asked of it."""


class PartitionError(MicroaggError, ValueError):
    """Refuse a grouping that is not a partition into groups of at least k."""


class VerificationError(MicroaggError, RuntimeError):
    """Refuse a result that fails its own check: a defect of this package."""
