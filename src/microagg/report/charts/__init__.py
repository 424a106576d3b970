"""Charts as inline SVG, of plain numbers and texts: nothing in them runs, and nothing is fetched."""

from microagg.report.charts.bar_charts import category_bars, histogram
from microagg.report.charts.heat_map import heat_map
from microagg.report.charts.loss_curve import CurvePoint, loss_curve
from microagg.report.charts.risk_utility_map import MapPoint, risk_utility_map
from microagg.report.charts.size_chart import group_sizes
from microagg.report.charts.svg import Caption

__all__ = [
    "Caption",
    "CurvePoint",
    "MapPoint",
    "category_bars",
    "group_sizes",
    "heat_map",
    "histogram",
    "loss_curve",
    "risk_utility_map",
]
