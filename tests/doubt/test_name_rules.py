"""Identifiers, weights and codes by the name of a column."""

import numpy as np
import pytest

from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.name_rules import is_age, is_date_of_birth, is_known_to_others, is_ordered, is_place
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


@pytest.mark.parametrize("name", ["phone", "mobile", "education_num", "room_no", "key"])
def test_few_values_number_nothing(name: str) -> None:
    assert reason([0, 1] * 30, name) == "looks like a code: whole numbers with only 2 different values"


def test_years_of_schooling_number_nothing() -> None:
    assert reason([*range(1, 17), *[9] * 40], "education_num") == "plain"
    assert reason([*range(6, 18), *[12] * 40], "yrsschool") == "plain"


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


IDENTIFIERS = "id ids uid uids uuid guid pid hid hhid idno idnr idnum ssn"
NUMBERINGS = "key keys nr no num number phone telephone mobile fax account acct iban"
NOT_IDENTIFIERS = (
    "aid medicaid bid kid lid mid rid did said laid maid raid acid amid arid avid void grid valid invalid rigid vivid "
    "rapid solid centroid asteroid android thyroid opioid squid orchid pyramid plasmid skid madrid "
    "prepaid superfluid semiliquid hyperhumid nonhybrid postcovid phospholipid corticosteroid toavoid"
)
WEIGHTS = "myweight myweights mywgt mywgts mywt mywts mygewicht wtmec"
MEASURED = (
    "kg lb lbs oz g gram grams pound pounds ton tons tonnes body birth net gross bodyweight birthweight overweight "
    "underweight"
)
CLASSIFICATIONS = "code codes zip zipcode postcode postal plz nace isco isic sic naics nuts fips stratum strata psu"
CATEGORIES = (
    "region sex gender race ethnicity cluster class type status flag cd category state county country district "
    "province municipality"
)


@pytest.mark.parametrize("word", IDENTIFIERS.split())
def test_words_for_identifiers_stand_anywhere(word: str) -> None:
    for name in (word, f"{word}_of_it", f"my {word.upper()}"):
        assert reason([1.5, 2.25, 7.75], name) == "looks like an identifier, by its name"


@pytest.mark.parametrize("word", NUMBERINGS.split())
def test_words_for_numberings_stand_last_and_hold_whole_numbers(word: str) -> None:
    assert reason(AMOUNTS, f"my_{word}") == "looks like an identifier, by its name"
    assert reason(AMOUNTS, f"{word}_of") == "plain"
    assert reason([1.5, 2.25, 7.75], f"my_{word}") == "plain"


@pytest.mark.parametrize("word", NOT_IDENTIFIERS.split())
def test_words_that_end_like_identifiers(word: str) -> None:
    assert reason(AMOUNTS, word) == "plain"
    assert reason(AMOUNTS, f"{word}id") == "looks like an identifier, by its name"
    assert reason([1.5, 2.25, 7.75], f"{word}id") == "plain"


@pytest.mark.parametrize("word", WEIGHTS.split())
def test_words_for_weights_stand_anywhere(word: str) -> None:
    for name in (word, f"{word}_sum"):
        assert reason([1.5, 2.25, 7.75], name) == "looks like a sampling weight, by its name"


@pytest.mark.parametrize("word", MEASURED.split())
def test_weights_that_are_measured(word: str) -> None:
    assert reason([1.5, 2.25, 7.75], f"weight_{word}") == "plain"


@pytest.mark.parametrize("word", CLASSIFICATIONS.split())
def test_words_for_classifications_stand_anywhere(word: str) -> None:
    assert reason(AMOUNTS, f"{word}_sum") == "looks like a code, by its name"


@pytest.mark.parametrize("word", CATEGORIES.split())
def test_words_for_categories_stand_last_or_before_of(word: str) -> None:
    assert reason(AMOUNTS, f"my_{word}") == "looks like a code, by its name"
    assert reason(AMOUNTS, f"{word}_of_it") == "looks like a code, by its name"
    assert reason(AMOUNTS, f"{word}_sum") == "plain"


@pytest.mark.parametrize("word", ["target", "outcome", "label"])
def test_words_for_targets_stand_alone(word: str) -> None:
    assert reason(AMOUNTS, word) == "looks like a code, by its name"
    assert reason(AMOUNTS, f"my_{word}") == "plain"


def test_codes_may_run_together() -> None:
    assert reason(AMOUNTS, "mycode") == "looks like a code, by its name"
    assert reason(AMOUNTS, "mycode_sum") == "plain"
    assert reason(AMOUNTS, "decoder") == "plain"


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


RNG = np.random.default_rng(0)
SAMPLING_WEIGHTS = np.round(RNG.lognormal(0, 0.5, 200), 4) + 0.0001
KILOGRAMS = np.round(RNG.normal(72, 12, 200), 1)
NUMBERS = RNG.integers(1, 90_000, 200)
TRIED_WEIGHTS = (
    "wght pspwght PWGTP WGTP PWGTP80 poids pond ponderacion peso factor expansion_factor grossing_factor FACTOREL "
    "hochrechnungsfaktor extri pb040 DB090 RB050 w W poids_final factor_expansion weight gewicht WTFINL"
)
TRIED_IDENTIFIERS = (
    "household hh firm company enterprise plant serial pernum case respondent ident folio matricule siren siret nif "
    "dni personnummer haushalt menage ménage hogar intnum persnum caseid resp_no HHNUM serialnumber"
)


@pytest.mark.parametrize("name", [*TRIED_WEIGHTS.split(), "v005"])
def test_weights_by_the_names_of_statistical_offices(name: str) -> None:
    values = NUMBERS * 1000 if name == "v005" else SAMPLING_WEIGHTS
    assert "be a sampling weight, by its name" in reason(values, name).replace("looks like", "may be")


@pytest.mark.parametrize("name", TRIED_IDENTIFIERS.split())
def test_identifiers_by_the_names_of_statistical_offices(name: str) -> None:
    for values in (NUMBERS, np.repeat(NUMBERS[:50], 4)[RNG.permutation(200)]):
        assert "looks like an identifier" in reason(values, name)
        assert "by its name" in reason(values, name)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("peso", KILOGRAMS),
        ("poids", KILOGRAMS),
        ("peso_corporal", SAMPLING_WEIGHTS),
        ("w", RNG.normal(0.5, 1.0, 200)),
        ("w", [0.0, *SAMPLING_WEIGHTS]),
        ("factor", RNG.normal(0.0, 1.0, 200)),
        ("factor_score", RNG.normal(0.0, 1.0, 200)),
        ("weight_kg", KILOGRAMS),
        ("x_w", SAMPLING_WEIGHTS),
        ("respond", SAMPLING_WEIGHTS),
    ],
)
def test_values_that_are_no_weights(name: str, values: object) -> None:
    assert reason(values, name) == "plain"


def test_a_name_that_tells_little_needs_values_of_weights() -> None:
    assert "code" in reason([1, 2, 3, 4] * 50, "factor")
    assert "weight" in reason(np.append(SAMPLING_WEIGHTS, -9), "peso"), "a sentinel is no weight"


@pytest.mark.parametrize("name", ["household", "firm", "hh", "company", "person"])
def test_few_numbers_of_units_are_codes_or_counts(name: str) -> None:
    assert reason([1, 2, 3, 4] * 50, name) == "looks like a code: whole numbers with only 4 different values"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("age", np.arange(18, 33)[RNG.integers(0, 15, 300)]),
        ("age76", np.arange(24, 35)[RNG.integers(0, 11, 300)]),
        ("edad", np.arange(24, 35)[RNG.integers(0, 11, 300)]),
        ("age", np.sort(np.arange(24, 35)[RNG.integers(0, 11, 300)])),
        ("educ", np.minimum(RNG.binomial(18, 0.7, 300), 17)),
        ("years_of_schooling", np.minimum(RNG.binomial(18, 0.7, 300), 17)),
        ("tenure", np.minimum(RNG.geometric(0.2, 300), 14)),
        ("yrs_exper", np.minimum(RNG.geometric(0.2, 300), 14)),
    ],
)
def test_ages_and_years_are_numbers(name: str, values: object) -> None:
    assert reason(values, name) == "plain"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("age_group", np.arange(1, 10)[RNG.integers(0, 9, 300)]),
        ("agecl", np.arange(1, 10)[RNG.integers(0, 9, 300)]),
        ("age", RNG.integers(1, 8, 300)),
        ("tenure", RNG.integers(1, 5, 300)),
        ("educ", RNG.integers(0, 7, 300)),
        ("school_type", RNG.integers(1, 10, 300)),
    ],
)
def test_classes_of_ages_and_years_are_codes(name: str, values: object) -> None:
    assert "looks like a code" in reason(values, name)
