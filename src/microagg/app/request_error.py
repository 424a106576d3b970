"""Request that is refused: the status of the answer, and a sentence for the user."""

import errno

from microagg.model.errors import MicroaggError

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class RequestError(MicroaggError):
    """Request that is refused.

    Parameters
    ----------
    status
        Status of the answer, such as 404.
    sentence
        What was expected, what was found, and what to do.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.status, str(self))


def full_disk() -> RequestError:
    """Return the refusal of a request whose files do not fit on the disk."""
    return RequestError(
        507,
        "The disk of the server is full: nothing was kept. Free some space in the folder for temporary files, "
        "let TMPDIR name another one, or give the path of the file in place of an upload.",
    )


def is_full_disk(error: BaseException) -> bool:
    """Check whether an error is about a disk, or a quota, that has no room left."""
    return isinstance(error, OSError) and error.errno in _NO_ROOM
