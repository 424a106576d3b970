"""Measure what the first use costs: CPU-seconds of compiling, kernel by kernel.

Usage: `python benchmarks/compile_times.py [companies] [census-size]`. Each workload runs in a process of its own, with
an empty cache of machine code and one worker. A kernel's time is its own: what it compiles on the way, other kernels
or parts of numba's library, is counted there. The `microagg` that Python finds is measured, so PYTHONPATH chooses
another checkout.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "companies.csv"
K = 3
CENSUS_SHAPE = (1080, 13)
WORKLOADS = {
    "companies": f"the first default protect of {EXAMPLE.name}, k = {K}",
    "census-size": f"the first default protect of {CENSUS_SHAPE[0]} × {CENSUS_SHAPE[1]} normal numbers, k = {K}",
}


def measure(workload: str) -> dict[str, Any]:
    """Run a workload in this process and return its CPU-seconds: of the import, in all, and of each kernel."""
    from numba.core import event

    class Clock(event.Listener):  # type: ignore[misc]
        """Listener that adds up the time of each compilation without those that start within it."""

        def __init__(self) -> None:
            self.running: list[list[float]] = []  # start, and time of the compilations within
            self.seconds: defaultdict[str, float] = defaultdict(float)
            self.compilations: Counter[str] = Counter()

        def on_start(self, event: Any) -> None:
            self.running.append([time.process_time(), 0.0])

        def on_end(self, event: Any) -> None:
            start, within = self.running.pop()
            took = time.process_time() - start
            function = event.data["dispatcher"].py_func
            name = f"{function.__module__}.{function.__qualname__}"
            self.seconds[name] += took - within
            self.compilations[name] += 1
            if self.running:
                self.running[-1][1] += took

    clock = Clock()
    event.register("numba:compile", clock)
    import microagg

    imported = time.process_time()
    wall = time.perf_counter()
    microagg.protect(_data(workload), K, run=microagg.Run(workers=1))
    return {
        "source": str(Path(microagg.__file__).parent),
        "import": imported,
        "total": time.process_time() - imported,
        "wall": time.perf_counter() - wall,
        "kernels": [[name, clock.seconds[name], clock.compilations[name]] for name in clock.seconds],
    }


def _data(workload: str) -> Any:
    """Return the table of a workload."""
    if workload == "companies":
        return EXAMPLE
    import numpy as np

    return np.random.default_rng(0).normal(size=CENSUS_SHAPE)


def measure_cold(workload: str) -> dict[str, Any]:
    """Run a workload in a new process with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, __file__, "--measure", workload]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def print_table(workload: str, found: dict[str, Any]) -> None:
    """Print the totals of a workload, and its kernels, most expensive first."""
    kernels = sorted(found["kernels"], key=lambda row: -row[1])
    compiling = sum(seconds for _, seconds, _ in kernels)
    count = sum(compilations for _, _, compilations in kernels)
    print(f"\n{workload}: {WORKLOADS[workload]}\n({found['source']})")
    print(f"{found['import']:8.2f} CPU-seconds to start Python and to import numba and microagg")
    print(f"{found['total']:8.2f} CPU-seconds for protect, {found['wall']:.2f} s wall")
    print(f"{compiling:8.2f} of them for compiling: {count} compilations of {len(kernels)} functions")
    print(f"{'CPU-s':>8} {'times':>6}  kernel")
    for name, seconds, compilations in kernels:
        print(f"{seconds:8.2f} {compilations:6}  {name.removeprefix('microagg.kernels.')}")


def main() -> None:
    """Measure the workloads that are named, or all."""
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(sys.argv[2])))
        return
    chosen = sys.argv[1:] or list(WORKLOADS)
    unknown = set(chosen) - set(WORKLOADS)
    if unknown:
        sys.exit(f"there is no workload {', '.join(sorted(unknown))}: known are {', '.join(WORKLOADS)}")
    for workload in chosen:
        print_table(workload, measure_cold(workload))


if __name__ == "__main__":
    main()
