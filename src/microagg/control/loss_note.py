"""Note of a progress report that carries the loss and the bound as numbers, besides its text."""

from typing import Self


class LossNote(str):
    """Text of a progress report, with the loss and the bound that it tells.

    Parameters
    ----------
    text
        The text, for people.
    loss
        Information loss in percent: of all records or, while some have no groups yet, of the others; None where it is
        not known.
    bound
        Loss that is proved to be below that of no partition, in percent; None where nothing is proved.

    Examples
    --------
    >>> from microagg.control.loss_note import LossNote
    >>> note = LossNote("loss 6.1250 %", loss=6.125).after("round 3, ")
    >>> note, note.loss, note.bound
    ('round 3, loss 6.1250 %', 6.125, None)
    """

    loss: float | None
    bound: float | None

    def __new__(cls, text: str, loss: float | None = None, bound: float | None = None) -> Self:
        """Make the note."""
        note = super().__new__(cls, text)
        note.loss = loss
        note.bound = bound
        return note

    def after(self, text: str) -> "LossNote":
        """Return the note with the same numbers, and another text before its own."""
        return LossNote(text + self, self.loss, self.bound)
