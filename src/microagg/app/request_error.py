"""Request that is refused: the status of the answer, and a sentence for the user."""

from microagg.model.errors import MicroaggError


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
