"""A setting shared by the labs of the ranking learners."""

from __future__ import annotations

from datasets.parameters import Parameter

# the ranking that the charts measure
WHICH = Parameter(
    "ranking", "choice", "presented", choices=("presented", "predicted", "both"),
    help="The ranking presented to the user, or the ranking predicted, which the learner believes best. They differ "
    "only for learners that perturb. If both are drawn, the predicted ranking is the thin line.",
)  # fmt: skip
