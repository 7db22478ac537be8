"""The outcome of a search, in words: what each learner made of the clicks, and who won a comparison."""

from collections.abc import Mapping

import numpy as np

from learners import interleaving
from learners.base import Array
from learners.interleaving.live import SLOTS, LiveTrial, TaughtSearch
from learners.interleaving.verdict import Verdict
from pages.ui.plain import Markdown, plain
from pages.ui.race.words import count
from pages.ui.search.person import LEARNERS


def shows(lesson: TaughtSearch) -> str:
    """Return how a list came about, for its head."""
    if (lesson.partner == np.arange(len(lesson.partner))).all():
        return "The order it believes best."
    swapped = [bool(lesson.swapped[a]) for a, _ in pairs(lesson)]
    of = count(len(swapped), "pair")
    return f"The order it believes best, but coins made {sum(swapped)} of {of} change places (⇄)."


def learned(lesson: TaughtSearch) -> str:
    """Return what a learner made of the clicks, and what it changed."""
    assert lesson.clicks is not None and lesson.improved is not None
    paired = bool(np.any(lesson.partner != np.arange(len(lesson.partner))))
    said = _frompairs(lesson) if paired else _to_the_top(lesson)
    if (lesson.improved == lesson.shown).all():
        return f"{said} Its weights stay."
    moved = sum(1 for _, new in lesson.moved.values() if new <= SLOTS)
    return f"{said} {_moves(moved)}"


def _to_the_top(lesson: TaughtSearch) -> str:
    clicks = int(np.count_nonzero(np.asarray(lesson.clicks)))
    if clicks == 0:
        return "None of your clicks is on its list."
    their = "click" if clicks == 1 else f"{clicks} clicks"
    if np.array_equal(np.asarray(lesson.improved), lesson.shown):
        return f"Your {their} stood on top already."
    return f"It takes the list with your {their} on top to be better than the list that it showed."


def _frompairs(lesson: TaughtSearch) -> str:
    assert lesson.clicks is not None
    confirmed = corrected = silent = 0
    for a, b in pairs(lesson):
        upper, lower = bool(lesson.clicks[a]), bool(lesson.clicks[b])
        if lower and not upper:
            confirmed, corrected = confirmed + bool(lesson.swapped[a]), corrected + (not lesson.swapped[a])
        elif upper:
            silent += upper + lower
    said = []
    if corrected:
        said.append(f"In {count(corrected, 'pair')} you passed over the upper result for the lower. That corrects it.")
    if confirmed:
        said.append(
            f"In {count(confirmed, 'pair')} you clicked the lower result, which a coin had put there. That confirms it."
        )
    if silent and not said:
        their = "Your click" if silent == 1 else f"Your {silent} clicks"
        said.append(
            f"{their} hit the upper result of a pair, perhaps only because it stood first. That teaches nothing."
        )
    elif silent:
        said.append("Other clicks hit the upper result of a pair. They teach nothing.")
    return " ".join(said) or "No click decides between the two of a pair."


def pairs(lesson: TaughtSearch) -> list[tuple[int, int]]:
    """Return the positions of the pairs that a person sees a part of."""
    found = enumerate(lesson.partner[:SLOTS].tolist())
    return [(i, j) for i, j in found if j > i]


def _moves(number: int) -> str:
    if number == 0:
        return "Its weights have moved, but not enough to change the order."
    return f"Now {'one' if number == 1 else number} of its first ten results {'has' if number == 1 else 'have'} moved."


def decided(trial: LiveTrial) -> str:
    """Return who won a comparison, and why."""
    assert trial.outcome is not None
    k, mine, fixed = credit(trial)
    name = LEARNERS[trial.name]
    won = {1: f"{name} wins.", -1: "The hand-tuned ranker wins.", 0: "It is a tie."}[trial.outcome]
    if (clicks := int(np.count_nonzero(np.asarray(trial.clicks)))) == 1:
        return f"{won} {'It ranks what you clicked higher.' if trial.outcome else 'Both rank what you clicked alike.'}"
    where = "in its first place" if k == 1 else f"among its first {k}"
    return f"{won} Of your {clicks} clicks, {name} has {mine} {where}, and the hand-tuned ranker {fixed}."


def credit(trial: LiveTrial) -> tuple[int, int, int]:
    """Return k, and the clicks among the first k of the learner and of the fixed ranker, which decide.

    k is the smallest number for which one of these reaches the lowest document clicked.
    """
    assert trial.clicks is not None
    mixed = trial.mixed
    lowest = mixed.ranking[0][trial.clicks][-1:]
    k = int(np.flatnonzero((mixed.first[0] == lowest) | (mixed.second[0] == lowest))[0]) + 1 if len(lowest) else 0
    mine, fixed = interleaving.credit(mixed, trial.clicks[None])
    return k, int(mine[0]), int(fixed[0])


def wins(verdict: Verdict) -> str:
    """Return in a few words what the comparisons of a learner say so far.

    >>> wins(Verdict.of(0, 0, 0)), wins(Verdict.of(6, 4, 1)), wins(Verdict.of(110, 60, 7))
    ('not compared yet', 'too few to tell', 'better than the hand-tuned ranker (p = 0.00015)')
    """
    if verdict.wins + verdict.losses + verdict.ties == 0:
        return "not compared yet"
    if verdict.says == "no difference":
        return "too few to tell"
    p = f"= {verdict.p_value:.2g}" if verdict.p_value >= 1e-4 else "< 0.0001"
    return f"{verdict.says} than the hand-tuned ranker (p {p})"


def far(gains: Mapping[str, Array]) -> Markdown:
    """Return how far the weights of the learners have moved from where they began. gains : (d,) by name."""
    found = [f"{np.linalg.norm(gain):.2f} in the {plain(name)}" for name, gain in gains.items()]
    said = f"Together they have moved by {' and '.join(found)}."
    return Markdown(said.replace("the 3PR", "3PR").replace("Perc", "perc"))
