"""The charts of the multilabel lab."""

from __future__ import annotations

from pages.ui.draw.chart_specs import ChartSpec

CHARTS = (
    ChartSpec(
        "loss", "loss", "Mean loss ℓ(a, c)",
        "Mean over the steps so far of a for each right label that was not shown, and (1 − a) c(j, s) for each wrong label shown "
        "at place j of s. Each learner is measured with its own a and costs, which it tries to keep low.",
        y_log=True,
    ),
    ChartSpec(
        "hamming-loss", "hamming-loss", "Mean Hamming loss (labels)",
        "Mean over the steps so far of the number of labels that are wrong: right ones not shown plus wrong ones shown. The "
        "paper's definition; some authors divide it by the number of labels.",
        y_log=True,
    ),
    ChartSpec(
        "ranking-loss", "ranking-loss", "Mean ranking loss (divided by S)",
        "Mean over the steps so far of the pairs of shown labels ranked the wrong way round, plus S for each right label not "
        "shown, divided by S (Gentile & Orabona 2012, §4).",
        y_log=True,
    ),
    ChartSpec(
        "cumulative-regret", "cumulative-regret", "Cumulative regret",
        "Sum over the steps so far of the expected loss of what was shown minus that of the best set of at most S labels, known "
        "only where the data set knows the probabilities. On two logarithmic axes a slope of ½ is the paper's √T.",
        y_log=True, later="Known only where the data set knows the probabilities of the labels.",
    ),
    ChartSpec(
        "shown-size", "shown-size", "Labels shown",
        "How many labels it shows, at most S. A learner that knows nothing yet shows many, to find out. Moving average over "
        "steps.",
        smooth=True,
    ),
    ChartSpec(
        "width", "width", "Width of the confidence ε (mean over the labels)",
        "How much the margin of a label is raised for want of knowledge; it shrinks for labels that have been shown often. Moving "
        "average over steps.",
        smooth=True, y_log=True, later="Only the learner with upper confidence has one.",
    ),
)  # fmt: skip
