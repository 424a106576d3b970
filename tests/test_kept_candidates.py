"""Finished candidates in a file: taken over where nothing has changed, and never cut in half."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from candidates import candidate
from microagg import InputError, Plan, WriteError, read
from microagg.kept_candidates import KeptCandidates
from microagg.model.limits import Limits

PLAN = Plan(k=3)
FIGURES = ["information_loss", "dld"]
NUMBERS = np.arange(12.0).reshape(6, 2)


def _kept(path: Path, numbers: object = NUMBERS, figures: list[str] = FIGURES) -> KeptCandidates:
    return KeptCandidates(path, read(numbers), figures)


def test_a_candidate_comes_back_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "candidates.jsonl"
    assert _kept(file).load(PLAN) is None
    _kept(file).store(PLAN, candidate(3, 1.25, None))
    assert _kept(file).load(PLAN) == candidate(3, 1.25, None)


def test_any_change_makes_it_another_candidate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "candidates.jsonl"
    _kept(file).store(PLAN, candidate(3, 1.0, 2.0))
    others = NUMBERS.copy()
    others[5, 1] += 1e-9
    assert _kept(file).load(Plan(k=4)) is None
    assert _kept(file).load(Plan(k=3, method="mdav")) is None
    assert _kept(file).load(Plan(k=3, random_state=1)) is None
    assert _kept(file, others).load(PLAN) is None
    assert _kept(file, NUMBERS[::-1]).load(PLAN) is None
    assert _kept(file, NUMBERS.astype(np.int64)).load(PLAN) is None
    assert _kept(file, figures=[*FIGURES, "id"]).load(PLAN) is None
    assert _kept(file, figures=FIGURES[::-1]).load(PLAN) is not None
    limited = KeptCandidates(file, read(NUMBERS), FIGURES, Limits(time_limit=1.0))
    assert limited.load(PLAN) is None
    monkeypatch.setattr("microagg.resumption.__version__", "0.0.1")
    assert _kept(file).load(PLAN) is None


def test_text_and_missing_values_count(tmp_path: Path) -> None:
    file = tmp_path / "candidates.jsonl"
    tables = [
        pl.DataFrame({"x": [1.0, 2.0], "c": ["a", "b"]}),
        pl.DataFrame({"x": [1.0, 2.0], "c": ["a", "c"]}),
        pl.DataFrame({"x": [1.0, 2.0], "c": ["a", None]}),
        pl.DataFrame({"x": [1.0, 2.0], "d": ["a", "b"]}),
        pl.DataFrame({"x": [1.0, None], "c": ["a", "b"]}),
    ]
    for number, table in enumerate(tables):
        kept = _kept(file, table)
        assert kept.load(PLAN) is None
        kept.store(PLAN, candidate(3, float(number), 1.0))
    assert [_kept(file, table).load(PLAN) for table in tables] == [
        candidate(3, float(number), 1.0) for number in range(len(tables))
    ]


def test_a_file_is_known_by_its_checksum(tmp_path: Path) -> None:
    data = tmp_path / "in.csv"
    data.write_text("x;y\n1;2\n3;4\n")
    file = tmp_path / "candidates.jsonl"
    KeptCandidates(file, read(data), FIGURES).store(PLAN, candidate(3, 1.0, 2.0))
    assert KeptCandidates(file, read(data), FIGURES).load(PLAN) is not None
    assert KeptCandidates(file, read(data, delimiter=","), FIGURES).load(PLAN) is None
    assert KeptCandidates(file, read(data).without(["y"]), FIGURES).load(PLAN) is None
    data.write_text("x;y\n1;2\n3;5\n")
    assert KeptCandidates(file, read(data), FIGURES).load(PLAN) is None


def test_a_line_that_was_cut_off_is_left_out_and_the_next_one_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "candidates.jsonl"
    for k in (3, 4):
        _kept(file).store(Plan(k=k), candidate(k, 1.0, 2.0))
    whole = file.read_bytes()
    for cut in range(whole.index(b"\n") + 2, len(whole), 97):
        file.write_bytes(whole[:cut])
        kept = _kept(file)
        assert kept.load(Plan(k=3)) in (None, candidate(3, 1.0, 2.0))
        kept.store(Plan(k=5), candidate(5, 1.0, 2.0))
        assert _kept(file).load(Plan(k=5)) == candidate(5, 1.0, 2.0)


def test_a_file_of_something_else_is_refused_and_stays(tmp_path: Path) -> None:
    for text in ("x,y\n1,2\n", "{}\n", "[1]\n", "\n\n"):
        file = tmp_path / "other"
        file.write_text(text)
        with pytest.raises(InputError, match="is there, but holds something else: name another file"):
            _kept(file)
        assert file.read_text() == text


def test_an_empty_file_is_as_good_as_none(tmp_path: Path) -> None:
    file = tmp_path / "candidates.jsonl"
    file.touch()
    _kept(file).store(PLAN, candidate(3, 1.0, 2.0))
    header, line, end = file.read_text(encoding="utf-8").split("\n")
    assert json.loads(header)["file"] == "finished candidates of microagg compare"
    assert set(json.loads(line)) == {"key", "candidate"}
    assert end == ""


def test_a_place_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the checkpoint"):
        _kept(tmp_path)
    kept = _kept(tmp_path / "nowhere" / "candidates.jsonl")
    with pytest.raises(WriteError, match="cannot write the checkpoint"):
        kept.store(PLAN, candidate(3, 1.0, 2.0))
