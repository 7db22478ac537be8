"""Small contexts, steps by hand, and the compiled primitives of one replicate, run on the pages of a whole context."""

import numpy as np

from learners.base import Shape
from learners.random import EACH
from learners.ranking.base import Context, Feedback, Swaps
from learners.ranking.step import rankings
from learners.ranking.step.page import hidden_of, page_of
from learners.ranking.users import expected_alpha
from learners.ranking.users.answers import exchange_first, informative_item
from learners.ranking.users.strict_alpha import improve

CORNERS = [[1, 0], [0, 1], [1, 1]]  # documents d0, d1, d2 of the hand-computed steps


def query(features, lengths=None, gamma=None):
    """A context with one replicate for each block of features; discounts are 1, 1/2, 1/4, … unless given."""
    features = np.asarray(features, dtype=float)
    features = features if features.ndim == 3 else features[None]
    gamma = 0.5 ** np.arange(features.shape[1]) if gamma is None else gamma
    return Context(features, gamma, lengths if lengths is None else np.asarray(lengths))


def start(learner, context, rng=None, weights=None):
    """The learner at its first step."""
    replicates, n, d = context.features.shape
    learner.reset(Shape(d, n, weights), replicates, np.random.default_rng(0) if rng is None else rng)
    return learner


def clicked(n, *positions):
    return Feedback(clicks=np.isin(np.arange(n), positions)[None])


def page(context, work, r, draws=None):
    """The page of replicate r, which reads and writes the arrays of the step."""
    counts, slots, gamma = context.page
    count = int(counts[r])
    own = 1, count, slots, min(slots, count, int(work.on_page[r])), gamma, np.zeros(0) if draws is None else draws
    return page_of.py_func(work.page, r, context.n, *own)


def each(context, write, result, **known):
    """The mark of `write` in one array of the step, after it ran on every page with these arrays (R, n) on it."""
    work = context.work()
    for name, values in known.items():
        getattr(work.page, name)[:] = values
    for r in range(len(work.p)):
        write(page(context, work, r), r)
    return getattr(work.page, result)


def move_to_top(context, ranking, clicks):
    return each(
        context, lambda one, r: rankings.move_to_top(one), "improved", shown=ranking, clicks=clicks
    )  # fmt: skip


def swap_with_first(context, ranking, clicks):
    return each(
        context, lambda one, r: rankings.swap_with_first(one), "improved", shown=ranking, clicks=clicks
    )  # fmt: skip


def exchange_pairs(context, ranking, clicks, pairs):
    known = {"shown": ranking, "clicks": clicks, "partner": pairs.partner}
    return each(context, lambda one, r: rankings.exchange_pairs(one), "improved", **known)


def draws_for_pairs(context, rng):
    return rng.random((EACH, 2 + context.n // 2))


def form_pairs(context, probability, draws):
    work, p = context.work(), np.broadcast_to(np.asarray(probability, dtype=float), len(draws))
    for r, row in enumerate(draws):
        rankings.form_pairs(page(context, work, r), float(p[r]), row)
    return Swaps(work.page.partner, work.page.marks)


def swap_pairs(context, ranking, pairs):
    def swap(one, r):
        rankings.swap_pairs(one, np.ascontiguousarray(ranking[r]), one.shown)

    return each(context, swap, "shown", partner=pairs.partner, marks=pairs.swapped)


def clicks_on_top(context, shown, improved):
    return each(context, lambda one, r: rankings.click_on_top(one), "clicks", shown=shown, improved=improved)


def answers_on_average(user, view, draws):
    """The six answers of `expected-alpha` (6, R, n), the strict one first, and their probabilities (R, 6).

    draws : (R, 5, n) random numbers by document, or (R, 5) with one slot, as the user takes them.
    """
    context, alpha = view.context, np.broadcast_to(np.asarray(user.alpha, dtype=float), len(view.shown))
    work = context.work().of_user(user.rule_numbers(len(view.shown), view.top_grade))
    work.page.shown[:], work.hidden.grades[:], work.hidden.utility[:] = view.shown, view.grades, view.utility
    answers, chance = np.empty((6, *view.shown.shape), dtype=int), np.empty((len(view.shown), 6))
    for r in range(len(view.shown)):
        noise = np.append(np.ravel(draws[r]), 0.0)
        one, hidden = page(context, work, r), hidden_of.py_func(work.hidden, r, context.n, noise)
        u = hidden.utility
        if context.slots == 1:
            items = [
                informative_item(one, hidden, 1.0),
                *(expected_alpha.random_item(one, hidden, k) for k in range(5)),
            ]
            for i, item in enumerate(items):
                exchange_first(one, hidden, item)
                answers[i, r] = hidden.answer
            gains, gap = u[items] - u[one.shown[0]], u.max() - u[one.shown[0]]
        else:
            now = rankings.discounted(one, u, one.shown)
            rankings.rank(one, u, 1, hidden.answer)
            gap = rankings.discounted(one, u, hidden.answer) - now
            improve(one, hidden, float(alpha[r]))
            answers[0, r] = hidden.answer
            for k in range(5):
                expected_alpha.random_gain(one, hidden, k, context.n, now)
                answers[k + 1, r] = one.improved
            gains = [rankings.discounted(one, u, y[r]) - now for y in answers]
        q = expected_alpha.strict_chance(float(gains[0]), float(np.mean(gains[1:])), float(alpha[r] * gap))
        chance[r] = [q, *[(1.0 - q) / 5] * 5]
    return answers, chance
