"""A change at one step of a run: of a parameter of the learner or the user, or of the answer."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from datasets.parameters import Declared, altered, replicates_of, shown
from learners.base import Array, Learner

KINDS = ("learner", "user", "clicks", "answer", "answers")


@dataclass(frozen=True)
class Change:
    """The difference from step `at` on.

    learner, user : new values of parameters, checked, by name. response : the user's answer in step `at`, or None if
    it is the user's own. approved : what a person approves of in step `at` of the first replicate, or None if nobody
    answers in place of the user or of the truth.
    """

    at: int
    learner: Mapping[str, Any] = field(default_factory=dict)
    user: Mapping[str, Any] = field(default_factory=dict)
    response: Any = None
    approved: tuple[int, ...] | None = None

    @property
    def alone(self) -> bool:
        """Whether it concerns step `at` alone, which is then a block of its own."""
        return self.response is not None or self.approved is not None

    def make(self, environment: Any) -> None:
        """Make the change in an environment that is about to take step `at`. Idempotent."""
        for name, value in self.learner.items():
            setattr(environment.learner, name, value)
        if self.user:
            environment.user = altered(environment.user, self.user)
        if self.learner:
            environment.learner.changed()
        if self.learner or self.user:
            environment.changed()
        if self.approved is not None:
            environment.answer(self.approved)
        if self.response is not None:
            environment.override(self.response)


def parameters(given: Any, item: Declared, replicates: int) -> dict[str, Any]:
    """Return new values of parameters, checked as in the construction of the learner or user that has them.

    Raises
    ------
    ValueError : for anything but a mapping of its parameters to values that are allowed and can change in a run.
    """
    names = ", ".join(p.name for p in item.parameters()) or "none"
    if not isinstance(given, Mapping):
        raise ValueError(f"a change of {item.id} must give parameters by name, out of {names}, got {shown(given)}")
    fixed = item.at_start if isinstance(item, Learner) else ()
    for name in given:
        if item.parameter(name).shapes_state or name in fixed:
            raise ValueError(
                f"{name} of {item.id} determines the state at the start, so it cannot change in a run; "
                "make a new simulation with it"
            )
    new = type(item)(**(item.params | dict(given)))
    replicates_of(new, replicates)
    return {name: getattr(new, name) for name in given}


def clicked(given: Any, step: Any, user: Any) -> Any:
    """Return the response of a step with other clicks, (R, n) or (n,) bool by shown position.

    Raises
    ------
    ValueError : if the user of the step does not click, for another shape, and for clicks where nothing is shown.
    """
    if user.gives != "clicks":
        raise ValueError(f"clicks can only change where the user clicks; {user.id} answers with a ranking")
    shape = step.shown.ranking.shape
    clicks = _array("clicks", given, shape, "b", "Booleans, one for each position")
    if (clicks & (np.arange(shape[1]) >= step.lengths[:, None])).any():
        raise ValueError("clicks must be false at the positions behind the last document of a query")
    return dataclasses.replace(step.response, clicks=clicks)


def answered(given: Any, step: Any, user: Any) -> Any:
    """Return the response of a step with another ranking (R, n) or (n,).

    Raises
    ------
    ValueError : if the user of the step does not answer with a ranking, and for anything but a ranking of the
        documents shown.
    """
    if user.gives != "ranking":
        raise ValueError(f"an answer can only change where the user answers with a ranking; {user.id} clicks")
    shown = step.shown.ranking
    answer = _array("answer", given, shown.shape, "iu", "document numbers")
    beyond = np.arange(shown.shape[1]) >= step.lengths[:, None]
    if (np.sort(answer, axis=1) != np.sort(shown, axis=1)).any() or (answer != shown)[beyond].any():
        raise ValueError("answer must hold every document of the ranking shown once, those not offered at the end")
    return dataclasses.replace(step.response, ranking=answer)


def _array(name: str, given: Any, shape: tuple[int, ...], kinds: str, what: str) -> Array:
    """Return an array of this shape, or raise a ValueError."""
    try:
        values = np.asarray(given)
    except ValueError:  # lists of unequal length
        values = np.empty(0, dtype=object)
    if values.dtype.kind not in kinds or values.shape not in (shape, shape[1:]):
        raise ValueError(
            f"{name} must be {what}, of shape {shape} or {shape[1:]}, got {values.dtype} of shape {values.shape}"
        )
    # the type that the environment itself uses
    return np.broadcast_to(values, shape).astype(np.bool_ if kinds == "b" else np.intp)
