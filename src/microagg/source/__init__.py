"""Sources of columns, which read them and write them back: arrays, dataframes, text files."""

from microagg.source.array import ArraySource
from microagg.source.delimited import DelimitedSource
from microagg.source.frame import FrameSource

__all__ = ["ArraySource", "DelimitedSource", "FrameSource"]
