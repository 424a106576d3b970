"""Dataframes that are made here."""

import polars as pl

from microagg.source.plain_frame import plain_frame


def test_columns_have_the_types_of_their_values() -> None:
    frame = plain_frame({"k": [3, 5], "loss": [1.5, None], "on_front": [True, False], "error": [None, None]})
    assert frame.schema == {"k": pl.Int64, "loss": pl.Float64, "on_front": pl.Boolean, "error": pl.String}
    assert frame["loss"].to_list() == [1.5, None]
