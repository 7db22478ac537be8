"""What is measured of the classification learners."""

from __future__ import annotations

from learners.metric import SHARE, Metric

BOUND = Metric("bound", "Bound on the mistakes", "What theory promises at worst.", better="lower", drawn=False)
BOUND_A_PRIORI = Metric(
    "bound-a-priori", "Second bound on the mistakes", "What a second theorem promises.", better="lower", drawn=False
)
ERROR_RATE_GREEDY = Metric(
    "error-rate-greedy", "Error rate of the predicted label",
    "Share of the steps so far on which the label predicted was wrong: the error there would be without exploring.",
    better="lower", log=True, drawn=False,
)  # fmt: skip
ERROR_RATE = Metric(
    "error-rate", "Error rate",
    "Share of the steps so far on which the label played was wrong. For the labels predicted it is the error there "
    "would be without exploring. On two logarithmic axes a power law is a straight line; Fig. 1 of the paper is drawn "
    "so.",
    better="lower", companion=ERROR_RATE_GREEDY, companion_name="predicted", log=True,
)  # fmt: skip
MISTAKES = Metric(
    "mistakes", "Mistakes so far",
    "Number of wrong labels played. The dotted line is what theory promises at worst, with the hinge loss of fixed "
    "weights W* on the very examples of this run. The bounds of bandit learners lie far above; on separable data their "
    "√T shape shows.",
    better="lower", log=True, bounds=(BOUND, BOUND_A_PRIORI),
)  # fmt: skip
ACCURACY_GREEDY = Metric(
    "accuracy-greedy", "Correct predictions, "
                       "lately", "Share of correct labels among those predicted, of the last "
                                                      "steps.",
    "0 to 1", per_step=True, better="higher", limits=SHARE, drawn=False,
)  # fmt: skip
ACCURACY = Metric(
    "accuracy", "Correct answers, lately",
    "Share of correct labels over the last steps, a moving average: of the label played, and as the thin line of the "
    "label predicted. The gap between the two is the price of exploring.",
    "0 to 1", per_step=True, better="higher", companion=ACCURACY_GREEDY, companion_name="predicted", limits=SHARE,
)  # fmt: skip
GAMMA = Metric(
    "gamma", "Exploration rate γ",
    "Chance that the label of a step is drawn at random. It is fixed for the Banditron; the adaptive rules set it from "
    "their own successes and failures.",
    "0 to 1", per_step=True, log=True,
)  # fmt: skip
EXPLORED = Metric(
    "explored", "Share of exploring steps",
    "Share of the steps so far on which the label was drawn at random. By chance it may have been the predicted one.",
)  # fmt: skip

METRICS = (
    ERROR_RATE, ERROR_RATE_GREEDY, MISTAKES, ACCURACY, ACCURACY_GREEDY, GAMMA, EXPLORED, BOUND, BOUND_A_PRIORI,
)  # fmt: skip
