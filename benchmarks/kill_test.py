"""Kill out-of-core runs of the command line at random moments, and look at what they leave.

    python benchmarks/kill_test.py [--moments 20] [--seed 0] [--records 600000] [--folder FOLDER]

After every kill, the input and an earlier output must be as they were; then the run is resumed, and must write the very
bytes of a run that was not disturbed, and leave no other file. Each line says when the run was killed, what it left,
and how long resuming took.
"""

import argparse
import hashlib
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

N_COLUMNS = 10
OPTIONS = (
    "-k",
    "5",
    "--method",
    "mdav+descent",
    "--block-size",
    "4000",
    "--rounds",
    "2",
    "--memory",
    "400M",
)


class Files(NamedTuple):
    """Files of the test, all in one folder."""

    source: Path
    target: Path
    undisturbed: Path

    def names(self) -> list[str]:
        """Return the names of all files there."""
        return sorted(path.name for path in self.source.parent.iterdir())


def main() -> None:
    """Kill and resume, and exit with 1 if anything is not as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--moments", type=int, default=20, help="number of kills")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--records", type=int, default=600_000, help="enough not to fit in 400 MB")
    parser.add_argument("--folder", type=Path, help="where files are made (default: a temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        files = Files(folder / "in.parquet", folder / "safe.parquet", folder / "undisturbed.parquet")
        _write_records(files.source, options.records)
        failures = kill_and_resume(files, options.moments, options.seed)
    print(f"{options.moments} killed, {failures} failures")
    sys.exit(1 if failures else 0)


def kill_and_resume(files: Files, n_moments: int, seed: int) -> int:
    """Kill runs at random moments and resume them; return how many were not as they should be."""
    _ended(_protect(files.source, files.undisturbed))  # compiles
    began = time.perf_counter()
    said = _ended(_protect(files.source, files.undisturbed))
    seconds = time.perf_counter() - began
    if "out of core" not in said:
        sys.exit(f"the run was not out of core: name more records; it said {said}")
    print(f"undisturbed: {seconds:.1f} s, out of core", flush=True)
    rng = np.random.default_rng(seed)
    kills: list[bool] = []  # whether each run that was killed in time failed
    failures_of_ended = 0
    while len(kills) < n_moments:
        killed, failed = _one_kill(files, float(rng.uniform(0.0, seconds)))
        if killed:
            kills.append(failed)
        else:
            failures_of_ended += failed
    return sum(kills) + failures_of_ended


def _one_kill(files: Files, moment: float) -> tuple[bool, bool]:
    """Kill a run, check what is left, and resume it; return whether it was still running, and whether it failed."""
    earlier = b"an earlier output"
    files.target.write_bytes(earlier)
    source = _sha256(files.source)
    process = _protect(files.source, files.target)
    killed = _killed_after(process, moment)
    left = [name for name in files.names() if name.endswith(".microagg-work")]
    results = len(list(files.source.parent.glob("*.microagg-work/checkpoint/**/*.npz")))
    intact = _sha256(files.source) == source and (not killed or files.target.read_bytes() == earlier)
    intact &= set(files.names()) <= {*left, *(path.name for path in files)}
    began = time.perf_counter()
    _ended(_protect(files.source, files.target, "--resume"))
    seconds = time.perf_counter() - began
    same = _sha256(files.target) == _sha256(files.undisturbed)
    clean = files.names() == sorted(path.name for path in files)
    failed = not (intact and same and clean and _sha256(files.source) == source)
    print(
        f"{'killed' if killed else 'ended '} after {moment:6.1f} s: left {len(left)} folders, {results:3d} blocks; "
        f"{'intact' if intact else 'DAMAGED'}; resumed in {seconds:5.1f} s: "
        f"{'the same bytes' if same else 'OTHER BYTES'}, {'no' if clean else 'SOME'} stray files",
        flush=True,
    )
    return killed, failed


def _killed_after(process: "subprocess.Popen[bytes]", seconds: float) -> bool:
    """Kill a process after some time; return whether it was still running."""
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def _protect(source: Path, target: Path, *words: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "microagg", "protect", str(source), "-o", str(target), "--force", *OPTIONS, *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _ended(process: "subprocess.Popen[bytes]") -> str:
    """Wait for a process, and return what it said; one that fails ends the test."""
    said = process.communicate()[1].decode(errors="replace")
    if process.returncode:
        sys.exit(f"microagg ended with {process.returncode}: {said[-500:]}")
    return said


def _write_records(path: Path, n_records: int) -> None:
    X = np.random.default_rng(0).normal(size=(n_records, N_COLUMNS))
    pl.DataFrame({f"x{column}": X[:, column] for column in range(N_COLUMNS)}).write_parquet(path)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    main()
