"""The public edition shows nothing of the original data but what the release itself shows."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from microagg import Plan, Release, protect
from microagg.report import report
from microagg.report.document import as_document
from microagg.report.document_facts import document_facts
from microagg.report.facts import OutputFile
from microagg.report.public_facts import _categories, public_facts

MARK = 987654.321
RARE = "only in Zanzibar"
FOLDER = "secret-folder"
LEVELS = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
SIGNIFICANT = 3  # digits: shorter numbers are shared by chance


@pytest.fixture(scope="module")
def original() -> pl.DataFrame:
    """Return records with values that stand in the original only."""
    rng = np.random.default_rng(5)
    income = np.round(rng.lognormal(10, 0.7, size=63), 2)
    income[17] = MARK
    assets = np.round(0.6 * income + rng.normal(0, 9000, size=63), 2)
    assets[4] = -MARK / 3
    job = rng.choice(["baker", "clerk", "smith"], size=63).tolist()
    job[8] = RARE
    region = ["north"] * 31 + ["south"] * 30 + ["islet"] * 2
    age = rng.integers(20, 80, size=63)
    people = {"person": [f"Person {number}" for number in range(63)], "region": region, "income": income}
    frame = pl.DataFrame({**people, "assets": assets, "job": job, "age": age, "hours": rng.integers(30, 45, size=63)})
    return frame.with_columns(hours=pl.when(pl.col("age") < 35).then(999).otherwise(pl.col("hours")))


@pytest.fixture(scope="module")
def release(original: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Return a release of these records: strata that are too small are left out, sentinels are missing values."""
    folder = tmp_path_factory.mktemp("data") / FOLDER
    folder.mkdir()
    path = folder / "raw-people.csv"
    original.write_csv(path)
    plan = Plan(
        k=3, columns=["income", "assets", "job", "hours"], identifiers=["person"], strata=["region"], drop=["age"],
        small_strata="suppress", missing="pattern", missing_values={"hours": [999]}, method="mdav", bound=True,
        aggregate={"income": "median"},
    )  # fmt: skip
    return protect(path, plan=plan, measures="all")


@pytest.fixture(scope="module")
def editions(release: Release) -> dict[str, str]:
    """Return the visible text of both editions, numbers as Python writes them."""
    facts = document_facts(release, OutputFile("safe.csv", "ab" * 32))
    return {edition: _text(as_document(facts, edition)) for edition in ("internal", "public")}


def _text(document: str) -> str:
    shown = re.sub(r"<style>.*?</style>|<path [^>]*>| (?:x|y|cx|cy|viewBox|width|height)=\"[^\"]*\"", " ", document)
    return shown.replace("\u202f", "").replace("−", "-")


def _numbers(text: str) -> set[str]:
    """Return the numbers in a text that have enough digits to mean something."""
    found = re.findall(r"(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.])", text)
    return {number for number in found if len(number.lstrip("-0.").replace(".", "")) >= SIGNIFICANT}


def _statistics(table: pl.DataFrame) -> Iterator[float]:
    """Yield every statistic of a table that a document might show."""
    numbers = [table[name].drop_nulls().cast(pl.Float64).to_numpy() for name in ("income", "assets", "hours")]
    for column in numbers:
        yield from column.tolist()
        yield from np.quantile(column, LEVELS).tolist()
        yield from (column.mean(), column.sum(), column.std(), column.std(ddof=1), column.var(), column.var(ddof=1))
    correlations = np.corrcoef(table.select("income", "assets").to_numpy().T)
    yield float(correlations[0, 1])
    yield from np.linalg.eigvalsh(correlations).tolist()


def _shown_in(values: list[float], numbers: set[str]) -> set[str]:
    """Return those numbers of a text that are one of some values, rounded to as many decimals."""
    rounded = {decimals: {f"{value:.{decimals}f}" for value in values} for decimals in range(20)}
    return {number for number in numbers if number in rounded[len(number.partition(".")[2])]}


def _without_marks(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table in which 999 hours are missing."""
    return table.with_columns(hours=pl.when(pl.col("hours") == 999).then(None).otherwise(pl.col("hours")))


def _before(original: pl.DataFrame) -> list[float]:
    """Return the statistics of the original, with its sentinels and without."""
    marked = _without_marks(original)
    kept = marked.filter(pl.col("region") != "islet")
    return [*_statistics(original), *_statistics(marked), *_statistics(kept)]


def test_no_statistic_of_the_original_is_public(
    original: pl.DataFrame, release: Release, editions: dict[str, str]
) -> None:
    after = {f"{value:.9g}" for value in (*_statistics(release.data), *_statistics(_without_marks(release.data)))}
    before = [value for value in _before(original) if f"{value:.9g}" not in after]
    shown = {edition: _numbers(text) for edition, text in editions.items()}
    assert _shown_in(before, shown["public"]) == set()
    assert len(_shown_in(before, shown["internal"])) >= 15, "the internal edition shows them: the test can find them"


SECRETS = ("987654", "329218", RARE, "Zanzibar", "raw-people", "suppress", "missing_values", "random_state")
OTHERS = ("987 654", "islet", "Person 1", "999", "Random state", FOLDER)


@pytest.mark.parametrize("secret", [*SECRETS, *OTHERS])
def test_no_marked_value_or_name_is_public(secret: str, editions: dict[str, str]) -> None:
    assert not re.search(rf"\b{re.escape(secret)}\b", editions["public"])


@pytest.mark.parametrize("secret", SECRETS)
def test_marked_values_are_internal(secret: str, editions: dict[str, str]) -> None:
    assert secret in editions["internal"]


def test_columns_that_are_not_released_are_counted_only(editions: dict[str, str]) -> None:
    assert "2 more columns of the original are left out." in editions["public"]
    assert ">person<" in editions["internal"]
    assert ">person<" not in editions["public"]


def test_no_hash_path_or_exact_loss_is_public(release: Release, editions: dict[str, str]) -> None:
    public = editions["public"]
    assert release.table.path is not None
    assert hashlib.sha256(release.table.path.read_bytes()).hexdigest() not in public
    assert str(release.table.path.parent) not in public
    assert "ab" * 32 in public, "the released file is named"
    one = release.sets[0]
    losses = [one.measures.information_loss, one.solution.information_loss, 100 * (one.solution.gap or 0.0)]
    columns = [column.information_loss for column in one.measures.columns]
    for loss in [*losses, *columns]:
        assert loss is not None
        assert f"{loss:.2f}" not in public
    assert f"{one.measures.information_loss:.1f}%" in public
    assert str(release.table.source.n_records) not in _numbers(public)
    assert "Some records of the original are left out." in public


def test_rare_categories_and_their_counts_are_not_public(release: Release) -> None:
    facts = document_facts(release)
    assert any(RARE in one["categories"] for one in facts["assessment"]["categories"])
    assert release.data["job"].to_list().count(RARE) == 0
    assert RARE not in as_document(facts, "public")


def test_categories_are_those_of_the_release_most_frequent_first(release: Release) -> None:
    shown = public_facts(document_facts(release))["assessment"]["categories"][0]
    jobs = Counter(release.data["job"].to_list())
    assert dict(zip(shown["categories"], shown["after_counts"], strict=True)) == jobs
    assert shown["after_counts"] == sorted(shown["after_counts"], reverse=True)


def test_categories_of_an_assessment_alone_do_not_tell_which_were_frequent_before() -> None:
    one = {"name": "job", "categories": ["a", "b", "c"], "after_counts": [4, 9, 2, 3], "before_counts": [9, 8, 7, 1]}
    shown = _categories({**one, "changed": 5.0}, {})
    assert shown["categories"] == ["b", "a"], "c may not be more frequent than what is not listed"
    assert shown["after_counts"] == [9, 4, 5]
    assert shown["before_counts"] is None


def test_only_facts_that_are_listed_are_public(release: Release) -> None:
    """A fact that somebody adds is not public until it is listed."""
    facts = _with_secrets(document_facts(release))
    assert "top secret" not in as_document(facts, "public")
    assert "never told" not in as_document(facts, "public")


def _with_secrets(value: Any) -> Any:
    """Return facts with one more in every place, and with notes and details that tell too much."""
    if isinstance(value, dict):
        known = {name: _with_secrets(each) for name, each in value.items()}
        told = {name: "never told" for name in ("note", "detail", "reason") if isinstance(known.get(name), str)}
        return {**known, **told} if "numpy" in value else {**known, **told, "further": "top secret"}
    if isinstance(value, list):
        return [_with_secrets(each) for each in value]
    return value


def test_figures_are_rounded(release: Release, editions: dict[str, str]) -> None:
    assert release.assessment is not None
    value = release.assessment.figure("information_loss").value
    assert value is not None
    assert f">{value:.1f}%<" in editions["public"]
    assert f">{value:.2f}%<" in editions["internal"]
    assert release.assessment.figure("dld").title not in editions["public"]


def test_folder_of_the_release_is_nowhere(release: Release, tmp_path: Path) -> None:
    assert FOLDER not in as_document(document_facts(release), "internal"), "paths are in no edition"


def test_loss_of_a_single_column_is_not_public(original: pl.DataFrame) -> None:
    """With the variance of the release, it would tell that of the original."""
    release = protect(original.select("income"), k=3, columns=["income"], method="mdav", measures="all")
    public = report(release, "html", edition="public")
    assert "not told: that of a single column" in public
    assert "pMSE" not in public
    assert "pMSE" in report(release, "html")


def test_parameters_of_contribution_rules_are_not_public(original: pl.DataFrame) -> None:
    release = protect(
        original.select("income", "assets", "hours"),
        k=3,
        columns=["income", "assets"],
        confidential=["hours"],
        dominance={"hours": (1, 0.83)},
        method="mdav",
        measures="all",
    )
    public = report(release, "html", edition="public")
    assert "(dominance)" in public
    assert "83 %" not in public
    assert "83 %" in report(release, "html")


def test_groups_are_those_that_can_be_counted_in_the_release(release: Release) -> None:
    (one,) = public_facts(document_facts(release))["sets"]
    assert one["n_groups"] == sum(number for _, number in one["group_sizes"])
    assert one["smallest_group"] == one["group_sizes"][0][0]
    assert one["largest_group"] == one["group_sizes"][-1][0]
