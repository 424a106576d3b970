"""README and the pages of docs/ are true: their commands and their code run, their links lead somewhere."""

import re
import shlex
import shutil
from pathlib import Path

import polars as pl
import pytest

from microagg.arguments import make_parser
from microagg.cli import commands
from walk_throughs import ROOT, commands_in, make_survey, run_code, run_command

PAGES = ("README.md", "docs/start.md", "docs/command_line.md", "docs/python.md", "docs/choosing.md")
FOLDERS = ("*.md", "docs/**/*.md", "examples/**/*.md")
LINKED = sorted(str(path.relative_to(ROOT)) for folder in FOLDERS for path in ROOT.glob(folder))
N_PERSONS = 600
EDITED_PLAN = """
k = 5
identifiers = ["name"]
unit = "household"
renumber = ["household"]
strata = ["region"]
weight = "w"
missing = "pattern"
missing_values = { income = [-9] }
small_strata = "suppress"
columns = ["sex", "age", "income"]
"""


def _text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder: it has the survey of the demo with its plan, the companies, and a few people."""
    shutil.copy(ROOT / "examples" / "survey" / "survey.toml", tmp_path)
    shutil.copy(ROOT / "examples" / "companies.csv", tmp_path)
    make_survey(N_PERSONS, tmp_path / "survey.csv")
    survey = pl.read_csv(tmp_path / "survey.csv", infer_schema=False).filter(pl.col("region") != "Islands")
    people = survey.select(
        "name", "region", "sex", "education", "income", household="household_id", w="weight", age="hours"
    )
    levels = {
        "none": "low",
        "primary": "low",
        "lower secondary": "middle",
        "upper secondary": "middle",
        "tertiary": "high",
    }
    people = people.with_columns(
        income=pl.col("income").replace(["NA", ""], "-9"), education=pl.col("education").replace_strict(levels)
    )
    people.write_csv(tmp_path / "people.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if "```console" in _text(page)])
def test_commands_run(page: str, folder: Path) -> None:
    for command in commands_in(_text(page)):
        assert run_command(command.words) == 0, command.words
        if command.words[1] == "inspect":
            (folder / "release.toml").write_text(EDITED_PLAN, encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in PAGES if "```python" in _text(page)])
def test_code_runs(page: str, folder: Path) -> None:
    run_code(_text(page))


def test_what_the_readme_says_to_write_runs(folder: Path) -> None:
    first, *others = re.findall(r"\| `((?:microagg |--)[^`]*)`[^|]* \|$", _text("README.md"), re.MULTILINE)
    options = " ".join(cell for cell in others if cell.startswith("--"))
    assert run_command(shlex.split(f"{first} {options}")) == 0
    (folder / "release.toml").write_text(EDITED_PLAN, encoding="utf-8")
    pl.read_csv(folder / "people.csv", infer_schema_length=None).write_parquet(folder / "big.parquet")
    shutil.copy(folder / "people.csv", folder / "raw.csv")
    parser = make_parser(commands.COMMANDS)
    for cell in others:
        words = shlex.split(cell)
        if words[1:2] in (["web"], ["spark"]):
            parser.parse_args(words[1:])
        elif words[0] == "microagg":
            assert run_command(words) == 0, cell


@pytest.mark.parametrize("page", LINKED)
def test_links_lead_somewhere(page: str) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)|<(?:a|img)[^>]* (?:href|src)=\"([^\"#]+)", _text(page))
    local = [target for pair in targets for target in pair if target and "://" not in target]
    missing = [target for target in local if not (ROOT / page).parent.joinpath(target).exists()]
    assert missing == []


def test_losses_are_those_that_are_tested() -> None:
    """What `search` loses takes minutes: it is between the best and the worst of ten states on docs/search.md."""
    stored = {
        tuple(line.split(",")[:3]): line.split(",")[3]
        for name in ("mdav", "ours")
        for line in (ROOT / "tests" / "golden" / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    }
    cells = [(name, k) for name in ("tarragona", "census", "eia") for k in ("3", "5", "10")]
    reached = re.findall(r"^\| (\w+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \| [\d.]+%", _text("docs/search.md"), re.M)
    spread = {(name.casefold(), k): (float(best), float(worst)) for name, k, best, worst in reached}
    rows = re.findall(r"^\| `([^`]+)` \| ([\d. |]+) \|$", _text("docs/choosing.md"), re.MULTILINE)
    assert len(rows) > 5
    for method, figures in rows:
        for cell, figure in zip(cells, figures.split(" | "), strict=True):
            if method == "search":
                best, worst = spread[cell]
                assert best - 1e-4 <= float(figure) <= worst + 1e-4, cell
            else:
                assert figure == stored[(method, *cell)], (method, cell)


def test_the_readme_fits_on_two_screens() -> None:
    text = _text("README.md")
    assert len(text.splitlines()) <= 110
    assert len(text.split()) <= 900


def test_the_index_lists_every_page() -> None:
    index = _text("docs/index.md")
    pages = [path.name for path in (ROOT / "docs").glob("*.md") if path.name != "index.md"]
    assert [name for name in pages if f"]({name})" not in index] == []
