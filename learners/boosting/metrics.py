"""What is measured of every boosting learner, whatever its family."""

from __future__ import annotations

from learners.metric import SHARE, Metric

STEP_SIZE = Metric(
    "step-size", "Step size α",
    "How much the weak hypothesis of a round counts in the vote, and 0 where a learner has stopped. References have "
    "none.",
    some=True,
)  # fmt: skip


def weak_error(weak: str, note: str) -> Metric:
    """Declare the error of the weak hypothesis, `weak` in the words of a family."""
    return Metric(
        "weak-error",
        f"Error of the weak {weak}",
        note,
        "0 to 1",
        better="lower",
        limits=SHARE,
        some=True,
        absent=f"These learners have no weak {weak}.",
    )


def bound(of: str) -> Metric:
    """Declare the metric under which the bound on an objective is recorded."""
    return Metric("bound", f"Bound on {of}", "What theory promises at worst.", better="lower", drawn=False)


def objective(note: str, bound: Metric) -> Metric:
    """Declare the objective that boosting lowers, drawn relative to its value after the first round."""
    return Metric(
        "objective",
        "Objective, relative to that after the first round",
        note,
        better="lower",
        bounds=(bound,),
        log=True,
        relative=True,
        some=True,
        absent="These learners have no objective.",
    )
