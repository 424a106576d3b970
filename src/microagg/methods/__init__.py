"""Methods by name: how names are read, what stages they stand for, which systems there are."""

from microagg.methods.catalogue import Method, methods
from microagg.methods.pipelines import Pipeline
from microagg.methods.systems import SYSTEMS, pipeline

__all__ = ["SYSTEMS", "Method", "Pipeline", "methods", "pipeline"]
