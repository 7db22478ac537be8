"""The answer to a "what if" question, in words: the run as it was against the run as it would have been."""

from typing import Any

import numpy as np

from learners.event import Event, Track
from learners.metric import Metric
from learners.what_if import Question


def consequence(
    was: Any, other: Any, question: Question, t: int, replicate: int, kind: str = "", metric: Metric | None = None
) -> str:
    """Return in a sentence or two what would have been different in a replicate from step t on.

    It compares the next event of a kind, how many there are in the whole run, and a metric at the end of the run.

    was : the simulation of which `question` was asked. other : its fork with `question.change`, after as many steps.
    kind : id of the event at which the question was asked; "" for the first kind of the run's events that differs.
    metric : of the last sentence, such as the first that a page shows; none if the run has no such values.

    Raises
    ------
    ValueError : if the two have not taken equally many steps.

    >>> from learners import Simulation
    >>> from learners.run.what_if import questions
    >>> sim = Simulation("preference-perceptron", "toy-ranking", "cascade", seed=0)
    >>> sim.advance(steps=100)
    >>> question = questions(sim, t=19, replicate=0)[0]
    >>> fork = sim.fork(at=19, change=question.change)
    >>> fork.advance(steps=82)
    >>> answer = consequence(sim, fork, question, t=19, replicate=0, kind="best-lost")
    >>> for part in answer.split(", "):
    ...     print(part)
    Without the mistaken click on d3 at place 3 in step 19
    the next fall of the best document would have come all the same
    at step 22 instead of step 20: 4 falls in all
    as before.
    """
    if was.history.steps != other.history.steps:
        raise ValueError(f"both runs must have taken {was.history.steps} steps, got {other.history.steps}")
    names = [name for name in was.history if name in other.history]
    columns = ((run.history[name][:, replicate] for run in (was, other)) for name in names)
    if all(np.array_equal(a, b, equal_nan=True) for a, b in columns):
        return f"{_begin(question)} the run would have been the same."
    tracks = Track(was, replicate), Track(other, replicate)
    told = ""
    for event in was.events:
        known = all(measured in track for measured in event.metrics for track in tracks)
        if known and (event.id == kind or (not kind and event.noun and not event.common)):
            a, b = (event.find(track).at for track in tracks)
            if kind or len(a) != len(b):
                told = _told(event, a, b, t)
                break
    value = _value(was, other, metric, replicate) if metric is not None else ""
    if told and value:
        return f"{_begin(question)} {told}. {value}."
    return f"{_begin(question)} {told or value or 'single steps would have been different'}."


def _begin(question: Question) -> str:
    return f"{question.without[0].upper()}{question.without[1:]},"


def _told(event: Event, was: Any, other: Any, t: int) -> str:
    """Return when an event comes next, and how often it happens. was, other : its steps in the two runs."""
    once, one = not event.noun, f"{event.noun or event.title.lower()} {event.of}".strip()
    here, there = ((steps if once else steps[steps >= t])[:1].tolist() for steps in (was, other))
    number = f"{len(other):,} {event.noun}{'s' * (len(other) != 1)} in all"
    number += ", as before" if len(was) == len(other) else f" instead of {len(was):,}"
    if not here and not there:
        text = f"there would have been no {one}" if once else f"there would have been no further {one} either"
    elif not there:
        text = f"there would have been no {one}" if once else f"there would have been no further {one}"
        text += f", which came at step {here[0]:,}"
    else:
        text = f"the {'' if once else 'next '}{one} would have come "
        if here == there:
            text += f"at step {there[0]:,} all the same"
        else:
            text += (
                f"all the same, at step {there[0]:,} instead of step {here[0]:,}" if here else f"at step {there[0]:,}"
            )
    return text if once else f"{text}: {number}"


def _value(was: Any, other: Any, metric: Metric, replicate: int) -> str:
    """Return the value of a metric at the end of both runs, "" if one of them has none."""
    if metric.id not in was.history or metric.id not in other.history:
        return ""
    here, there = (float(run.history.final(metric.id)[replicate]) for run in (was, other))
    if metric.relative:
        first = float(was.history[metric.id][0, replicate]) or np.nan
        here, there = here / first, there / first
    if not (np.isfinite(here) and np.isfinite(there)):
        return ""
    when = f" ({metric.final})" if metric.per_step else f" {metric.final}"
    a, b = f"{here:.3g}", f"{there:.3g}"
    if a == b:
        return f"“{metric.title}” would have been {b}{when}, as before"
    direction = "lower" if there < here else "higher"
    worth = "" if not metric.better else ", which is better" if direction == metric.better else ", which is worse"
    return f"“{metric.title}” would have been {b} instead of {a}{when}, {direction}{worth}"
