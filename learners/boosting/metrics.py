"""The metrics of all boosting learners."""

from learners.metric import SHARE, Metric

STEP_SIZE = Metric(
    "step-size", "Step size α",
    "Weight of the weak hypothesis of a round in the vote. It is 0 once a learner has stopped. Reference learners have "
    "none.",
    mean_over_available=True,
)  # fmt: skip


def weak_error(weak: str, note: str) -> Metric:
    """Declare the error of the weak hypothesis, which a family calls a weak classifier or ranker (`weak`)."""
    return Metric(
        "weak-error",
        f"Error of the weak {weak}",
        note,
        "0 to 1",
        better="lower",
        limits=SHARE,
        mean_over_available=True,
        absent=f"These learners have no weak {weak}.",
    )


def bound(objective: str) -> Metric:
    """Declare the metric under which the bound on an objective is recorded."""
    return Metric(
        "bound",
        f"Bound on {objective}",
        "The value that theory guarantees.",
        better="lower",
        drawn=False,
        short="upper bound",
    )


def objective(note: str, bound: Metric) -> Metric:
    """Declare the objective that boosting lowers, drawn relative to its value after the first round."""
    return Metric(
        "objective",
        "Objective relative to its value after the first round",
        note,
        better="lower",
        bounds=(bound,),
        log=True,
        relative=True,
        mean_over_available=True,
        absent="These learners have no objective.",
        short="objective",
    )
