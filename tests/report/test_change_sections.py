"""Changes in words."""

from microagg import CellChanges, ChangeReport, ColumnChange, MetadataChange
from microagg.report import report

FULL = ChangeReport(
    10,
    8,
    "kept",
    (
        ColumnChange("name", "identifier", "text", None),
        ColumnChange(
            "income",
            "protected",
            "integer",
            "number",
            CellChanges(6, 1, 2, 3),
            same_values=False,
            metadata=(MetadataChange("type", "Int64", "Float64"), MetadataChange("value labels", lost=2, altered=1)),
        ),
        ColumnChange("age", "untouched", "integer", "integer", CellChanges(rewritten=1), same_values=True),
        ColumnChange("sex", "untouched", "text", "text", CellChanges(altered=1), same_values=False),
        ColumnChange("town", "untouched", "text", "text", CellChanges(), same_values=True),
        ColumnChange("new", "untouched", None, "number"),
    ),
    columns_in_order=False,
    table=(MetadataChange("kind of file", "SPSS", "CSV"), MetadataChange("notes", lost=1)),
)


def test_everything_in_words() -> None:
    assert report(FULL) == (
        "records:          10 before, 8 after: 2 left out\n"
        "order:            as before\n"
        "columns:          5 before, 5 after, in another order\n"
        "dropped:          name\n"
        "added:            new\n"
        "NOT PLANNED:      sex, new: changed, though the plan does nothing to them\n"
        "kind of file:     SPSS → CSV\n"
        "notes:            1 lost\n"
        "same values:      town\n"
        "\n"
        "values\n"
        "column  plan       kind              other values  to missing  from missing  rewritten\n"
        "income  protected  integer → number             6           1             2          3\n"
        "age     untouched  integer                      0           0             0          1\n"
        "sex     untouched  text                         1           0             0          0\n"
        "\n"
        "besides the values\n"
        "column  what          change\n"
        "income  type          Int64 → Float64\n"
        "income  value labels  2 lost, 1 altered"
    )


def test_rows_that_cannot_be_compared() -> None:
    changed = ColumnChange("x", None, "number", "number", None, same_values=False)
    unknown = ColumnChange("x", None, "number", "number")
    other = report(ChangeReport(3, 3, "changed", (changed,)))
    assert "order:            not as before: each column is compared as a whole" in other
    assert other.splitlines()[-1].split() == ["x", "–", "number", "some", "–", "–", "–"]
    left_out = report(ChangeReport(3, 2, "unknown", (unknown,)))
    assert "other records are there, so that rows cannot be compared; the plan tells which are left out" in left_out
    assert "same values:      none" in left_out
    assert "values\n" not in left_out
    assert "which no column shows" in report(ChangeReport(3, 3, "assumed", (changed,)))
