"""The page that shows what the columns of a file look like."""

from pathlib import Path
from typing import Any

import polars as pl

import microagg
from checked_pages import checked_page
from microagg.app.pages.column_pictures import small_histogram
from microagg.app.pages.inspect_page import inspect_page
from microagg.app.pages.page_frame import Frame
from microagg.app.same_file import FileMark
from microagg.app.web_sessions import OpenedFile
from microagg.report.inspection_facts import inspection_facts

FRAME = Frame("inspect", "token", "people.csv", frozenset({"open", "inspect"}))
FILE = OpenedFile(Path("people.csv"), "people.csv", FileMark(1, 2, 12_345, 3, 4), is_upload=True)
HOSTILE = "</table><script>alert('x')</script>\u202e"


def result_of(frame: pl.DataFrame, **changes: Any) -> dict[str, Any]:
    """Return what an inspection of a table gives to the page."""
    facts = inspection_facts(microagg.inspect(frame)) | changes
    histograms = {"income": {"edges": [0, 1, 2], "counts": [3, 1], "unit": None}}
    return {"inspection": facts, "histograms": histograms, "kinds": {}, "starter_plan": ""}


def people() -> pl.DataFrame:
    """Return a table with an identifier, a code, a mark of missing values and a hostile name."""
    n = 60
    return pl.DataFrame(
        {
            "person_id": range(n),
            "sex": [1, 2] * (n // 2),
            "age": [20 + number % 40 for number in range(n)],
            "income": [float(1000 + 37 * number % 811) for number in range(n - 8)] + [-9.0] * 8,
            HOSTILE: ["a", None] * (n // 2),
        }
    )


def test_every_column_has_a_row_that_can_be_filtered() -> None:
    found = checked_page(inspect_page(FRAME, FILE, result_of(people())))
    rows = [given["data-name"] for given in found.of("tr") if "data-name" in given]
    assert rows == people().columns
    assert [given["data-filter"] for given in found.of("input") if "data-filter" in given] == ["columns"]
    assert not [given for given in found.of("script") if "src" not in given]
    assert "\u202e" not in found.words


def test_numbers_and_warnings_come_first() -> None:
    text = checked_page(inspect_page(FRAME, FILE, result_of(people()))).words
    assert "Records60" in text
    assert "Columns5" in text
    assert "12.3 kB" in text
    assert "Not to be released, as they identify people or enterprises: person_id." in text
    assert text.index("What to know first") < text.index("What it looks like")
    assert "50.0 % (30)" in text


def test_who_is_singled_out_is_told_in_a_sentence_and_a_table() -> None:
    found = checked_page(inspect_page(FRAME, FILE, result_of(people())))
    assert "are the only ones with their combination of values in" in found.words
    assert "Fewer than 3 alike" in found.words
    safe = [{"columns": ["sex"], "n_unique": 0, "n_below_3": 0, "n_below_5": 0}]
    text = checked_page(inspect_page(FRAME, FILE, result_of(people(), singling_out=safe))).words
    assert "No record is the only one with its combination of values in sex." in text
    none = checked_page(inspect_page(FRAME, FILE, result_of(people(), singling_out=[]))).words
    assert "singled out" not in none


def test_a_doubtful_header_and_a_sample_are_told() -> None:
    result = result_of(people(), header_doubt="the first line looks like a record", n_inspected=50)
    text = checked_page(inspect_page(FRAME, FILE, result)).words
    assert "The first line looks like a record. If it does, write header = true" in text
    assert "A sample of 50 records was looked at" in text


def test_a_file_of_hundreds_of_columns_has_a_row_for_each() -> None:
    wide = pl.DataFrame({f"column {number}": [1.5, 2.5, 9.0] for number in range(300)})
    shown = inspect_page(FRAME, FILE, result_of(wide))
    assert 'class="table-scroll"' in shown
    assert 'class="table-scroll short"' in inspect_page(FRAME, FILE, result_of(people()))
    assert len([given for given in checked_page(shown).of("tr") if "data-name" in given]) == 300
    assert len(shown) < 300_000


def test_a_histogram_has_bars_as_high_as_their_counts() -> None:
    drawn = small_histogram([0, 1, 2])
    assert drawn.count("M") == 2 + 1
    assert "v38" in drawn
    assert "v19" in drawn
    assert "style=" not in drawn
    assert small_histogram([]) == ""
