"""Sections of a document that come first and last: the verdict, what each column set came to, and the signature."""

from collections.abc import Sequence

from microagg.report import words
from microagg.report.document_parts.html_elements import (
    Markup,
    element,
    joined,
    named_rows,
    notice,
    paragraph,
    section,
)
from microagg.report.facts import Facts
from microagg.report.shown_text import as_sentence, bound_advice, ended, number_text, percent_text, shown_name

_LOSS_DECIMALS = 4
_MAX_NAMES = 12


def counted(number: int, forms: Sequence[str]) -> str:
    """Write a number with its noun: the first form for 1, the second for others."""
    return forms[number != 1].format(n=number_text(number))


def name_list(names: Sequence[str], most: int = _MAX_NAMES) -> str:
    """List names for a sentence, the first of them where there are many."""
    listed = ", ".join(shown_name(name) for name in names[:most])
    return listed if len(names) <= most else f"{listed} {words.AND_MORE.format(n=len(names) - most)}"


def release_verdict(facts: Facts, n_warnings: int, risk: Markup) -> Markup:
    """Return what was released, whether that was verified, the number of warnings, the risk, and what each set lost."""
    box = joined([release_notice(facts), warned(n_warnings)])
    return section("verdict", words.HEADINGS["verdict"], box, risk, *set_tables(facts))


def release_notice(facts: Facts) -> Markup:
    """Return a box with the verdict: what was released, what was counted, and whether that was verified."""
    verdict = _checked_verdict(facts)
    sentences = [_released(facts), *counted_sentences(verdict), _checks(facts), *_records(facts)]
    return notice(TONES[verdict["tone"]], headline(verdict), " ".join(sentences))


def _checked_verdict(facts: Facts) -> Facts:
    """Return the verdict on a release, which is another one where a check has failed."""
    verdict: Facts = facts["verdict"]
    return verdict if facts["verification"]["passed"] else {**verdict, "tone": "not verified"}


TONES = {"verified": "good", "limited": "warning", "not verified": "bad"}
"""Look of the box of each tone of a verdict."""


def headline(verdict: Facts, *, is_checked: bool = True) -> str:
    """Return the headline of a verdict, in capitals; before the independent check, nothing is called verified."""
    if verdict["tone"] == "not verified":
        return words.NOT_VERIFIED
    told = str(verdict["headline"]).upper()
    return told if is_checked else told.replace("VERIFIED", words.COUNTED, 1)


def counted_sentences(verdict: Facts) -> list[str]:
    """Return what was counted."""
    return [as_sentence(one) for one in verdict["sentences"]]


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
    title = verification_title(facts)
    whole = [as_sentence(one["detail"]) for one in facts["findings"] if one["check"] == words.WHOLE_FILE]
    told = " ".join(filter(None, [sentence, *([] if title in (words.PASS, words.FAIL) else whole)]))
    verdict = notice({words.PASS: "good", words.FAIL: "bad"}.get(title, "warning"), title, told)
    return section(
        "verdict",
        words.HEADINGS["verdict"],
        verdict,
        paragraph(words.VERIFIED_K.format(k=facts["k"], k_reached=facts["k_reached"])),
        paragraph(words.VERIFIED_COLUMNS.format(columns=name_list(facts["columns"], len(facts["columns"])))),
        paragraph(sets_sentence(facts["findings"])),
    )


def verification_title(facts: Facts) -> str:
    """Return PASS or FAIL, and what a PASS is not about."""
    if not facts["passed"]:
        return words.FAIL
    if any(one["check"] == words.K_ANONYMITY and one["passed"] is None for one in facts["findings"]):
        return words.PASS_IF_AGREEING
    exposure = facts["exposure"]
    return words.PASS if exposure is None or not exposure["n_below_k"] else words.PASS_LIMITED


def sets_sentence(findings: Sequence[Facts]) -> str:
    """Say that several column sets were verified each on its own; nothing where there is one."""
    together = [one["detail"] for one in findings if one["check"] == words.SETS_TOGETHER]
    return words.VERIFIED_SETS.format(detail=together[0]) if together else ""


def signature(facts: Facts, n_warnings: int) -> Markup:
    """Return the place for a decision, a name, a date and a signature: of one file, verdict and number of warnings."""
    about = facts["facts"]
    released = [one for one in facts["provenance"]["files"] if one["role"] == "release"]
    bound = []
    if about != "comparison":
        bound.append((words.SIGNED["file"], (released and released[0]["file"]) or words.NOT_A_FILE))
        bound.append((words.SIGNED["sha256"], (released and released[0]["sha256"]) or words.NOTHING))
    if about == "release":
        bound.append((words.SIGNED["verdict"], headline(_checked_verdict(facts))))
    if about == "verification":
        n_notes = sum(one["passed"] is None for one in facts["findings"])
        bound.append((words.SIGNED["verdict"], verification_title(facts)))
        bound.append((words.SIGNED["notes"], number_text(n_notes)))
    if about in ("release", "assessment"):
        bound.append((words.SIGNED["warnings"], number_text(n_warnings)))
    lines = [part for line in words.SIGNATURE_LINES for part in (element("dt", line), element("dd", Markup("&#160;")))]
    return section(
        "signature",
        words.HEADINGS["signature"],
        named_rows(words.SIGNED_CAPTION, bound) if bound else Markup(),
        element("div", paragraph(words.SIGNATURE_INTRODUCTION[about]), element("dl", *lines), class_="signature"),
    )


def _released(facts: Facts) -> str:
    n_columns = len(facts["columns"]) + len(facts["as_they_came"]) + len(facts["roles"]["renumber"])
    return words.RELEASED.format(
        records=counted(facts["n_records"], words.RECORDS),
        columns=counted(n_columns, words.COLUMNS),
        protected=counted(len(facts["columns"]), words.COLUMNS_ARE),
    )


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
        "k": _k_row(one),
        "imputed": _cells(words.CELLS_IMPUTED, one["measures"]["n_imputed"]),
        "suppressed": _cells(words.CELLS_SUPPRESSED, one["measures"]["n_suppressed"]),
        **_loss_rows(one),
    }


def _cells(sentence: str, number: int | None) -> str:
    """Say how many cells were filled in or blanked: "some" in the public edition, nothing where there are none."""
    if number == 0:
        return ""
    return sentence.format(n=words.SOME if number is None else number_text(number))


def _k_row(one: Facts) -> str:
    """Say which k is reached by released values, and which one if a missing cell may be any value."""
    template = words.K_ASKED_AND_REACHED if one["k_if_missing_agrees"] is None else words.K_IF_MISSING_AGREES
    verdict = words.VERIFIED if one["verified"] else words.NOT_VERIFIED_IN_SET
    return template.format(
        k=one["k"],
        k_reached=one["measures"]["k_reached"],
        n_below=one["n_below_k"],
        agreeing=one["k_if_missing_agrees"],
        verdict=verdict.casefold(),
    )


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
        "improved": _better_groups(one),
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
    found = words.BOUND.format(
        k=one["k"], bound=percent_text(proved, _LOSS_DECIMALS), kind=one["bound_kind"], ending=ending
    )
    if one["bound_ended_by"] != "effort":
        return found
    return words.BOUND_GOES_ON.format(bound=found, advice=bound_advice(one["bound_kind"]))


def _better_groups(one: Facts) -> str:
    if one["improved"] is None:
        return ""
    loss = percent_text(one["improved"]["information_loss"], _LOSS_DECIMALS)
    return words.BETTER_GROUPS.format(loss=loss, method=one["method"])


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
