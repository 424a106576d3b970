"""Tables of columns: numbers and dates in one, categories in another."""

from datetime import date

import polars as pl

from microagg import measure, protect
from microagg.report import report
from microagg.report.column_tables import column_tables
from microagg.report.facts import facts
from microagg.report.sections import sections

BEFORE = pl.DataFrame(
    {
        "x": [0.0, 2.0, 10.0, 12.0],
        "d": [date(1970, 1, 1), date(1970, 1, 3), date(1970, 1, 11), date(1970, 1, 13)],
        "c": ["a", "a", "b", "c"],
    }
)
AFTER = pl.DataFrame(
    {
        "x": [1.0, 1.0, 11.0, 11.0],
        "d": [date(1970, 1, 2)] * 2 + [date(1970, 1, 12)] * 2,
        "c": ["a", "a", "b", "b"],
    }
)


def test_numbers_dates_and_categories() -> None:
    numbers, categories = column_tables(facts(measure(BEFORE, AFTER, ["x", "d", "c"])))
    assert numbers[1:] == [
        ["x", "6", "6", "34.6667", "33.3333", "3.8462"],
        ["d", "1970-01-07 00:00", "1970-01-07 00:00", "34.6667 days²", "33.3333 days²", "3.8462"],
    ]
    assert categories[1:] == [["c", "25.00", "1.5000", "1.0000", "33.3333", "80.0000"]]
    assert len(column_tables(facts(measure(BEFORE, AFTER, ["x"])))) == 1
    assert len(column_tables(facts(measure(BEFORE, AFTER, ["c"])))) == 1


def test_reports_have_both_tables_and_say_how_values_are_released() -> None:
    frame = pl.DataFrame({"x": [0.0] * 4 + [9.0], "c": list("aabbb")})
    release = protect(frame, 2, columns=["x", "c"], scale="mad", method="mdav")
    first, second = sections(facts(release))
    assert first.lines["information loss"].endswith("% as released")
    assert first.lines["scale"] == "deviation in place of mad, which is 0, of x"
    assert second.table[0][1] == "changed %"
    assert "entropy before" in release.summary()
    assert "mad" in report(release.plan)
    both = protect(frame, sets=[{"columns": ["x"]}, {"columns": ["c"]}], k=2, method="mdav")
    assert [len(section.table) for section in sections(facts(both))] == [0, 2, 2]


def test_much_loss_of_categories_is_no_sign_of_another_order() -> None:
    before = pl.DataFrame({"c": list("abab"), "x": [1.0, 2.0, 3.0, 4.0]})
    after = pl.DataFrame({"c": list("aaaa"), "x": [4.0, 3.0, 2.0, 1.0]})
    assert "warning" not in sections(facts(measure(before[["c"]], after[["c"]], ["c"])))[0].lines
    assert "warning" in sections(facts(measure(before[["x"]], after[["x"]], ["x"])))[0].lines
