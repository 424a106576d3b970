"""What a plan says of a column is found by its name."""

from microagg.app.planned_columns import PlannedColumns
from microagg.model.plan import Plan


def test_each_column_is_found_by_what_names_it() -> None:
    planned = PlannedColumns(
        Plan(
            sets=[{"k": 3, "columns": ["age", "sex"], "nominal": ["sex"]}, {"k": 4, "columns": ["income"]}],
            confidential=["illness"],
            ordinal={"illness": ["none", "some"]},
            strata=["region"],
            drop=["region"],
        )
    )
    names = ("age", "sex", "income", "illness", "region", "unknown")
    assert [planned.set_number(name) for name in names] == [1, 1, 2, 0, 0, 0]
    assert [planned.level(name) for name in names] == ["plain", "nominal", "plain", "ordinal", "plain", "plain"]
    assert planned.role_options("illness") == {"confidential"}
    assert planned.role_options("region") == {"strata", "drop"}
    assert planned.role_options("age") == set()


def test_excluded_columns_are_told() -> None:
    planned = PlannedColumns(Plan(k=3, exclude=["year"]))
    assert planned.is_excluded("year")
    assert not planned.is_excluded("age")
