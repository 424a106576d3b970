"""Place in the bytes of a file that is taken apart."""

import struct


class LayoutError(ValueError):
    """A file that is not laid out as expected."""


class ByteCursor:
    """Place in the bytes of a file.

    Parameters
    ----------
    data
        The bytes.
    order
        "<" if the least significant byte of a number comes first, else ">".
    """

    def __init__(self, data: bytes, order: str = "<") -> None:
        self.data = data
        self.order = order
        self.place = 0

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.place >= len(self.data)

    def take(self, n_bytes: int) -> bytes:
        """Return the next bytes."""
        found = self.data[self.place : self.place + n_bytes]
        if n_bytes < 0 or len(found) < n_bytes:
            raise LayoutError("it ends too early")
        self.place += n_bytes
        return found

    def rest(self) -> bytes:
        """Return everything that is left."""
        return self.take(len(self.data) - self.place)

    def expect(self, text: bytes) -> None:
        """Take some known bytes."""
        if self.take(len(text)) != text:
            raise LayoutError(f"{text.decode()!r} is missing")

    def follows(self, text: bytes) -> bool:
        """Take some bytes if they come next, and tell whether they did."""
        found = self.data.startswith(text, self.place)
        self.place += len(text) if found else 0
        return found

    def number(self, code: str) -> int:
        """Return the next number, of a type of `struct`."""
        layout = struct.Struct(self.order + code)
        return int(layout.unpack(self.take(layout.size))[0])

    def fields(self, count: int, size: int) -> list[bytes]:
        """Return some fields of the same size."""
        return [self.take(size) for _ in range(count)]


class Packer:
    """Numbers as bytes, in the order of bytes of a file.

    Parameters
    ----------
    order
        "<" if the least significant byte of a number comes first, else ">".
    """

    def __init__(self, order: str) -> None:
        self.order = order

    def __call__(self, code: str, *numbers: int) -> bytes:
        """Return numbers as bytes, each of a type of `struct`."""
        return struct.pack(f"{self.order}{len(numbers)}{code}", *numbers)
