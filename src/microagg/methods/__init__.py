"""Methods by name: the grammar of names, the pipelines that they stand for, the named systems and the list of all."""

from microagg.methods.catalogue import Method, methods
from microagg.methods.pipelines import Pipeline
from microagg.methods.resolution import pipeline
from microagg.methods.systems import SYSTEMS

__all__ = ["SYSTEMS", "Method", "Pipeline", "methods", "pipeline"]
