"""A crowd of simulated people who go on searching where somebody stopped, half of them teaching, half comparing."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from datasets.parameters import whole
from datasets.ranking import RankingData
from learners.base import Array
from learners.catalogue import create
from learners.interleaving.comparison import Comparison
from learners.interleaving.fixed import HAND_TUNED
from learners.ranking.base import RankingLearner
from learners.ranking.users.position_biased import PositionBiased
from learners.run.pieces import Pieces, finished

SETTLED = "settled"  # in place of the id of a learner
METHOD = "balanced"  # the interleaving of the study
PIECE = 0.04  # seconds of a piece of the work


@dataclass(kw_only=True)
class Settled(RankingLearner):
    """Ranks for ever by the weights at which it starts. With w* it shows how much a learner could win at best."""


def crowd(
    data: RankingData, weights: Mapping[str, Array], searches: int, noise: float, bias: float, seed: int,
    relevant_from: int = PositionBiased.parameter("relevant_from").default,
) -> dict[str, Comparison]:  # fmt: skip
    """Let a crowd search, and return what it taught each learner and how each fared against the ranker tuned by hand.

    Every search of a learner teaches it, and the next compares it (balanced interleaving). All learners meet the same
    queries and the same noise. The weights afterwards are `learner.w[0]` of a comparison, and its `history` holds the
    wins and losses step by step.

    Parameters
    ----------
    data : queries with a ranker tuned by hand, such as function-search.
    weights : (d,) from which each learner goes on, by its id. With the id "settled" the weights stay as they are.
    searches : number of people who search, at least 2; half of them, rounded up, teach. noise, bias : of these people,
        see `PositionBiased`. relevant_from : the lowest grade that they find relevant.
    seed : determines all random numbers.

    Raises
    ------
    ValueError : for weights of another shape or that are not finite, data without a ranker tuned by hand, and numbers
        out of range.
    """
    return finished(crowding(data, weights, searches, noise, bias, seed, relevant_from))


def crowding(
    data: RankingData, weights: Mapping[str, Array], searches: int, noise: float, bias: float, seed: int,
    relevant_from: int,
) -> Pieces[dict[str, Comparison]]:  # fmt: skip
    """Do what `crowd` does in pieces."""
    steps = (whole("searches", searches, low=2) + 1) // 2
    user = PositionBiased(noise=noise, bias=bias, relevant_from=relevant_from)
    found = {}
    for id, own in weights.items():
        start = np.asarray(own, dtype=np.float64)
        if start.shape != (data.dimension,) or not np.isfinite(start).all():
            raise ValueError(f"the weights of {id} must be {data.dimension} finite numbers, got {start.shape}")
        learner = create(id) if id != SETTLED else Settled()
        found[id] = Comparison(learner, started(data, start), user, HAND_TUNED, METHOD, seed=seed, megabytes=0)
        while found[id].t < steps:
            found[id].advance(steps - found[id].t, seconds=PIECE)
            yield
    return found


def started(data: RankingData, weights: Array) -> RankingData:
    """Return the same data for learners that start at these weights (d,), with what has been computed from the data."""
    for computed in ("largest", "utility"):  # once, for all learners and crowds
        getattr(data, computed)
    same = copy.copy(data)
    object.__setattr__(same, "initial_weights", weights)
    return same
