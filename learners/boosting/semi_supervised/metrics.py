"""The metrics of the semi-supervised learners."""

from learners.boosting.metrics import STEP_SIZE, bound, objective, weak_error
from learners.metric import SHARE, Metric, Strip

BOUND = bound("the objective")
ACCURACY_TEST = Metric(
    "accuracy-test", "Accuracy on test examples",
    "Share of the test examples that are classified correctly. No learner has seen them.",
    "0 to 1", better="higher", limits=SHARE,
    strip=Strip("The stronger the colour, the lower the accuracy.", "fell back by 0.05 in accuracy", fall=0.05),
)  # fmt: skip
ACCURACY_UNLABELLED = Metric(
    "accuracy-unlabelled", "Accuracy on unlabelled examples",
    "Share of the unlabelled training examples that are classified correctly. The learner sees their features, never "
    "their labels.",
    "0 to 1", better="higher", limits=SHARE,
)  # fmt: skip
ACCURACY_TRAIN = Metric(
    "accuracy-train", "Accuracy on labelled examples",
    "Share of the few labelled training examples that are classified correctly.",
    "0 to 1", better="higher", limits=SHARE,
)  # fmt: skip
OBJECTIVE = objective(
    "The function that boosting minimises, which is F = Fᵤ + C · Fₗ for MCSSB and the mean exponential loss for "
    "AdaBoost and ASSEMBLE. The dotted line is the upper bound from theory, given the progress of each round. Both are "
    "divided by the value after the first round, since the scales of the learners cannot be compared.",
    BOUND,
)  # fmt: skip
OBJECTIVE_UNLABELLED = Metric(
    "objective-unlabelled", "Objective, part of the unlabelled examples",
    "For MCSSB this is Fᵤ, which penalises pairs of similar examples that get different classes (Valizadegan 2010, Eq. "
    "2.4). For ASSEMBLE it is the mean exponential loss on pseudo-labelled examples, on another scale.",
    better="lower", log=True, mean_over_available=True, absent="These learners have no such part.",
)  # fmt: skip
OBJECTIVE_LABELLED = Metric(
    "objective-labelled", "Objective, part of the labelled examples",
    "For MCSSB this is Fₗ, without the factor C. It penalises examples whose class differs from that of a similar "
    "labelled example (Valizadegan 2010, Eq. 2.6). For ASSEMBLE it is the mean exponential loss on labelled examples, "
    "on another scale.",
    better="lower", log=True, mean_over_available=True, absent="These learners have no such part.",
)  # fmt: skip
WEAK_ERROR = weak_error(
    "classifier",
    "Weighted error of the weak classifier of each round, over the runs that have not stopped. For MCSSB it is the ε "
    "of Valizadegan 2010, Eq. 2.20, the share of the weight that speaks against its step. AdaBoost and ASSEMBLE must "
    "stop at ½, which happens early with many classes.",
)  # fmt: skip

REPORTED = (OBJECTIVE, BOUND, OBJECTIVE_UNLABELLED, OBJECTIVE_LABELLED)  # by learners, in `Round.values`
METRICS = (ACCURACY_TEST, ACCURACY_UNLABELLED, ACCURACY_TRAIN, *REPORTED, STEP_SIZE, WEAK_ERROR)
