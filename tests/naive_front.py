"""Slow and obvious versions: which candidates no other beats, and which is farthest from the chord between the ends."""

import math
from collections.abc import Sequence

Place = tuple[float, float]


def naive_front(places: Sequence[Place]) -> list[bool]:
    """Tell of each place whether there is no other that is as good on both axes and better on one."""
    found = []
    for mine in places:
        beaten = False
        for other in places:
            if other[0] < mine[0] and other[1] <= mine[1]:
                beaten = True
            if other[1] < mine[1] and other[0] <= mine[0]:
                beaten = True
        found.append(not beaten)
    return found


def naive_distances(front: Sequence[Place]) -> list[float]:
    """Return how far each place of a front lies below the line through its ends, when both axes go from 0 to 1."""
    left = min(x for x, _ in front)
    right = max(x for x, _ in front)
    low = min(y for _, y in front)
    high = max(y for _, y in front)
    distances = []
    for x, y in front:
        scaled_x = (x - left) / (right - left)
        scaled_y = (y - low) / (high - low)
        distances.append((1.0 - scaled_x - scaled_y) / math.sqrt(2.0))
    return distances
