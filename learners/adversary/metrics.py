"""The metrics of a game against the adversary."""

from learners.metric import Metric

AVERAGE_REGRET = Metric("average-regret", "Average regret", "Measured with the w* of the horizon.", better="lower")
CUMULATIVE_REGRET = Metric(
    "cumulative-regret", "Cumulative regret", "Measured with the w* of the horizon.", better="lower"
)
LOWER_BOUND = Metric("lower-bound", "Lower bound", "The average regret below which no learner gets at the horizon.")
REGRET_BY_HORIZON = Metric(
    "average-regret-by-horizon", "Average regret against the horizon",
    "Measured with the w* that the adversary would have chosen if step t had been the last.", better="lower", log=True,
)  # fmt: skip
LOWER_BOUND_BY_HORIZON = Metric(
    "lower-bound-by-horizon", "Lower bound against the horizon", "The lower bound for every horizon."
)
BOUND = Metric("bound", "Theorem 1", "Upper bound on the average regret, for the learners it covers.")
MISTAKES = Metric(
    "mistakes", "Wrong objects shown", "Number of steps on which the adversary wanted the other object.", better="lower"
)
WEIGHT_NORM = Metric("weight-norm", "Norm of the weight vector", "‖w‖.")
