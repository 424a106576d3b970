"""Methods by name: grammar of names, pipelines, named systems, published names and the list of all."""

from microagg.methods.aliases import ALIASES, Alias
from microagg.methods.catalogue import Method, methods
from microagg.methods.individual_ranking import INDIVIDUAL_RANKING, column_method, separate_columns
from microagg.methods.pipelines import Pipeline
from microagg.methods.resolution import pipeline, set_pipeline
from microagg.methods.systems import SYSTEMS
from microagg.methods.weight_support import check_weighted

__all__ = [
    "ALIASES",
    "INDIVIDUAL_RANKING",
    "SYSTEMS",
    "Alias",
    "Method",
    "Pipeline",
    "check_weighted",
    "column_method",
    "methods",
    "pipeline",
    "separate_columns",
    "set_pipeline",
]
