"""Options of blocks on the command line."""

from pathlib import Path

import numpy as np
import polars as pl

from command_line import RunCommand


def _table() -> None:
    X = np.random.default_rng(0).normal(size=(100, 2))
    pl.DataFrame(X, schema=["x", "y"], orient="row").write_csv("in.csv")


def test_blocks_and_rounds_are_obeyed_and_reported(run: RunCommand) -> None:
    _table()
    options = ["-k", 3, "--effort", "quick", "--block-size", 40, "--rounds", 3]
    code, out, _ = run("protect", "in.csv", *options, "-o", "safe.csv")
    assert code == 0
    assert "method:           search in blocks, k = 3" in out
    assert "reason:           100 records are more than one block of about 40 holds; 3 rounds of blocks" in out
    assert run("verify", "safe.csv", "-k", 3, "--columns", "x,y", "--original", "in.csv").code == 0
    code, out, _ = run("bound", "in.csv", *options)
    assert code == 0
    assert "no partition loses less than" in out


def test_blocks_that_make_no_sense_are_refused(run: RunCommand) -> None:
    _table()
    code, _, err = run("protect", "in.csv", "-k", 3, "--block-size", 11, "-o", "safe.csv")
    assert code != 0
    assert "--block-size must be at least 12, found 11" in err
    code, _, err = run("protect", "in.csv", "-k", 3, "--method", "mdav", "--rounds", 2, "-o", "safe.csv")
    assert code != 0
    assert "method 'mdav' has no refiner that rounds of blocks could repeat: leave rounds out" in err
    assert not Path("safe.csv").exists()
