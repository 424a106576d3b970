"""Classes of records that share all of their released values."""

import polars as pl

from microagg.measure.released_classes import ReleasedClasses
from risk_tables import compared


def test_classes_by_hand() -> None:
    frame = pl.DataFrame({"x": [1, 2, 1, None, None, 2], "c": ["a", "b", "a", "a", "a", "a"], "other": range(6)})
    classes = ReleasedClasses.of(compared(frame, frame, ["x", "c"]))
    assert len(classes) == 4
    assert classes.n_records == 6
    assert sorted(classes.sizes.tolist()) == [1, 1, 2, 2]
    assert classes.labels[classes.firsts].tolist() == [0, 1, 2, 3]
    assert sorted(classes.firsts.tolist()) == [0, 1, 3, 5]
    assert classes.size_counts() == ((1, 2), (2, 2))
