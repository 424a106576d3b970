"""Words of the settings page: every choice with what it means, in one sentence."""

from typing import NamedTuple

from microagg.app.form_state import BY_COLUMN


class Words(NamedTuple):
    """Label of a field, and what it means in a sentence."""

    label: str
    hint: str


ROLES = {
    "protect": Words("Protect", "Others may know it: it is grouped, and released as what stands for its group."),
    "automatic": Words("Protect, as a number", "The plan names no columns: every column of numbers is protected."),
    "identifier": Words("Identifier: leave out", "It leads straight to a person or an enterprise."),
    "renumber": Words("Identifier: new numbers", "It gets new numbers in random order; equal values stay equal."),
    "unit": Words("Unit: as it came", "Households, enterprises, patients: k counts them instead of records."),
    "unit-renumbered": Words("Unit: new numbers", "A unit that gets new numbers in random order."),
    "unit-identifier": Words("Unit: leave out", "A unit that is left out of the release."),
    "unit-dropped": Words("Unit: drop", "A unit that the plan drops from the release."),
    "stratum": Words("Stratum: as it came", "No group has records of two strata."),
    "stratum-dropped": Words("Stratum: leave out", "It divides the records into strata, and is not released."),
    "weight": Words("Weight: as it came", "Sampling weights: means of groups are weighted."),
    "weight-dropped": Words("Weight: leave out", "Sampling weights that are not released."),
    "confidential": Words("Confidential: as it came", "Nobody else knows it: it is published, and guarded by rules."),
    "drop": Words("Leave out", "It is not in the release."),
    "as-it-came": Words("As it came", "It is released unchanged: make sure that nobody can be found by it."),
}
"""Roles of columns."""

RARE_ROLES = frozenset({"automatic", "unit-dropped"})
"""Roles that are offered only where a plan has them."""

LEVELS = {"nominal": "Categories", "ordinal": "Ordered categories"}
"""Treatments of columns besides what their kind says."""

EFFORTS = {"": "As usual", "quick": "Quick", "standard": "Standard", "thorough": "Thorough"}
SCALES = {
    "": "Deviation (usual)",
    "mad": "MAD",
    "iqr": "Interquartile range",
    "range": "Range",
    "rank": "Ranks",
    "none": "Not at all",
}
TRANSFORMS = {"": "None (usual)", "log": "Logarithm", "rank": "Ranks", "none": "None, stated"}
AGGREGATES = {
    "": "As usual",
    "mean": "Mean",
    "median": "Median",
    "trimmed": "Trimmed mean",
    "mode": "Mode",
    "medoid": "Medoid",
    "set": "Set of categories",
}
WHOLE_NUMBERS = {
    "means": "May become fractions",
    "nearest": "Stay whole: nearest",
    "total": "Stay whole: keep totals",
}
MISSING = {
    "error": "Refuse the file",
    "pattern": "Group with the same gaps",
    "fill": "Give them the group's value",
    "blank": "Blank the cell for the whole group",
    "drop": "Leave these records out",
    "available": "Group by what is there: weaker",
}
SMALL_STRATA = {"error": "Refuse the file", "suppress": "Leave these records out", "merge": "Join with the nearest"}

AUTO = "The best that microagg has: a search that keeps the loss low; one column alone is cut optimally."

FIELDS = {
    "k": Words(
        "Smallest group, k", "At least so many records, or units, share their released values: 3 is little, 10 is much."
    ),
    "method": Words("Method", ""),
    "effort": Words("Effort", "How long the search goes on: thorough loses a little less, and takes longer."),
    "bound": Words("Prove a bound", "Proves how low the loss of any grouping can be, which takes longer."),
    "scale": Words("Scale", "What columns are divided by for the distances; MAD is the median absolute deviation."),
    "transform": Words(
        "Transform", "For the distances only: a logarithm makes 1000 and 2000 as near as 10 000 and 20 000."
    ),
    "aggregate": Words(
        "Released value", "What stands for a group: usual are means of numbers, medians of ranks, modes of categories."
    ),
    "whole_numbers": Words(
        "Whole numbers", "Whether columns of whole numbers stay whole, and how their means are rounded."
    ),
    "weighted_loss": Words(
        "Weights count in the loss",
        "Groups keep the loss of the population low, not of the sample; only some methods can.",
    ),
    "missing": Words(
        "Missing values",
        "What is done about records that lack a protected value; a blank that only some of a group have shows them.",
    ),
    "small_strata": Words(
        "Small strata", "What is done where a stratum, or a pattern of missing values, has fewer than k records."
    ),
    "l_diversity": Words("l-diversity", "Each group has at least so many different confidential values, such as 2."),
    "entropy_l_diversity": Words(
        "Entropy l-diversity", "The entropy of the confidential values in each group is at least log l, such as 1.5."
    ),
    "t_closeness": Words(
        "t-closeness",
        "Confidential values of each group are distributed as those of all, at a distance of at most t, such as 0.2.",
    ),
    "dominance_n": Words("Dominance: contributors", "So many of the largest contributors, such as 1, …"),
    "dominance_share": Words(
        "Dominance: share", "… may not have more than this share of a group's total, such as 0.8."
    ),
    "p_percent": Words(
        "p % rule", "Without its two largest contributors, a group's total is at least p % of the largest, such as 10."
    ),
    "time_limit": Words(
        "Time limit in seconds", "Grouping ends then with the best so far; such a run cannot be repeated exactly."
    ),
    "shuffle": Words(
        "Shuffle the records", "Puts the released records in a random order, so that their place tells nothing."
    ),
    "strict": Words(
        "Release nothing unless verified",
        "Strict: nothing is released unless k holds on all released columns that others may know.",
    ),
    "random_state": Words("Random state", "The same number gives the same groups; “fresh” takes fresh randomness."),
}
"""Fields of the form."""

BY_COLUMN_WORDS = {BY_COLUMN: "By column: see the plan"}
