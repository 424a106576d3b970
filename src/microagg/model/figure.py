"""Figure: one measured number of a release, with its unit, its direction and what it says."""

import math
from dataclasses import dataclass, replace
from typing import Literal

Topic = Literal["utility", "risk"]
Direction = Literal["loses more", "keeps more", "riskier", "safer"]


@dataclass(frozen=True)
class Figure:
    """One measured number of a release.

    Parameters
    ----------
    name
        Name by which programs find it: lower case, words joined by underscores.
    title
        Name for people.
    topic
        What it is about: "utility" or "risk".
    value
        The number; None where it is not defined for these data: `note` says why.
    unit
        Unit: "%", "records", "σ", "" for a plain number or ratio.
    higher
        What a higher value means: "loses more", "keeps more", "riskier" or "safer".
    sentence
        What the number says, in one sentence.
    note
        What must be known of this very value: a sample that it was taken from, or why there is none.

    Examples
    --------
    >>> from microagg import Figure
    >>> Figure("dld", "record linkage by distance", "risk", 12.5, "%", "riskier", "Records that are found again.").value
    12.5
    """

    name: str
    title: str
    topic: Topic
    value: float | None
    unit: str
    higher: Direction
    sentence: str
    note: str = ""

    def measured(self, value: float | None, note: str = "") -> "Figure":
        """Return the same figure with a value.

        Parameters
        ----------
        value
            The number; one that is not finite becomes None.
        note
            What must be known of it.

        Returns
        -------
        Figure
            With this value.
        """
        if value is None or math.isfinite(value):
            return replace(self, value=value, note=note)
        return replace(self, value=None, note=note or "the number is too large to be stated")
