"""The answers of a person in a run, in place of the simulated user or of the truth."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from datasets.parameters import is_whole, shown
from learners.catalogue import families
from learners.environment import Answerable
from learners.event import NOTHING, Event, Found, Track
from learners.family import Family

LATEST = 1_000_000  # step that a person can answer

Answers = dict[int, tuple[int, ...]]


def checked(given: Any, family: Family, data: Any, seeds: Any, first: int = 1) -> Answers:
    """Return the answers of a person by step, in rising order, and in each step what is approved of, in rising order.

    given : mapping of steps to numbers of documents or labels, from 0; or None for no answers. first : the first step
    that can be answered.

    Raises
    ------
    ValueError : with a sentence, for anything else, for steps before `first` or beyond 1,000,000, for documents that
        the query of the step does not have, and for families whose learners nobody can answer.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ValueError(
            "answers must map steps to what a person approves of in them, such as {1: (2, 6), 2: ()}, "
            f"got {shown(given)}"
        )
    if not given:
        return {}
    kind: Any = family.environment
    if not issubclass(kind, Answerable):
        raise ValueError(
            f"answers are not supported by the family {family.id}, only by "
            f"{', '.join(other.id for other in families().values() if other.answerable)}"
        )
    for t in given:
        if not is_whole(t) or not first <= t <= LATEST:
            raise ValueError(f"answers must be to steps from {first:,} to {LATEST:,}, got step {shown(t)}")
    steps = sorted(int(t) for t in given)
    counts = kind.items_at(data, seeds, np.array(steps))
    return {t: _items(given[t], t, int(count), kind.answerable) for t, count in zip(steps, counts, strict=True)}


def _items(given: Any, t: int, count: int, what: str) -> tuple[int, ...]:
    """Return numbers of items from 0 to count − 1, each once and in rising order."""
    given = np.atleast_1d(given) if isinstance(given, np.ndarray) else given
    items = list(given) if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping) else [given]
    for item in items:
        if not is_whole(item) or not 0 <= item < count:
            raise ValueError(f"answers in step {t:,} must be {what} from 0 to {count - 1:,}, got {shown(item)}")
    return tuple(sorted({int(item) for item in items}))


def _answered(track: Track) -> Found:
    simulation = track.simulation
    steps = [t for t in simulation.answers if t <= simulation.history.steps]  # known also where the history is thinned
    if track.replicate or not steps:  # a person answers the first replicate
        return NOTHING
    kind: Any = families()[simulation.learner.family].environment
    return Found(np.array(steps), lambda i: kind.said(simulation.dataset, simulation.answers[steps[i]]))


ANSWERED = Event(
    "answered", "A person answered", "person",
    "In this step a person answered replicate 1, in place of the simulated user or of the truth.",
    (), _answered, common=True,
)  # fmt: skip
