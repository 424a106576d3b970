"""Memory of this process, and memory of the machine that is free."""

import os
from contextlib import suppress
from pathlib import Path

_STATM = Path("/proc/self/statm")
_MEMINFO = Path("/proc/meminfo")
_CGROUP = Path("/sys/fs/cgroup")


def resident_bytes() -> int | None:
    """Return the memory that this process occupies now; None where the operating system does not tell."""
    with suppress(OSError, ValueError, IndexError):
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return None


def free_bytes() -> int | None:
    """Return the memory that is left for this process, of the machine or its container; None where that is unknown."""
    found = [number for number in (_available(), _left_in_container()) if number is not None]
    return min(found, default=None)


def _available() -> int | None:
    with suppress(OSError, ValueError, IndexError):
        for line in _MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _left_in_container() -> int | None:
    """Return what the limit of a control group leaves; None without one."""
    with suppress(OSError, ValueError):
        limit = int((_CGROUP / "memory.max").read_text())
        return max(0, limit - int((_CGROUP / "memory.current").read_text()))
    return None
