"""Be what a table came from, and turn a changed table back into it: one file a kind."""

from microagg.source.array import ArraySource
from microagg.source.frame import FrameSource
from microagg.source.text import TextSource

__all__ = ["ArraySource", "FrameSource", "TextSource"]
