"""What a rule has cost: the groups that violated it, and the loss before and after it was enforced."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RuleCost:
    """Cost of a rule that groups must satisfy.

    Parameters
    ----------
    sentence
        What the rule says.
    n_violating
        Number of groups that violated it.
    loss_before
        Information loss before it was enforced, in percent.
    loss_after
        Information loss of groups that satisfy it, in percent.
    """

    sentence: str
    n_violating: int
    loss_before: float
    loss_after: float
