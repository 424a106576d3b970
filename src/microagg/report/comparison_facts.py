"""Facts about a comparison: every candidate with its figures, the front, and what is recommended."""

from dataclasses import asdict
from typing import Any

from microagg.model.comparison import Candidate, Comparison
from microagg.model.figure import Figure


def comparison_facts(comparison: Comparison) -> dict[str, Any]:
    """Return what was found out about each candidate, and which one is recommended.

    Parameters
    ----------
    comparison
        The comparison.

    Returns
    -------
    dict
        Facts by name, as JSON can hold them. What each figure means stands once, under "figures".
    """
    recommended = comparison.recommended
    return {
        "file": comparison.file,
        "n_records": comparison.n_records,
        **asdict(comparison.aim),
        "figures": _figures(comparison),
        "candidates": [_candidate_facts(one, comparison) for one in comparison.candidates],
        "recommended": None if recommended is None else {"k": recommended.k, "method": recommended.method},
        "reason": comparison.reason,
    }


def _figures(comparison: Comparison) -> list[dict[str, Any]]:
    """Return what each figure means; the values are those of the candidates."""
    found: dict[str, Figure] = {}
    for candidate in comparison.candidates:
        for figure in candidate.figures:
            found.setdefault(figure.name, figure)
    about = ("name", "title", "topic", "unit", "higher", "sentence")
    return [{name: getattr(one, name) for name in about} for one in found.values()]


def _candidate_facts(candidate: Candidate, comparison: Comparison) -> dict[str, Any]:
    return {
        "k": candidate.k,
        "method": candidate.method,
        "k_reached": candidate.k_reached,
        "seconds": candidate.seconds,
        "on_front": candidate.on_front,
        "recommended": candidate is comparison.recommended,
        "error": candidate.error,
        "values": {one.name: one.value for one in candidate.figures},
        "notes": {one.name: one.note for one in candidate.figures if one.note},
    }
