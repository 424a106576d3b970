"""What others may know, by the names of columns."""

import pytest

from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.meaning_rules import is_age, is_date_of_birth, is_known_to_others, is_ordered, is_place


@pytest.mark.parametrize("name", ["age", "AGE", "AGEYOUNG", "age_group", "head.age"])
def test_ages(name: str) -> None:
    assert is_age(ColumnProfile.named(name))
    assert is_known_to_others(ColumnProfile.named(name))


@pytest.mark.parametrize("name", ["agency", "agent_fee", "wage", "mileage", "income", ""])
def test_no_ages(name: str) -> None:
    assert not is_age(ColumnProfile.named(name))


@pytest.mark.parametrize(
    "name", ["sex", "MARSTAT", "hhcivil", "relat", "urbrur", "EDUC1", "ETNI", "OCCUCODE", "REGION"]
)
def test_known_to_others(name: str) -> None:
    assert is_known_to_others(ColumnProfile.named(name))


@pytest.mark.parametrize("name", ["margin", "provision", "income", "RECBEN", "JOBFIND", "sick_leave", "assets"])
def test_not_known_to_others(name: str) -> None:
    assert not is_known_to_others(ColumnProfile.named(name))


def test_dates_of_birth_places_and_orders() -> None:
    assert is_date_of_birth(ColumnProfile.named("date_of_birth"))
    assert not is_date_of_birth(ColumnProfile.named("date_of_interview"))
    assert is_place(ColumnProfile.named("stratum"))
    assert not is_place(ColumnProfile.named("sex"))
    assert is_ordered(ColumnProfile.named("EDUC1"))
    assert not is_ordered(ColumnProfile.named("region"))
