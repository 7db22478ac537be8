"""What is measured of the semi-supervised learners."""

from __future__ import annotations

from learners.boosting.metrics import STEP_SIZE, bound, objective, weak_error
from learners.metric import SHARE, Metric

BOUND = bound("the objective")
ACCURACY_TEST = Metric(
    "accuracy-test", "Accuracy on test examples",
    "Share of the examples kept for testing whose class is predicted correctly. No learner has seen them.",
    "0 to 1", better="higher", limits=SHARE,
)  # fmt: skip
ACCURACY_UNLABELLED = Metric(
    "accuracy-unlabelled", "Accuracy on unlabelled examples",
    "Share of the unlabelled training examples whose class is predicted correctly. The learner saw their features, "
    "never their labels.",
    "0 to 1", better="higher", limits=SHARE,
)  # fmt: skip
ACCURACY_TRAIN = Metric(
    "accuracy-train", "Accuracy on labelled "
                      "examples", "Share of the few labelled examples that are predicted "
                                                       "correctly.",
    "0 to 1", better="higher", limits=SHARE,
)  # fmt: skip
OBJECTIVE = objective(
    "What boosting lowers: F = Fᵤ + C · Fₗ for MCSSB, the mean exponential loss for AdaBoost and ASSEMBLE. The dotted "
    "line is what theory promises at worst, with what each round has measured. Both are divided by the value after the "
    "first round, since the scales of the learners cannot be compared.",
    BOUND,
)  # fmt: skip
OBJECTIVE_UNLABELLED = Metric(
    "objective-unlabelled", "Objective, the part of the unlabelled examples",
    "For MCSSB this is Fᵤ, which counts pairs of similar examples that are given different classes (Valizadegan 2010, "
    "Eq. 2.4). For ASSEMBLE it is the mean exponential loss on pseudo-labelled examples, on another scale.",
    better="lower", log=True, some=True, absent="These learners have no such part.",
)  # fmt: skip
OBJECTIVE_LABELLED = Metric(
    "objective-labelled", "Objective, the part of the labels",
    "For MCSSB this is Fₗ, which counts examples given another class than a similar labelled one has, without the "
    "factor C (Valizadegan 2010, Eq. 2.6). For ASSEMBLE it is the mean exponential loss on labelled examples, on "
    "another scale.",
    better="lower", log=True, some=True, absent="These learners have no such part.",
)  # fmt: skip
WEAK_ERROR = weak_error(
    "classifier",
    "Weighted error of the weak classifier of each round, over the runs that still go on. For MCSSB it is the ε of "
    "Valizadegan 2010, Eq. 2.20: the share of what speaks against its step. At ½ AdaBoost and ASSEMBLE must stop, and "
    "with many classes that comes early.",
)  # fmt: skip

REPORTED = (OBJECTIVE, BOUND, OBJECTIVE_UNLABELLED, OBJECTIVE_LABELLED)  # by the learners, in `Round.values`
METRICS = (ACCURACY_TEST, ACCURACY_UNLABELLED, ACCURACY_TRAIN, *REPORTED, STEP_SIZE, WEAK_ERROR)
