"""Measure how soon a run ends that is told to: cancelled from another thread, and by a time limit on the command line.

Prints how long each took, cold (nothing compiled yet) and warm.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from microagg import Run, protect

CANCELLED_AFTER, CANCELLED_RECORDS = 2.0, 200_000
TIME_LIMIT, LIMITED_RECORDS = 10.0, 1_000_000
COLUMNS, K = 10, 5


def records(n: int) -> np.ndarray:
    """Draw a mixture of fifty Gaussians with heavy-tailed spread."""
    rng = np.random.default_rng(0)
    centres = rng.normal(scale=10.0, size=(50, COLUMNS))
    spread = rng.lognormal(sigma=1.0, size=(50, 1))
    which = rng.integers(50, size=n)
    return np.asarray(centres[which] + spread[which] * rng.normal(size=(n, COLUMNS)))


def cancelled() -> None:
    """Cancel `protect` from another thread, and say how long it took to come back with a legal release."""
    X = records(CANCELLED_RECORDS)
    run = Run()
    threading.Timer(CANCELLED_AFTER, run.cancel).start()
    began = time.perf_counter()
    release = protect(X, K, run=run)
    took = time.perf_counter() - began
    print(
        f"cancelled after {CANCELLED_AFTER:g} s at n = {CANCELLED_RECORDS}: back after {took:.1f} s, "
        f"k reached {release.measures.k_reached}, loss {release.information_loss:.3f} %, "
        f"{release.solution.fallback_share:.0%} by the fallback"
    )


def limited(cache: Path, what: str) -> None:
    """Limit the command line's time, file to file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = ",".join(f"c{j}" for j in range(COLUMNS))
        X = records(LIMITED_RECORDS)
        np.savetxt(folder / "big.csv", X, fmt="%.6f", delimiter=",", header=names, comments="")
        command = [sys.executable, "-m", "microagg", "protect", "big.csv", "-k", str(K), "-o", "safe.csv"]
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
        began = time.perf_counter()
        done = subprocess.run(
            [*command, "--columns", names, "--time-limit", f"{TIME_LIMIT:g}"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        took = time.perf_counter() - began
    print(f"--time-limit {TIME_LIMIT:g} at n = {LIMITED_RECORDS}, {what}: {took:.1f} s from file to file")
    for line in done.stdout.splitlines():
        if line.startswith(("constructing", "refining", "groups", "information loss", "verified")):
            print(f"    {line}")


def main() -> None:
    """Measure both."""
    with tempfile.TemporaryDirectory() as cache:
        limited(Path(cache), "cold")
        limited(Path(cache), "warm")
    protect(records(1000), K, effort="quick")  # compile
    cancelled()


if __name__ == "__main__":
    main()
