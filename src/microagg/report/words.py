"""Words of documents and charts: every sentence of theirs stands here, so that another language takes one file.

Names in braces are filled in. Sentences about single measures, rules and checks come from where these are made.
"""

LANGUAGE = "en"

NOTHING = "–"
UNNAMED = "(no name)"
AND = " and "
AND_MORE = "and {n} more"

# Charts ---------------------------------------------------------------------------------------------------------------

CHART_RECORDS = "records"
CHART_GROUPS = "groups"
CHART_SIZE = "records in a group"
CHART_AND_MORE = "{n} and more"
CHART_NO_VALUES = "no values"
CHART_UNDEFINED = "not defined"
CHART_RECOMMENDED = "recommended"
CHART_OTHERS = "all others"
CHART_LOSS_AXIS = "loss in %"
CHART_LOSS = "loss {value}"
CHART_BOUND = "bound {value}"
CHART_TIME = "time in {unit}"
CHART_TIME_UNITS = {1: "seconds", 60: "minutes", 3600: "hours"}

# Page -----------------------------------------------------------------------------------------------------------------

TITLES = {
    "release": "Report on a release",
    "verification": "Verification of a release",
    "assessment": "Assessment of a release",
    "comparison": "Comparison of releases",
}
TITLE_OF_FILE = "{title}: {file}"
BANNERS = {
    "internal": (
        "INTERNAL: shows figures of the original data",
        "Keep it as you keep the original data. Only the public edition is meant to go with the release.",
    ),
    "comparison": (
        "INTERNAL: shows figures of the original data",
        "Keep it as you keep the original data. There is no public edition: the releases are not made yet.",
    ),
    "public": (
        "PUBLIC: goes with the release",
        "Figures are those of the released table, whose groups keep means and totals of the original. Of what was "
        "computed from the original data, only a few figures about the whole table are told, rounded: the information "
        "loss, its gap to a proved bound, and how well a model tells release and original apart.",
    ),
}
MADE = "Made {date} by microagg {version}."
MADE_ON_SPARK = "Made {date} by microagg {version} on Apache Spark {spark}."
UTC = "{date} UTC"
CONTENTS = "Contents"
FOOTER = "microagg {version} · {edition} edition · {date}"

HEADINGS = {
    "verdict": "Verdict",
    "warnings": "Warnings",
    "columns": "What was done to which columns",
    "verification": "Verification",
    "risk": "Risk",
    "utility": "Utility",
    "distributions": "Columns before and after",
    "released-distributions": "Columns as released",
    "correlations": "Correlations",
    "regressions": "Regressions",
    "domains": "Totals by domain",
    "groups": "Sizes of groups",
    "comparison": "Risk and utility of other choices",
    "provenance": "Plan, files and versions",
    "glossary": "Glossary",
    "signature": "Signature",
}

# Verdict --------------------------------------------------------------------------------------------------------------

VERIFIED = "VERIFIED"
NOT_VERIFIED = "NOT VERIFIED: DO NOT RELEASE"
PASS = "PASS"
PASS_LIMITED = "PASS of what was checked, not of the whole file"
PASS_IF_AGREEING = "PASS only if a missing cell may be any value"
WHOLE_FILE = "whole file"
K_ANONYMITY = "k-anonymity"
FAIL = "FAIL"
NOTE = "note"
RELEASED = "{records} with {columns} are released; {protected} protected."
RECORDS = ("{n} record", "{n} records")
COLUMNS = ("{n} column", "{n} columns")
COLUMNS_ARE = ("{n} column is", "{n} columns are")
CHECKS_HOLD = "An independent check of the released table found nothing wrong (passed: {n}); see “Verification”."
CHECKS_HOLD_ON_SPARK = (
    "The checks that were made with the release found nothing wrong (passed: {n}); see “Verification”."
)
CHECKS_FAIL = "A check of the released table FAILED in {n} points: see “Verification”."
SUPPRESSED = ("{n} record of the original is left out.", "{n} records of the original are left out.")
SUPPRESSED_PUBLIC = "Some records of the original are left out."
SHUFFLED = "The records are in random order."

COUNTED = "k HOLDS"
FIRST_RISKS_CAPTION = "Risk, in a few figures"
FIRST_RISKS = (
    "Linkage and re-identification are measured on the protected columns alone. Columns released unchanged are counted "
    "with weights and confidential ones."
)
SET_CAPTION = "Column set {number}"
SET_CAPTION_OF_ONE = "The protected columns"
SET_ROWS = {
    "columns": "columns",
    "method": "method",
    "reason": "why so",
    "ended": "ended early",
    "scale": "scale",
    "parts": "strata and the like",
    "groups": "groups",
    "k": "k",
    "imputed": "imputed",
    "suppressed": "suppressed",
    "loss": "information loss",
    "released_loss": "information loss as released",
    "bound": "lower bound",
    "gap": "gap",
    "meaning": "what the gap means",
    "improved": "better groups",
}
CELLS_IMPUTED = "{n} cells that lacked a value have that of their group"
CELLS_SUPPRESSED = "{n} cells that had a value are blank, as a record of their group lacks it"
SOME = "some"
GROUPS = "{n}, of {smallest} to {largest} records"
GROUPS_OF_ONE_SIZE = "{n}, of {smallest} records each"
K_ASKED_AND_REACHED = "{k} asked, {k_reached} reached: {verdict}"
K_IF_MISSING_AGREES = (
    "{k} asked, {k_reached} reached by released values: {n_below} records are in classes below {k}; {agreeing} if a "
    "missing cell may be any value"
)
NOT_VERIFIED_IN_SET = "not verified"
LOSS = "{loss} of the squared deviations from the means (0 %: as the original, 100 %: as if all records had the mean)"
LOSS_PUBLIC = (
    "{loss} of the squared deviations from the means, rounded (0 %: as the original, 100 %: as if all records had the "
    "mean)"
)
LOSS_NOT_TOLD = "not told: that of a single column would tell its variance in the original"
LESS_THAN = "less than {value}"
BOUND_NONE = "not asked for"
BOUND = "no partition into groups of at least {k} loses less than {bound} ({kind}, {ending})"
BOUND_GOES_ON = "{bound}. To go on: {advice}."
BOUND_PUBLIC = "proved ({kind})"
BOUND_CONVERGED = "carried to its end"
MEANING_NONE = (
    "No lower bound was asked for: how much less other groups could lose is not known. A run with --bound, on one "
    "machine, proves it."
)
MEANING_OPTIMAL = (
    "Proved optimal: no other groups of at least {k} records lose less. Nothing could be saved by another method."
)
MEANING_OPTIMAL_IN_PARTS = (
    "Proved optimal within the strata: no other groups of at least {k} records that stay within them lose less."
)
MEANING_BOUNDED = (
    "At most {gap} of the loss, {points} percentage points of information, could be saved by any other groups of at "
    "least {k} records. What remains of the loss is the price of k = {k} itself."
)
MEANING_BOUNDED_PUBLIC = (
    "At most about {gap} of the loss could be saved by any other groups of at least {k} records. What remains of it is "
    "the price of k = {k} itself."
)
BETTER_GROUPS = (
    "The proof found groups that lose {loss}. They are not those of {method}, and are not released: 'search' "
    "with this bound takes such groups."
)
IMPROVED_BY_BOUND = "{method}, improved by groups that were found while the bound was proved"
PARTS = "{n} parts, of {smallest} to {largest} records, which no group crosses"
MERGED = (
    "{n} too small by itself, joined with the nearest",
    "{n} too small by themselves, each joined with the nearest",
)
ENDED = "by {reason} after {iterations} iterations: {reproducible}"
REPRODUCIBLE = "a run with the same plan gives the same groups"
NOT_REPRODUCIBLE = "another run may give other groups"
REPLACED_SCALE = "{used} in place of {wanted}, which is 0, of {name}"

# Warnings -------------------------------------------------------------------------------------------------------------

WARNINGS_BELOW = ("{n} WARNING", "{n} WARNINGS")
READ_WARNINGS = "Read the section “Warnings” before you decide."
NO_WARNINGS = "Nothing was found that calls for a warning."
WARN_FAILED = ("A CHECK FAILED", "{checks}: this release is not what its plan promises.")
WARN_UNIQUE = (
    "COLUMNS THAT ARE RELEASED UNCHANGED SINGLE OUT RECORDS",
    "{unique} differ from every other record in {columns}, and {below} share these values with fewer than 5. Whoever "
    "knows "
    "them finds the record, and with it everything else in it, whatever was done to the protected columns. Protect "
    "these "
    "columns too, make them coarser, or leave them out.",
)
WARN_UNIQUE_PUBLIC = (
    "COLUMNS THAT ARE RELEASED UNCHANGED SINGLE OUT RECORDS",
    "Some records differ from every other in the columns that are released unchanged. The protection of the other "
    "columns does not hide these records from somebody who knows those values.",
)
WARN_UNIQUE_IN_GROUPS = (
    "GROUPS AND UNCHANGED COLUMNS TOGETHER SINGLE OUT RECORDS",
    "{records} differ from every other record of their group in the columns that are released unchanged: whoever "
    "finds the group, and knows these values too, finds the record.",
)
WARN_FEW = (
    "COLUMNS THAT ARE RELEASED UNCHANGED ARE SHARED BY FEW RECORDS",
    "{below} share their values in {columns} with fewer than 5 records, though none is the only one.",
)
WARN_CONSTANT = (
    "GROUPS GIVE VALUES AWAY",
    "{records} are in groups in which all values of {column} are equal: whoever finds the group knows the value. "
    "Unless the plan does so already, name the column among the confidential ones, and ask for l_diversity = 2.",
)
WARN_PARTS = (
    "FEWER THAN K ARE ALIKE WITHIN SOME STRATA",
    "Within {parts}, and with missing values counted as values of their own, fewer than {k} share their protected "
    "values: their groups reach beyond the stratum, or hold records that lack other cells. Both can be seen in the "
    "release.",
)
WARN_MERGED_PUBLIC = (
    "SMALL STRATA WERE MERGED",
    "Some groups hold records of several strata, or records that lack different cells: within such a stratum, fewer "
    "than k records may be alike.",
)
WARN_MISSING = (
    "MISSING VALUES TELL RECORDS APART",
    "Groups hold records that lack different cells. Whoever knows which ones a record lacks finds it among as few as "
    "{k_reached}, not {k}.",
)
WARN_NOT_MEASURED = (
    "RISK AND UTILITY WERE NOT MEASURED",
    'This document lacks them: protect with measures="all", or on the command line with a report that ends in .html.',
)
WARN_NOT_MEASURED_ON_SPARK = (
    "RISK AND UTILITY WERE NOT MEASURED",
    "This document lacks them: on a cluster only k and what is lost are measured. On one machine, microagg measure "
    "--all measures the rest.",
)
SINGLING_OUT_CAPTION = "Records that columns released unchanged single out"
SINGLING_OUT_HEAD = ("columns", "unique records", "in cells of fewer than 3", "in cells of fewer than 5")

# What was done to which columns -------------------------------------------------------------------------------------

COLUMNS_INTRODUCTION = (
    "Microaggregation puts records that are alike into groups of at least k, and replaces the values of each group "
    "in the "
    "protected columns by one value that stands for all of them. All other columns are released unchanged, or not "
    "at all."
)
COLUMNS_CAPTION = "Columns, what was done to them, and why"
COLUMNS_HEAD = ("columns", "role", "what was done", "why")
ROLE_PROTECTED = "protected"
ROLE_PROTECTED_IN_SET = "protected, column set {number}"
DONE_AGGREGATES = {
    "mean": "replaced by the mean of its group",
    "median": "replaced by the median of its group",
    "trimmed": "replaced by the trimmed mean of its group",
    "mode": "replaced by the most frequent category of its group",
    "medoid": "replaced by the value of the record nearest to the mean of its group",
    "set": "replaced by the set of all categories of its group",
}
DONE_ROUNDED = "{done}, rounded to a whole number"
WHY_PROTECTED = "others may know it: it must not tell a record from k − 1 others"
ROLES = {
    "identifiers": ("identifier", "left out", "leads straight to a person or an enterprise"),
    "renumber": (
        "renumbered identifier",
        "replaced by new numbers in random order",
        "the old numbers may be known; records that shared one still do, and can be linked",
    ),
    "confidential": (
        "confidential",
        "released unchanged",
        "it is what the release is about; the rules of privacy guard it within each group",
    ),
    "strata": ("stratum", "released unchanged; no group crosses it", "results are published for each stratum"),
    "merged_strata": (
        "stratum",
        "released unchanged; no group crosses it, but for those that were too small and merged",
        "results are published for each stratum",
    ),
    "weight": (
        "sampling weight",
        "released unchanged; means of groups are weighted by it",
        "weighted totals stay as they are, but for rounding",
    ),
    "unit": (
        "unit",
        "released unchanged; k counts its different values, not records",
        "several records belong to one person, household or enterprise",
    ),
    "dropped": ("left out", "left out", "the plan says so"),
    "as_they_came": ("unchanged", "released unchanged", "the plan does not protect it"),
}
LEFT_OUT_UNNAMED = ("{n} more column of the original is left out.", "{n} more columns of the original are left out.")
RULES_CAPTION = "Rules that every group satisfies, besides k"
RULES_HEAD = ("rule", "groups that violated it", "loss before", "loss after")
RULES_HEAD_PUBLIC = ("rule",)
RULE_OF_SET = "{sentence}, in column set {number}"

# Verification -------------------------------------------------------------------------------------------------------

CHECKS_INTRODUCTION = "The released table was checked against its plan by code that is separate from what made it."
CHECKS_INTRODUCTION_ON_SPARK = (
    "The program that made the release checked it on the cluster: every block of records before it was stored, and "
    "then what was stored. The command microagg spark verify checks more, by code that is separate from what made "
    "the release."
)
CHECKS_CAPTION = "Checks of the released table"
CHECKS_HEAD = ("check", "result", "what was found")
CHECKS_HEAD_PUBLIC = ("check", "result")
VERDICT_PASSED = "No check failed."
VERDICT_FAILED = "{n} of {all} checks failed: {checks}."
VERIFIED_COLUMNS = "Columns that were verified: {columns}."
VERIFIED_K = "k: {k} asked, {k_reached} reached."
VERIFIED_SETS = "Each column set was verified on its own, not all columns together: {detail}."
SETS_TOGETHER = "column sets together"

# Figures ------------------------------------------------------------------------------------------------------------

RISK_INTRODUCTION = "How well somebody who knows original values could find records again, or learn more about them."
UTILITY_INTRODUCTION = "How much of what the original data tell is still told by the release."
FIGURES_CAPTIONS = {"risk": "Measures of risk", "utility": "Measures of utility"}
FIGURES_HEAD = ("measure", "value", "higher", "what it says")
DIRECTIONS = {"loses more": "loses more", "keeps more": "keeps more", "riskier": "riskier", "safer": "safer"}
NO_FIGURES = "Not measured."
ABOUT = "about {value}"
PARTS_CAPTION = "k reached in each stratum"
PARTS_HEAD = ("stratum", "records", "k reached")
PARTS_MORE = "{n} more strata reach k = {k} or more."
CONFIDENTIAL_CAPTION = "What groups tell about columns that are released beside them"
CONFIDENTIAL_HEAD = (
    "column",
    "records in groups with one value",
    "fewest values (l)",
    "least entropy l",
    "largest distance (t)",
)
LOSSES_CAPTION = "Loss of each column"
LOSSES_HEAD = ("column", "information loss", "IL1s", "values changed")
REGRESSION_CAPTION = "{formula}: R² {before} before, {after} after"
REGRESSION_HEAD = ("term", "before", "95 % interval", "after", "95 % interval", "overlap")
INTERVAL = "{low} to {high}"
DOMAINS_CAPTION = "Weighted totals by domain"
DOMAINS_HEAD = ("domain", "column", "records", "before", "after", "change")
ROWS_MORE = "The table shows the {shown} with the largest changes of {n}."

# Columns before and after -------------------------------------------------------------------------------------------

LEGEND_BEFORE = "original"
LEGEND_AFTER = "release"
HISTOGRAM_TITLE = "Distribution of {name}"
HISTOGRAM_DESCRIPTION = "Histogram of {n} values from {low} to {high}: the original as an area, the release as a line."
HISTOGRAM_DESCRIPTION_PUBLIC = "Histogram of {n} released values from {low} to {high}."
BARS_TITLE = "Categories of {name}"
BARS_DESCRIPTION = "Bars of how often the {n} most frequent categories occur, in the original and in the release."
BARS_DESCRIPTION_PUBLIC = "Bars of how often the {n} most frequent categories occur in the release."
STATISTICS_CAPTION = "Statistics of {name}"
STATISTICS_HEAD = ("statistic", "before", "after")
STATISTICS_HEAD_PUBLIC = ("statistic", "released")
STATISTICS = {
    "count": "values",
    "n_missing": "missing",
    "mean": "mean",
    "deviation": "standard deviation",
    "skewness": "skewness",
    "zero_share": "zeros",
}
QUANTILES = {0.0: "least", 0.05: "5 %", 0.25: "25 %", 0.5: "median", 0.75: "75 %", 0.95: "95 %", 1.0: "largest"}
DAYS = "{days} days"
CHANGED = "{share} of the values were changed."

# Correlations -------------------------------------------------------------------------------------------------------

CORRELATIONS_TITLE = "Change of the correlations"
CORRELATIONS_DESCRIPTION = (
    "Heat map of the correlation after minus the correlation before, for each pair of {n} columns. The largest "
    "changes are "
    "in the table below."
)
CORRELATIONS_INTRODUCTION = (
    "Correlation in the release minus correlation in the original, for each pair of columns. Groups of means tend to "
    "make correlations stronger. Columns are numbered as the rows are."
)
CORRELATIONS_TITLE_PUBLIC = "Correlations in the release"
CORRELATIONS_DESCRIPTION_PUBLIC = "Heat map of the correlation of each pair of {n} columns in the release."
CORRELATIONS_INTRODUCTION_PUBLIC = (
    "Correlation of each pair of columns in the release. Columns are numbered as the rows are."
)
CORRELATIONS_CAPTION = "Pairs of columns whose correlation has changed most"
CORRELATIONS_HEAD = ("columns", "before", "after", "change")
PAIR = "{one} × {other}"
EIGENVALUES_CAPTION = "Largest eigenvalues of the correlation matrix"
EIGENVALUES_HEAD = ("eigenvalue", "before", "after")

# Sizes of groups ----------------------------------------------------------------------------------------------------

SIZES_TITLE = "Sizes of groups"
SIZES_DESCRIPTION = "Bars of how many groups have each number of records, from {low} to {high}."
SIZES_INTRODUCTION = (
    "A group is made of all records that share their values in the protected columns of the release; a missing value "
    "counts as a value of its own."
)

# Comparison ---------------------------------------------------------------------------------------------------------

MAP_TITLE = "Risk–utility map"
MAP_DESCRIPTION = (
    "Map of {n} choices by what they lose and what they risk; a line joins those that no other choice beats. All are "
    "in the "
    "table below."
)
MAP_INTRODUCTION = (
    "Each point is a choice of k and method. A line joins the choices that no other beats on both axes: the Pareto "
    "front."
)
MAP_CAPTION = "Choices that were compared"
MAP_CHOICE = "choice"
MAP_K_REACHED = "k reached"
MAP_PLACE = "place"
MAP_ON_FRONT = "on the front"
MAP_FAILURES = "Choices that could not be made"
MAP_FAILURES_HEAD = ("choice", "why not")
CHOICE = "k = {k} with {method}"
RECOMMENDED = "RECOMMENDED: {choice}"
NOT_RECOMMENDED = "NOTHING IS RECOMMENDED"

# Provenance ---------------------------------------------------------------------------------------------------------

FILES_CAPTION = "Files"
FILES_HEAD = ("file", "name", "SHA-256")
FILE_ROLES = {"original": "original", "release": "release", "plan": "plan"}
NOT_A_FILE = "not a file"
ORIGINAL_READ_AS = "How the original was read: {read_as}."
COMMAND_HEADING = "Command"
COMMAND_NONE = "Called as a function of Python, not on the command line."
PLAN_HEADING = "Plan"
VERSIONS_HEADING = "Versions"
STAGES_HEADING = "Stages"
STAGES_CAPTION = "Stages of the work on Apache Spark {version}"
STAGES_HEAD = ("stage", "tasks", "seconds")
SECONDS = "{seconds:.1f}"
RANDOM_STATE = "Random state {random_state}: with it, the same plan and the same versions give the same groups again."

SIGNATURE_INTRODUCTION = {
    "release": "I have read this report, its warnings included, and decide about the release as follows.",
    "verification": "I have read this verification, its notes included, and decide about the release as follows.",
    "assessment": "I have read this assessment, and decide about the release as follows.",
    "comparison": "I have read this comparison, and choose as follows.",
}
SIGNED_CAPTION = "What is signed"
SIGNED = {"file": "released file", "sha256": "SHA-256", "verdict": "verdict", "warnings": "warnings", "notes": "notes"}
SIGNATURE_LINES = ("Decision", "Name and office", "Place and date", "Signature")

# Text report of a verification: what comes after its findings -------------------------------------------------------

TEXT_FILES = "files"
TEXT_COMMAND = "command"
TEXT_DATE = "date"
READ_AS = "read as"
TEXT_VERSIONS = "versions"
TEXT_LINE = "." * 48

# Glossary -----------------------------------------------------------------------------------------------------------

GLOSSARY = {
    "block": "Records that are near each other and are grouped together, where all of them are too many at once.",
    "column set": "Columns that are grouped and protected together. Each set is k-anonymous on its own columns.",
    "confidential": (
        "A column that others do not know and may want to learn. Rules of privacy guard its values within groups."
    ),
    "correlation": "How closely two columns rise and fall together, from −1 to 1.",
    "dominance": "Rule that the largest contributors have no more than a share of the total of each group.",
    "eigenvalue": "How much of the variation of all columns lies along one of their common directions.",
    "entropy": "How evenly values are spread over categories: it is 0 where all are equal.",
    "gap": "Share of the information loss that lies above the lower bound: what other groups could save at most.",
    "group": "Records that share their values in the protected columns of the release.",
    "IL1s": "Mean absolute change of a value, in units of √2 standard deviations of its column.",
    "information loss": (
        "Squared distance between original and release, in percent of the squared distance of the original from its "
        "mean, "
        "on columns that are scaled alike."
    ),
    "interval disclosure": "Share of values whose original lies within a small interval around the released value.",
    "journalist": "Somebody who wants to find any one person of the population again.",
    "k": "The smallest number of records, or of units, that share their values in the protected columns.",
    "k-anonymous": "Each combination of values in the protected columns is that of at least k records.",
    "l-diversity": "Rule that a confidential column has at least l different values in each group.",
    "lower bound": "A proved number: no partition of the records into groups of at least k loses less.",
    "marketer": "Somebody who wants to find as many people of the file again as possible.",
    "microaggregation": "Grouping records that are alike, and releasing one value for each group in place of theirs.",
    "optimal": "Proved to lose no more than any other partition of the records into groups of at least k.",
    "Pareto front": "Choices that no other choice beats in one respect without being worse in another.",
    "PIL": "Probabilistic information loss: how surely quantiles, moments and correlations have moved, in percent.",
    "plan": "What is to be done to which columns; the same plan on the same input gives the same release.",
    "pMSE": "How well a model can tell released records from original ones: 0 if not at all.",
    "prosecutor": "Somebody who knows that a certain person is in the file, and wants to find this person's record.",
    "record linkage": (
        "An attempt to find the record of an original one among the released records, as the nearest to it."
    ),
    "SHA-256": "Fingerprint of a file: two files with the same one are the same, byte for byte.",
    "skewness": "How much longer one side of a distribution is than the other; 0 where both are alike.",
    "slabs": "Layers into which records are cut where there is no time to group them better.",
    "stratum, strata": (
        "Records with the same values of some columns, such as a region; no group has records of two strata."
    ),
    "t-closeness": "Rule that confidential values are distributed in each group much as in the whole table.",
    "task": "Piece of the work on a cluster that one of its processors does.",
    "unit": "Household, enterprise or patient with several records: k counts units in place of records.",
}
"""Words that a document explains where it uses them; forms of one word are separated by commas."""
