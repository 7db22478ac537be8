"""The marked events of a run."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.parameters import is_whole, shown, within
from learners.event import Event, Found, Track

MOST_EVENTS = 20  # of one kind, by default


@dataclass(frozen=True)
class Happening:
    """An event at one step.

    t : the step, from 1, in which it shows. event : its kind. text : a sentence on it without capital and full stop, in
    plain text; names in it may come from files. cause : the step whose update brought it, where "what if" questions are
    to be asked; 0 where that cannot be said. of : how many events of this kind there were in the run so far, of which
    only the most telling are kept.
    """

    t: int
    event: Event
    text: str
    cause: int
    of: int


def events_of(simulation: Any, replicate: int, most: int | None = MOST_EVENTS) -> list[Happening]:
    """Return the events of one replicate of a run, in the order of their steps.

    Of each kind at most `most` are kept, those that tell most; None keeps all, and of some kinds all are always kept.
    The kinds are those of `simulation.events`, in whose order events of the same step stand. Another thread may advance
    the simulation. Only steps that the history records one by one are looked at: events in the thinned part of a long
    run are left out, since a row of several steps does not tell in which of them something happened.

    Raises
    ------
    ValueError : for a replicate that does not exist, and for `most` < 1.

    >>> from learners import Simulation
    >>> sim = Simulation("preference-perceptron", "toy-ranking", "cascade", seed=0)
    >>> sim.advance(steps=100)
    >>> for found in events_of(sim, replicate=0, most=1):
    ...     print(found.t, found.event.title, "|", found.text)
    20 Best document lost | d1, the best document, falls from place 1 to 10
    32 Largest move of the weights | w makes its largest move, by 1.01; its norm is now 0.854
    33 Best document regained | d1, the best document, is back at place 1, 13 steps after it was lost
    """
    replicate = within("replicate", replicate, 0, simulation.replicates - 1)
    if most is not None and not (is_whole(most) and most >= 1):
        raise ValueError(f"most must be at least 1, or None for all, got {shown(most)}")
    track = Track(simulation, replicate)
    if not track.steps:
        return []
    kept = [
        happening
        for event in simulation.events
        if all(metric in track for metric in event.metrics)
        for happening in _kept(event, event.find(track), None if event.common else most)
    ]
    return sorted(kept, key=lambda happening: happening.t)


def _kept(event: Event, found: Found, most: int | None) -> list[Happening]:
    """Return the most telling of what was found, the first of ties."""
    number = len(found.at)
    places = np.arange(number)
    if most is not None and number > most:
        telling = found.telling if len(found.telling) else np.zeros(number)
        places = np.sort(np.argsort(-telling, kind="stable")[:most])
    cause = found.cause if len(found.cause) else found.at
    return [Happening(int(found.at[i]), event, found.say(int(i)), int(cause[i]), number) for i in places]
