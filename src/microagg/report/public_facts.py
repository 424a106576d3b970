"""Public facts: what a document for everybody may tell; what is not listed here is left out.

A reader of the public edition has the release. All that can be counted in it may be told; of what was computed from the
original data, only the loss of several columns together, its gap, and how well a model tells release and original
apart, each of them rounded: no value, extreme, moment, quantile, count, correlation or total of the original follows
from that. Of a single column they are not told: with the variance of the release, they give that of the original.
"""

import re
from collections.abc import Callable
from typing import Any

from microagg.model.errors import InputError

Facts = dict[str, Any]

_PUBLIC_FIGURES = (
    "information_loss",
    "pmse",
    "pmse_ratio",
    "k_reached",
    "reidentification_prosecutor",
    "reidentification_journalist",
    "reidentification_marketer",
)
_LOSS_FIGURES = ("information_loss", "pmse", "pmse_ratio")
_PUBLIC_STATISTICS = ("count", "n_missing", "variance", "skewness", "zero_share", "quantiles", "bins", "counts")
_ABOUT = ("facts", "schema", "program", "version")
_PUBLIC_WARNINGS = ("singled out", "identifiers", "missing", "sets", "fallback", "no change", "index")
_DECIMALS = 1  # of percentages
_DIGITS = 3  # after the decimal point of other figures
_SHARE = re.compile(r"[0-9.]+ %")


def public_facts(facts: Facts) -> Facts:
    """Return those facts that everybody may know.

    Parameters
    ----------
    facts
        Facts of a document, as `document_facts` returns them.

    Returns
    -------
    dict
        Facts of the same shape, without anything of the original data that the release does not show.

    Raises
    ------
    InputError
        If there is nothing that everybody may know: a comparison is about releases that are not made.
    """
    if facts["facts"] not in _PUBLIC:
        raise InputError(f"there is no public edition about such a result ({facts['facts']}): choose 'internal'")
    about = {name: facts[name] for name in _ABOUT}
    return {**about, **_PUBLIC[facts["facts"]](facts), "provenance": _provenance(facts["provenance"])}


def _release(facts: Facts) -> Facts:
    roles = facts["roles"]
    released = {*facts["columns"], *facts["as_they_came"], *roles["renumber"]}
    kept = {role: [name for name in names if name in released] for role, names in roles.items()}
    gone = {name for names in roles.values() for name in names if name not in released} | {*facts["dropped"]}
    return {
        "made": facts["made"],
        "columns": facts["columns"],
        "as_they_came": facts["as_they_came"],
        "identifying": facts["identifying"],
        "remarks": [],
        "verdict": _verdict(facts["verdict"], roles["unit"], released),
        "exposure": None,
        "dropped": [],
        "n_left_out_columns": len(gone),
        "index": facts["index"],
        "shuffled": facts["shuffled"],
        "n_records": facts["n_records"],
        "n_suppressed": None if facts["n_suppressed"] else 0,
        "roles": kept,
        "together": None if facts["together"] is None else {"k_reached": facts["together"]["k_reached"]},
        "sets": [_set(one, released) for one in facts["sets"]],
        "verification": _verification(facts["verification"]),
        "assessment": None if facts["assessment"] is None else _assessment(facts["assessment"]),
        "comparison": None,
        "spark": facts["spark"],
        "stages": [],
    }


def _verdict(verdict: Facts | None, units: list[str], released: set[str]) -> Facts | None:
    """Return what can be counted in the release: neither values of the original nor names that are not released."""
    if verdict is None:
        return None
    hidden = [name for name in units if name not in released]

    def told(sentence: str) -> str:
        for name in hidden:
            sentence = sentence.replace(f"different values of {name!r}", "different units")
        return sentence

    warnings = [one | {"sentence": told(one["sentence"])} for one in verdict["warnings"]]
    return {
        **verdict,
        "sentences": [told(one) for one in verdict["sentences"]],
        "warnings": [one for one in warnings if one["about"] in _PUBLIC_WARNINGS],
    }


def _set(one: Facts, released: set[str]) -> Facts:
    """Return what everybody may know of a column set; units that are not released have no name."""
    measures = one["measures"]
    told = ("columns", "k", "method", "verified", "n_below_k", "k_if_missing_agrees", "status", "bound_kind")
    sizes = [size for size, _ in one["group_sizes"]]
    return {
        **{name: one[name] for name in told},
        "aggregates": one["aggregates"],
        "group_sizes": one["group_sizes"],
        "n_groups": sum(number for _, number in one["group_sizes"]),
        "smallest_group": min(sizes),
        "largest_group": max(sizes),
        "whole_numbers": one["whole_numbers"],
        "unit": one["unit"] if one["unit"] is None or one["unit"] in released else "",
        "gap": None if one["gap"] is None else _rounded(100.0 * one["gap"]) / 100.0,
        "fallback_share": round(one["fallback_share"], 2),
        "measures": {
            "k_reached": measures["k_reached"],
            "information_loss": None if len(one["columns"]) == 1 else _rounded(measures["information_loss"]),
            **{name: None if measures[name] else 0 for name in ("n_imputed", "n_suppressed")},
        },
        "rules": [{"sentence": _without_shares(rule["sentence"])} for rule in one["rules"]],
        "n_parts": len(one["parts"]),
        "improved_by_bound": False,
        "improved": None,
        "reason": "",
        "ended_by": None,
        "replaced_scales": [],
        "parts": [],
        "n_merged": 0,
        "is_merged": one["is_merged"],
        "rounded": True,
    }


def _without_shares(sentence: str) -> str:
    """Return the sentence of a rule without its shares: those of dominance and p % help to estimate contributions."""
    return _SHARE.sub("… %", sentence)


def _verification(facts: Facts) -> Facts:
    """Return the checks and their results: what was found may be a figure of the original."""
    findings = [{"check": one["check"], "passed": one["passed"], "detail": ""} for one in facts["findings"]]
    told = {name: facts[name] for name in ("passed", "k", "k_reached", "columns")}
    exposure = facts["exposure"]
    whole = None if exposure is None else {"n_below_k": exposure["n_below_k"]}
    return {**told, "findings": findings, "exposure": whole}


def _assessment(facts: Facts) -> Facts:
    measures = facts["measures"]
    correlations = facts["correlations"]
    is_single = len(facts["numbers"]) + len(facts["categories"]) == 1
    told = [name for name in _PUBLIC_FIGURES if not (is_single and name in _LOSS_FIGURES)]
    return {
        "k": facts.get("k"),
        "measures": {"n_records": measures["n_records"], "k_reached": measures["k_reached"], "columns": []},
        "figures": [_figure(one) for one in facts["figures"] if one["name"] in told],
        "numbers": [_numbers(one) for one in facts["numbers"]],
        "categories": [_categories(one, facts.get("released_categories", {})) for one in facts["categories"]],
        "correlations": None if correlations is None else _correlations(correlations),
        "regressions": [],
        "domains": [],
        "parts": [],
        "confidential": [],
        "singling_out": [],
        "singles_out": _singles_out(facts),
        "group_sizes": facts["group_sizes"],
        "rounded": True,
    }


def _singles_out(facts: Facts) -> bool:
    """Check whether unchanged columns single out a record, on their own or together with its group."""
    by_groups = any(one["value"] for one in facts["figures"] if one["name"] == "unchanged_with_groups_unique")
    return by_groups or any(one["n_unique"] for one in facts["singling_out"])


def _figure(one: Facts) -> Facts:
    value = one["value"]
    if value is not None and one["unit"] == "%":
        value = _rounded(value)
    elif value is not None:
        value = round(value, _DIGITS)
    return {
        **{name: one[name] for name in ("name", "title", "topic", "unit", "higher", "sentence")},
        "value": value,
        "note": "",
    }


def _numbers(one: Facts) -> Facts:
    """Return how released values are distributed; their mean is that of the original, and left out."""
    return {
        "name": one["name"],
        "unit": one["unit"],
        "before": None,
        "after": {"mean": None, **{name: one["after"][name] for name in _PUBLIC_STATISTICS}},
        "before_counts": None,
        "after_counts": None,
        "il1s": None,
    }


def _categories(one: Facts, released: Facts) -> Facts:
    """Return how often categories occur in the release, most frequent first.

    Where they were not counted in the release alone, the list holds those that were most frequent in the original.
    Then only those are named of which it is certain that the release has none that is more frequent and not listed.
    """
    if one["name"] in released:
        categories = released[one["name"]]["categories"]
        counts = released[one["name"]]["counts"]
    else:
        n_others = sum(one["after_counts"][len(one["categories"]) :])
        listed = zip(one["categories"], one["after_counts"], strict=False)
        found = sorted(((name, number) for name, number in listed if number > n_others), key=lambda each: -each[1])
        rest = sum(one["after_counts"]) - sum(number for _, number in found)
        categories = [name for name, _ in found]
        counts = [*(number for _, number in found), *([rest] if rest else [])]
    return {
        "name": one["name"],
        "changed": None,
        "categories": categories,
        "before_counts": None,
        "after_counts": counts,
    }


def _correlations(found: Facts) -> Facts:
    return {
        "names": found["names"],
        "before": None,
        "after": found["after"],
        "eigenvalues_before": None,
        "eigenvalues_after": None,
    }


def _provenance(facts: Facts) -> Facts:
    """Return the released file and the versions: neither paths nor anything of the original file."""
    return {
        "files": [
            {name: one[name] for name in ("role", "file", "sha256")}
            for one in facts["files"]
            if one["role"] == "release"
        ],
        "versions": facts["versions"],
        "reported": facts["reported"],
    }


def _rounded(percent: float) -> float:
    return round(percent, _DECIMALS)


_PUBLIC: dict[str, Callable[[Facts], Facts]] = {
    "release": _release,
    "assessment": _assessment,
    "verification": _verification,
}
