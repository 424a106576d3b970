"""The table of proved optima says which runs it lacks, and what did not prove the optimum."""

from typing import Any

import prove_optima

PROVED: dict[str, Any] = {"status": "optimal", "gap": 0.0, "ended_by": None, "information_loss": 4.667938, "cpu": 61.4}
VERSIONS = dict.fromkeys((*prove_optima.PACKAGES, "python"), "1.0")


def test_every_cell_is_run_with_every_version_and_state() -> None:
    tasks = prove_optima.tasks()
    assert len(set(tasks)) == len(tasks) == 5 * 3 * 2
    assert len({prove_optima.state_of(task) for task in tasks}) == 1


def test_an_incomplete_table_says_what_was_not_run() -> None:
    assert prove_optima.section({}).startswith("No proof was run")
    first, second, *_ = prove_optima.tasks()
    open_gap = {"status": "bounded", "gap": 7.3e-6, "ended_by": "time_limit"}
    text = prove_optima.section({first: PROVED | VERSIONS, second: PROVED | VERSIONS | open_gap})
    assert "1 of 2 runs proved the optimum. The other 28 of 30 were not run: –." in text
    assert "| Census | 3 | 0 | 4.667938 | – | gap 7.3e-06, ended by time_limit, 61 s | optimal, 61 s |" in text
    assert "| EIA | 4 | 1 | – | – | – | – |" in text


def test_a_complete_table_lacks_nothing() -> None:
    text = prove_optima.section(dict.fromkeys(prove_optima.tasks(), PROVED | VERSIONS))
    assert text.startswith("30 of 30 runs proved the optimum. Seconds of processor time; python 1.0, numba 1.0")
    assert "–" not in text
