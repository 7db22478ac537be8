"""The events of the ranking learners: the best document lost and regained, retraining, the largest moves."""

from functools import partial
from typing import Any

import numpy as np

from learners.base import Array
from learners.event import NOTHING, Event, Found, Track, largest_drop, largest_move, turns
from learners.ranking.metrics import ORDER_KEPT, RANK_OF_BEST_PREDICTED, WEIGHT_CHANGE, WEIGHT_NORM


class DocumentPlaces:
    """The places of the best document of each query, visit by visit: all steps with the first query, then the next.

    steps : (n,) number of each step, from 1. query, rank : (n,) of the steps. slots : places of a list.
    lost, regained : (k,) visits at which the best document of a query is lost, after it stood at place 1, and at which
    it is back. before : (k,) the last visit at place 1 before a loss. lasting : (k,) the steps until it was back, or
    else to the end of the track. since : (k,) the visit at which what is regained was lost.
    """

    def __init__(self, track: Track) -> None:
        self.data, r = track.simulation.dataset, track.replicate
        self.task = int(track.simulation.environment.world.task[r])
        query = track.simulation.environment.queries_met(self.data, track.simulation.seeds, track.steps, r)
        order = np.argsort(query, kind="stable")
        self.steps, self.query, self.rank = order + 1, query[order], track[RANK_OF_BEST_PREDICTED][order].astype(int)
        self.slots = self.data.on_page
        lowest = np.minimum(self.data.lengths[self.query] / 2, self.slots)
        at, before = turns(self.rank == 1, self.rank > lowest, self.query)
        lost = self.rank[at] != 1
        self.lost, self.before = at[lost], before[lost]
        turned, goes_on = self.steps[at], self.query[at[1:]] == self.query[at[:-1]]
        ends = np.full(len(at), track.steps + 1)
        ends[:-1][goes_on] = turned[1:][goes_on]
        self.lasting = (ends - turned)[lost]
        again = np.flatnonzero(~lost[1:] & goes_on) + 1
        self.regained, self.since = at[again], at[again - 1]

    def best(self, visit: int) -> str:
        """Return the best document of the query of a visit, in words."""
        query = int(self.query[visit])
        document = int(self.data.grades[self.task, self.data.documents(query)].argmax())
        of = f" of query {self.data.query_name(query)}" if self.data.queries > 1 else ""
        return f"d{document + 1}, the best document{of},"

    def place(self, visit: int) -> str:
        """Return the place of the best document at a visit, in words."""
        rank = int(self.rank[visit])
        return str(rank) if rank <= self.slots else f"beyond the {self.slots} shown"

    def found(self, visits: Array, telling: Array, say: Any) -> Found:
        """Return visits as steps in rising order. The step before is the cause where it is a visit of that query."""
        order = np.argsort(self.steps[visits])
        visits = visits[order]
        at = self.steps[visits]
        cause = np.where(self.steps[visits - 1] == at - 1, at - 1, 0)
        return Found(at, lambda i: say(int(order[i])), telling[order], cause)


def _lost(track: Track) -> Found:
    if track.simulation.dataset.consumable:
        return NOTHING
    places = track.once(DocumentPlaces)
    lost, before, steps = places.lost, places.before, places.steps

    def say(i: int) -> str:
        visit, top = int(lost[i]), int(before[i])
        text = f"{places.best(visit)} falls from place {places.place(visit - 1)} to {places.place(visit)}"
        if top == visit - 1:
            return text if steps[visit] == steps[top] + 1 else f"{text} since step {steps[top]:,}"
        return f"{text}; it was at place 1 up to step {steps[top]:,}"

    return places.found(lost, places.rank[lost] + places.lasting / (track.steps + 1), say)


def _regained(track: Track) -> Found:
    if track.simulation.dataset.consumable:
        return NOTHING
    places = track.once(DocumentPlaces)
    back, since, steps = places.regained, places.since, places.steps

    def say(i: int) -> str:
        visit, fall = int(back[i]), int(since[i])
        gone = int(steps[visit] - steps[fall])
        after = f"{gone:,} step{'s' * (gone > 1)}"
        return f"{places.best(visit)} is back at place 1, {after} after it was lost"

    return places.found(back, steps[back] - steps[since], say)


def _retraining(track: Track) -> Found:
    learner: Any = track.simulation.learner
    if not learner.retrains:
        return NOTHING
    size, norm = track[WEIGHT_CHANGE], track[WEIGHT_NORM]
    at = np.flatnonzero(size > 0)
    return Found(at + 1, partial(_retrained, size[at], norm[at]), size[at])


def _retrained(size: Array, norm: Array, i: int) -> str:
    return f"it learns from what it has gathered; w moves by {size[i]:.3g}, and its norm is now {norm[i]:.3g}"


EVENTS = (
    Event(
        "best-lost", "Best document lost", "down",
        "The best document of a query, which had been at place 1, is in the lower half of the ranking that the learner "
        "believes best. Each query is compared with its own earlier visits. With a single query these are the flips "
        "that are counted. Nothing is marked where documents are used up, since each step has another best one. Of "
        "many the deepest falls are marked, and of equally deep ones those that lasted longest.",
        (RANK_OF_BEST_PREDICTED,), _lost, noun="fall", of="of the best document",
    ),
    Event(
        "best-regained", "Best document regained", "up",
        "The best document of a query is back at place 1, after it had been lost. Of many those are marked that were "
        "gone for longest.",
        (RANK_OF_BEST_PREDICTED,), _regained, noun="return", of="of the best document",
    ),
    Event(
        "retraining", "Retraining", "cycle",
        "A learner that only learns now and then changes its weights. Of many the largest changes are marked.",
        (WEIGHT_CHANGE, WEIGHT_NORM), _retraining, noun="retraining",
    ),
    largest_move(WEIGHT_CHANGE, WEIGHT_NORM),
    largest_drop(ORDER_KEPT, "ranking stability"),
)  # fmt: skip
