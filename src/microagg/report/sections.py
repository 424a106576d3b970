"""Facts put into words: the sections of a report, the same for text and HTML."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from microagg.control.progress import floor_percent
from microagg.model.names import quantity
from microagg.model.verification import released_values_detail
from microagg.report.assessment_sections import assessment_sections
from microagg.report.change_sections import change_sections
from microagg.report.column_tables import column_tables, is_category
from microagg.report.comparison_sections import comparison_sections
from microagg.report.document_parts.verdict_sections import verification_title
from microagg.report.estimate_lines import estimate_lines
from microagg.report.facts import Facts
from microagg.report.inspection_sections import inspection_sections
from microagg.report.provenance_lines import provenance_lines, read_as_line
from microagg.report.real_file_lines import cell_lines, part_lines, role_lines, rule_lines
from microagg.report.section import Section
from microagg.report.shown_text import bound_advice, ended
from microagg.report.stage_lines import stage_lines

_MARKS = {True: "pass", False: "FAIL", None: "note"}
_ALL_INFORMATION = 100.0  # percent
_MOST_IN_FULL = 2  # methods that are described with their parameters: those of one name
_ABOUT_THE_PROGRAM = ("facts", "schema", "program", "version")


def sections(facts: Facts) -> list[Section]:
    """Return the sections of a report on facts of any kind."""
    return [*_SECTIONS[facts["facts"]](facts), *provenance_lines(facts)]


def _release(facts: Facts) -> list[Section]:
    assessed = [] if facts["assessment"] is None else assessment_sections(facts["assessment"])
    return [*_protected(facts), *assessed]


def _protected(facts: Facts) -> list[Section]:
    """Return the sections about what was done, and what it has cost."""
    sets = facts["sets"]
    lines = _table_lines(facts)
    if len(sets) == 1:
        return _with_tables("", {**lines, **_set_lines(sets[0])}, sets[0]["measures"])
    lines["column sets"] = f"{len(sets)}, each k-anonymous on its own columns, not on those of several sets together"
    lines.update(_together_lines(facts["together"], min(one["k"] for one in sets)))
    listed = [Section("", lines)]
    for number, one in enumerate(sets, start=1):
        listed += _with_tables(f"column set {number}: {_names(one['columns'])}", _set_lines(one), one["measures"])
    return listed


def _with_tables(heading: str, lines: dict[str, str], measures: Facts) -> list[Section]:
    """Return a section with the table of its columns; one more where there are numbers and categories."""
    first, *others = column_tables(measures)
    return [Section(heading, lines, first), *(Section("", {}, table) for table in others)]


def _together_lines(together: Facts | None, k: int) -> dict[str, str]:
    """Describe what all protected columns of several sets reach together."""
    if together is None:
        return {}
    k_reached = together["k_reached"]
    verdict = "" if k_reached >= k else f"NOT {k}-anonymous, "
    return {
        "together": (
            f"{verdict}k reached is {k_reached} on all protected columns ({together['n_patterns']} distinct "
            f"combinations of values), information loss {together['information_loss']:.4f} %"
        )
    }


def _table_lines(facts: Facts) -> dict[str, str]:
    """Describe the released table: its records and columns."""
    verdict = facts["verdict"]
    lines = {
        **verdict_lines(verdict),
        **read_as_line(facts["input"]["read_as"]),
        "records": _records(facts),
        "protected": _names(facts["columns"]),
        "unchanged": _names(facts["as_they_came"]),
        **role_lines(facts["roles"]),
    }
    if facts["index"]:
        lines["index"] = "of the dataframe, unchanged; files are written without it"
    if facts["dropped"]:
        lines["dropped"] = _names(facts["dropped"])
    if facts["shuffled"]:
        lines["order"] = "random"
    warnings = [] if verdict is None else verdict["warnings"]
    told = {f"warning {number}": one["sentence"] for number, one in enumerate(warnings, start=1)}
    return {**lines, **stage_lines(facts), **told}


def verdict_lines(verdict: Facts | None) -> dict[str, str]:
    """Return the verdict on a release, and what was counted on all of its columns."""
    if verdict is None:
        return {}
    first, *others = verdict["sentences"]
    return {"verdict": f"{verdict['headline']}: {first}", "whole file": "; ".join(others)}


def _records(facts: Facts) -> str:
    records = f"{facts['n_records']}"
    suppressed = facts["n_suppressed"]
    return f"{records}, {suppressed} more of the input are left out" if suppressed else records


def _set_lines(facts: Facts) -> dict[str, str]:
    """Describe what was done to one column set."""
    k_reached = facts["measures"]["k_reached"]
    counted = "records" if facts["unit"] is None else f"different values of {facts['unit']}"
    return {
        "method": _method(facts),
        **_reason(facts),
        **_early_end(facts),
        **_scales(facts),
        **part_lines(facts),
        "groups": _groups(facts),
        **rule_lines(facts),
        **cell_lines(facts["measures"]),
        "information loss": _loss(facts),
        "bound": _bound(facts),
        **_going_on(facts),
        **_improved(facts),
        "verified": (
            f"every group has at least {facts['k']} {counted} (k reached: {k_reached})"
            if facts["verified"]
            else f"NOT: {_both_k(facts)}"
        ),
    }


def _both_k(facts: Facts) -> str:
    """Say the k of released values, beside the weaker one where the plan promises no more."""
    if facts["k_if_missing_agrees"] is None:
        return f"k reached is {facts['measures']['k_reached']}"
    return released_values_detail(
        facts["measures"]["k_reached"], facts["n_below_k"], facts["k_if_missing_agrees"], facts["k"]
    )


def _groups(facts: Facts) -> str:
    smallest = facts["smallest_group"]
    largest = facts["largest_group"]
    sizes = f"{smallest}" if smallest == largest else f"{smallest} to {largest}"
    return f"{facts['n_groups']}, of {sizes} records each"


def _loss(facts: Facts) -> str:
    loss = f"{facts['information_loss']:.4f} %"
    if not facts["standardise"]:
        loss += " of the total squares of the columns on their own scales"
    if facts["keep_integers"] or not facts["means_only"]:
        how = "with whole numbers kept" if facts["means_only"] else "as released"
        loss += f", {facts['measures']['information_loss']:.4f} % {how}"
    return loss


def _scales(facts: Facts) -> dict[str, str]:
    """Describe the scales that could not be used, if there are any."""
    replaced = [
        f"{used} in place of {wanted}, which is 0, of {name}" for name, wanted, used in facts["replaced_scales"]
    ]
    return {"scale": "; ".join(replaced)} if replaced else {}


def _method(facts: Facts) -> str:
    improved = ", improved by a partition found while proving the bound" if facts["improved_by_bound"] else ""
    return f"{facts['method']}, k = {facts['k']}{improved}"


def _reason(facts: Facts) -> dict[str, str]:
    """Describe why the method was carried out so, where the data decided that."""
    return {"reason": facts["reason"]} if facts["reason"] else {}


def _early_end(facts: Facts) -> dict[str, str]:
    """Describe what ended the work early, if something did, and how to make it reproducible."""
    ended_by = facts["ended_by"]
    if ended_by is None:
        return {}
    if facts["fallback_share"]:
        share = f"{facts['fallback_share']:.0%}"
        return {"constructing": f"{ended(ended_by)}: {share} of the records were grouped by the fallback, in slabs"}
    n_iterations = facts["iterations"]
    ending = f"{ended(ended_by)} after {quantity(n_iterations, 'iteration')}"
    if facts["starts"] > 1:
        ending += f" from {facts['starts']} starts"
    if ended_by in ("time_limit", "cancelled"):
        ending += ": not reproducible"
        if facts["bound_kind"] is None and facts["starts"] == 1:
            ending += f"; a run with iterations={n_iterations} is"
    return {"refining": ending}


def _bound(facts: Facts) -> str:
    """Describe in one line what is proved of a solution."""
    if facts["gap"] is None:
        return "not requested"
    if facts["status"] == "optimal":
        within = " within the parts" if facts["parts"] else ""
        return f"proved optimal: no partition{within} loses less ({facts['bound_kind']})"
    least = floor_percent(facts["information_loss"] * (1 - facts["gap"]))
    ending = "converged" if facts["bound_converged"] else ended(facts["bound_ended_by"])
    return f"no partition loses less than {least}, gap {100 * facts['gap']:.4f} % ({facts['bound_kind']}, {ending})"


def _going_on(facts: Facts) -> dict[str, str]:
    """Describe how to prove more, where the proof ended because its effort is limited."""
    return {"to go on": bound_advice(facts["bound_kind"])} if facts["bound_ended_by"] == "effort" else {}


def _improved(facts: Facts) -> dict[str, str]:
    """Describe better groups that the proof of the bound found and the method does not take, if there are any."""
    one = facts["improved"]
    if one is None:
        return {}
    quality = ", proved optimal" if one["status"] == "optimal" else ""
    found = "found by the proof and not taken: 'search' with this bound takes such groups"
    return {"better groups": f"{one['information_loss']:.4f} % lost{quality} ({found})"}


def _solution(facts: Facts) -> list[Section]:
    lines = {
        "records": f"{facts['n_records']}",
        "method": _method(facts),
        **_reason(facts),
        **_early_end(facts),
        "information loss": f"{facts['information_loss']:.4f} %",
        "bound": _bound(facts),
        **_going_on(facts),
        **_improved(facts),
    }
    return [Section("", lines)]


def _measures(facts: Facts) -> list[Section]:
    n_patterns = facts["n_patterns"]
    combinations = (
        f"{n_patterns} distinct combination{'s' * (n_patterns != 1)} of values in {facts['n_records']} records"
    )
    lines = {
        "information loss": f"{facts['information_loss']:.4f} %",
        "k reached": f"{facts['k_reached']} ({combinations})",
    }
    lines |= {f"remark {number}": remark for number, remark in enumerate(facts["remarks"], 1)}
    if facts["n_suppressed"] or facts["n_imputed"]:
        lines["left out"] = (
            f"{quantity(facts['n_suppressed'], 'value')} of the original that the release lacks, and "
            f"{quantity(facts['n_imputed'], 'value')} that only the release has"
        )
    if facts["information_loss"] > _ALL_INFORMATION and not any(map(is_category, facts["columns"])):
        lines["warning"] = "more than all information is lost: are the records of both files in the same order?"
    return _with_tables("", lines, facts)


def _verification(facts: Facts) -> list[Section]:
    return _verdict(verification_title(facts), facts)


def _certification(facts: Facts) -> list[Section]:
    if not facts["passed"] or facts["bound"] is None or facts["gap"] is None:
        return _verdict("NOT CERTIFIED", facts)
    bound = facts["bound"] if facts["optimal"] else math.floor(1e5 * facts["bound"]) / 1e5
    how_good = "optimal" if facts["optimal"] else f"gap {100 * facts['gap']:.2g} %"
    which = "partition" if facts["n_parts"] == 1 else f"partition within the {facts['n_parts']} parts"
    verdict = (
        f"CERTIFIED: no {which} loses less than {bound:.5f} %; this one loses "
        f"{facts['information_loss']:.5f} %: {how_good}"
    )
    return _verdict(verdict, facts)


def _verdict(verdict: str, facts: Facts) -> list[Section]:
    """Return a verdict and the findings behind it."""
    findings = [
        f"{_MARKS[finding['passed']]}  {finding['check']}: {finding['detail']}" for finding in facts["findings"]
    ]
    return [Section("\n".join([verdict, *findings]), {})]


def _plan(facts: Facts) -> list[Section]:
    skipped = (*_ABOUT_THE_PROGRAM, "sets")
    common = {name: _option(value) for name, value in facts.items() if name not in skipped}
    sets = [
        Section(f"column set {number}", {name: _option(value) for name, value in one.items()})
        for number, one in enumerate(facts["sets"], start=1)
    ]
    return [Section("plan", common), *sets]


def _option(value: object) -> str:
    if isinstance(value, list):
        return _names(value)
    if isinstance(value, dict):
        return ", ".join(f"{name} = {_option(each)}" for name, each in value.items())
    return "–" if value is None else str(value)


def _methods(facts: Facts) -> list[Section]:
    described = facts["methods"]
    in_full = len(described) <= _MOST_IN_FULL
    listed = list(map(_method_in_full, described)) if in_full else [Section("\n".join(_method_lines(described)), {})]
    published = {
        alias["name"]: f"{alias['method']} [{alias['reference']}]"
        for method in described
        for alias in method["aliases"]
    }
    return [*listed, Section("published names, and what they stand for", published)] if published else listed


def _method_lines(described: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    width = max(len(method["name"]) for method in described)
    for method in described:
        parameters = f" Parameters: {', '.join(method['parameters'])}." if method["parameters"] else ""
        yield f"{method['name']:<{width}}  {method['summary']}{parameters} [{method['reference']}]"


def _method_in_full(method: Mapping[str, Any]) -> Section:
    parameters = {
        one["name"]: f"{one['values']}; default {one['default']}. {one['meaning']}" for one in method["parameter_list"]
    }
    return Section(f"{method['name']}  {method['summary']}", {"reference": method["full_reference"], **parameters})


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(str, names)) or "none"


def _estimate(facts: Facts) -> list[Section]:
    return [Section("", estimate_lines(facts))]


_SECTIONS: dict[str, Callable[[Facts], list[Section]]] = {
    "release": _release,
    "solution": _solution,
    "measures": _measures,
    "assessment": assessment_sections,
    "verification": _verification,
    "certification": _certification,
    "inspection": inspection_sections,
    "comparison": comparison_sections,
    "changes": change_sections,
    "plan": _plan,
    "methods": _methods,
    "estimate": _estimate,
}
