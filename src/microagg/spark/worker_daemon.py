"""Process that Python workers are forked from: what they all need is imported there, once and not in each."""

import gc
import importlib

_NEEDED = ("pandas", "pyarrow", "pyspark.worker", "microagg.spark.block_stage", "numba")
"""Modules of a task. None starts a thread that a fork would lose: tests use them all in a forked worker."""


def main() -> None:
    """Import what workers need, then fork one whenever Spark asks for it."""
    for name in _NEEDED:
        importlib.import_module(name)
    gc.freeze()  # else a collection in a worker would write to the pages that all share
    from pyspark import daemon

    daemon.manager()


if __name__ == "__main__":
    main()
