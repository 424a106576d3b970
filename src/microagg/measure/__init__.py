"""Measures of a release: the information that it loses, and the risk that is left."""

from microagg.measure.information_loss import measure, measure_tables

__all__ = ["measure", "measure_tables"]
