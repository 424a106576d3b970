"""Backends that read columns and write them back: one file a kind."""

from microagg.source.array import ArraySource
from microagg.source.delimited import DelimitedSource
from microagg.source.frame import FrameSource

__all__ = ["ArraySource", "DelimitedSource", "FrameSource"]
