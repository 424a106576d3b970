"""Tasks whose results are kept."""

from pathlib import Path

from cached_tasks import Result, Task, kept_results, run_tasks


def double(number: int) -> Result:
    return {"double": 2 * number}


def _state(task: Task) -> str:
    return "now"


def test_only_tasks_without_a_result_are_run(tmp_path: Path) -> None:
    cache = tmp_path / "results.jsonl"
    run = []

    def recorded(number: int) -> Result:
        run.append(number)
        return double(number)

    tasks = [("double", number) for number in range(3)]
    run_tasks(cache, _state, tasks[:2], {"double": recorded})
    results = run_tasks(cache, _state, tasks, {"double": recorded})
    assert run == [0, 1, 2]
    assert results == {task: {"double": 2 * task[1]} for task in tasks}


def test_results_of_another_state_do_not_count(tmp_path: Path) -> None:
    cache = tmp_path / "results.jsonl"
    run_tasks(cache, lambda task: "then", [("double", 1), ("double", 2)], {"double": double})
    assert kept_results(cache, [("double", 1)], _state) == {}
    assert kept_results(cache, [("double", 1)], lambda task: "then") == {("double", 1): {"double": 2}}


def test_prefixes_choose_tasks(tmp_path: Path) -> None:
    tasks = [("double", 1), ("double", 21)]
    results = run_tasks(tmp_path / "results.jsonl", _state, tasks, {"double": double}, ["double 2"])
    assert results == {("double", 21): {"double": 42}}
