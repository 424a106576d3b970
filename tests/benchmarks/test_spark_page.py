"""The page of Spark can be written with all results or none; costs of a record are fitted to two runs."""

from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

from cluster_simulation import Cluster, record_costs, simulated
from scale_results import ScaleResults
from spark import write_page
from spark_data import SHAPES
from spark_runs import ENGINES

N = 1_000_000


def _result(n: int) -> dict[str, object]:
    return {
        "wall": 30.0 + 20e-6 * n,
        "cpu": 50.0 + 40e-6 * n,
        "others": 0.0,
        "peak": 2_000_000_000,
        "peaks": {"driver": 300_000_000, "java": 900_000_000, "worker": 800_000_000},
        "cpus": {"driver": 1.0, "java": 2.0, "worker": 3.0},
        "n_workers": 3,
        "loss": 3.75,
        "stages": [["rows", 1.5, 4], ["blocks, round 1 of 3", 12.0, 8]],
        "tasks": {"tasks": 12, "failed": 0, "shuffled": 500 * n, "spilled": 0, "written": 300 * n, "most_sent": n},
    }


def test_page_is_written_with_nothing_and_with_everything(tmp_path: Path) -> None:
    page = tmp_path / "spark.md"
    write_page(ScaleResults({}), N, page)
    assert "(Not measured yet.)" in page.read_text(encoding="utf-8")
    engines = {("engine", engine, N): _result(N) for engine in ENGINES}
    shapes = {("shape", shape, N // 5): _result(N // 5) for shape in SHAPES}
    same = {("same", N): {"same": True, "n_groups": 190_000}}
    write_page(ScaleResults({**engines, **shapes, **same}), N, page)
    text = page.read_text(encoding="utf-8")
    assert "(Not measured yet.)" not in text
    assert "the same to the last bit: 190 000 groups" in text
    assert "40 µs" in text


def test_releases_that_differ_are_told(tmp_path: Path) -> None:
    write_page(ScaleResults({("same", N): {"same": False, "n_groups": 1}}), N, tmp_path / "spark.md")
    assert "The releases are not the same" in (tmp_path / "spark.md").read_text(encoding="utf-8")


def test_costs_are_fitted_to_two_runs() -> None:
    costs = record_costs(_result(N), N, _result(N // 5), N // 5)
    assert costs.fixed == pytest.approx(50.0)
    assert costs.cpu == pytest.approx(40e-6)
    assert (costs.shuffled, costs.written) == (500.0, 300.0)


def test_simulation_grows_with_columns_and_records() -> None:
    costs = record_costs(_result(N), N, _result(N // 5), N // 5)
    figures = {what: text for what, text, _ in simulated(costs, Cluster(n=10**9, d=20, executors=50, cores=4))}
    assert figures["time"] == "0.1 hours"  # 80 µs × 10⁹ / (200 × 0.8) = 500 s
    assert figures["shuffled"] == "1.0 TB"
    assert figures["blocks"] == "40 000"
