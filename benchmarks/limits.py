"""Measure how soon a run ends that is cancelled from another thread, or limited in time on the command line.

Prints how long each takes, cold (nothing compiled yet) and warm.
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

CANCELLED_AFTER = 2.0  # seconds
CANCELLED_RECORDS = 200_000
TIME_LIMIT = 10.0  # seconds
LIMITED_RECORDS = 1_000_000
N_COLUMNS = 10
K = 5
N_CLUSTERS = 50


def records(n: int) -> np.ndarray:
    """Draw a mixture of Gaussians with heavy-tailed standard deviations."""
    rng = np.random.default_rng(0)
    centres = rng.normal(scale=10.0, size=(N_CLUSTERS, N_COLUMNS))
    spread = rng.lognormal(sigma=1.0, size=(N_CLUSTERS, 1))
    cluster = rng.integers(N_CLUSTERS, size=n)
    return np.asarray(centres[cluster] + spread[cluster] * rng.normal(size=(n, N_COLUMNS)))


def cancelled() -> None:
    """Cancel `protect` from another thread, and print how long it takes to return a legal release."""
    X = records(CANCELLED_RECORDS)
    run = Run()
    threading.Timer(CANCELLED_AFTER, run.cancel).start()
    start = time.perf_counter()
    release = protect(X, K, run=run)
    seconds = time.perf_counter() - start
    print(
        f"cancelled after {CANCELLED_AFTER:g} s at n = {CANCELLED_RECORDS}: returned after {seconds:.1f} s, "
        f"k reached {release.measures.k_reached}, loss {release.information_loss:.3f} %, "
        f"{release.solution.fallback_share:.0%} by the fallback"
    )


def limited(cache: Path, state: str) -> None:
    """Limit the time of a command, and print how long it takes from file to file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = ",".join(f"c{j}" for j in range(N_COLUMNS))
        X = records(LIMITED_RECORDS)
        np.savetxt(folder / "big.csv", X, fmt="%.6f", delimiter=",", header=names, comments="")
        command = [sys.executable, "-m", "microagg", "protect", "big.csv", "-k", str(K), "-o", "safe.csv"]
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
        start = time.perf_counter()
        done = subprocess.run(
            [*command, "--columns", names, "--time-limit", f"{TIME_LIMIT:g}"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        seconds = time.perf_counter() - start
    print(f"--time-limit {TIME_LIMIT:g} at n = {LIMITED_RECORDS}, {state}: {seconds:.1f} s from file to file")
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
