"""The answer to a "what if" question says when the next event comes, how many there are, and how the run ends."""

import re

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create
from learners.catalogue import families
from learners.classification.metrics import ERROR_RATE
from learners.ranking.metrics import AVERAGE_REGRET, RANK_OF_BEST
from learners.run.consequence import consequence
from learners.run.events import events_of
from learners.run.what_if import questions

STEPS, T = 300, 19


def run(learner="preference-perceptron", data="toy-ranking", user="cascade", steps=STEPS, **how):
    sim = Simulation(learner, data, user, seed=0, **how)
    sim.advance(steps=steps)
    return sim


def forked(sim, t, question):
    fork = sim.fork(at=t, change=question.change)
    fork.advance(steps=sim.t - fork.t)
    return fork


def falls(sim):
    return [found.t for found in events_of(sim, 0, most=None) if found.event.id == "best-lost"]


def test_the_next_fall_and_all_falls_are_those_of_the_two_runs():
    """Every number of the sentence is counted anew, for each question that can be asked before a fall."""
    sim = run()
    cause = next(found.cause for found in events_of(sim, 0) if found.event.id == "best-lost")
    asked = questions(sim, cause, 0)
    assert [question.id for question in asked] == ["no-click-3", "no-mistakes"]
    for question in asked:
        fork = forked(sim, cause, question)
        was, other = falls(sim), falls(fork)
        text = consequence(sim, fork, question, cause, 0, "best-lost", AVERAGE_REGRET)
        assert text.startswith(question.without.capitalize() + ", ")
        number = re.search(r"(\d+) falls? in all(?:, as before| instead of (\d+))", text)
        assert int(number[1]) == len(other) and int(number[2] or number[1]) == len(was)
        later = [t for t in other if t >= cause]
        if later and later[0] != was[0]:
            assert f"would have come all the same, at step {later[0]} instead of step {was[0]}" in text
        elif not later:
            assert f"no further fall of the best document, which came at step {was[0]}" in text
        a, b = (s.history["average-regret"][-1, 0] for s in (sim, fork))
        assert f"“Average regret” would have been {b:.3g} instead of {a:.3g} at the end of the run, " in text
        assert ("lower, which is better" if b < a else "higher, which is worse") in text


def test_without_an_event_the_first_kind_that_differs_is_told_and_steps_are_averaged():
    sim = run()
    careful = next(question for question in questions(sim, T, 0) if question.id == "no-mistakes")
    fork = forked(sim, T, careful)
    text = consequence(sim, fork, careful, T, 0, metric=RANK_OF_BEST)
    assert "fall of the best document" in text
    a, b = (s.history.final("rank-of-best")[0] for s in (sim, fork))
    assert f"{b:.3g} instead of {a:.3g} (mean of the last tenth of the steps), lower, which is better." in text


def test_what_changes_nothing_is_said_so_and_other_lengths_are_refused():
    """The click on the document at place 1 teaches nothing."""
    sim = run("perturbed-perceptron", replicates=2)
    t = next(t for t in range(1, 60) if sim.at(t).response.clicks[0, 0])
    question = questions(sim, t, 0)[0]
    fork = forked(sim, t, question)
    assert all(np.array_equal(fork.history[name], sim.history[name], equal_nan=True) for name in sim.history)
    assert consequence(sim, fork, question, t, 0).endswith(f" in step {t}, the run would have been the same.")
    short = sim.fork(at=t, change=question.change)
    with pytest.raises(ValueError, match=f"both runs must have taken {STEPS} steps, got {t - 1}"):
        consequence(sim, short, question, t, 0)


def test_an_event_that_comes_once_is_named_without_a_count():
    sim = run("banditron", "digits", None, steps=1000)
    question = questions(sim, 5, 0)[0]
    text = consequence(sim, forked(sim, 5, question), question, 5, 0, "first-right-guess", ERROR_RATE)
    assert text.startswith("Without exploration from step 5 on, there would have been no first right guess")
    assert "in all" not in text and "“Error rate” would have been" in text


def test_every_family_that_answers_questions_says_what_the_other_future_lacks():
    found = {family.id for family in families().values() if family.what_if}
    assert found >= {"ranking", "classification", "multilabel"}
    for id in found:
        family = families()[id]
        data, params = family.smallest.id, family.smallest.values
        for learner in family.learners:
            user = "cascade" if id == "ranking" else None
            made = create(learner)
            if id == "ranking" and made.hears != "user":
                continue
            sim = Simulation(made, load(data, **params), user, seed=0)
            try:
                sim.advance(steps=30)
            except ValueError:
                continue
            for question in questions(sim, 10, 0):
                assert question.without.startswith("without ") and "step 10" in question.without
                assert consequence(sim, forked(sim, 10, question), question, 10, 0).endswith(".")
