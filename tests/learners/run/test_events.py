"""The marked events of a run: by hand, against slow counts, and the same however long the run goes on."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create
from learners.catalogue import families
from learners.event import Event, Found, Track, largest_drop, turns
from learners.interleaving import metrics as interleaving
from learners.interleaving.comparison import Comparison
from learners.interleaving.events import EVENTS as VERDICTS
from learners.metric import Metric
from learners.ranking.events import EVENTS as RANKING
from learners.ranking.metrics import RANK_OF_BEST_PREDICTED
from learners.run.events import events_of
from learners.run.history import History
from tests.cases import cases
from tests.learners.run.problems import every, simulation

EVERY = [pytest.param(id, kind, 80, id=f"{id} {kind}".strip()) for id, kind in every()] + [
    pytest.param(id, kind, 6, id=id) for id, kind in every(online=False)
]


def told(simulation, replicate=0, most=None, moving=True):
    """The events that `events_of` finds, as tuples; without superlatives unless `moving`."""
    found = events_of(simulation, replicate, most)
    return [(h.t, h.event.id, h.text, h.cause) for h in found if moving or not h.event.superlative]


def recorded(events, metrics, **more):
    """A simulation that is nothing but a history of one replicate: `metrics` has the values of each."""
    history = History(replicates=1)
    history.append({metric: np.array(values, dtype=float)[:, None] for metric, values in metrics.items()})
    return SimpleNamespace(history=history, replicates=1, events=events, **more)


def world(ranks, queries, lengths, **more):
    """A ranking run whose predicted rankings put the best document, d2 of each query, at these places."""
    starts = np.concatenate([[0], np.cumsum(lengths)])
    grades = np.zeros((1, starts[-1]))
    grades[0, starts[:-1] + 1] = 1
    data = RankingData("made", {}, np.eye(starts[-1]), starts, grades, **more)
    environment = SimpleNamespace(
        world=SimpleNamespace(task=np.array([0])), queries_met=lambda data, seeds, steps, replicate: np.array(queries)
    )
    return recorded(RANKING, {RANK_OF_BEST_PREDICTED: ranks}, dataset=data, environment=environment, seeds=None)


# ---- by hand ----------------------------------------------------------------------------------------------------


def test_the_best_document_of_a_single_query():
    """Of ten documents the lower half begins at place 6.

    It is at 1, wanders to 5 (no event), falls to 7 in step 4 (from 5; it was at 1 in step 2), sinks to 9, climbs to 2
    (not yet back), and is back in step 7, three steps after its loss. Then it falls from 1 to 10 in step 8, for good.
    The rank of 8 in the first step of all is no loss, since it had never been at 1.
    """
    sim = world([8, 1, 5, 7, 9, 2, 1, 10], [0] * 8, [10])
    assert told(sim) == [
        (4, "best-lost", "d2, the best document, falls from place 5 to 7; it was at place 1 up to step 2", 3),
        (7, "best-regained", "d2, the best document, is back at place 1, 3 steps after it was lost", 6),
        (8, "best-lost", "d2, the best document, falls from place 1 to 10", 7),
    ]


def test_each_query_is_compared_with_itself_and_its_own_length():
    """Queries 1 and 2 with 4 and 9 documents take turns; the lower halves begin at places 3 and 5.

    Steps 1, 3, 5, 7 of query 1: 1, 2, 3, 1. Steps 2, 4, 6, 8 of query 2: 4, 1, 5, 5. Query 1 is lost in step 5, from
    place 2, and regained in step 7. For query 2 place 3 would not be low, but 5 is: lost in step 6, from 1 in step 4.
    The step before is never a visit of the same query, so no cause is named.
    """
    sim = world([1, 4, 2, 1, 3, 5, 1, 5], [0, 1] * 4, [4, 9])
    one, two = "d2, the best document of query 1,", "d2, the best document of query 2,"
    assert told(sim) == [
        (5, "best-lost", f"{one} falls from place 2 to 3; it was at place 1 up to step 1", 0),
        (6, "best-lost", f"{two} falls from place 1 to 5 since step 4", 0),
        (7, "best-regained", f"{one} is back at place 1, 2 steps after it was lost", 0),
    ]


def test_where_documents_are_used_up_none_is_lost():
    """Each step has another best document, whose place says nothing of that of the one before."""
    places, queries = [1, 1, 2, 2, 2, 1], [0] * 6
    assert [t for t, *_ in told(world(places, queries, [9], slots=1))] == [3, 6]
    assert told(world(places, queries, [9], slots=1, consumable=True)) == []


def test_of_many_the_deepest_falls_are_kept_and_of_equal_ones_those_that_last():
    """Falls to 6, 9, 9, 7; the first to 9 lasts one step, the second two. `of` tells that there were four."""
    sim = world([1, 6, 1, 9, 1, 9, 9, 1, 7], [0] * 9, [10])
    lost = lambda most: [(h.t, h.of) for h in events_of(sim, 0, most) if h.event.id == "best-lost"]  # noqa: E731
    assert lost(None) == [(2, 4), (4, 4), (6, 4), (9, 4)]
    assert lost(2) == [(4, 4), (6, 4)] and lost(1) == [(6, 4)]


def test_the_clicks_speak_for_one_ranker_until_they_speak_for_the_other():
    """Verdicts by p < .05: none, better, none, better (no news), worse, and better again."""
    p = [0.2, 0.04, 0.06, 0.03, 0.01, 0.02]
    wins, losses = [3, 9, 9, 12, 12, 40], [1, 2, 4, 4, 30, 20]
    advantage = [np.nan, 0.5, 0.5, 0.5, -0.25, 0.125]
    measured = dict(zip((interleaving.P_VALUE, interleaving.WINS, interleaving.LOSSES), (p, wins, losses), strict=True))
    sim = recorded(VERDICTS, measured | {interleaving.ADVANTAGE: advantage})
    assert [(t, id) for t, id, _, _ in told(sim)] == [
        (2, "better-than-fixed"), (5, "worse-than-fixed"), (6, "better-than-fixed")
    ]  # fmt: skip
    assert told(sim)[1][2] == (
        "the clicks speak for the fixed ranker, with 30 wins to 12 (p = 0.01); the true advantage of the learner is "
        "−0.25 so far"
    )


def test_the_first_right_guess_by_exploration():
    """Explored in steps 2, 3 and 5. Step 2 is wrong, in step 3 the prediction is right as well, step 5 pays."""
    family = families()["classification"]
    by = family.by_id
    sim = recorded(family.events[:1], {
        by["explored"]: [0, 1 / 2, 2 / 3, 2 / 4, 3 / 5, 3 / 6], by["accuracy"]: [1, 0, 1, 1, 1, 1],
        by["accuracy-greedy"]: [1, 0, 1, 0, 0, 1],
    })  # fmt: skip
    text = "random guess number 3 is right; the predicted label was wrong"
    assert told(sim) == [(5, "first-right-guess", text, 5)]


@cases(("share", "found"), [([0.8, 0.9, 1, 0.9, 1], [3]), ([1, 0.9, 1], []), ([0.5, 0.9], [])])
def test_all_labelled_examples_become_right(share, found):
    """Where they are right after the first round, nothing has happened that is worth a mark."""
    family = families()["semi-supervised"]
    event = next(event for event in family.events if event.id == "first-perfect")
    text = "the share of labelled examples that are right rises from 0.9 to 1"
    sim = recorded((event,), {family.by_id["accuracy-train"]: share})
    assert told(sim) == [(t, "first-perfect", text, t) for t in found]


def test_the_first_set_without_an_error():
    """Errors 2, 0, 1, 0; in step 2 nothing was shown and nothing was right, so step 4 is the first."""
    family = families()["multilabel"]
    by = family.by_id
    sim = recorded(family.events[:1], {by["hamming-loss"]: [2, 1, 1, 3 / 4], by["shown-size"]: [3, 0, 2, 2]})
    text = "the 2 labels shown are right, and no label is missed"
    assert told(sim) == [(4, "first-set-without-error", text, 4)]


def test_the_largest_drop_is_that_of_a_metric_of_the_run():
    metric = Metric("gain", "Gain", "")
    sim = recorded((largest_drop(metric, "the gain"),), {metric: [np.nan, 0.5, 0.7, 0.4, 0.45, 0.3]})
    assert told(sim) == [(4, "largest-drop", "the gain falls from 0.7 to 0.4, its largest drop", 4)]
    assert told(recorded(sim.events, {metric: [0.1, 0.1, 0.2]})) == []
    with pytest.raises(ValueError, match=r"^accuracy is of single steps, whose drops tell nothing; use a metric"):
        largest_drop(Metric("accuracy", "Accuracy", "", per_step=True), "the accuracy")


def test_turns_agree_with_a_slow_count():
    rng = np.random.default_rng(0)
    for _ in range(200):
        state, group = rng.integers(-1, 2, 12), np.sort(rng.integers(0, 3, 12))
        at, before = [], []
        for g in range(3):
            latest = None
            for i in np.flatnonzero((group == g) & (state != 0)):
                if latest is not None and state[latest] != state[i]:
                    at.append(i)
                    before.append(latest)
                latest = i
        found = turns(state == 1, state == -1, group)
        assert [part.tolist() for part in found] == [at, before]


# ---- real runs --------------------------------------------------------------------------------------------------


@cases("id", ["preference-perceptron", "averaged-perceptron", "random-ranking"])
def test_with_a_single_query_the_losses_are_the_flips_that_are_counted(id):
    sim = Simulation(id, "toy-ranking", "cascade", replicates=3, seed=4)
    sim.advance(steps=400)
    for r in range(3):
        flips = np.flatnonzero(np.diff(sim.history["flips"][:, r], prepend=0)) + 1
        assert [h.t for h in events_of(sim, r, None) if h.event.id == "best-lost"] == flips.tolist()
    assert sim.history["flips"][-1].sum() > 0


@pytest.mark.parametrize("make", [Simulation, Comparison])
def test_losses_over_many_queries_agree_with_the_records_of_all_steps(make):
    """A slow count over `at`, by the query and the predicted ranking that each step says it had."""
    data = load("web-search", queries=10, documents=9, features=4, lengths="varied")
    sim = make("perturbed-perceptron", data, "cascade", replicates=2, seed=1)
    sim.advance(steps=300)
    for r in range(2):
        up, seen, expected = {}, set(), []
        for t in range(1, 301):
            step = getattr(sim.at(t), "learning", sim.at(t))
            q, n, grades = int(step.query[r]), int(step.lengths[r]), step.grades[r]
            rank = next(i for i, d in enumerate(step.shown.predicted[r], 1) if grades[d] == grades[:n].max())
            if rank == 1:
                if up.get(q) is False and q in seen:
                    expected.append((t, "best-regained"))
                up[q] = True
            elif rank > n / 2:
                if up.get(q):
                    expected.append((t, "best-lost"))
                    seen.add(q)
                up[q] = False
        found = [(t, id) for t, id, _, _ in told(sim, r) if id.startswith("best-")]
        assert found == expected and len(expected) > 3


def test_retraining_happens_where_the_learner_says_that_it_trains():
    batch = Simulation(create("batch-perceptron", k=7), load("web-search", queries=50), "scan", seed=0)
    svm = simulation("ranking-svm", seed=2, user="cascade", replicates=1)
    for sim in (batch, svm):
        sim.advance(steps=60)
        moved = [t for t in range(1, 61) if (sim.at(t).after != sim.at(t).before).any()]
        assert [t for t, id, _, _ in told(sim) if id == "retraining"] == moved and moved
    assert all(t % 7 == 0 for t, id, _, _ in told(batch) if id == "retraining")
    plain = simulation("preference-perceptron")
    plain.advance(steps=60)
    assert "retraining" not in {id for _, id, _, _ in told(plain)}


@cases("id", ["preference-perceptron", "averaged-perceptron", "second-order-perceptron", "banditron",
                                "multilabel-ucb", "dueling-bandit", "ranking-svm"])  # fmt: skip
def test_the_change_of_the_weights_is_that_of_the_weights(id):
    sim = simulation(id, seed=3, replicates=2)
    before = np.array(sim.learner.weights)
    for t in range(40):
        sim.advance(steps=1)
        now = np.array(sim.learner.weights)
        moved = np.linalg.norm((now - before).reshape(2, -1), axis=1)
        np.testing.assert_allclose(sim.history["weight-change"][t], moved, atol=1e-12)
        before = now
    if sim.history["weight-change"][:, 1].any():
        largest = next(h for h in events_of(sim, 1) if h.event.id == "largest-move")
        assert largest.t == sim.history["weight-change"][:, 1].argmax() + 1


def test_a_learner_that_stops_says_why():
    sim = Simulation("adaboost", "digits", seed=0)
    sim.advance(steps=8)
    stop = next(h for h in events_of(sim, 0) if h.event.id == "stopped")
    reasons = [bool(sim.at(t).rounds[0].stopped) for t in range(1, 9)]
    assert stop.t == reasons.index(True) + 1 and stop.text.startswith("nothing is added any more: the first weak")
    reference = Simulation("single-tree", "digits", seed=0)
    reference.advance(steps=8)
    assert reference.last.rounds[0].stopped and "stopped" not in {h.event.id for h in events_of(reference, 0)}


# ---- every learner ----------------------------------------------------------------------------------------------


@cases(("id", "kind", "steps"), EVERY)
@cases("replicates", [1, 3])
def test_events_are_in_order_and_stay_when_the_run_goes_on(id, kind, steps, replicates):
    sim, twin = (simulation(id, seed=11, kind=kind, replicates=replicates) for _ in range(2))
    assert events_of(sim, 0) == []
    known = {r: [] for r in range(replicates)}
    for part in (1, steps // 2, steps - steps // 2 - 1):
        sim.advance(steps=part)
        for r in range(replicates):
            found = told(sim, r)
            assert found == sorted(found, key=lambda event: event[0])
            assert all(1 <= t <= sim.t and cause <= t and text[-1] not in ". " for t, _, text, cause in found)
            stay = told(sim, r, moving=False)
            assert stay[: len(known[r])] == known[r] and all(t > sim.t - part for t, *_ in stay[len(known[r]) :])
            known[r] = stay
    twin.advance(steps=steps)
    for r in range(replicates):
        assert told(twin, r) == told(sim, r) and told(twin.fork(at=steps + 1), r) == told(sim, r)


@cases("family", families().values())
def test_the_events_of_a_family_can_be_told_apart_and_read_what_it_measures(family):
    assert family.events and len({event.id for event in family.events}) == len(family.events)
    for event in family.events:
        assert set(event.metrics) <= set(family.metrics) and event.title and event.help.endswith(".")


def test_the_thinned_part_of_a_long_run_is_left_out():
    runs = [Simulation("preference-perceptron", "toy-ranking", "cascade", seed=2, recorded=n) for n in (200, None)]
    for sim in runs:
        sim.advance(steps=1000)
    thinned, whole = (told(sim, moving=False) for sim in runs)
    assert thinned == [event for event in whole if event[0] <= 200] and 0 < len(thinned) < len(whole)


def test_a_run_can_go_on_while_its_events_are_found():
    sim = Simulation("preference-perceptron", "toy-ranking", "cascade", replicates=2, seed=2)
    thread = threading.Thread(target=lambda: [sim.advance(steps=50) for _ in range(200)])
    thread.start()
    found = [told(sim, moving=False)]
    while thread.is_alive():
        found.append(told(sim, moving=False))
    thread.join()
    last = told(sim, moving=False)
    assert all(some == last[: len(some)] for some in found) and last


def test_what_is_not_there_is_refused():
    sim = simulation("perceptron")
    for replicate in (-1, 2):
        with pytest.raises(ValueError, match=f"^replicate must be from 0 to 1, got {replicate}$"):
            events_of(sim, replicate)
    with pytest.raises(ValueError, match=r"^most must be at least 1, or None for all, got 0$"):
        events_of(sim, 0, most=0)


def test_an_event_of_one_s_own():
    """As CONTRIBUTING.md says: an Event with a function of a Track. Mistakes in a row, three at least."""
    mistakes = families()["classification"].by_id["mistakes"]

    def unlucky(track):
        wrong = np.diff(track[mistakes], prepend=0) > 0
        at = np.flatnonzero(wrong[2:] & wrong[1:-1] & wrong[:-2]) + 2
        return Found(at + 1, lambda i: "three mistakes in a row")

    event = Event(
        "unlucky", "Three mistakes in a row", "down", "Three wrong labels, one after the other.", (mistakes,), unlucky
    )
    sim = recorded((event,), {mistakes: [1, 2, 2, 3, 4, 5, 5]})
    assert told(sim) == [(6, "unlucky", "three mistakes in a row", 6)]
    assert Track(sim, 0).steps == 7
