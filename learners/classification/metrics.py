"""The metrics of the classification learners."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.metric import SHARE, Metric, Strip

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
    "Number of wrong labels played. The dotted line is the upper bound from theory, given the hinge loss of fixed "
    "weights W* on the examples of this run. The bounds of bandit learners lie far above the curves. On separable data "
    "their √T shape shows.",
    stepwise=True, better="lower", log=True, bounds=(BOUND, BOUND_A_PRIORI),
)  # fmt: skip
ACCURACY_GREEDY = Metric(
    "accuracy-greedy", "Recent accuracy of the predicted label",
    "Share of the recent steps on which the predicted label was correct.",
    "0 to 1", per_step=True, stepwise=True, better="higher", limits=SHARE, drawn=False,
)  # fmt: skip
ACCURACY = Metric(
    "accuracy", "Recent accuracy",
    "Share of the recent steps on which the label played was correct, as a moving average. The thin line is the same "
    "for the predicted label. The gap between the two is the price of exploration.",
    "0 to 1", per_step=True, stepwise=True, better="higher", companion=ACCURACY_GREEDY, companion_name="predicted",
    limits=SHARE,
    strip=Strip(
        "The stronger the colour, the more of the labels played were wrong.",
        "fell back by 0.4 in accuracy",
        fall=0.4,  # more than chance does to the mean of 50 labels
        within="mean",
        fewest=50,
        scale=lambda data: (1, 0),
    ),
)  # fmt: skip
GAMMA = Metric(
    "gamma", "Exploration rate γ",
    "Probability that the label of a step is drawn at random. It is fixed for the Banditron. The adaptive rules set it "
    "from their own successes and failures.",
    "0 to 1", per_step=True, log=True, adapted=True,
)  # fmt: skip
EXPLORED = Metric(
    "explored", "Share of exploration steps",
    "Share of the steps so far on which the label was drawn at random, even if it happened to be the predicted one.",
)  # fmt: skip
WEIGHT_CHANGE = Metric(
    "weight-change", "Size of the update",
    "Norm of what a step adds to the weights W, or for multiplicative learners to the parameters θ behind them. It is "
    "0 in a step from which nothing is learned.",
    per_step=True, log=True, drawn=False,
)  # fmt: skip

METRICS = (
    ERROR_RATE, ERROR_RATE_GREEDY, MISTAKES, ACCURACY, ACCURACY_GREEDY, GAMMA, EXPLORED, WEIGHT_CHANGE, BOUND,
    BOUND_A_PRIORI,
)  # fmt: skip


class Tally(NamedTuple):
    """The measures of a block of steps, each (B, R): the mistakes and exploring steps so far, whether the label
    played and the label predicted are right, and for the bounds the sums of losses, of γ, and of the variance."""

    mistakes: Array
    error_rate: Array
    error_rate_greedy: Array
    right: Array
    greedy: Array
    explored: Array
    loss: Array
    gammas: Array
    variance: Array

    @classmethod
    def empty(cls, steps: int, replicates: int) -> Tally:
        """Return room for a block of B steps."""
        return cls(*np.empty((len(cls._fields), steps, replicates)))


SUMS = 6  # running sums of a replicate


@compiled
def count(
    t: int, rows: Array, labels: Array, hinge: Array, classes: int, label: Array, predicted: Array, gamma: Array,
    explored: Array, sums: Array, played: Array, tally: Tally,
) -> None:  # fmt: skip
    """Measure a block of steps after step t, adding one by one, so that no bit depends on the length of the block.

    rows : (B, R) examples met. labels, hinge : (N,) true labels, and losses of fixed weights. label, predicted :
    (B, R, r). gamma, explored : (B, R). sums : (R, SUMS) so far. played : (n, 2, R) true and played label of the latest
    n steps, in a ring; of several labels shown the right one counts, or else the first. tally : written.
    """
    for b in range(len(rows)):
        step, place = t + b + 1, (t + b) % len(played)
        for r in range(rows.shape[1]):
            y = labels[rows[b, r]]
            answer, right, greedy = label[b, r, 0], 0.0, 0.0
            for i in range(label.shape[2]):
                if label[b, r, i] == y:
                    answer, right = y, 1.0
                if predicted[b, r, i] == y:
                    greedy = 1.0
            played[place, 0, r], played[place, 1, r] = y, answer
            g, total = gamma[b, r], sums[r]
            total[0] += 1 - right
            total[1] += 1 - greedy
            total[2] += explored[b, r]
            total[3] += hinge[rows[b, r]]
            total[4] += g
            total[5] += g if greedy else classes / (g if g > 0 else 1.0)
            tally.mistakes[b, r], tally.error_rate[b, r] = total[0], total[0] / step
            tally.error_rate_greedy[b, r], tally.explored[b, r] = total[1] / step, total[2] / step
            tally.right[b, r], tally.greedy[b, r] = right, greedy
            tally.loss[b, r], tally.gammas[b, r], tally.variance[b, r] = total[3], total[4], total[5]
