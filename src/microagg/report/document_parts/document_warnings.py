"""Warnings of a document: what a reader must know before anything is signed."""

from collections.abc import Iterator, Sequence

from microagg.report import words
from microagg.report.document_parts.html_elements import Markup, notice, paragraph, section, table
from microagg.report.document_parts.verdict_sections import counted, name_list
from microagg.report.facts import Facts
from microagg.report.shown_text import as_sentence, number_text, percent_text, shown_name

Shout = tuple[str, str]
"""Warning: a title in capitals, and a sentence."""

_SINGLED_OUT = ("n_unique", "n_below_3", "n_below_5")


def release_warnings(facts: Facts) -> list[Shout]:
    """Return the warnings about a release: those of its verdict, then what the measures of risk add."""
    verdict = facts["verdict"]
    told = [(one["title"], as_sentence(one["sentence"])) for one in (verdict or {"warnings": ()})["warnings"]]
    titles = {title for title, _ in told}
    found = [
        *_failed(facts.get("verification")),
        *told,
        *(one for one in _by_groups(facts["assessment"]) if one[0] not in titles),
        *_merged(facts),
    ]
    if facts["assessment"] is None and "provenance" in facts:
        found.append(words.WARN_NOT_MEASURED if facts["spark"] is None else words.WARN_NOT_MEASURED_ON_SPARK)
    return found


def warnings_section(found: Sequence[Shout], assessment: Facts | None) -> Markup:
    """Return the warnings, each in a box, and the combinations of unchanged columns that single out records."""
    boxes = [notice("warning", *one) for one in found] or [paragraph(words.NO_WARNINGS)]
    return section("warnings", words.HEADINGS["warnings"], *boxes, _singling_out(assessment))


def assessment_warnings(assessment: Facts | None) -> Iterator[Shout]:
    """Yield what the measures of risk warn of."""
    if assessment is None:
        return
    yield from _unique(assessment)
    yield from _unique_in_groups(assessment)
    yield from _by_groups(assessment)


def _by_groups(assessment: Facts | None) -> Iterator[Shout]:
    """Yield what the measures of risk warn of that is about the groups, and not about unchanged columns."""
    if assessment is None:
        return
    for one in assessment["confidential"]:
        if 0 < one["n_constant"] < assessment["measures"]["n_records"]:  # else the whole column is constant
            records = counted(one["n_constant"], words.RECORDS)
            yield _filled(words.WARN_CONSTANT, records=records, column=shown_name(one["name"]))
    yield from _small_parts(assessment)


def _small_parts(assessment: Facts) -> Iterator[Shout]:
    """Warn where fewer than k share their values within a stratum, or if missing values count as values."""
    k = assessment.get("k")
    if k is None or not assessment["parts"]:
        return
    whole, *strata = assessment["parts"]
    small = [part["part"] for part in strata if part["k_reached"] < k]
    if small:
        yield _filled(words.WARN_PARTS, parts=name_list(small), k=k)
    elif whole["k_reached"] < k:
        yield _filled(words.WARN_MISSING, k_reached=whole["k_reached"], k=k)


def _unique(assessment: Facts) -> Iterator[Shout]:
    """Warn of records that unchanged columns single out: by the fewest columns that do, and by all of them."""
    if assessment.get("singles_out"):
        yield words.WARN_UNIQUE_PUBLIC
    n_records = assessment["measures"]["n_records"]
    found = [one for one in assessment["singling_out"] if one["n_unique"]]
    few = [one for one in assessment["singling_out"] if one["n_below_5"]]
    if found:
        worst = max(found, key=lambda one: one["n_unique"])
        yield _filled(
            words.WARN_UNIQUE,
            unique=_share(worst["n_unique"], n_records),
            below=_share(worst["n_below_5"], n_records),
            columns=name_list(worst["columns"]),
        )
    elif few:
        worst = max(few, key=lambda one: one["n_below_5"])
        yield _filled(words.WARN_FEW, below=_share(worst["n_below_5"], n_records), columns=name_list(worst["columns"]))


def _unique_in_groups(assessment: Facts) -> Iterator[Shout]:
    """Warn of records that unchanged columns single out within their groups, where they do not so on their own."""
    values = {one["name"]: one["value"] for one in assessment["figures"]}
    together = values.get("unchanged_with_groups_unique") or 0
    if together > (values.get("unchanged_unique") or 0):
        records = _share(int(together), assessment["measures"]["n_records"])
        yield _filled(words.WARN_UNIQUE_IN_GROUPS, records=records)


def _share(number: int, n_records: int) -> str:
    share = percent_text(100.0 * number / max(1, n_records))
    return f"{counted(number, words.RECORDS)} ({share})"


def _singling_out(assessment: Facts | None) -> Markup:
    """Return the combinations of unchanged columns that single out records."""
    if assessment is None:
        return Markup()
    rows = [
        [name_list(one["columns"], len(one["columns"])), *(number_text(one[name]) for name in _SINGLED_OUT)]
        for one in assessment["singling_out"]
        if one["n_below_5"]
    ]
    return table(words.SINGLING_OUT_CAPTION, words.SINGLING_OUT_HEAD, rows, (1, 2, 3))


def _failed(verification: Facts | None) -> list[Shout]:
    if verification is None:
        return []
    failed = dict.fromkeys(one["check"] for one in verification["findings"] if one["passed"] is False)
    return [_filled(words.WARN_FAILED, checks=", ".join(failed))] if failed else []


def _merged(facts: Facts) -> list[Shout]:
    """Warn of merged strata where these are not listed one by one."""
    hidden = [one for one in facts["sets"] if one.get("rounded") and one["is_merged"]]
    return [words.WARN_MERGED_PUBLIC] if hidden else []


def _filled(warning: Shout, **names: object) -> Shout:
    title, sentence = warning
    return title, sentence.format(**names)
