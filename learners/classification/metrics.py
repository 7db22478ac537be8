"""The metrics of the classification learners."""

from __future__ import annotations

from learners.metric import SHARE, Metric

BOUND = Metric("bound", "Bound on the mistakes", "The value that theory guarantees.", better="lower", drawn=False)
BOUND_A_PRIORI = Metric(
    "bound-a-priori",
    "Second bound on the mistakes",
    "The value that a second theorem guarantees.",
    better="lower",
    drawn=False,
)
ERROR_RATE_GREEDY = Metric(
    "error-rate-greedy", "Error rate of the predicted label",
    "Share of the steps so far on which the predicted label was wrong, as if the learner had not explored.",
    better="lower", log=True, drawn=False,
)  # fmt: skip
ERROR_RATE = Metric(
    "error-rate", "Error rate",
    "Share of the steps so far on which the label played was wrong. For the predicted labels it is the error without "
    "exploration. A power law is a straight line if both axes are logarithmic, as in Fig. 1 of the paper.",
    better="lower", companion=ERROR_RATE_GREEDY, companion_name="predicted", log=True,
)  # fmt: skip
MISTAKES = Metric(
    "mistakes", "Mistakes so far",
    "Number of wrong labels played. The dotted line is the bound of theory, computed from the hinge loss of fixed "
    "weights W* on the examples of this run. The bounds of bandit learners lie far above the curves. On separable data "
    "their √T shape shows.",
    better="lower", log=True, bounds=(BOUND, BOUND_A_PRIORI),
)  # fmt: skip
ACCURACY_GREEDY = Metric(
    "accuracy-greedy", "Recent accuracy of the predicted label",
    "Share of the recent steps on which the predicted label was correct.",
    "0 to 1", per_step=True, better="higher", limits=SHARE, drawn=False,
)  # fmt: skip
ACCURACY = Metric(
    "accuracy", "Recent accuracy",
    "Share of the recent steps on which the label played was correct, as a moving average. The thin line is the same "
    "for the predicted label. The gap between the two is the price of exploration.",
    "0 to 1", per_step=True, better="higher", companion=ACCURACY_GREEDY, companion_name="predicted", limits=SHARE,
)  # fmt: skip
GAMMA = Metric(
    "gamma", "Exploration rate γ",
    "Probability that the label of a step is drawn at random. It is fixed for the Banditron. The adaptive rules set it "
    "from their own successes and failures.",
    "0 to 1", per_step=True, log=True,
)  # fmt: skip
EXPLORED = Metric(
    "explored", "Share of exploration steps",
    "Share of the steps so far on which the label was drawn at random, even if it happened to be the predicted one.",
)  # fmt: skip

METRICS = (
    ERROR_RATE, ERROR_RATE_GREEDY, MISTAKES, ACCURACY, ACCURACY_GREEDY, GAMMA, EXPLORED, BOUND, BOUND_A_PRIORI,
)  # fmt: skip
