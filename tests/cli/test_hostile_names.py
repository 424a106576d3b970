"""Names of columns, categories and files steer no terminal, hide nothing and pretend to be no line of a report."""

import json
import os
import unicodedata
from pathlib import Path

import numpy as np
import pytest

from command_line import Printed, RunCommand
from microagg import Plan, inspect, protect
from microagg.model.names import shown_in_json, shown_on_terminal
from microagg.terminal import NOTICES, ProgressBars

ESCAPE = "a\x1b[31mX"
TURNED = "b\u202etxt.exe"
LINES = "c\nverified: every group has at least 99 records\td"
C1 = "d\x9b31m\u2066e\u2028\ufeff"
NAMES = [ESCAPE, TURNED, LINES, C1]


def quoted(text: str) -> str:
    return f'"{text}"'


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A file with hostile names, and a hostile name of its own."""
    rng = np.random.default_rng(4)
    names = [*NAMES, "kind\x07"]
    rows = [",".join(map(quoted, names))]
    categories = [f"low\x1b]0;x\x07{TURNED}", f"high{C1}", "mid\nverified: all"]
    for _ in range(60):
        numbers = rng.integers(0, 50, 4).tolist()
        rows.append(",".join([*map(str, numbers), quoted(categories[rng.integers(3)])]))
    path = tmp_path / "people\x1b[2J\u202ecsv.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def check(printed: Printed) -> None:
    """Check that nothing was printed that is more than what it looks like."""
    for text in (printed.out, printed.err):
        unsafe = {one for one in text if unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp") and one != "\n"}
        assert unsafe == set(), text
        forged = [line for line in text.splitlines() if line.startswith("verified:") and "99" in line]
        assert forged == []


def columns(*names: str) -> list[str]:
    return [word for name in names for word in ("--columns", name)]


def test_no_command_prints_a_name_as_it_is(run: RunCommand, table: Path) -> None:
    plain = columns(*NAMES)
    commands: list[list[object]] = [
        ["inspect", table],
        ["inspect", table, "-v"],
        ["protect", table, "-k", 3, "-o", "out\x1b.csv"],
        ["protect", table, "-k", 3, *plain, "-o", "a\x1b.csv", "--method", "mdav", "--measures", "all", "-v"],
        ["protect", table, "-k", 3, *plain, "--columns", "kind\x07", "-o", "b.csv", "--method", "mdav"],
        ["protect", table, "-k", 3, *columns("missing\x1b[1m"), "-o", "c.csv"],
        ["protect", "gone\x1b[1m.csv", "-k", 3, "-o", "c.csv"],
        ["protect", table, "-k", 3, "--nonsense\x1b[1m"],
        ["protect", table, "-k", "three\x1b[1m"],
        ["verify", table, "-k", 3, *plain],
        ["verify", "a\x1b.csv", "-k", 3, *plain],
        ["measure", table, "a\x1b.csv", *plain],
        ["changes", table, "a\x1b.csv"],
        ["nonsense\x1b[1m"],
    ]
    codes = []
    for command in commands:
        printed = run(*command)
        check(printed)
        codes.append(printed.code)
    assert {0, 1, 2} <= set(codes)
    assert codes[3] == 0
    assert "a\\x1b[31mX" in run("inspect", table).out, "names can still be told apart"


def test_json_is_exact_and_harmless(run: RunCommand, table: Path) -> None:
    printed = run("inspect", table, "--format", "json")
    check(printed)
    told = json.dumps(json.loads(printed.out), ensure_ascii=False)
    for name in NAMES:
        assert json.dumps(name, ensure_ascii=False)[1:-1] in told
    assert table.name in json.loads(printed.out)["file"]


def test_plans_and_notebooks_are_exact_and_harmless(table: Path) -> None:
    ordinal = {C1: ["low\U000e0041", "high\x7f"]}
    plan = Plan(k=3, columns=NAMES, nominal=[ESCAPE], ordinal=ordinal)
    inspection = inspect(table)
    release = protect(table, k=3, columns=NAMES, exclude=["kind\x07"], method="mdav")
    for text in (plan.to_toml(), inspection.to_toml(), inspection._repr_html_(), release._repr_html_()):
        check(Printed(0, text.replace("\u2068", "").replace("\u2069", ""), ""))
    assert Plan.from_toml(plan.to_toml()).to_toml() == plan.to_toml()
    assert Plan.from_toml(plan.to_toml()).sets[0].columns == tuple(NAMES)
    assert set(NAMES) <= set(Plan.from_toml(inspection.to_toml()).sets[0].columns or ())


def test_notices_and_progress_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    import logging

    bars = ProgressBars(tells_stages=True)
    with bars:
        bars("read", 0.5, f"{ESCAPE} [/] {TURNED}")
    NOTICES.emit(logging.LogRecord("microagg", logging.WARNING, "", 0, LINES + C1, (), None))
    printed = Printed(0, *capsys.readouterr())
    check(printed)
    assert "a\\x1b[31mX [/] b\\u202etxt.exe" in printed.err


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal")
def test_a_note_is_no_markup_of_the_bars() -> None:
    import io

    from rich.console import Console

    console = Console(file=io.StringIO(), force_terminal=True, width=100)
    with ProgressBars(console=console) as bars:
        bars("read", 0.5, f"[/] [red]{ESCAPE}")
        bars._bars.refresh()
    drawn = console.file.getvalue()  # type: ignore[attr-defined]
    assert "[/] [red]a\\x1b[31mX" in drawn
    assert "\x1b[31mX" not in drawn.replace("\\x1b", "")


def test_what_is_no_danger_stays() -> None:
    for text in ("Größe", "年齢", "age (years)", "\u0645\u06cc\u200c\u062e", "👩\u200d🔬", "a\\b"):
        assert shown_on_terminal(text) == text
        assert shown_in_json(text) == text
    assert shown_on_terminal("a\nb\u2068c\u2069", lines=True) == "a\nbc"
    assert shown_on_terminal("a\nb\u2068c\u2069") == "a\\nb\\u2068c\\u2069"
    assert json.loads(shown_in_json(json.dumps("\U000e0041\x7f", ensure_ascii=False))) == "\U000e0041\x7f"
