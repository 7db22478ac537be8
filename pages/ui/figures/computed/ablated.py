"""Worlds in which causes are tried, where no parameter of a simulation tells them from those of the figures."""

from typing import Any

import numpy as np

from datasets import load
from datasets.ranking import discounts
from learners import create_user
from learners.base import Array
from learners.random import Stream
from learners.ranking.step.context import Context
from learners.ranking.users.base import View
from pages.ui.figures.computed import toy
from pages.ui.figures.computed.clicks import CONDITIONS, SHARES, SHOWN, improved
from pages.ui.figures.figure import Curves, Size

POOL = 24  # documents of a query, of which the ten results are taken
ORDERS = {"normal": np.arange(SHOWN), "swapped": np.r_[1, 0, 2:SHOWN], "reversed": np.arange(SHOWN)[::-1]}


def shares(seed: int, size: Size) -> Curves:
    """Return the shares of `clicks.shares` for an engine that orders its ten results with errors.

    size.data : `error`, the standard deviation of the errors in units of that of its scores; `noise`, the chance that
    a searcher misjudges a result; `looks`, the least grade that a searcher looks for; `later`, the share of the
    searches with a second query, whose results have errors of their own, and whose clicks are put on top as well.

    >>> found = shares(0, Size(50, {"error": 0.0, "noise": 0.0}))
    >>> found["all"][0][:3]
    ('better', 'worse', 'equal')
    """
    error, noise, looks, later = (
        float(size.data.get(name, none)) for name, none in (("error", 0), ("noise", 0.2), ("looks", 2), ("later", 0))
    )
    data, rng = (
        load("web-search", queries=max(size.steps, 10), documents=POOL, data_seed=seed),
        np.random.default_rng(seed),
    )
    score = data.utility[0].reshape(-1, POOL)[: size.steps]
    best, second = (np.argsort(-(score + error * score.std() * rng.standard_normal(score.shape)), axis=1, kind="stable")
                    for _ in range(2))  # fmt: skip
    second = second[:, :SHOWN]
    grades = data.grades[0].reshape(-1, POOL)[: size.steps]
    again = rng.random(len(score)) < later
    user = create_user("position-biased", relevant_from=int(looks), noise=noise)
    context = Context(np.zeros((len(grades), SHOWN, 1)), discounts(SHOWN))

    def clicks(results: Array, query: int) -> Any:
        order, found = np.tile(np.arange(SHOWN), (len(results), 1)), np.take_along_axis(grades, results, axis=1)
        stream = Stream(np.random.default_rng([seed, query]), len(results))
        return user.respond(View(order, found, np.zeros_like(found), context), stream).clicked_and_passed()[0].copy()

    weights, gained, clicked = np.r_[discounts(SHOWN), np.zeros(POOL - SHOWN)], [], []
    for condition in CONDITIONS:
        shown = np.concatenate([best[:, ORDERS[condition]], best[:, SHOWN:]], axis=1)  # below stands what is not shown
        marked = np.zeros(grades.shape, dtype=bool)
        np.put_along_axis(marked, shown[:, :SHOWN], clicks(shown[:, :SHOWN], 1), axis=1)
        np.put_along_axis(marked, second, np.take_along_axis(marked, second, axis=1)
                          | (clicks(second, 2) & again[:, None]), axis=1)  # fmt: skip
        clicked.append(np.take_along_axis(marked, shown, axis=1))
        relevance = np.take_along_axis(grades, shown, axis=1) * 5 / 4
        more = (np.take_along_axis(relevance, improved(clicked[-1]), axis=1) - relevance) @ weights
        gained.append(np.where(np.abs(more) < 1e-9, 0.0, more))
    names, several = (*CONDITIONS, "all"), [*zip(gained, clicked, strict=True)]
    several.append((np.concatenate(gained), np.concatenate(clicked)))
    return {name: (SHARES, _shares(*one)) for name, one in zip(names, several, strict=True)}


def _shares(gained: Array, clicks: Array) -> list[float]:
    same, equal = (improved(clicks) == np.arange(POOL)).all(axis=1), gained == 0
    kept = float((same & equal).sum() / max(1, equal.sum()))
    on_ten = float(clicks.sum(axis=1).mean()) / SHOWN
    return [float((gained > 0).mean()), float((gained < 0).mean()), float(equal.mean()), kept, on_ten]


def ranks(seed: int, size: Size) -> Curves:
    """Return the mean ranks of `toy.ranks` for a user who errs with the probability `noise` of size.data."""
    found = {}
    for name, probability in ((toy.PREFP, 0.0), (toy.SWAPPED, 0.5)):
        rank = toy.shown(seed, Size(size.steps, replicates=size.replicates), probability, float(size.data["noise"]))
        parts = np.array_split(rank, toy.POINTS)
        found[name] = tuple(np.cumsum([len(part) for part in parts]).tolist()), np.array([p.mean() for p in parts])
    return found
