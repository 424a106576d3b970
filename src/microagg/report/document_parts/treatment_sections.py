"""Sections of a document about what was done to which columns, and about every check of that."""

from collections.abc import Iterator, Sequence

from microagg.report import words
from microagg.report.document_parts.html_elements import Markup, element, paragraph, section, table
from microagg.report.document_parts.verdict_sections import counted, name_list
from microagg.report.facts import Facts
from microagg.report.shown_text import number_text, percent_text

_RESULTS = {True: ("pass", words.PASS), False: ("fail", words.FAIL), None: ("", words.NOTE)}


def treatment_section(facts: Facts) -> Markup:
    """Return what was done to each column, and why; and the rules that groups satisfy."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for name, what in (*_protected(facts), *_others(facts)):
        alike.setdefault(what, []).append(name)
    rows = [[name_list(names, len(names)), *what] for what, names in alike.items()]
    left_out = facts["n_left_out_columns"]
    return section(
        "columns",
        words.HEADINGS["columns"],
        paragraph(words.COLUMNS_INTRODUCTION),
        table(words.COLUMNS_CAPTION, words.COLUMNS_HEAD, rows),
        paragraph(counted(left_out, words.LEFT_OUT_UNNAMED) if left_out else ""),
        _rules(facts),
    )


def _protected(facts: Facts) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield each protected column with its role, what was done to it, and why."""
    several = len(facts["sets"]) > 1
    for number, one in enumerate(facts["sets"], start=1):
        role = words.ROLE_PROTECTED_IN_SET.format(number=number) if several else words.ROLE_PROTECTED
        for name in one["columns"]:
            done = words.DONE_AGGREGATES[one["aggregates"][name]]
            if name in one["whole_numbers"]:
                done = words.DONE_ROUNDED.format(done=done)
            yield name, (role, done, words.WHY_PROTECTED)


def _others(facts: Facts) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield each column that is not protected: by its first role, else as it came."""
    named = {role: facts["roles"][role] for role in words.ROLES if role in facts["roles"]}
    if any(one["is_merged"] for one in facts["sets"]):
        named["merged_strata"] = named.pop("strata", [])
    seen = set()
    for role, names in {**named, "dropped": facts["dropped"], "as_they_came": facts["as_they_came"]}.items():
        for name in names:
            if name not in seen:
                seen.add(name)
                yield name, words.ROLES[role]


def _rules(facts: Facts) -> Markup:
    """Return the rules that groups satisfy, and what each has cost; that only where it may be told."""
    several = len(facts["sets"]) > 1
    told = not any(one["rounded"] for one in facts["sets"])
    rows = []
    for number, one in enumerate(facts["sets"], start=1):
        for rule in one["rules"]:
            sentence = rule["sentence"]
            cells = [words.RULE_OF_SET.format(sentence=sentence, number=number) if several else sentence]
            if told:
                cells.append(number_text(rule["n_violating"]))
                cells += [percent_text(rule[name], 4) for name in ("loss_before", "loss_after")]
            rows.append(cells)
    head = words.RULES_HEAD if told else words.RULES_HEAD_PUBLIC
    return table(words.RULES_CAPTION, head, rows, (1, 2, 3))


def checks_section(findings: Sequence[Facts], introduction: str = "") -> Markup:
    """Return every check, and what was found; without details where none may be told."""
    detailed = any(finding["detail"] for finding in findings)
    rows = []
    for finding in findings:
        kind, result = _RESULTS[finding["passed"]]
        cells = [finding["check"].replace("_", " "), element("span", result, class_=kind)]
        rows.append([*cells, finding["detail"]] if detailed else cells)
    head = words.CHECKS_HEAD if detailed else words.CHECKS_HEAD_PUBLIC
    return section(
        "verification",
        words.HEADINGS["verification"],
        paragraph(introduction),
        table(words.CHECKS_CAPTION, head, rows, names=(2,)),
    )
