"""Sections of a document that come first and last: the verdict, what each column set came to, and the signature."""

from collections.abc import Sequence

from microagg.report import words
from microagg.report.document_parts.html_elements import (
    Markup,
    element,
    named_rows,
    notice,
    paragraph,
    section,
)
from microagg.report.facts import Facts
from microagg.report.shown_text import ended, number_text, percent_text, shown_name

_LOSS_DECIMALS = 4
_MAX_NAMES = 12


def counted(number: int, forms: Sequence[str]) -> str:
    """Write a number with its noun: the first form for 1, the second for others."""
    return forms[number != 1].format(n=number_text(number))


def name_list(names: Sequence[str], most: int = _MAX_NAMES) -> str:
    """List names for a sentence, the first of them where there are many."""
    listed = ", ".join(shown_name(name) for name in names[:most])
    return listed if len(names) <= most else f"{listed} {words.AND_MORE.format(n=len(names) - most)}"


def release_verdict(facts: Facts, n_warnings: int) -> Markup:
    """Return what was released, whether that was verified, how many warnings there are, and what each set lost."""
    return section("verdict", words.HEADINGS["verdict"], release_notice(facts), warned(n_warnings), *set_tables(facts))


def release_notice(facts: Facts) -> Markup:
    """Return a box that says what was released, and whether that was verified."""
    verified = all(one["verified"] for one in facts["sets"]) and facts["verification"]["passed"]
    sentences = [_released(facts), *anonymity(facts), _checks(facts), *_records(facts)]
    return notice(
        "good" if verified else "bad", words.VERIFIED if verified else words.NOT_VERIFIED, " ".join(sentences)
    )


def set_tables(facts: Facts) -> list[Markup]:
    """Return what each column set lost, and how it was grouped."""
    sets = facts["sets"]
    return [_set_table(one, number, len(sets)) for number, one in enumerate(sets, start=1)]


def warned(n_warnings: int) -> Markup:
    """Return a box that points to the warnings; nothing where there are none."""
    if not n_warnings:
        return Markup()
    return notice("warning", counted(n_warnings, words.WARNINGS_BELOW), words.READ_WARNINGS)


def verification_verdict(facts: Facts) -> Markup:
    """Return the verdict of a verification."""
    failed = [finding["check"] for finding in facts["findings"] if finding["passed"] is False]
    sentence = words.VERDICT_PASSED
    if failed:
        listed = ", ".join(dict.fromkeys(failed))
        sentence = words.VERDICT_FAILED.format(n=len(failed), all=len(facts["findings"]), checks=listed)
    verdict = notice("bad" if failed else "good", words.FAIL if failed else words.PASS, sentence)
    return section(
        "verdict",
        words.HEADINGS["verdict"],
        verdict,
        paragraph(words.VERIFIED_K.format(k=facts["k"], k_reached=facts["k_reached"])),
        paragraph(words.VERIFIED_COLUMNS.format(columns=name_list(facts["columns"], len(facts["columns"])))),
        paragraph(sets_sentence(facts["findings"])),
    )


def sets_sentence(findings: Sequence[Facts]) -> str:
    """Say that several column sets were verified each on its own; nothing where there is one."""
    together = [one["detail"] for one in findings if one["check"] == words.SETS_TOGETHER]
    return words.VERIFIED_SETS.format(detail=together[0]) if together else ""


def signature(about: str) -> Markup:
    """Return the place for a decision, a name, a date and a signature."""
    lines = [part for line in words.SIGNATURE_LINES for part in (element("dt", line), element("dd", Markup("&#160;")))]
    return section(
        "signature",
        words.HEADINGS["signature"],
        element("div", paragraph(words.SIGNATURE_INTRODUCTION[about]), element("dl", *lines), class_="signature"),
    )


def _released(facts: Facts) -> str:
    n_columns = len(facts["columns"]) + len(facts["as_they_came"]) + len(facts["roles"]["renumber"])
    return words.RELEASED.format(
        records=counted(facts["n_records"], words.RECORDS),
        columns=counted(n_columns, words.COLUMNS),
        protected=counted(len(facts["columns"]), words.COLUMNS_ARE),
    )


def anonymity(facts: Facts) -> list[str]:
    """Say what is known of k, for all sets in one sentence where they share it."""
    sets = facts["sets"]
    template = words.K_HOLDS if len(sets) == 1 else words.K_HOLDS_IN_SETS
    found = []
    for one in sets:
        k_reached = one["measures"]["k_reached"]
        chosen = template if one["verified"] else words.K_FAILS
        found.append(chosen.format(k=one["k"], counted=_what_is_counted(one), k_reached=k_reached))
    return list(dict.fromkeys(found))


def _what_is_counted(one: Facts) -> str:
    if one["unit"] is None:
        return words.CHART_RECORDS
    return words.UNITS.format(unit=shown_name(one["unit"])) if one["unit"] else words.UNITS_UNNAMED


def _checks(facts: Facts) -> str:
    findings = facts["verification"]["findings"]
    failed = [finding for finding in findings if finding["passed"] is False]
    if failed:
        return words.CHECKS_FAIL.format(n=len(failed))
    sentence = words.CHECKS_HOLD if facts["spark"] is None else words.CHECKS_HOLD_ON_SPARK
    return sentence.format(n=sum(1 for finding in findings if finding["passed"]))


def _records(facts: Facts) -> list[str]:
    sentences = []
    if facts["n_suppressed"] is None:
        sentences.append(words.SUPPRESSED_PUBLIC)
    elif facts["n_suppressed"]:
        sentences.append(counted(facts["n_suppressed"], words.SUPPRESSED))
    if facts["shuffled"]:
        sentences.append(words.SHUFFLED)
    return sentences


def _set_table(one: Facts, number: int, n_sets: int) -> Markup:
    """Return what was found for one column set."""
    caption = words.SET_CAPTION.format(number=number) if n_sets > 1 else words.SET_CAPTION_OF_ONE
    rows = [(words.SET_ROWS[name], content) for name, content in _set_rows(one).items() if content]
    return named_rows(caption, rows)


def _set_rows(one: Facts) -> dict[str, str]:
    k_reached = one["measures"]["k_reached"]
    verdict = words.VERIFIED if one["verified"] else words.NOT_VERIFIED
    return {
        "columns": name_list(one["columns"], len(one["columns"])),
        "method": words.IMPROVED_BY_BOUND.format(method=one["method"]) if one["improved_by_bound"] else one["method"],
        "reason": one["reason"],
        "ended": _ended(one),
        "scale": "; ".join(
            words.REPLACED_SCALE.format(used=used, wanted=wanted, name=shown_name(name))
            for name, wanted, used in one["replaced_scales"]
        ),
        "parts": _parts(one),
        "groups": _groups(one),
        "k": words.K_ASKED_AND_REACHED.format(k=one["k"], k_reached=k_reached, verdict=verdict.casefold()),
        **_loss_rows(one),
    }


def _loss_rows(one: Facts) -> dict[str, str]:
    """Say what was lost, how much less could be, and what that means."""
    if one["rounded"]:
        loss = one["measures"]["information_loss"]
        return {
            "loss": words.LOSS_NOT_TOLD if loss is None else words.LOSS_PUBLIC.format(loss=rounded_percent(loss)),
            "bound": "" if one["gap"] is None else words.BOUND_PUBLIC.format(kind=one["bound_kind"]),
            "meaning": "" if one["gap"] is None else _meaning(one),
        }
    loss = one["information_loss"]
    released = one["measures"]["information_loss"]
    differs = percent_text(loss, _LOSS_DECIMALS) != percent_text(released, _LOSS_DECIMALS)
    return {
        "loss": words.LOSS.format(loss=percent_text(loss, _LOSS_DECIMALS)),
        "released_loss": percent_text(released, _LOSS_DECIMALS) if differs else "",
        "bound": _bound(one),
        "gap": "" if one["gap"] is None else percent_text(100.0 * one["gap"], _LOSS_DECIMALS),
        "meaning": _meaning(one),
    }


def rounded_percent(value: float) -> str:
    """Write a percentage that is already rounded to one decimal."""
    return words.LESS_THAN.format(value=percent_text(0.1, 1)) if value < 0.1 else percent_text(value, 1)


def _bound(one: Facts) -> str:
    if one["gap"] is None:
        return words.BOUND_NONE
    least = one["information_loss"] * (1 - one["gap"])
    ending = words.BOUND_CONVERGED
    if not one["bound_converged"]:
        ending = ended(str(one["bound_ended_by"]).replace("_", " "))
    proved = int(least * 10**_LOSS_DECIMALS) / 10**_LOSS_DECIMALS  # rounding it up would claim more than is proved
    return words.BOUND.format(
        k=one["k"], bound=percent_text(proved, _LOSS_DECIMALS), kind=one["bound_kind"], ending=ending
    )


def _meaning(one: Facts) -> str:
    """Say what the gap means."""
    if one["gap"] is None:
        return words.MEANING_NONE
    if one["status"] == "optimal":
        return (words.MEANING_OPTIMAL_IN_PARTS if one["n_parts"] else words.MEANING_OPTIMAL).format(k=one["k"])
    if one["rounded"]:
        return words.MEANING_BOUNDED_PUBLIC.format(gap=rounded_percent(100.0 * one["gap"]), k=one["k"])
    points = one["information_loss"] * one["gap"]
    return words.MEANING_BOUNDED.format(gap=percent_text(100.0 * one["gap"]), points=number_text(points, 2), k=one["k"])


def _ended(one: Facts) -> str:
    if one["ended_by"] is None:
        return ""
    return words.ENDED.format(
        reason=one["ended_by"].replace("_", " "),
        iterations=number_text(one["iterations"]),
        reproducible=words.REPRODUCIBLE if one["reproducible"] else words.NOT_REPRODUCIBLE,
    )


def _parts(one: Facts) -> str:
    sizes = [part["n_records"] for part in one["parts"]]
    found = []
    if sizes:
        found.append(
            words.PARTS.format(
                n=number_text(len(sizes)), smallest=number_text(min(sizes)), largest=number_text(max(sizes))
            )
        )
    if one["n_merged"]:
        found.append(counted(one["n_merged"], words.MERGED))
    return "; ".join(found)


def _groups(one: Facts) -> str:
    template = words.GROUPS_OF_ONE_SIZE if one["smallest_group"] == one["largest_group"] else words.GROUPS
    return template.format(
        n=number_text(one["n_groups"]),
        smallest=number_text(one["smallest_group"]),
        largest=number_text(one["largest_group"]),
    )
