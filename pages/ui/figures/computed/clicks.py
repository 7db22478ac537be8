"""Measures how much a ranking gains by moving the clicked results to the top, with simulated searchers ([C] §3.2)."""

import numpy as np

from datasets import load
from datasets.ranking import discounts
from learners import create_user
from learners.base import Array
from learners.random import Stream
from learners.ranking.step.context import Context
from learners.ranking.users.base import View
from pages.ui.figures.figure import Curves, Size

SHOWN = 10  # results, as in DCG@10
GRID = np.round(np.linspace(-5, 15, 81), 2)  # of the gain in DCG@10
BELOW = -1e-6  # a point just below a gain of 0, where the distribution still leaves out the gains of 0
CONDITIONS = ("normal", "swapped", "reversed")  # the results as they are, the first two swapped, the ten reversed
SHARES = ("better", "worse", "equal", "equal, nothing moved", "results clicked")
LOOKS_FOR = {"relevant_from": 2}  # the grades from 2 to 4
FADING = "fading attention"
SEARCHERS: dict[str, tuple[str, dict[str, int]]] = {  # by a name, the user and what differs from its defaults
    FADING: ("position-biased", LOOKS_FOR),
    "first click": ("cascade", LOOKS_FOR),
    "all ten read": ("scan", LOOKS_FOR),
    "best five clicked": ("noisy-grades", {}),
}


def improved(clicked: Array) -> Array:
    """Return the order (R, n) in which the clicked positions (R, n) bool come first and the others keep their order.

    >>> improved(np.array([[False, True, False, True]]))
    array([[1, 3, 0, 2]])
    """
    return np.argsort(~clicked, axis=1, kind="stable")


def gain(relevance: Array, clicked: Array) -> Array:
    """Return DCG@10 of the ranking with the clicked results on top, less that of the ranking shown, (R,).

    relevance : (R, n) of the results as they are shown. clicked : (R, n) bool.

    >>> gain(np.array([[0.0, 5.0]]), np.array([[False, True]])).round(3)  # 5 − 5/log2(3)
    array([1.845])
    """
    weights = discounts(relevance.shape[1])
    found: Array = (np.take_along_axis(relevance, improved(clicked), axis=1) - relevance) @ weights
    return np.where(np.abs(found) < 1e-9, 0.0, found)


def searched(seed: int, searches: int, searcher: str = FADING) -> dict[str, tuple[Array, Array]]:
    """Return for each condition the gain (R,) and the clicks (R, n) bool of simulated searches.

    The results of a query are the ten best of 24 by the best linear ranker. The searcher, one of `SEARCHERS`, has its
    defaults but for the grades it looks for: that with fading attention looks at place i with probability 1/i and errs
    in every fifth judgement. Relevance is the grade, stretched to 0 to 5 as in the paper. All conditions meet the same
    queries and the same noise.
    """
    data = load("web-search", queries=max(searches, 10), documents=24, data_seed=seed)
    score = data.utility[0].reshape(-1, 24)[:searches]
    best = np.argsort(-score, axis=1, kind="stable")[:, :SHOWN]
    grades = np.take_along_axis(data.grades[0].reshape(-1, 24)[:searches], best, axis=1)
    orders = {"normal": np.arange(SHOWN), "swapped": np.r_[1, 0, 2:SHOWN], "reversed": np.arange(SHOWN)[::-1]}
    user = create_user(SEARCHERS[searcher][0], **SEARCHERS[searcher][1])
    context = Context(np.zeros((searches, SHOWN, 1)), discounts(SHOWN))
    found = {}
    for condition in CONDITIONS:
        shown = np.tile(orders[condition], (searches, 1))
        answer = user.respond(
            View(shown, grades, np.zeros_like(grades), context), Stream(np.random.default_rng([seed, 1]), searches)
        )
        clicks = answer.clicked_and_passed()[0].copy()
        found[condition] = gain(np.take_along_axis(grades, shown, axis=1) * 5 / 4, clicks), clicks
    return found


def distribution(seed: int, size: Size) -> Curves:
    """Return the share of searches (points,) whose gain is at most x, for each condition and for all together."""
    gains = {condition: gained for condition, (gained, _) in searched(seed, size.steps).items()}
    gains["all"] = np.concatenate(list(gains.values()))
    x = np.sort(np.r_[GRID, BELOW])
    return {name: (x.tolist(), (gained[:, None] <= x).mean(axis=0)) for name, gained in gains.items()}


def shares(seed: int, size: Size) -> Curves:
    """Return for each condition and for all together the shares named in `SHARES`.

    “equal, nothing moved” is the share of the searches with equal rankings among those with equal DCG@10,
    and “results clicked” that of the ten results.
    """
    found = searched(seed, size.steps)
    both = {"all": (np.concatenate([g for g, _ in found.values()]), np.concatenate([c for _, c in found.values()]))}
    curves: dict[str, tuple[tuple[str, ...], list[float]]] = {}
    for name, (gained, clicks) in (found | both).items():
        same = (improved(clicks) == np.arange(SHOWN)).all(axis=1)
        equal = gained == 0
        kept = float((same & equal).sum() / max(1, equal.sum()))
        curves[name] = SHARES, [
            float((gained > 0).mean()), float((gained < 0).mean()), float(equal.mean()), kept,
            float(clicks.mean()),
        ]  # fmt: skip
    return curves


def searchers(seed: int, size: Size) -> Curves:
    """Return the shares of searches that become better and worse, over all conditions, for each of `SEARCHERS`."""
    gained = [np.concatenate([g for g, _ in searched(seed, size.steps, name).values()]) for name in SEARCHERS]
    names = tuple(SEARCHERS)
    return {"better": (names, [(g > 0).mean() for g in gained]), "worse": (names, [(g < 0).mean() for g in gained])}
