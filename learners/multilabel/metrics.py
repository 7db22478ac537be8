"""What is measured of the multilabel learners."""

from __future__ import annotations

from learners.metric import Metric

LOSS = Metric(
    "loss", "Mean loss ℓ(a, c)",
    "Mean over the steps so far. A correct label that was not shown costs a, and a wrong label shown at place j of s "
    "costs (1 − a) c(j, s). Each learner is measured with its own a and costs, which it tries to keep low.",
    better="lower", log=True,
)  # fmt: skip
HAMMING_LOSS = Metric(
    "hamming-loss", "Mean Hamming loss",
    "Mean over the steps so far of the number of labels that are wrong: correct ones that were not shown, and wrong "
    "ones that were. This is the paper's definition; some authors divide by the number of labels.",
    "labels", better="lower", log=True,
)  # fmt: skip
RANKING_LOSS = Metric(
    "ranking-loss", "Mean ranking loss",
    "Mean over the steps so far of the pairs of shown labels that are ranked the wrong way round, plus S for each "
    "correct label that was not shown, divided by S (Gentile & Orabona 2012, §4).",
    "divided by S", better="lower", log=True,
)  # fmt: skip
CUMULATIVE_REGRET = Metric(
    "cumulative-regret", "Cumulative regret",
    "Sum over the steps so far of the expected loss of what was shown minus that of the best set of at most S labels. "
    "It is known only where the data set knows the probabilities. On two logarithmic axes a slope of ½ is the paper's "
    "√T.",
    better="lower", log=True, absent="Known only where the data set knows the probabilities of the labels.",
)  # fmt: skip
SHOWN_SIZE = Metric(
    "shown-size", "Labels shown",
    "How many labels it shows, at most S. A learner that knows nothing yet shows many, to find out. Moving average "
    "over steps.",
    per_step=True,
)  # fmt: skip
WIDTH = Metric(
    "width", "Width of the confidence ε",
    "How much the margin of a label is raised for want of knowledge. It shrinks for labels that have been shown often. "
    "Moving average over steps.",
    "mean over the labels", per_step=True, log=True, absent="Only the learner with upper confidence has one.",
)  # fmt: skip

METRICS = (LOSS, HAMMING_LOSS, RANKING_LOSS, CUMULATIVE_REGRET, SHOWN_SIZE, WIDTH)
