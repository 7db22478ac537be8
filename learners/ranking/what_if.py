"""The what-if questions on a step of a ranking learner: a click, an answer, the user's mistakes, swapping."""

import numpy as np

from learners.what_if import Asked, Situation, WhatIf, no_more_exploration


def _deaf(situation: Situation) -> str:
    """Return why the user of the simulation makes no difference, "" if it does."""
    learner, user = situation.simulation.learner, situation.simulation.user
    if user is None:
        return "No simulated user answers in this run."
    return "" if learner.hears == "user" else f"{learner.title} does not listen to the user."


def _clicks(situation: Situation) -> str:
    if why := _deaf(situation):
        return why
    if situation.simulation.user.gives != "clicks":
        return "This user does not click, but answers with a ranking."
    clicked = situation.step.response.clicks[situation.replicate].any()
    return "" if clicked else "The user clicked nothing in this step."


def _no_click(situation: Situation) -> list[Asked]:
    step, r, user = situation.step, situation.replicate, situation.simulation.user
    clicks, shown = step.response.clicks, step.shown.ranking[r]
    grades = np.take_along_axis(np.asarray(step.grades), np.asarray(step.shown.ranking), axis=1)  # by shown position
    mistaken = user.mistaken(grades, step.response)[r]
    asked: list[Asked] = []
    for place in np.flatnonzero(clicks[r]):
        others = clicks.copy()
        others[r, place] = False
        click = f"click on d{shown[place] + 1} at place {place + 1}"
        title = f"What if the {click}{', a mistake,' if mistaken[place] else ''} had not happened?"
        without = f"without the {'mistaken ' if mistaken[place] else ''}{click} in step {situation.t:,}"
        asked.append((f"{place + 1}", title, without, {"clicks": others}))
    if len(asked) > 1:
        none = clicks.copy()
        none[r] = False
        without = f"without the {len(asked)} clicks in step {situation.t:,}"
        asked.append(("all", f"What if none of the {len(asked)} clicks had happened?", without, {"clicks": none}))
    return asked


def _answers(situation: Situation) -> str:
    if why := _deaf(situation):
        return why
    if situation.simulation.user.gives != "ranking":
        return "This user does not answer with a ranking, but clicks."
    step, r = situation.step, situation.replicate
    same = np.array_equal(step.response.ranking[r], step.shown.ranking[r])
    return "The user left the ranking as it was shown." if same else ""


def _no_answer(situation: Situation) -> list[Asked]:
    step, r = situation.step, situation.replicate
    answer = step.response.ranking.copy()
    answer[r] = step.shown.ranking[r]
    return [("", SILENT, f"without the answer in step {situation.t:,}", {"answer": answer})]


def _errs(situation: Situation) -> str:
    if why := _deaf(situation):
        return why
    user = situation.simulation.user
    if not user.mistakes:
        return "This user has no parameter that says how often it errs."
    return "" if situation.value("user", user.mistakes) > 0 else "This user makes no mistakes."


def _no_mistakes(situation: Situation) -> list[Asked]:
    without = f"without mistakes of the user from step {situation.t:,} on"
    return [("", CAREFUL, without, situation.alone("user", situation.simulation.user.mistakes, 0.0))]


CAREFUL = "What if the user made no mistakes from here on?"
SILENT = "What if the user had left the ranking as it was shown?"
WHAT_IF = (
    WhatIf(
        "no-click", "What if this click had not happened?",
        "The same run, but without this click. Queries, later mistakes of the user and the learner's random numbers "
        "stay the same.",
        _no_click, _clicks,
    ),
    WhatIf(
        "no-answer", SILENT,
        "The same run, but in this step the user answers with the ranking shown, from which most learners learn "
        "nothing. All random numbers stay the same.",
        _no_answer, _answers,
    ),
    WhatIf(
        "no-mistakes", CAREFUL,
        "The same run, in which the user judges without noise from this step on.", _no_mistakes, _errs,
    ),
    no_more_exploration(
        "What if it no longer perturbed its rankings from here on?",
        "The same run, in which the learner shows what it believes best from this step on.", "perturbed rankings",
    ),
)  # fmt: skip
