"""Files and streams that tests read from and write to."""

import io
from pathlib import Path


def write_bytes(path: Path, content: str | bytes) -> Path:
    """Write a file and return its path."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


class Stream:
    """Stand-in for standard input or output."""

    def __init__(self, content: bytes = b"") -> None:
        self.buffer = io.BytesIO(content)
