"""What compiled code prints does not reach standard output."""

import ctypes
import os
import sys
from pathlib import Path

import pytest

from microagg.certify.stdout_guard import printing_to_stderr


def test_what_compiled_code_prints_goes_to_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    libc = ctypes.CDLL(None)
    print("before")
    with printing_to_stderr():
        libc.puts(b"from below")
        os.write(1, b"at once\n")
    libc.puts(b"after")
    libc.fflush(None)
    out, err = capfd.readouterr()
    assert out.split() == ["before", "after"]
    assert sorted(err.splitlines()) == ["at once", "from below"]


def test_output_that_waits_is_not_redirected(capfd: pytest.CaptureFixture[str]) -> None:
    libc = ctypes.CDLL(None)
    libc.fflush(None)
    libc.puts(b"waiting below")
    print("waiting")
    with printing_to_stderr():
        pass
    libc.fflush(None)
    out, err = capfd.readouterr()
    assert sorted(out.splitlines()) == ["waiting", "waiting below"]
    assert err == ""


def test_standard_output_comes_back_after_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    descriptors = Path("/proc/self/fd")
    before = len([*descriptors.iterdir()]) if descriptors.exists() else None
    with pytest.raises(RuntimeError), printing_to_stderr():
        raise RuntimeError
    os.write(1, b"back\n")
    assert capfd.readouterr().out == "back\n"
    if before is not None:
        assert len([*descriptors.iterdir()]) == before


def test_nothing_is_redirected_where_there_is_no_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*descriptors: int) -> int:
        raise OSError

    monkeypatch.setattr(sys, "stdout", None)
    entered = False
    with printing_to_stderr():
        entered = True
    assert entered
    with monkeypatch.context() as without_output:
        without_output.setattr(os, "dup", closed)
        with printing_to_stderr():
            entered = False
    assert not entered
