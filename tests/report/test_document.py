"""Documents stand on their own, are well-formed whatever the names, and say what an officer must know."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest

from balanced_html import BalancedHtml
from document_cases import HOSTILE_NAMES, hostile_release, small_comparison
from microagg import InputError, Plan, Release, assess, protect, protect_file, solve, verify, workspace
from microagg.report import Provenance, ReportedFile, report, words
from microagg.report.document import EDITIONS, as_document, document_sections
from microagg.report.document_facts import document_facts
from microagg.report.document_parts.document_warnings import release_warnings
from microagg.report.shown_text import shown_name

MOST_BYTES = 200_000


def tree(document: str) -> ElementTree.Element:
    """Return the root of a document, which is well-formed XML, too."""
    doctype, _, page = document.partition("\n")
    assert doctype == "<!DOCTYPE html>"
    return ElementTree.fromstring(page)


def words_of(document: str) -> str:
    """Return the visible text of a document, on one line."""
    return _one_line(" ".join(tree(document).itertext()))


def _one_line(text: str) -> str:
    return re.sub(r"[ \n]+", " ", text)


def sections(document: str) -> list[str]:
    """Return the ids of the sections, in order."""
    return [str(one.get("id")) for one in tree(document).iter("section")]


@pytest.fixture(scope="module")
def release() -> Release:
    """Return a release of two columns beside an unchanged one, with everything measured."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"x": rng.normal(size=40), "y": rng.normal(size=40), "town": ["a", "b"] * 20})
    return protect(frame, 4, columns=["x", "y"], method="mdav", bound=True, measures="all")


@pytest.mark.parametrize("edition", EDITIONS)
def test_twenty_hostile_columns_make_a_sound_document(edition: str) -> None:
    document = hostile_release().to_html(edition)
    assert len(document.encode()) <= MOST_BYTES
    parser = BalancedHtml(document)
    assert parser.open == []
    root = tree(document)
    tags = {element.tag for element in root.iter()}
    assert not tags & {"script", "link", "img", "iframe", "object", "b", "i"}
    assert not re.search(r"(?:https?:)?//|url\(|@import", document)
    text = words_of(document)
    for name in HOSTILE_NAMES:
        assert _one_line(shown_name(name)) in text, "the name is there in full"


@pytest.mark.parametrize("edition", EDITIONS)
def test_ids_are_used_once_and_what_refers_to_them_is_right(edition: str) -> None:
    root = tree(hostile_release().to_html(edition))
    ids = [str(element.get("id")) for element in root.iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    for element in root.iter():
        named = str(element.get("aria-labelledby") or "").split()
        target = str(element.get("href") or "").removeprefix("#")
        assert set(named) | ({target} - {""}) <= set(ids)


def test_the_same_facts_give_the_same_bytes() -> None:
    facts = document_facts(hostile_release())
    assert as_document(facts) == as_document(facts)


def test_policy_forbids_everything_but_styles(release: Release) -> None:
    root = tree(release.to_html())
    (policy,) = [one for one in root.iter("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    assert policy.get("content") == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def test_headings_go_down_step_by_step() -> None:
    levels = [int(one.tag[1]) for one in tree(hostile_release().to_html()).iter() if re.fullmatch("h[1-6]", one.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_table_has_a_caption_and_scopes() -> None:
    for table in tree(hostile_release().to_html()).iter("table"):
        assert table[0].tag == "caption"
        assert "".join(table[0].itertext()).strip()
        assert all(cell.get("scope") in ("col", "row") for cell in table.iter("th"))


def test_sections_of_a_release(release: Release) -> None:
    listed = sections(release.to_html())
    assert listed[:4] == ["verdict", "warnings", "columns", "verification"]
    assert listed[-3:] == ["provenance", "glossary", "signature"]
    assert {"risk", "utility", "distributions", "correlations", "groups"} <= set(listed)


def test_verdict_tells_loss_bound_gap_and_what_it_means(release: Release) -> None:
    text = words_of(release.to_html())
    solution = release.solution
    assert solution.gap is not None
    assert "VERIFIED" in text
    assert f"{solution.information_loss:.4f}\u202f%" in text
    assert f"At most {100 * solution.gap:.2f}\u202f% of the loss" in text
    assert "4 asked, 4 reached: verified" in text


def test_meaning_of_no_bound_and_of_an_optimum() -> None:
    X = [[1.0], [2.0], [8.0], [9.0]]
    assert "Proved optimal" in words_of(protect(X, 2).to_html())
    heuristic = protect([[1.0, 0.0], [2.0, 5.0], [8.0, 1.0], [9.0, 7.0]], 2, method="mdav")
    assert "No lower bound was asked for" in words_of(heuristic.to_html())


def test_a_release_without_measures_says_so() -> None:
    document = protect([[1.0], [2.0], [8.0], [9.0]], 2).to_html()
    assert "RISK AND UTILITY WERE NOT MEASURED" in words_of(document)
    assert "risk" not in sections(document)


def test_every_figure_and_check_is_there(release: Release) -> None:
    assert release.assessment is not None
    text = words_of(release.to_html())
    for figure in release.assessment.figures:
        assert figure.title in text
        assert figure.sentence in text
    for finding in verify(None, release.data, plan=release.plan).findings:
        if finding.check != "original":
            assert finding.check.replace("_", " ") in text


def test_columns_that_single_out_records_are_shouted_about() -> None:
    frame = pl.DataFrame({"x": np.arange(12.0), "born": [*range(11), 0], "id": range(12)})
    text = words_of(protect(frame, 3, columns=["x"], exclude=["id"], measures="all").to_html())
    assert "COLUMNS THAT ARE RELEASED UNCHANGED SINGLE OUT RECORDS" in text
    assert "12 of 12 records (100.0 %) are unique in 'id', released unchanged" in text
    assert "COLUMNS THAT MAY IDENTIFY ARE RELEASED UNCHANGED 'id' looks like an identifier" in text


def test_sets_that_are_not_anonymous_together_are_shouted_about() -> None:
    text = words_of(hostile_release().to_html())
    assert "THE COLUMN SETS ARE NOT 4-ANONYMOUS TOGETHER" in text
    assert "Column set 2" in text


def test_a_release_without_doubts_has_no_warning(release: Release) -> None:
    sound = protect(release.data.select("x", "y"), 5, method="mdav", measures="all")
    text = words_of(sound.to_html())
    assert "Nothing was found that calls for a warning." in text
    assert words.READ_WARNINGS not in text


def test_better_groups_of_the_proof_are_told_beside_the_groups_of_the_method(release: Release) -> None:
    improved = release.solution.improved
    assert improved is not None
    text = words_of(release.to_html())
    assert f"The proof found groups that lose {improved.information_loss:.4f}" in text
    assert "They are not those of mdav" in text
    assert "The proof found groups" not in words_of(release.to_html("public"))


def test_a_failed_check_is_the_verdict() -> None:
    facts = document_facts(protect([[1.0], [2.0], [8.0], [9.0]], 2))
    finding = {"check": "totals", "passed": False, "detail": "moved"}
    text = words_of(as_document({**facts, "verification": {"passed": False, "findings": [finding]}}))
    assert "NOT VERIFIED: DO NOT RELEASE" in text
    assert "A CHECK FAILED" in text


def test_what_was_done_is_told_by_role(tmp_path: Path) -> None:
    rows = "\n".join(f"p{i},{i % 3},{i % 2},{1 + i % 2},{i},{'ab'[i % 2]},{i % 5}" for i in range(24))
    path = tmp_path / "people.csv"
    path.write_text(f"person,house,region,weight,income,sex,illness\n{rows}\n")
    plan = Plan(
        k=3, columns=["income", "sex"], identifiers=["person"], renumber=["house"], strata=["region"], weight="weight",
        confidential=["illness"], l_diversity=2, keep_integers=True, method="mdav",
    )  # fmt: skip
    document = protect(path, plan=plan).to_html()
    (table,) = [one for one in tree(document).iter("table") if one[0].text == words.COLUMNS_CAPTION]
    rows_shown = {cells[0]: cells[1] for cells in ([" ".join(cell.itertext()) for cell in row] for row in table[2])}
    assert rows_shown == {
        "income": "protected", "sex": "protected", "person": "identifier", "house": "renumbered identifier",
        "illness": "confidential", "region": "stratum", "weight": "sampling weight",
    }  # fmt: skip
    text = words_of(document)
    assert "rounded to a whole number" in text
    assert "most frequent category" in text
    assert "l-diversity Rule that a confidential column" in text, "the glossary explains words that are used"
    assert "t-closeness" not in text


def test_provenance_tells_plan_files_and_versions(companies: Path) -> None:
    release = protect(companies, 3, columns=["surface", "employees"], exclude=["company"], method="mdav")
    text = words_of(release.to_html())
    assert "Called as a function of Python" in text
    assert 'columns = ["surface", "employees"]' in text
    assert "companies.csv" in text
    assert np.__version__ in text
    assert "Place and date" in text


def test_document_of_an_assessment(release: Release) -> None:
    after = release.data
    before = after.with_columns(x=after["x"] + 0.25)
    assessment = assess(before, after, ["x", "y"], regressions=["y ~ x"], domains=["town"])
    listed = sections(assessment.to_html())
    assert {"warnings", "risk", "utility", "distributions", "regressions", "domains", "signature"} <= set(listed)
    assert "verdict" not in listed


def test_document_of_a_verification() -> None:
    passed = verify(None, [[1.5], [1.5]], k=2, columns=[0])
    failed = verify(None, [[1.5], [2.5]], k=2, columns=[0])
    assert "PASS No check failed." in words_of(passed.to_html())
    assert "FAIL 1 of 1 checks failed: k-anonymity." in words_of(failed.to_html())
    for finding in failed.findings:
        assert finding.detail in words_of(failed.to_html())
        assert finding.detail not in words_of(failed.to_html("public"))


def test_document_of_a_comparison_and_its_map_in_a_release(release: Release) -> None:
    comparison = small_comparison()
    assert comparison.recommended is not None
    for document in (comparison.to_html(), report(release, "html", comparison=comparison)):
        text = words_of(document)
        assert f"RECOMMENDED: {comparison.recommended.name}" in text
        assert "Risk–utility map" in text
    with pytest.raises(InputError, match="no public edition about such a result"):
        comparison.to_html("public")


def test_a_release_that_was_written_out_of_core_is_an_error(
    companies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "_COPIES", 10**18)
    plan = Plan(k=3, columns=["surface"], exclude=["company", "employees"], method="mdav")
    release = protect_file(companies, tmp_path / "safe.csv", plan=plan, memory="500M")
    assert "read as:          delimiter ',', decimal sign '.', encoding UTF-8" in release.summary()
    with pytest.raises(InputError, match="what it was made of is gone: let the command line"):
        release.to_html()


def test_what_no_document_can_be_about_is_an_error(release: Release) -> None:
    with pytest.raises(InputError, match=r"no HTML document about such a result \(solution\): choose 'text' or 'json'"):
        report(solve([[1.0], [2.0]], 2), "html")
    with pytest.raises(InputError, match="no edition 'pubic': did you mean 'public'"):
        release.to_html("pubic")
    with pytest.raises(InputError, match="an edition belongs to a document"):
        report(release, "json", edition="public")
    with pytest.raises(InputError, match="a comparison belongs to a document"):
        report(release, "text", comparison=small_comparison())
    with pytest.raises(InputError, match="a comparison belongs to the document of a release"):
        report(verify(None, [[1.0]], k=1, columns=[0]), "html", comparison=small_comparison())


def test_the_sections_are_those_of_the_document(release: Release) -> None:
    facts = document_facts(release)
    parts = document_sections(facts)
    whole = as_document(facts)
    assert list(parts) == [name for name in sections(whole) if name not in ("glossary", "signature")]
    assert all(part in whole for part in parts.values())


def test_risk_is_on_the_first_page(release: Release) -> None:
    assert release.assessment is not None
    values = {one.name: one.value for one in release.assessment.figures}
    for edition, told in (("internal", True), ("public", False)):
        root = tree(release.to_html(edition))
        verdict = next(one for one in root.iter("section") if one.get("id") == "verdict")
        text = _one_line(" ".join(verdict.itertext()))
        assert ("record linkage by distance" in text) == told, "in public only what can be counted in the release"
        digits = 2 if told else 1
        assert f"re-identification, prosecutor {values['reidentification_prosecutor']:.{digits}f}" in text
        assert "measured on the protected columns alone" in text
        assert text.index("re-identification") < text.index("The protected columns")


def test_the_signature_is_about_one_file_its_verdict_and_the_number_of_warnings(release: Release) -> None:
    released = ReportedFile("release", "safe.csv", "ab" * 32)
    facts = document_facts(release, provenance=Provenance(files=(released,)))
    n_warnings = len(release_warnings(facts))
    assert n_warnings
    document = as_document(facts)
    signed = next(one for one in tree(document).iter("section") if one.get("id") == "signature")
    text = _one_line(" ".join(signed.itertext()))
    bound = f"released file safe.csv SHA-256 {'ab' * 32} verdict VERIFIED ON THE PROTECTED COLUMNS ONLY"
    assert f"{bound} warnings {n_warnings} " in text
    facts["verification"]["passed"] = False
    failed = next(one for one in tree(as_document(facts)).iter("section") if one.get("id") == "signature")
    assert f"verdict {words.NOT_VERIFIED}" in _one_line(" ".join(failed.itertext()))
    assert "signature" not in sections(as_document(facts, "public"))


def test_the_signature_of_a_verification_tells_its_verdict_and_its_notes() -> None:
    verification = verify(None, pl.DataFrame({"x": [1.5, 1.5], "y": [1, 2]}), k=2, columns=["x"])
    facts = document_facts(verification, provenance=Provenance(files=(ReportedFile("release", "a.csv", "cd" * 32),)))
    signed = next(one for one in tree(as_document(facts)).iter("section") if one.get("id") == "signature")
    text = _one_line(" ".join(signed.itertext()))
    n_notes = sum(one.passed is None for one in verification.findings)
    assert n_notes
    assert f"a.csv SHA-256 {'cd' * 32} verdict {words.PASS_LIMITED} notes {n_notes} " in text


def test_banners_promise_no_more_than_holds(release: Release) -> None:
    internal, public = (words_of(release.to_html(edition)) for edition in EDITIONS)
    assert "nothing of them" not in internal
    assert "the information loss, its gap to a proved bound, and how well a model tells release and original" in public
    assert "propensity score pMSE" in public


def test_missing_values_are_warned_of_once() -> None:
    rng = np.random.default_rng(3)
    x = [None if one < 0.1 else float(one) for one in rng.random(60)]
    frame = pl.DataFrame({"x": x, "y": rng.normal(size=60)})
    weak = protect(frame, 4, columns=["x", "y"], method="mdav", missing="available", measures="all")
    titles = [title for title, _ in release_warnings(document_facts(weak))]
    assert titles.count("MISSING VALUES TELL RECORDS APART") == 1
