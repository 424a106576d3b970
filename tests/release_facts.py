"""Facts of small releases for tests of pages, made once and changed as a test needs them."""

import json
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from document_cases import hostile_release
from microagg import protect
from microagg.report.document_facts import document_facts
from microagg.report.facts import OutputFile, facts

Facts = dict[str, Any]
CHECKSUM = "ab" * 32


@cache
def _texts() -> tuple[str, str]:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"x": rng.normal(size=60), "y": rng.normal(size=60), "town": ["a", "b"] * 30})
    release = protect(frame, 4, columns=["x", "y"], method="mdav", bound=True, measures="all")
    return json.dumps(facts(release, OutputFile("safe.csv", CHECKSUM))), json.dumps(document_facts(release))


@cache
def _hostile_texts() -> tuple[str, str]:
    release = hostile_release()
    output = OutputFile("<script>.csv", CHECKSUM)
    return json.dumps(facts(release, output)), json.dumps(document_facts(release))


def released(**of_set: Any) -> tuple[Facts, Facts]:
    """Return facts of a release and of its document; some facts of its column set may be replaced."""
    release, document = map(json.loads, _texts())
    for one in (release, document):
        one["sets"][0].update(of_set)
    return release, document


def hostile() -> tuple[Facts, Facts]:
    """Return facts of a release of columns with hostile names."""
    release, document = map(json.loads, _hostile_texts())
    return release, document
