"""The declaration of "what if" questions: what could have been otherwise in a step, as a change for a fork."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

Asked = tuple[str, str, str, Mapping[str, Any]]  # the end of an id, title, without, change
LEAST_PARAMETER = 1e-9  # in place of a 0 that a parameter must not have


@dataclass(frozen=True)
class Question:
    """A question on one step of one replicate.

    id : differs among the questions of a step. title : the question. help : what the answer shows. without : what the
    other future lacks, such as "without the click on d3 in step 19", which begins the answer.
    change : what `Simulation.fork(at=t, change=change)` takes. It changes this replicate alone.
    """

    id: str
    title: str
    help: str
    without: str
    change: Mapping[str, Any]


class Situation:
    """Step t of a replicate of a simulation, of which it is asked what could have been otherwise."""

    def __init__(self, simulation: Any, t: int, replicate: int) -> None:
        self.simulation, self.t, self.replicate = simulation, t, replicate

    @cached_property
    def step(self) -> Any:
        """The record of the step; of two searches that of the one that teaches."""
        record = self.simulation.at(self.t)
        return getattr(record, "learning", record)

    def value(self, who: str, name: str) -> Any:
        """Return the value of a parameter of the "learner" or "user" in the step, for this replicate."""
        value = self.simulation.parameter(who, name, self.t)
        return value[self.replicate] if isinstance(value, np.ndarray) else value

    def alone(self, who: str, name: str, value: float) -> Mapping[str, Any]:
        """Return the change of a parameter of the "learner" or "user" for this replicate alone."""
        now = self.simulation.parameter(who, name, self.t)
        values = np.array(np.broadcast_to(now, self.simulation.replicates))
        values[self.replicate] = value
        return {who: {name: values}}


@dataclass(frozen=True, eq=False)
class WhatIf:
    """A kind of question that a family can answer.

    Parameters
    ----------
    id, title : its name in links and in words. help : what the answer shows.
    ask : function from a `Situation` to the questions, for each the end of its id (or nothing, if there is but one),
        its title, what the other future lacks, and the change.
    fits : function from a `Situation` to a sentence on why there is nothing to ask, "" if there is.
    """

    id: str
    title: str
    help: str
    ask: Callable[[Situation], Iterable[Asked]]
    fits: Callable[[Situation], str]

    def questions(self, situation: Situation) -> list[Question]:
        """Return the questions that can be asked in a situation, none if it does not fit."""
        if self.fits(situation):
            return []
        asked = self.ask(situation)
        return [
            Question(f"{self.id}-{end}" if end else self.id, title, self.help, without, change)
            for end, title, without, change in asked
        ]


def no_more_exploration(title: str, help: str, what: str = "exploration") -> WhatIf:
    """Declare the question for learners that name the parameter by which they explore (`Learner.explores`).

    what : the exploration, in a word or two.
    """
    return WhatIf("no-exploration", title, help, partial(_stop_exploring, title, what), _explores)


def _explores(situation: Situation) -> str:
    learner = situation.simulation.learner
    if not learner.explores:
        return f"{learner.title} has no parameter that only says how much it explores."
    parameter = learner.parameter(learner.explores)
    if not learner.uses(parameter) or situation.value("learner", parameter.name) <= LEAST_PARAMETER:
        return f"{learner.title} does not explore here."
    return ""


def _stop_exploring(title: str, what: str, situation: Situation) -> list[Asked]:
    learner = situation.simulation.learner
    parameter = learner.parameter(learner.explores)
    least = LEAST_PARAMETER if parameter.low_open and parameter.low == 0 else parameter.low
    without = f"without {what} from step {situation.t:,} on"
    return [("", title, without, situation.alone("learner", parameter.name, least))]
