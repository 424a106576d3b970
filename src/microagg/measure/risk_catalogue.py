"""Catalogue of the figures of risk: name, title, unit, direction and sentence of each; formulas and references."""

from collections.abc import Mapping

from microagg.model.figure import Figure

INTERVAL_WIDTH = 0.05
"""Half of an interval around a released value: a share of that value, or of the standard deviation."""

AGREEMENT_WIDTH = 0.25
"""Standard deviations by which two numbers may differ that agree, in probabilistic record linkage."""


def _risk(name: str, title: str, unit: str, sentence: str, *, safer: bool = False) -> Figure:
    return Figure(name, title, "risk", None, unit, "safer" if safer else "riskier", sentence)


RISK_FIGURES: Mapping[str, Figure] = {
    figure.name: figure
    for figure in (
        _risk(
            "dld",
            "record linkage by distance",
            "%",
            "Share of the original records whose nearest released record, by standardised distance, is their own; "
            "where several are equally near, it counts as one divided by their number.",
        ),
        _risk(
            "dld_nearest_two",
            "record linkage by distance, nearest two",
            "%",
            "Share of the original records whose own released values are among the two nearest combinations of "
            "values, each counted as one divided by the number of records that share them.",
        ),
        _risk(
            "pld",
            "probabilistic record linkage",
            "%",
            "Share of the original records with which, of all released ones, their own agrees best, each column "
            "weighed by what its agreement tells; where several agree as well, it counts as one divided by their "
            "number.",
        ),
        _risk(
            "id",
            "interval disclosure",
            "%",
            f"Share of the numbers whose original value lies within {100 * INTERVAL_WIDTH:g} % of the released value.",
        ),
        _risk(
            "sdid",
            "interval disclosure by the standard deviation",
            "%",
            f"Share of the numbers and dates whose original value lies within {100 * INTERVAL_WIDTH:g} % of the "
            "column's standard deviation from the released value.",
        ),
        _risk(
            "sdid_records",
            "interval disclosure of whole records",
            "%",
            f"Share of the records of which all numbers and dates lie within {100 * INTERVAL_WIDTH:g} % of the "
            "standard deviation from the released values.",
        ),
        _risk(
            "sdid_records_but_one",
            "interval disclosure of records but for one value",
            "%",
            "Share of the records of which all numbers and dates but one at most lie within "
            f"{100 * INTERVAL_WIDTH:g} % of the standard deviation from the released values.",
        ),
        _risk(
            "disclosure_risk",
            "disclosure risk (DR)",
            "%",
            "Mean of record linkage by distance and interval disclosure.",
        ),
        _risk(
            "reidentification_prosecutor",
            "re-identification, prosecutor",
            "%",
            "Probability that somebody who knows a person's released values, and that the person is in the table, "
            "picks the right record, for the person at most risk.",
        ),
        _risk(
            "reidentification_journalist",
            "re-identification, journalist",
            "%",
            "The same probability where the person may be anybody of the population that the table is a sample of.",
        ),
        _risk(
            "reidentification_marketer",
            "re-identification, marketer",
            "%",
            "Share of all records that are expected to be picked right by somebody who knows everybody's released "
            "values.",
        ),
        _risk(
            "k_reached",
            "k reached",
            "",
            "Fewest records, or units, that share their released values in all columns of a column set.",
            safer=True,
        ),
        _risk(
            "unique_before",
            "unique records in the original",
            "records",
            "Records of the original whose combination of values in the protected columns nobody else has.",
        ),
        _risk(
            "unique_after",
            "unique records in the release",
            "records",
            "Records of the release whose combination of values in the protected columns nobody else has.",
        ),
        _risk(
            "unchanged_unique",
            "unique in columns released unchanged",
            "records",
            "Records whose combination of values in the columns that are released unchanged nobody else has: "
            "whoever knows these values finds the record, whatever its group.",
        ),
        _risk(
            "unchanged_below_k",
            "fewer than k alike in columns released unchanged",
            "records",
            "Records that share their values in the columns that are released unchanged with fewer than k "
            "records, themselves included.",
        ),
        _risk(
            "unchanged_with_groups_unique",
            "unique in group and columns released unchanged",
            "records",
            "Records that nobody in their group equals in the columns that are released unchanged: whoever knows "
            "these values, and finds the group, finds the record.",
        ),
        _risk(
            "constant_confidential",
            "confidential values given away",
            "records",
            "Records in a group in which a confidential column has one value only: whoever finds the group knows it.",
        ),
        _risk(
            "score",
            "score of risk and loss (ASSESS)",
            "%",
            "Mean of the disclosure risk and the probabilistic information loss: the lower, the better both are "
            "balanced.",
        ),
        _risk(
            "score_classic",
            "score of risk and loss (classic)",
            "%",
            "Half the information loss, plus an eighth of each record linkage and a quarter of the interval "
            "disclosure: the lower, the better both are balanced.",
        ),
    )
}
"""Every figure of risk, without a value, in the order in which they are reported."""

FORMULAS: Mapping[str, str] = {
    "dld": (
        "100/n · Σ over the original records x of 1/t(x) if no released point is nearer to x than its own, else 0; "
        "t(x) is the number of released records at that distance. Distances are Euclidean in the coordinates of the "
        "information loss (columns divided by their standard deviations, nominal ones one-hot), over the cells that "
        "x has; a released value that is missing there stands at the mean of its column. Squared distances that "
        "differ by less than 2⁻⁴⁰ of themselves are equal. Exact: no sample, no blocking."
    ),
    "dld_nearest_two": (
        "100/n · Σ over the original records x of 1/s(x) if at most one distinct released point is nearer to x than "
        "its own, else 0; s(x) is the number of released records at its own point. Points at equal distances have "
        "the same rank, so that it is never below DLD. Without groups, it is the share of records linked to the "
        "nearest or to the second nearest."
    ),
    "pld": (
        "100 times the mean, over the compared original records, of 1/t if the own released record has the highest "
        "weight of all, shared by t records, else 0. The weight is Σ over the columns of log₂(m/u) where they agree "
        "and log₂((1 − m)/(1 − u)) where not; m and u, the probabilities of agreement in pairs of the same person "
        "and in others, by EM over the agreement patterns of all pairs, the share of the former held at 1/n, and m "
        "at u at least in every round, so that no agreement tells against a pair. "
        f"Categories agree where they are equal, numbers, dates and ordered categories within {AGREEMENT_WIDTH:g} "
        "standard deviations of the original column, a missing value with a missing one. Up to 2000 records: all "
        "pairs. Above: original records at equal intervals, 200 to 2000 of them, with all released ones."
    ),
    "id": (
        f"100 times the share of cells with |x − x′| ≤ {INTERVAL_WIDTH:g}·|x′|, x the original and x′ the released "
        "number, over all protected columns of numbers; missing cells do not count. Domingo-Ferrer and Torra take "
        "intervals of ranks in place of values, and the mean of ten widths from 1 to 10 %."
    ),
    "sdid": (
        f"100 times the share of cells with |x − x′| ≤ {INTERVAL_WIDTH:g}·s′, s′ the standard deviation of the "
        "released column (dividing by n − 1), over all protected columns of numbers and dates; missing cells do not "
        "count."
    ),
    "sdid_records": (
        "100 times the share of records all of whose cells lie within the intervals of SDID: what dRisk of sdcMicro "
        "computes since 2020 (k = 0.05), as a share of 1 there. Cells that are missing lie nowhere, and records "
        "without any such cell do not count."
    ),
    "sdid_records_but_one": (
        "100 times the share of records of which at most one cell lies outside the intervals of SDID: what dRisk of "
        "sdcMicro computed before 2020, as a share of 1 there. Only where some record has two such cells."
    ),
    "disclosure_risk": "DR = (DLD + ID)/2.",
    "reidentification_prosecutor": (
        "100/(size of the smallest class); a class is all records that share their released values in every "
        "protected column, and its size the number of its records, or of its different units where the plan names a "
        "unit."
    ),
    "reidentification_journalist": (
        "100/(size of the smallest class in the population): the number of its records divided by the sampling "
        "fraction, or the sum of their weights, and never below the number of its records. Where the plan names a "
        "unit, units in place of records, each with the mean weight of its records in the class."
    ),
    "reidentification_marketer": (
        "100 times the mean of 1/(size of the class) over all records, which is 100·(number of classes)/n unless the "
        "plan names a unit: sizes are then numbers of different units."
    ),
    "k_reached": (
        "Minimum, over column sets and classes of equal released values within strata, of the number of records or "
        "of different units; a missing value counts as a value of its own."
    ),
    "unique_before": "Number of records of the original whose class in the protected columns has one record.",
    "unique_after": "Number of records of the release whose class in the protected columns has one record.",
    "unchanged_unique": (
        "Number of records whose class in all columns that hold the same values before and after has one record; no "
        "column is left out, weights and confidential columns neither."
    ),
    "unchanged_below_k": (
        "Number of records whose class in all columns that hold the same values before and after has fewer than k "
        "records; no column is left out."
    ),
    "unchanged_with_groups_unique": (
        "Number of records whose class in the protected columns of the release and all columns that hold the same "
        "values before and after has one record."
    ),
    "constant_confidential": (
        "Number of records in classes of equal released values, in the columns of a column set, in which a "
        "confidential column has the same value in all records, none of them missing, for at least one such column."
    ),
    "score": "(DR + PIL)/2.",
    "score_classic": "0.5·IL + 0.125·DLD + 0.125·PLD + 0.25·ID.",
}
"""Definition of each figure, by its name."""

_QUANTITATIVE = (
    "Domingo-Ferrer & Torra (2001), A quantitative comparison of disclosure control methods for microdata, in "
    "Confidentiality, Disclosure and Data Access, 111–133"
)
_OUTLIERS = (
    "Mateo-Sanz, Sebé & Domingo-Ferrer (2004), Outlier protection in continuous microdata masking, Privacy in "
    "Statistical Databases, LNCS 3050"
)
_SDCMICRO = (
    "Templ (2017), Statistical Disclosure Control for Microdata: Methods and Applications in R, and dRisk of sdcMicro"
)
_PROSECUTOR = "El Emam & Dankar (2008), Protecting privacy using k-anonymity, JAMIA 15(5)"
_UNIQUENESS = "Skinner & Elliot (2002), A measure of disclosure risk for microdata, JRSS B 64(4)"

REFERENCES: Mapping[str, tuple[str, ...]] = {
    "dld": (
        "Pagliuca & Seri (1999), Some results of individual ranking method on the system of enterprise accounts "
        "annual survey, Esprit SDC project, MI-3/D2",
        _QUANTITATIVE,
    ),
    "dld_nearest_two": (_QUANTITATIVE,),
    "pld": (
        "Fellegi & Sunter (1969), A theory for record linkage, JASA 64(328)",
        "Jaro (1989), Advances in record-linkage methodology as applied to matching the 1985 census of Tampa, "
        "Florida, JASA 84(406)",
        _QUANTITATIVE,
    ),
    "id": (_QUANTITATIVE,),
    "sdid": (_OUTLIERS,),
    "sdid_records": (_OUTLIERS, _SDCMICRO),
    "sdid_records_but_one": (_SDCMICRO,),
    "disclosure_risk": (_QUANTITATIVE,),
    "reidentification_prosecutor": (_PROSECUTOR,),
    "reidentification_journalist": (_PROSECUTOR,),
    "reidentification_marketer": (
        "Dankar & El Emam (2010), A method for evaluating marketer re-identification risk, PAIS",
    ),
    "k_reached": ("Samarati (2001), Protecting respondents' identities in microdata release, IEEE TKDE 13(6)",),
    "unique_before": (_UNIQUENESS,),
    "unique_after": (_UNIQUENESS,),
    "unchanged_unique": (_UNIQUENESS,),
    "unchanged_below_k": (_UNIQUENESS,),
    "unchanged_with_groups_unique": (_UNIQUENESS,),
    "constant_confidential": (
        "Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam (2007), l-diversity: privacy beyond k-anonymity, ACM "
        "TKDD 1(1)",
        "Li, Li & Venkatasubramanian (2007), t-closeness: privacy beyond k-anonymity and l-diversity, ICDE",
    ),
    "score": (
        "Domingo-Ferrer, Mateo-Sanz & Torra (2001), Comparing SDC methods for microdata on the basis of information "
        "loss and disclosure risk, ETK-NTTS",
    ),
    "score_classic": (_QUANTITATIVE,),
}
"""Where each figure is from, by its name."""
