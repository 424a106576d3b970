"""Process that Python workers are forked from: what they all need is imported there once, and not in each.

Spark starts it in place of its own, where `spark.python.daemon.module` says `microagg.spark.worker_daemon`. Its workers
begin at once, and share the memory of what was imported.
"""

import gc
import importlib
import sys
from contextlib import redirect_stdout

MODULE = "microagg.spark.worker_daemon"
"""The value of the setting `spark.python.daemon.module`."""

_NEEDED = ("narwhals", "numba", "pyarrow", "pyspark.worker", "microagg.spark")  # no thread of these is lost by a fork


def import_needed() -> None:
    """Import what every task needs; whatever is printed meanwhile is kept from stdout, where Spark reads a number."""
    with redirect_stdout(sys.stderr):
        for name in _NEEDED:
            importlib.import_module(name)
    gc.freeze()  # else each collection in a worker would look through all of it, and copy its pages


if __name__ == "__main__":
    from pyspark import daemon

    import_needed()
    daemon.manager()
