"""Catalogue of the figures of utility: name, title, unit, direction and sentence of each; formulas and references."""

from collections.abc import Mapping

from microagg.model.figure import Direction, Figure


def _utility(name: str, title: str, unit: str, sentence: str, higher: Direction = "loses more") -> Figure:
    return Figure(name, title, "utility", None, unit, higher, sentence)


UTILITY_FIGURES: Mapping[str, Figure] = {
    figure.name: figure
    for figure in (
        _utility(
            "information_loss",
            "information loss",
            "%",
            "Squared distances between original and released records, in percent of those from the mean.",
        ),
        _utility(
            "il1s",
            "IL1s, scaled by deviations",
            "",
            "Mean distance of a released number from the original one, in √2 standard deviations of its column.",
        ),
        _utility(
            "il1",
            "IL1, relative to values",
            "",
            "Mean distance of a released number from the original one, as a share of the original one.",
        ),
        _utility("changed_cells", "cells changed", "%", "Share of the protected values that are not as they were."),
        _utility(
            "changed_categories", "categories changed", "%", "Share of the categories that are other ones than before."
        ),
        _utility(
            "mean_difference",
            "difference of means",
            "σ",
            "How far the mean of a column has moved, in its standard deviations, on average over the columns.",
        ),
        _utility(
            "variance_difference",
            "difference of variances",
            "%",
            "How much the variance of a column has changed, in percent of itself, on average over the columns.",
        ),
        _utility(
            "skewness_difference",
            "difference of skewness",
            "",
            "How much the skewness of a column has changed, on average over the columns.",
        ),
        _utility(
            "zero_share_difference",
            "difference of zero shares",
            "%",
            "How much the share of zeros in a column has changed, in percentage points, on average over the columns.",
        ),
        _utility(
            "quantile_difference",
            "difference of quantiles",
            "σ",
            "How far the quantiles of a column have moved, in its standard deviations, on average from 5 % to 95 %.",
        ),
        _utility(
            "covariance_difference",
            "difference of covariances",
            "%",
            "How much the covariance of two columns has changed, in percent of the product of their standard "
            "deviations, on average over the pairs of columns.",
        ),
        _utility(
            "correlation_difference",
            "difference of correlations",
            "",
            "How much the correlation of two columns has changed, on average over the pairs of columns.",
        ),
        _utility(
            "eigenvalue_difference",
            "difference of eigenvalues",
            "",
            "How much the eigenvalues of the correlations have changed, each in units of itself, in sum.",
        ),
        _utility(
            "pil",
            "probabilistic information loss",
            "%",
            "How far statistics have moved beside their sampling errors: 0 is not at all, 100 is far more than these.",
        ),
        _utility("pil_quantiles", "PIL of quantiles", "%", "The same of the quantiles of the columns alone."),
        _utility("pil_means", "PIL of means", "%", "The same of the means of the columns alone."),
        _utility("pil_variances", "PIL of variances", "%", "The same of the variances of the columns alone."),
        _utility(
            "pil_covariances", "PIL of covariances", "%", "The same of the covariances of pairs of columns alone."
        ),
        _utility(
            "pil_correlations", "PIL of correlations", "%", "The same of the correlations of pairs of columns alone."
        ),
        _utility(
            "pmse",
            "propensity score pMSE",
            "",
            "How well a model tells released records from original ones: 0 is not at all, 0.25 is perfectly.",
        ),
        _utility(
            "pmse_ratio",
            "pMSE beside chance",
            "",
            "The same divided by what another sample of the same population would give: about 1 is as good as that.",
        ),
        _utility(
            "regression_overlap",
            "overlap of confidence intervals",
            "%",
            "Mean share of the confidence intervals of regression coefficients that both tables have in common.",
            "keeps more",
        ),
        _utility(
            "domain_total_difference",
            "difference of totals by domain",
            "%",
            "How much the total of a column in a domain has changed, in percent of itself, on average.",
        ),
        _utility(
            "suppressed_cells",
            "suppressed cells",
            "%",
            "Share of the values of the original that the release lacks: all other figures of utility leave them out.",
        ),
    )
}
"""Every figure of utility, without a value, in the order in which they are reported."""

FORMULAS: Mapping[str, str] = {
    "information_loss": "100·SSE/SST, SSE = Σ (x − x′)² and SST = Σ (x − x̄)² over all cells, each column divided by "
    "its standard deviation; a category that has changed counts as the squared distance of two categories. Missing "
    "cells do not count.",
    "il1s": "Mean of |x − x′|/(√2·s) over the cells of all columns of numbers and dates, s the standard deviation of "
    "the original column (dividing by n − 1). Columns with s = 0 and missing cells do not count. Newer versions of "
    "sdcMicro return the sum over cells as IL1s, and this mean as IL1old; older ones multiplied by √2 in place of "
    "dividing, which is twice this mean.",
    "il1": "Mean of |x − x′|/|x| over the cells of all columns of numbers that are not 0 in the original; dates, "
    "whose zero is arbitrary, do not count. sdcMicro returns 100 times the sum over these cells as IL1, and leaves "
    "zeros out, too.",
    "changed_cells": "100·(number of cells with x ≠ x′)/(number of cells), over all protected columns; missing cells "
    "do not count.",
    "changed_categories": "The same over the columns of categories, nominal and ordinal.",
    "mean_difference": "Mean over the columns of numbers and dates of |x̄ − x̄′|/s; columns with s = 0 do not count.",
    "variance_difference": "Mean over the same columns of 100·|s² − s′²|/s².",
    "skewness_difference": "Mean over the same columns of |g − g′|, g = m₃/m₂^1.5 with central moments that divide by "
    "n; 0 of a column that the release makes constant.",
    "zero_share_difference": "Mean over the same columns of |p − p′|, p the share of zeros in percent.",
    "quantile_difference": "Mean over the same columns, and over q = 5 %, 10 %, …, 95 %, of |Q(q) − Q′(q)|/s; "
    "quantiles are interpolated between the values at the places (n − 1)·q (type 7 of R).",
    "covariance_difference": "Mean over the pairs j < k of columns with s > 0 of 100·|c − c′|/(sⱼsₖ), c the "
    "covariance over the records that have both (dividing by n − 1). The field often divides by |c|, which has no "
    "meaning where a covariance is about 0.",
    "correlation_difference": "Mean over the same pairs of |r − r′|; r′ = 0 with a column that the release makes "
    "constant.",
    "eigenvalue_difference": "Σ |eⱼ − e′ⱼ|/eⱼ, e₁ ≥ e₂ ≥ … the eigenvalues of the correlation matrix of the columns "
    "with s > 0, over eigenvalues above 10⁻⁹ of their sum. What sdcMicro calls eigen; where values are missing, "
    "sdcMicro scales columns by all their values, and correlates pairs of these, while here each pair is correlated "
    "over the records that have both.",
    "pil": "Mean of the five parts below, or of those that are defined, over the columns of numbers and dates with "
    "s > 0. Each part is the mean over its statistics t of 100·2·P(0 ≤ Z ≤ |t − t′|/√Var t), Z standard normal, t of "
    "the original and t′ of the release; 0 where they differ by rounding only, and 100 where they differ and "
    "Var t = 0. Var t is the asymptotic variance over samples of n records: the more records, the smaller the "
    "differences that count.",
    "pil_quantiles": "t = Q(q) for q = 5 %, 10 %, …, 95 % of each column; √Var t is (Q(q + d) − Q(q − d))/(2·1.96) "
    "with d = 1.96·√(q(1 − q)/n), Woodruff's interval, which needs no density.",
    "pil_means": "t = x̄ of each column; Var t = s²/n.",
    "pil_variances": "t = s² of each column; Var t = (μ₄ − μ₂²)/n, μ the central moments of the original.",
    "pil_covariances": "t = c of each pair of columns; Var t = (μ₂₂ − μ₁₁²)/n.",
    "pil_correlations": "t = r of each pair of columns; Var t = (μ₂₂(1 + r²/2) + r²(μ₄₀ + μ₀₄)/4 − r(μ₃₁ + "
    "μ₁₃))/n, of columns with mean 0 and variance 1: (1 − r²)²/n of normal data.",
    "pmse": "1/N·Σ (pᵢ − ½)² over the N = 2n records of both tables, p the probability of being released by a "
    "logistic regression without penalty (scikit-learn, the extra `microagg[sklearn]`). Its terms: every column of "
    "numbers and dates, standardised, with missing values at the mean; indicators of the 20 most frequent categories "
    "after the first; then squares of the numbers; then products of pairs of all these: at most 100 terms, and one "
    "for ten records. Terms that depend on others are left out. Above 50 000 records, a systematic sample of so many.",
    "pmse_ratio": "pMSE/((p − 1)c(1 − c)/N), c = ½ and p the number of parameters: what is expected if both tables "
    "are independent samples of one population. Snoke et al. divide by (p − 1)(1 − c)²c/N, what is expected of records "
    "that are drawn given the original, so that their ratio is twice this one, and about 2 of two samples. A release "
    "whose records stand for the original ones, as in microaggregation, is no such sample, and may be below 1; in "
    "large tables any difference is above it.",
    "regression_overlap": "Mean over the coefficients of the regressions that are asked for of 100·½(I/(U − L) + "
    "I/(U′ − L′)), I = min(U, U′) − max(L, L′) what the intervals at 95 % have in common: below 0 where they are "
    "apart. Ordinary least squares, or weighted where the plan names a weight: β = (XᵀWX)⁻¹XᵀWy, with covariance "
    "σ²(XᵀWX)⁻¹, σ² = Σ we²/(n − p), and the t distribution with n − p degrees of freedom. Only where regressions are "
    "asked for.",
    "domain_total_difference": "Mean over domains and columns of numbers of 100·|T − T′|/|T|, T = Σ w·x the "
    "(weighted) total, over those that are not 0 in the original. Only where domains are asked for.",
    "suppressed_cells": "100·(number of values that are missing in the release only)/(number of values of the "
    "original), over the protected columns. Every other figure of utility is over the cells that both tables have, its "
    "total squares, moments and quantiles, too. Only where a value is missing in one of the tables only; a note says "
    "how many values the release has in place of missing ones.",
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
    "Templ (2017), Statistical Disclosure Control for Microdata: Methods and Applications in R, and dUtility of "
    "sdcMicro"
)
_PIL = (
    "Mateo-Sanz, Domingo-Ferrer & Sebé (2005), Probabilistic information loss measures in confidentiality protection "
    "of continuous microdata, Data Mining and Knowledge Discovery 11"
)
_PROPENSITY = (
    "Woo, Reiter, Oganian & Karr (2009), Global measures of data utility for microdata masked for disclosure "
    "limitation, Journal of Privacy and Confidentiality 1(1)"
)
_KARR = (
    "Karr, Kohnen, Oganian, Reiter & Sanil (2006), A framework for evaluating the utility of data altered to protect "
    "confidentiality, The American Statistician 60(3)"
)
_PLAIN = "no paper: a plain difference of descriptive statistics"

REFERENCES: Mapping[str, tuple[str, ...]] = {
    "information_loss": (
        "Domingo-Ferrer & Mateo-Sanz (2002), Practical data-oriented microaggregation for statistical disclosure "
        "control, IEEE TKDE 14(1)",
    ),
    "il1s": (_OUTLIERS, _SDCMICRO),
    "il1": (_OUTLIERS, _QUANTITATIVE, _SDCMICRO),
    "changed_cells": (_PLAIN,),
    "changed_categories": (_QUANTITATIVE,),
    "mean_difference": (_QUANTITATIVE,),
    "variance_difference": (_QUANTITATIVE,),
    "skewness_difference": (_PLAIN,),
    "zero_share_difference": (_PLAIN,),
    "quantile_difference": (_PLAIN,),
    "covariance_difference": (_QUANTITATIVE,),
    "correlation_difference": (_QUANTITATIVE,),
    "eigenvalue_difference": (_SDCMICRO,),
    "pil": (_PIL,),
    "pil_quantiles": (
        _PIL,
        "Woodruff (1952), Confidence intervals for medians and other position measures, JASA 47",
    ),
    "pil_means": (_PIL,),
    "pil_variances": (_PIL,),
    "pil_covariances": (_PIL,),
    "pil_correlations": (
        _PIL,
        "Steiger & Hakstian (1982), The asymptotic distribution of elements of a correlation matrix, British Journal "
        "of Mathematical and Statistical Psychology 35",
    ),
    "pmse": (_PROPENSITY,),
    "pmse_ratio": (
        _PROPENSITY,
        "Snoke, Raab, Nowok, Dibben & Slavkovic (2018), General and specific utility measures for synthetic data, "
        "JRSS A 181(3)",
    ),
    "regression_overlap": (_KARR,),
    "domain_total_difference": (_PLAIN,),
    "suppressed_cells": (_PLAIN,),
}
"""Where each figure is from, by its name."""
