"""States of sources: what a kept result depends on."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import source_state

Edit = Callable[[str, str, str], None]


@pytest.fixture
def edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Edit]:
    """Return a function that replaces text in a copy of a source, of which states are then computed."""
    shutil.copytree(source_state._SOURCES / "microagg", tmp_path / "microagg", ignore=shutil.ignore_patterns("*.pyc"))
    monkeypatch.setattr(source_state, "_SOURCES", tmp_path)
    _forget()

    def replace(file: str, old: str, new: str) -> None:
        path = tmp_path / "microagg" / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        _forget()

    yield replace
    _forget()


def _forget() -> None:
    for function in (source_state.method_state, source_state.modules_state, source_state._code, source_state._imported):
        function.cache_clear()


def test_another_explanation_or_decorator_changes_no_state(edit: Edit) -> None:
    before = source_state.method_state("mdav")
    edit("construct/mdav.py", '"""', '"""Another explanation. ')
    edit("construct/leftovers.py", "\ndef ", "\n# Another comment.\ndef ")
    edit("kernels/grouping/growth.py", "@kernel\n", "@another\n@kernel\n")
    edit("kernels/jit.py", '"""', '"""Other machinery. ')
    assert source_state.method_state("mdav") == before


@pytest.mark.parametrize("file", ["construct/mdav.py", "construct/leftovers.py", "kernels/grouping/growth.py"])
def test_other_code_changes_the_states_that_depend_on_it(file: str, edit: Edit) -> None:
    before = {method: source_state.method_state(method) for method in ("mdav", "icsm", "univariate")}
    edit(file, '"""\n', '"""\nANOTHER = 1\n')
    after = {method: source_state.method_state(method) for method in before}
    assert after["mdav"] != before["mdav"]
    assert after["icsm"] != before["icsm"]
    assert after["univariate"] == before["univariate"]


def test_another_method_changes_no_state(edit: Edit) -> None:
    before = source_state.method_state("mdav")
    edit("construct/__init__.py", '"""\n', '"""\nANOTHER = 1\n')
    edit("construct/mst.py", '"""\n', '"""\nANOTHER = 1\n')
    assert source_state.method_state("mdav") == before


@pytest.mark.parametrize(
    ("one", "other"), [("v-mdav(gamma=0.5)", "v-mdav"), ("dba-2", "dba-2p"), ("tsp-mhm", "tsp-mhm-tour")]
)
def test_other_parameters_are_another_state(one: str, other: str) -> None:
    assert source_state.method_state(one) != source_state.method_state(other)


def test_a_state_is_the_same_in_every_process() -> None:
    methods = ["reporder", "kmeans", "column-generation", "exact"]  # with functions and stages in their fields
    script = f"import source_state; print(*map(source_state.method_state, {methods}))"
    folder = Path(source_state.__file__).parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(folder.parent / "src")])}
    found = subprocess.check_output([sys.executable, "-c", script], env=environment, text=True)
    assert found.split() == [source_state.method_state(method) for method in methods]
