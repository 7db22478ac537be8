"""What is measured of a game against the adversary."""

from __future__ import annotations

from learners.metric import Metric

AVERAGE_REGRET = Metric("average-regret", "Average regret", "For the w* of the horizon.", better="lower")
CUMULATIVE_REGRET = Metric("cumulative-regret", "Cumulative regret", "For the w* of the horizon.", better="lower")
LOWER_BOUND = Metric("lower-bound", "Lower bound", "What no learner gets below at the horizon.")
REGRET_BY_HORIZON = Metric(
    "average-regret-by-horizon", "Average regret against the horizon",
    "For the w* that would have been chosen had step t been the last.", better="lower", log=True,
)  # fmt: skip
LOWER_BOUND_BY_HORIZON = Metric("lower-bound-by-horizon", "Lower bound against the horizon", "The same, at worst.")
BOUND = Metric("bound", "Theorem 1", "Upper bound on the average regret, for the learners for which it holds.")
MISTAKES = Metric("mistakes", "Wrong objects shown", "Steps on which the other object was wanted.", better="lower")
WEIGHT_NORM = Metric("weight-norm", "Length of the weight vector", "‖w‖.")
