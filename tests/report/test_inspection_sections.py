"""Inspections in words: warnings first, every column, and what was noticed."""

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from balanced_html import BalancedHtml
from files import write_bytes
from microagg import inspect
from microagg.report import report
from microagg.report.facts import facts
from microagg.report.sections import sections

N = 60
AMOUNTS = [float(value) for value in np.random.default_rng(0).integers(900, 9000, N)]
SURVEY = {
    "person_id": [f"P{i:03}" for i in range(N)],
    "hid": [i // 3 for i in range(N)],
    "sex": [1, 2] * (N // 2),
    "age": [20 + (7 * i) % 50 for i in range(N)],
    "born": [date(1950 + i % 40, 1 + i % 12, 3) for i in range(N)],
    "income": [*AMOUNTS[:-3], None, 99999.0, 99999.0],
    "turnover": list(np.exp(np.linspace(-2, 12, N))),
    "remark": [f"case {i} was seen at home" for i in range(N)],
    "weight": [1.5] * N,
    "month": [1 + i % 12 for i in range(N)],
}


def _texts(columns: dict[str, Any]) -> list[str]:
    """Return the headings of a report: what it opens with, the warnings, the questions."""
    return [section.heading for section in sections(facts(inspect(pl.DataFrame(columns)))) if section.heading]


def _tables(columns: dict[str, Any]) -> list[list[list[str]]]:
    found = sections(facts(inspect(pl.DataFrame(columns))))
    return [[list(row) for row in section.table] for section in found if section.table]


def test_the_text_says_that_it_is_about_the_original_data() -> None:
    assert (
        inspect(pl.DataFrame(SURVEY))
        .summary()
        .startswith(
            "This report shows ranges and values of the ORIGINAL data: it is for their owner, not for publication.\n"
        )
    )


def test_warnings_come_in_the_order_of_their_importance() -> None:
    warnings = _texts(SURVEY)[1]
    order = [
        "not to be released, as they identify people or enterprises: person_id",
        "are unique in sex, age, born, income, turnover, month;",
        "several records have the same hid: k should count its values, not records",
        "values that may stand for missing ones: income (99999)",
        "missing values, up to 1.7 % of the records: income",
        "free text, which may name people: remark",
        "skewed, so that a few large values decide the groups",
    ]
    places = [warnings.find(text) for text in order]
    assert -1 not in places, warnings
    assert places == sorted(places)


def test_small_cells_are_counted_in_words() -> None:
    columns = {"sex": [1] * 8 + [2] * 9 + [3, 3, 3], "age": [*range(30, 37), 36] + [40] * 9 + [50] * 3}
    warnings = _texts(columns)[1].replace("\n  ", " ")
    assert "6 records (30.0 %) are unique in sex, age; 8 records (40.0 %) are in cells of fewer than 3, " in warnings
    assert "11 records (55.0 %) of fewer than 5" in warnings
    assert "unique already in few of these columns: age: 6" in warnings


def test_nothing_is_said_of_large_cells() -> None:
    assert "unique" not in "".join(_texts({"sex": [1, 2] * 10}))


def test_questions_are_asked_once() -> None:
    questions = _texts(SURVEY)[2]
    assert questions.splitlines()[1].startswith("* income, turnover, month: can others know it of the people or")
    assert questions.count("can others know it") == 1


def test_table_of_the_columns() -> None:
    rows = {row[0]: row[1:] for row in _tables(SURVEY)[0]}
    assert rows["column"] == ["kind", "distinct", "missing", "values", "proposed"]
    assert rows["person_id"] == ["text", "60", "–", "–", "leave out"]
    assert rows["hid"] == ["integer", "20", "–", "0 to 19", "unit"]
    assert rows["sex"] == ["integer", "2", "–", "1, 2", "protect, as categories"]
    assert rows["age"] == ["integer", "50", "–", "20 to 69", "protect, as numbers"]
    assert rows["born"][-1] == "protect, as dates"
    assert rows["born"][3] == "1950-01-03 to 1989-04-03"
    assert rows["income"][2] == "1 (1.7 %)"
    assert rows["weight"] == ["number", "1", "–", "1.5", "weight"]
    assert rows["month"][-1] == "protect, as categories"
    assert rows["remark"][-1] == "leave out (?)"


def test_columns_about_which_the_same_was_noticed_share_a_line() -> None:
    rows = _tables({**{f"item{i:02}": [1, 2, 3] * 20 for i in range(25)}, "income": AMOUNTS})[1]
    assert rows[1:] == [["item00, item01 and 23 more", "looks like a code: whole numbers with only 3 different values"]]


@pytest.mark.parametrize(("n_columns", "is_cut"), [(30, False), (31, True)])
def test_printed_tables_are_cut_at_thirty_columns(n_columns: int, is_cut: bool) -> None:
    inspection = inspect(pl.DataFrame({f"x{i:02}": AMOUNTS for i in range(n_columns)}))
    text = report(inspection, max_columns=30)
    assert ("\n… and 1 more line: --verbose prints all" in text) is is_cut
    assert ("\nx30 " in text) is False
    assert ("\nx29 " in text) is True
    assert "verbose" not in inspection.summary()


def test_table_of_what_was_noticed_names_a_column_once() -> None:
    rows = _tables(SURVEY)[1]
    assert rows[0] == ["column", "what was noticed"]
    at = [row[0] for row in rows].index("hid")
    assert rows[at + 1] == ["", "repeats, as those of households and enterprises do: 20 values, 3.0 records each"]


def test_plain_amounts_need_no_words() -> None:
    assert len(_tables({"income": AMOUNTS})) == 1


def test_text_is_aligned_and_not_too_wide() -> None:
    names = {f"a_very_long_name_of_a_column_number_{i:02}": [f"category {j % 7}" for j in range(N)] for i in range(12)}
    text = inspect(pl.DataFrame({**SURVEY, **names})).summary()
    assert max(map(len, text.splitlines())) <= 120
    assert "a_very_long_name_of_a_column_nu…  text" in text
    assert text.count("\n\n") == 4


def test_numbers_are_written_for_people() -> None:
    (table,) = _tables({"x": [1234567.891, 0.00012345678, 3.0], "y": [10**7, 1, 2], "z": [1e20, 5.5, 6.0]})
    assert [row[4] for row in table[1:]] == ["0.0001234568 to 1234568", "1 to 10000000", "5.5 to 1e+20"]


def test_a_share_is_never_shown_as_zero() -> None:
    values = [None, *np.random.default_rng(0).normal(size=1999).tolist()]
    assert _tables({"x": values})[0][1][3] == "1 (less than 0.1 %)"


def test_the_first_line_may_be_a_record(tmp_path: Path) -> None:
    inspection = inspect(write_bytes(tmp_path / "in.csv", "x,2.5\n3,4.5\n4,6.5\n"))
    assert "the first line may be a record" in inspection.summary()


def test_html_has_the_same_cells() -> None:
    parser = BalancedHtml(inspect(pl.DataFrame({**SURVEY, "<b>": AMOUNTS}))._repr_html_())
    assert parser.open == []
    assert {"<b>", "hid", "protect, as categories", "what was noticed"} <= set(parser.texts)


@pytest.mark.parametrize("n_columns", [10, 11])
def test_long_lists_of_names_are_cut(n_columns: int) -> None:
    columns = {f"{chr(97 + i)}_name": ["Doe", "Roe"] * 3 for i in range(n_columns)}
    warnings = _texts(columns)[1]
    assert ("and 1 more" in warnings) is (n_columns == 11)
