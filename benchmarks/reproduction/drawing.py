"""Drawings of records in the plane."""

from typing import Any

import numpy as np

from microagg.model.arrays import FloatArray, IntArray

_MARKERS = "osD^vP*X"


def draw_groups(panel: Any, points: FloatArray | IntArray, labels: IntArray) -> None:
    """Draw records, and a line from each to the centroid of its group; each group has a colour and a marker."""
    for group in np.unique(labels):
        members = points[labels == group]
        centroid = members.mean(axis=0)
        colour = f"C{group}"
        for member in members:
            panel.plot(*zip(member, centroid, strict=True), color=colour, linewidth=0.8, alpha=0.6)
        panel.plot(*members.T, _MARKERS[group % len(_MARKERS)], color=colour, markersize=7)
    panel.margins(0.08)
    panel.set_xticks([])
    panel.set_yticks([])


def draw_path(panel: Any, points: FloatArray, path: IntArray) -> None:
    """Draw a path through records."""
    panel.plot(*points[path].T, "o-", color="C0", linewidth=1)
    panel.set_xticks([])
    panel.set_yticks([])
