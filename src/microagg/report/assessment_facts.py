"""Facts about an assessment: they show quantiles, extremes and totals of the original data."""

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from microagg.model.assessment import QUANTILE_LEVELS, Assessment


def assessment_facts(assessment: Assessment) -> dict[str, Any]:
    """Return everything that was measured of a release.

    Parameters
    ----------
    assessment
        What was measured.

    Returns
    -------
    dict
        Facts by name, as JSON can hold them: None in place of numbers that are not defined.
    """
    return {
        "shows_originals": True,
        "measures": _plain(asdict(assessment.measures)),
        "figures": [_plain(asdict(one)) for one in assessment.figures],
        "quantile_levels": list(QUANTILE_LEVELS),
        "numbers": [_plain(asdict(one)) for one in assessment.numbers],
        "categories": [_plain(asdict(one)) for one in assessment.categories],
        "correlations": None if assessment.correlations is None else _plain(asdict(assessment.correlations)),
        "regressions": [_plain(asdict(one)) for one in assessment.regressions],
        "domains": [_plain(asdict(one)) for one in assessment.domains],
        "parts": [_plain(asdict(one)) for one in assessment.parts],
        "confidential": [_plain(asdict(one)) for one in assessment.confidential],
        "singling_out": [_plain(asdict(one)) for one in assessment.singling_out],
        "group_sizes": _plain(assessment.group_sizes),
    }


def _plain(value: Any) -> Any:
    """Return a value that JSON can hold."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
