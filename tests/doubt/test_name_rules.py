"""Identifiers, weights and codes by the name of a column."""

import pytest

from reasons import reason

AMOUNTS = [790, 710, 735, 812, 950, 511, 402, 333, 514, 760, 51, 684]  # neither in order, nor round, nor repeated


@pytest.mark.parametrize(
    "name",
    [
        *("id", "ID", "Ids", "person_id", "id.person", "PersonID", "personId", "UserIDs", "UTILITYID", "caseid", "id2"),
        *("uid", "pid", "ori_hid", "hhid", "ssn", "key", "case_no", "HouseNr", "account", "phone", "policy number"),
    ],
)
def test_identifier_by_name(name: str) -> None:
    assert reason(AMOUNTS, name) == "looks like an identifier, by its name"


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
def test_no_identifier_by_name(name: str) -> None:
    assert reason(AMOUNTS, name) == "plain"


def test_identifier_by_name_may_have_fractions_only_where_it_is_called_so() -> None:
    assert "identifier" in reason([1.5, 2.25, 7.75], "id")
    assert reason([1.5, 2.25, 7.75], "account") == "plain"


@pytest.mark.parametrize(
    "name",
    [
        *("weight", "WEIGHT", "weights", "wgt", "wt", "AFNLWGT", "fnlwgt", "pweight", "sampling_weight"),
        *("household_weights", "PERWT", "WTFINL", "finalWeight"),
    ],
)
def test_weight_by_name(name: str) -> None:
    assert reason([1.5, 2.25, 7.75], name) == "looks like a sampling weight, by its name"


@pytest.mark.parametrize("name", ["weight_kg", "birth_weight", "BodyWeight", "weighted_income", "growth"])
def test_no_weight_by_name(name: str) -> None:
    assert reason([1.5, 2.25, 7.75], name) == "plain"


@pytest.mark.parametrize(
    "name",
    [
        *("code", "COMPCODE", "zip", "ZipCode", "plz", "nace", "isco08", "code_insee", "region", "sex"),
        *("type_of_house", "marital_status", "target", "label", "psu", "stratum"),
    ],
)
def test_code_by_name_where_numbers_are_whole(name: str) -> None:
    assert reason(AMOUNTS, name) == "looks like a code, by its name"
    assert reason([value + 0.5 for value in AMOUNTS], name) == "plain"


@pytest.mark.parametrize(
    "name", ["FINANCIAL.OUTCOME", "state_tax", "class_size", "region_gdp", "target_income", "typed"]
)
def test_no_code_by_name(name: str) -> None:
    assert reason(AMOUNTS, name) == "plain"
