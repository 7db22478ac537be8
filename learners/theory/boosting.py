"""Bounds of the boosting algorithms on a loss, from the progress that each round has made."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.theory.bound import declared


@dataclass(frozen=True)
class Descent:
    """The measurements of the environment.

    start : the loss before the first round. progress : the sum over the rounds of how much each
    must lower its logarithm.
    """

    start: Any
    progress: Any


def descent(d: Descent) -> Any:
    """Return start · exp(−progress), which the loss does not exceed.

    >>> round(float(descent(Descent(start=8.0, progress=np.log(4.0)))), 6)
    2.0
    """
    return d.start * np.exp(-np.asarray(d.progress))


BOOSTING_BOUNDS = declared(
    dict.fromkeys(("training-error", "mcssb-theorem-4", "ndcg-theorem-7", "refinement-theorem-9"), descent)
)
