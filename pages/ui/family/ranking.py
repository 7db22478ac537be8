"""What is shared by the labs of the ranking learners."""

from __future__ import annotations

from datasets.parameters import Parameter

# which ranking is drawn
WHICH = Parameter(
    "ranking", "choice", "presented", choices=("presented", "predicted", "both"),
    help="The ranking shown to the user, or the one the learner believes best. They differ only for learners "
    "that perturb; with both, the predicted one is the thin line.",
)  # fmt: skip
