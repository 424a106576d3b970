"""Reports as JSON, for other programs."""

import json

from microagg.model.names import shown_in_json
from microagg.report.facts import Facts


def as_json(facts: Facts) -> str:
    """Render facts as JSON."""
    return shown_in_json(json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False))
