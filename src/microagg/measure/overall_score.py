"""Overall scores: disclosure risk, and the balance between risk and loss, each from other figures in percent."""


def disclosure_risk(dld: float | None, interval_disclosure: float | None) -> float | None:
    """Return the mean of distance-based linkage and interval disclosure: DR = (DLD + ID)/2.

    Parameters
    ----------
    dld, interval_disclosure
        Figures "dld" and "id", in percent.

    Returns
    -------
    float or None
        In percent; None where one of them is.
    """
    return _weighted((0.5, dld), (0.5, interval_disclosure))


def assess_score(pil: float | None, disclosure_risk: float | None) -> float | None:
    """Return the score of ASSESS: (DR + PIL)/2; the lower, the better the balance of risk and loss.

    Parameters
    ----------
    pil, disclosure_risk
        Figures "pil" and "disclosure_risk", in percent.

    Returns
    -------
    float or None
        In percent; None where one of them is.
    """
    return _weighted((0.5, disclosure_risk), (0.5, pil))


def classic_score(
    loss: float | None, dld: float | None, pld: float | None, interval_disclosure: float | None
) -> float | None:
    """Return the classic score: 0.5·IL + 0.125·DLD + 0.125·PLD + 0.25·ID; the lower, the better.

    Parameters
    ----------
    loss
        Information loss, in percent.
    dld, pld, interval_disclosure
        Figures "dld", "pld" and "id", in percent.

    Returns
    -------
    float or None
        In percent; None where one of them is.
    """
    return _weighted((0.5, loss), (0.125, dld), (0.125, pld), (0.25, interval_disclosure))


def _weighted(*terms: tuple[float, float | None]) -> float | None:
    total = 0.0
    for weight, value in terms:
        if value is None:
            return None
        total += weight * value
    return total
