"""Reports as JSON, for other programs."""

import json

from microagg.report.facts import Facts


def as_json(facts: Facts) -> str:
    """Render facts as JSON."""
    return json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False)
