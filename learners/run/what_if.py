"""The "what if" questions that can be asked of a step."""

from typing import Any

from datasets.parameters import within
from learners.catalogue import families
from learners.what_if import Question, Situation


def questions(simulation: Any, t: int, replicate: int) -> list[Question]:
    """Return what can be asked of step t, from 1, of a replicate; nothing where the family answers no question.

    `simulation.fork(at=t, change=question.change)` is the other future. It shares the steps before t, and all other
    replicates stay as they are, to the bit.

    Raises
    ------
    ValueError : for a step that has not been taken, and a replicate that does not exist.

    >>> from learners import Simulation
    >>> sim = Simulation("preference-perceptron", "toy-ranking", "cascade", replicates=3, seed=0)
    >>> sim.advance(steps=100)
    >>> for question in questions(sim, t=7, replicate=0):
    ...     print(question.id, "|", question.title)
    no-click-3 | What if the click on d3 at place 3, a mistake, had not happened?
    no-mistakes | What if the user made no mistakes from here on?
    """
    replicate = within("replicate", replicate, 0, simulation.replicates - 1)
    t = within("t", t, 1, simulation.history.steps, "a step that has been taken, ")
    situation, kinds = Situation(simulation, t, replicate), families()[simulation.learner.family].what_if
    return [question for kind in kinds for question in kind.questions(situation)]
