"""The metrics of the multilabel learners."""

from learners.metric import Metric, Strip

LOSS = Metric(
    "loss", "Mean loss",
    "Mean over the steps so far of the loss ℓ(a, c). A correct label that is not shown costs a. A wrong label shown at "
    "place j of s costs (1 − a) c(j, s). Each learner is measured with its own a and costs, which it minimises.",
    better="lower", log=True,
)  # fmt: skip
HAMMING_LOSS = Metric(
    "hamming-loss", "Mean Hamming loss",
    "Mean over the steps so far of the number of errors, which are correct labels not shown and wrong labels shown. "
    "This is the definition of the paper. Some authors divide it by the number of labels.",
    "labels", better="lower", log=True,
    strip=Strip(
        "The stronger the colour, the more errors the sets shown had.",
        "fell back by two errors a set",
        fall=2.0,  # more than chance does to the mean of 50 sets
        within="since",
        fewest=50,
    ),
)  # fmt: skip
RANKING_LOSS = Metric(
    "ranking-loss", "Mean ranking loss",
    "Mean over the steps so far of the number of pairs of shown labels in the wrong order, plus S for each correct "
    "label not shown, divided by S (Gentile & Orabona 2012, §4).",
    "divided by S", better="lower", log=True,
)  # fmt: skip
CUMULATIVE_REGRET = Metric(
    "cumulative-regret", "Cumulative regret",
    "Sum over the steps so far of the expected loss of the set shown minus that of the best set of at most S labels. "
    "It is known only for data with known label probabilities. On two logarithmic axes, a slope of ½ is the √T of the "
    "paper.",
    better="lower", log=True, absent="Known only for data with known label probabilities.",
)  # fmt: skip
SHOWN_SIZE = Metric(
    "shown-size", "Labels shown",
    "Number of labels shown, at most S. A learner that knows little shows many labels to explore.",
    per_step=True, stepwise=True,
)  # fmt: skip
WIDTH = Metric(
    "width", "Width of the confidence ε",
    "Amount by which the margin of a label is raised because of uncertainty. With Thompson sampling it is the standard "
    "deviation of the margin that is drawn. It shrinks for labels that are shown often.",
    "mean over the labels", per_step=True, log=True,
    absent="Only learners that explore what they are uncertain of have a width.",
)  # fmt: skip
WEIGHT_CHANGE = Metric(
    "weight-change", "Size of the update",
    "Norm of what a step adds to the weights of all labels. It is 0 in a step from which nothing is learned.",
    per_step=True, log=True, drawn=False,
)  # fmt: skip

METRICS = (LOSS, HAMMING_LOSS, RANKING_LOSS, CUMULATIVE_REGRET, SHOWN_SIZE, WIDTH, WEIGHT_CHANGE)
