"""Nothing is averaged on a guess: which columns are doubtful, and what the user is told."""

import os
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import InputError, read
from microagg.doubt import doubts
from microagg.model.errors import DoubtError
from microagg.select import select

AMOUNTS = [790, 710, 735, 812, 950, 511, 402, 333, 514, 760, 51, 684]  # neither in order, nor round, nor repeated


def _reasons(**columns):
    table = read(pl.DataFrame(columns, strict=False))
    return dict(doubts(table, table.names))


def _reason(values, name="x"):
    return _reasons(**{name: values}).get(name, "plain")


@pytest.mark.parametrize(
    "name",
    [
        *("id", "ID", "Ids", "person_id", "id.person", "PersonID", "personId", "UserIDs", "UTILITYID", "caseid", "id2"),
        *("uid", "pid", "ori_hid", "hhid", "ssn", "key", "case_no", "HouseNr", "account", "phone", "policy number"),
    ],
)
def test_identifier_by_name(name):
    assert _reason(AMOUNTS, name) == "looks like an identifier, by its name"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "paid",
            "TAXPAID",
            "grid",
            "fluid",
            "void",
            "liquid",
            "avoid",
            "aid",
            "bid",
            "humid",
            "solid",
            "valid",
            "period",
        ),
        *("PAID.UP.CAPITAL", "no_of_rooms", "number of employees", "num_beds", "account_balance", "idle"),
        *("bid_price", "Kids", "x", "1", "–", "income", "monkey", "phone_costs"),
    ],
)
def test_no_identifier_by_name(name):
    assert _reason(AMOUNTS, name) == "plain"


def test_identifier_by_name_may_have_fractions_only_where_it_is_called_so():
    assert "identifier" in _reason([1.5, 2.25, 7.75], "id")
    assert _reason([1.5, 2.25, 7.75], "account") == "plain"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([3, 1, 2, 6, 5, 4], "looks like an identifier: whole numbers that count the records"),
        ([1000, 1005, 1001, 1002, 1004, 1003], "looks like an identifier: whole numbers that count the records"),
        ([3.0, 1.0, 2.0, 6.0, 5.0, 4.0], "looks like an identifier: whole numbers that count the records"),
        ([3, 5, 18, 31, 400, 7000], "looks like an identifier: whole numbers in order, all different"),
        ([7000, 400, 31, 18, 5, 3], "looks like an identifier: whole numbers in order, all different"),
        ([7, 7, 8, 8, 8, 9], "looks like an identifier: whole numbers that count up, as those of households do"),
        ([2**53 - i for i in (2, 0, 1, 5, 4, 3)], "looks like an identifier: whole numbers that count the records"),
        (
            [301555123, 945551442, 617555098, 212555733, 415555200, 303555411],
            "looks like an identifier: different whole numbers of 9 digits each",
        ),
        ([3, 1, 2, 5, 4], "plain"),  # fewer than six are in order by chance
        ([3, 1, 2, 6, 5, 7], "plain"),  # 4 is not among them
        ([3, 5, 18, 31, 7000, 400], "plain"),
        ([3.5, 5.0, 18.0, 31.0, 400.0, 7000.0], "plain"),
        ([7, 7, 7, 8, 8, 8], "plain"),
        ([7, 7, 8, 8, 8, 10], "plain"),
        ([7, 7, 8, 9, 8, 9], "plain"),
        ([30155512, 94555144, 61755509, 21255573, 41555520, 30355541], "plain"),
        ([301555123, 301555123, 617555098, 212555733, 415555200, 303555411], "plain"),
        ([301555123, 94555144, 617555098, 212555733, 415555200, 303555411], "plain"),
    ],
)
def test_identifier_by_values(values, reason):
    assert _reason(values) == reason


def test_integers_that_floats_cannot_hold(tmp_path):
    reason = "has integers beyond 2^53, as identifiers do"
    assert _reason([5, 2**53 + 1]) == reason
    assert _reason([5, -(2**53) - 1]) == reason
    assert _reason([5, 2**53]) == "plain"
    assert _reason([5.0, 2.0**60]) == "plain"
    path = tmp_path / "table.csv"
    path.write_text(f"x,y\n{10**400},1.5\n7,2.5\n")
    assert dict(doubts(read(path), ["x", "y"])) == {"x": reason}


@pytest.mark.parametrize(
    "name",
    [
        *("weight", "WEIGHT", "weights", "wgt", "wt", "AFNLWGT", "fnlwgt", "pweight", "sampling_weight"),
        *("household_weights", "PERWT", "WTFINL", "finalWeight"),
    ],
)
def test_weight_by_name(name):
    assert _reason([1.5, 2.25, 7.75], name) == "looks like a sampling weight, by its name"


@pytest.mark.parametrize("name", ["weight_kg", "birth_weight", "BodyWeight", "weighted_income", "growth"])
def test_no_weight_by_name(name):
    assert _reason([1.5, 2.25, 7.75], name) == "plain"


@pytest.mark.parametrize(
    "name",
    [
        *("code", "COMPCODE", "zip", "ZipCode", "plz", "nace", "isco08", "code_insee", "region", "sex"),
        *("type_of_house", "marital_status", "target", "label", "psu", "stratum"),
    ],
)
def test_code_by_name_where_numbers_are_whole(name):
    assert _reason(AMOUNTS, name) == "looks like a code, by its name"
    assert _reason([value + 0.5 for value in AMOUNTS], name) == "plain"


@pytest.mark.parametrize(
    "name", ["FINANCIAL.OUTCOME", "state_tax", "class_size", "region_gdp", "target_income", "typed"]
)
def test_no_code_by_name(name):
    assert _reason(AMOUNTS, name) == "plain"


def test_few_whole_numbers_are_codes():
    assert _reason([1, 2, 2, 1, 1, 2, 1, 2]) == "looks like a code: whole numbers with only 2 different values"
    assert _reason([1, 2, 2, 1, 1, 2, 1]) == "plain"
    assert _reason([4] * 20) == "plain"
    assert _reason([1.5, 2.5, 2.5, 1.5, 1.5, 2.5, 1.5, 2.5]) == "plain"
    assert _reason([3 * value for value in range(15)] * 4).endswith("with only 15 different values")
    assert _reason([3 * value for value in range(16)] * 4) == "plain"


def test_missing_values_are_not_counted():
    assert _reason([1, 2, None, 1, 1, 2, 1, 2]) == "plain"
    assert _reason([1, 2, None, 1, 1, 2, 1, 2, 2]) == "looks like a code: whole numbers with only 2 different values"
    assert "count the records" in _reason([3, 1, None, 2, 6, 5, 4])
    assert _reason([float("nan"), float("inf"), 2.5]) == "plain"
    assert _reason(pl.Series([None, None], dtype=pl.Float64)) == "plain"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("YEAR", [96, 96, 96]),
        ("birth_year", [1950, 2001, 1987]),
        ("SURVYEAR", [1999, 2001, 2000]),
        ("month", [1, 12, 7]),
        ("MON", [199601, 199612, 199607]),
        ("Day", [366, 1, 17]),
        ("date", [35431, 35400, 35999]),
        ("dob", [19870412, 19990130, 19550101]),
        ("x", [20000101, 20240229, 19991231, 20010615, 20000501, 20070707]),
        ("x", [200001, 202412, 199912, 200106, 200005, 200707]),
        ("x", [1987, 2001, 1955, 2010, 1999, 1980]),
        ("x", [1987.0, 2001.0, 1955.0, 2010.0, 1999.0, 1980.0]),
    ],
)
def test_years_and_dates(name, values):
    assert _reason(values, name).startswith("may be a year or a date")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("income_year", [25000, 31000, 18500]),
        ("years_of_schooling", [12, 9, 17]),
        ("month_rent", [450, 1200, 13]),
        ("birth_weight", [2900, 3650, 4100]),
        ("x", [1950, 2010, 2050, 1980, 1900, 2100]),  # round, as amounts are
        ("x", [1987, 2001, 1955, 2010, 1999]),
        ("x", [1987, 2001, 1955, 2010, 1999, 2101]),
        ("x", [1987.5, 2001.0, 1955.0, 2010.0, 1999.0, 1980.0]),
        ("x", [20000101, 20240230, 19991231, 20010615, 20000501, 20070707]),
        ("x", [20000101, 20241329, 19991231, 20010615, 20000501, 20070707]),
        ("x", [200001, 202413, 199912, 200106, 200005, 200707]),
    ],
)
def test_neither_years_nor_dates(name, values):
    assert _reason(values, name) == "plain"


@pytest.mark.parametrize(
    ("sentinels", "why"),
    [
        ([999], "a sentinel for a missing value: 999, far from all others"),
        ([999, 999], "a sentinel for a missing value: 999, far from all others"),
        ([999.0], "a sentinel for a missing value: 999, far from all others"),
        ([99.9], "a sentinel for a missing value: 99.9, far from all others"),
        ([97, 99, 98], "sentinels for a missing value: 97, 98, 99, far from all others"),
        ([99, 9999], "sentinels for a missing value: 99, 9999, far from all others"),
        ([-1], "a sentinel for a missing value: -1, the only negative value"),
        ([-9.0], "a sentinel for a missing value: -9, the only negative value"),
        ([-8, -9], "sentinels for a missing value: -9, -8, the only negative values"),
        ([-5, -4, -999], "a sentinel for a missing value: -999, far from all others"),
    ],
)
def test_sentinels(sentinels, why):
    ages = [31, 5, 17, 44, 23, 38, *sentinels]
    assert _reason(pl.Series(ages, strict=False), "age") == f"has what may be {why}"
    assert _reason([float(age) for age in ages], "age") == f"has what may be {why}"


@pytest.mark.parametrize(
    "values",
    [
        [31, 5, 17, 44, 23, 38, 998.5],
        [31, 5, 17, 44, 23, 38, 63],
        [31, 5, 17, 44, 23, 96, 99],  # not far from 96
        [31, 5, 17, 44, 23, 38, 999, 5000],  # not the largest
        [31, 5, 999],  # nothing can be told of two others
        [31, 5, 17, 44, 23, -1, -3],
        [-1, -7, -8],
    ],
)
def test_no_sentinels(values):
    assert _reason(values, "age") == "plain"


def test_far_is_more_than_half_of_the_range_of_the_others():
    assert _reason([1, 67, 40, 23, 99]) == "plain"  # 32 of 66
    assert "99, far from" in _reason([1, 66, 40, 23, 99])  # 33 of 65


def test_piled_up_sentinel():
    ages = [*range(18, 95), *range(17, 95), 20, 17]
    assert "99, far more often" in _reason([*ages, *[99] * 10], "age")
    assert _reason([*ages, *[99] * 9], "age") == "plain"  # 94 occurs twice
    many = [2.5 * age for age in range(600)]
    assert "1499, far more often" not in _reason([*many, *[1499] * 6])
    assert "9999, far more often" in _reason([*(8498.5 + value for value in many), *[9999] * 7])
    assert _reason([*(8498.5 + value for value in many), *[9999] * 5]) == "plain"  # less than 1 %


def test_one_digit_among_codes_is_no_sentinel_but_two_digits_are():
    assert _reason([1, 2, 3, 9] * 4).startswith("looks like a code")
    assert _reason([1, 2, 3, 99] * 4) == "has what may be a sentinel for a missing value: 99, far from all others"
    assert _reason([1, 2, 3, 9]) == "has what may be a sentinel for a missing value: 9, far from all others"


def test_mixed_column_is_doubtful_and_what_is_in_the_way_is_named(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("who;amount\na;12%\nb;17%\nc;13%\n")
    with pytest.raises(DoubtError, match="column 'amount' holds text: row 1 is '12%', which is no number") as caught:
        select(read(path), None)
    assert "correct it" not in str(caught.value)
    assert caught.value.plain == ()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int16, np.uint8, np.int8])
def test_every_type_of_number_is_looked_at(dtype):
    values = np.array([3, 1, 2, 6, 5, 4], dtype=dtype)
    table = read(pd.DataFrame({"a": values, "b": values**2}))
    assert [doubt.column for doubt in doubts(table, table.names)] == ["a"]


def test_text_is_never_doubtful():
    assert _reasons(name=["a", "b", "c"], flag=[True, False, True]) == {}


SURVEY = {"id": [3, 1, 2, 6, 5, 4], "income": [31.5, 2, 7, 80, 12, 9], "wt": [1.5, 1, 2, 1, 1, 3], "rent": [5.5] * 6}


def test_doubt_is_an_error_that_lets_the_user_go_on():
    table = read(pl.DataFrame(SURVEY, strict=False))
    with pytest.raises(DoubtError) as caught:
        select(table, None)
    error = caught.value
    assert str(error) == (
        "nothing is averaged on a guess: column 'id' looks like an identifier, by its name; column 'wt' looks like a "
        "sampling weight, by its name: name the columns, as in columns=['income', 'rent'], or leave some out, as in "
        "exclude=['id', 'wt']"
    )
    assert str(error) == f"{error.finding}: {error.advice}"
    assert error.plain == ("income", "rent")
    assert [doubt.column for doubt in error.doubts] == ["id", "wt"]
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.doubts, again.plain) == (str(error), error.doubts, error.plain)
    assert select(table, error.plain) == ("income", "rent")
    assert select(table, None, exclude=[doubt.column for doubt in error.doubts]) == ("income", "rent")
    assert select(table, ["wt", "id"]) == ("wt", "id")
    with pytest.raises(DoubtError, match=r"exclude=\['id', 'wt'\]"):
        select(table, None, exclude=["id"])


def test_many_doubts_are_shortened():
    table = read(pl.DataFrame({f"id_{j}": [5, 1, 7] for j in range(15)}))
    with pytest.raises(DoubtError) as caught:
        select(table, None)
    assert "'id_5'" in str(caught.value)
    assert "'id_6'" not in str(caught.value)
    assert "; and 9 more: name the columns" in str(caught.value)
    assert len(caught.value.doubts) == 15


def test_odd_names_stay_on_one_line():
    table = read(pl.DataFrame({"id\nof\u2028person": [5, 1, 7], "a": [0.5, 1, 2]}))
    with pytest.raises(DoubtError) as caught:
        select(table, None)
    assert len(str(caught.value).splitlines()) == 1


def test_plain_table_is_taken_whole(companies):
    table = read(companies)
    assert select(table, None) == ("surface", "employees")
    assert select(table, None, exclude=["surface"]) == ("employees",)


def test_array_is_meant_as_it_is():
    assert select(read(np.arange(20).reshape(10, 2)), None) == ("0", "1")
    assert select(read(np.arange(20).reshape(10, 2)), None, exclude=[0]) == ("1",)


def test_row_numbers_of_r_and_pandas_are_neither_taken_nor_doubtful(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('"","income"\n"1",31.5\n"2",2.5\n"3",7.25\n')
    assert select(read(path), None) == ("income",)
    assert select(read(pl.DataFrame({"__index_level_0__": [0, 1, 2], "a": [0.5, 1, 2]})), None) == ("a",)


@pytest.mark.parametrize(
    ("values", "taken"),
    [([3, 8, 9], True), ([2, 1, 3], True), ([31.5, 2, 7], False), ([8, 3, 9], False), ([3, None, 9], False)],
)
def test_nameless_column_that_counts_no_rows_is_doubtful(values, taken):
    table = read(pl.DataFrame({"": values, "a": [0.5, 1, 2]}, strict=False))
    if taken:
        assert select(table, None) == ("a",)
    else:
        with pytest.raises(DoubtError, match="column '' has a name that row numbers have, but does not count the rows"):
            select(table, None)


def test_header_that_may_be_a_record_is_doubtful(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,31.5,7.5\nb,2.5,1.25\nc,7.25,3.5\n")
    with pytest.raises(DoubtError, match="header=True if it names the columns, or header=False if it is a record"):
        select(read(path), None)


@pytest.mark.parametrize(
    ("columns", "exclude", "message"),
    [
        ("income", None, "columns must be a list of names, found 'income': put it into a list"),
        (7, None, "columns must be a list of names"),
        ([], None, "columns is empty"),
        (["Income"], None, "there is no column 'Income': did you mean 'income'"),
        (["zzz"], None, "there is no column 'zzz': the table has"),
        (["income", "income"], None, "column 'income' is named 2 times in columns: name it once"),
        (["income"], ["income"], "column 'income' is both chosen and excluded"),
        (None, "id", "exclude must be a list of names, found 'id'"),
        (None, ["idd"], "there is no column 'idd': did you mean 'id'"),
        (None, ["id", "id"], "column 'id' is named 2 times in exclude"),
        (None, ["id", "income", "wt", "rent"], "there is no numeric column to protect"),
    ],
)
def test_bad_choice_is_refused(columns, exclude, message):
    with pytest.raises(InputError, match=message):
        select(read(pl.DataFrame(SURVEY, strict=False)), columns, exclude)


def test_table_without_columns_records_or_numbers_is_refused():
    with pytest.raises(InputError, match="the table has no columns"):
        select(read(pl.DataFrame()), None)
    with pytest.raises(InputError, match="the table has no records, only the columns 'id', 'a'"):
        select(read(pl.DataFrame({"id": [], "a": []})), None)
    with pytest.raises(InputError, match="there is no numeric column to protect: the table has 'who'"):
        select(read(pl.DataFrame({"who": ["a", "b"]})), None)


@pytest.mark.parametrize(
    ("name", "doubtful"),
    [
        ("tarragona", set()),
        ("census", {"AFNLWGT"}),
        ("eia_full", {"UTILITYID", "YEAR", "MONTH"}),
    ],
)
def test_classic_sets(name, doubtful):
    table = _classic(name)
    assert {doubt.column for doubt in doubts(table, table.names)} == doubtful


def test_survey_files():
    table = _classic("testdata")
    doubtful = {doubt.column for doubt in doubts(table, table.names)}
    assert set(table.names) - doubtful == {"age", "expend", "income", "savings"}
    table = _classic("free1")
    found = dict(doubts(table, table.names))
    assert set(table.names) - set(found) == {"AGE", "INCOME", "ASSETS", "DEBTS"}
    assert "weight" in found["WEIGHT"]
    assert "97" in found["AGEYOUNG"]


def _classic(name):
    path = Path(os.environ["MICROAGG_DATA"]) / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{path.name} is not to be had")
    return read(path)
