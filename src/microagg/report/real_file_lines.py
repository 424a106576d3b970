"""Lines of a report about what real files have: roles of columns, strata, missing values, rules of privacy."""

from collections.abc import Sequence

from microagg.model.names import quantity
from microagg.report.facts import Facts

_MAX_SHOWN = 3
_ROLES = {
    "identifiers": "left out",
    "renumber": "replaced by new numbers in random order; records that shared one still do, and can be linked",
    "confidential": "guarded by the privacy rules, unchanged",
    "weight": "means of groups are weighted by it, unchanged; the figures of columns below are not weighted",
    "unit": "k counts its different values, not records",
}


def role_lines(roles: Facts) -> dict[str, str]:
    """Describe the roles of columns."""
    found = {role: roles[role] for role in _ROLES if roles[role]}
    return {role: f"{_listed(names)}: {_ROLES[role]}" for role, names in found.items()}


def part_lines(facts: Facts) -> dict[str, str]:
    """Describe the parts that no group crosses, and those that were too small."""
    parts = facts["parts"]
    if not parts and not facts["n_merged"]:
        return {}
    sizes = [part["n_records"] for part in parts]
    lines = {}
    if parts:
        lines["parts"] = f"{len(parts)}, of {min(sizes)} to {max(sizes)} records each, which no group crosses"
    if facts["n_merged"] and not facts["merged_parts"]:
        lines["merged"] = f"{quantity(facts['n_merged'], 'part')}, too small by themselves, each with the nearest"
    if facts["merged_parts"]:
        shown = "; ".join(f"{one['part']} with {one['joined']}" for one in facts["merged_parts"][:_MAX_SHOWN])
        more = f"; and {len(facts['merged_parts']) - _MAX_SHOWN} more" * (len(facts["merged_parts"]) > _MAX_SHOWN)
        lines["merged"] = f"too small by themselves: {shown}{more}"
    return lines


def rule_lines(facts: Facts) -> dict[str, str]:
    """Describe what each rule has cost that a group violated: the others have changed nothing."""
    return {
        f"rule {number}": (
            f"{rule['sentence']}: {quantity(rule['n_violating'], 'group')} violated it, loss "
            f"{rule['loss_before']:.4f} % before, {rule['loss_after']:.4f} % after"
        )
        for number, rule in enumerate(facts["rules"], start=1)
        if rule["n_violating"]
    }


def cell_lines(measures: Facts) -> dict[str, str]:
    """Describe how many cells were filled in or blanked so that the members of a group agree."""
    lines = {
        "imputed": (measures["n_imputed"], "without a value before, with that of the group now"),
        "suppressed": (measures["n_suppressed"], "with a value before, blank now, as a record of the group lacks it"),
    }
    return {name: f"{quantity(number, 'cell')} {what}" for name, (number, what) in lines.items() if number}


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
