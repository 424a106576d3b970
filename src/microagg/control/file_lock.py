"""Lock on an open file that ends with the process that holds it, however that ends."""

import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    def lock(file: BinaryIO) -> bool:
        """Lock a file, unless somebody else holds the lock.

        Returns
        -------
        bool
            Whether the lock is held now.
        """
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def lock(file: BinaryIO) -> bool:
        """Lock a file, unless somebody else holds the lock.

        Returns
        -------
        bool
            Whether the lock is held now.

        Raises
        ------
        OSError
            If the file system knows no locks.
        """
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
