"""Any step can be looked at again: equal to a run that stopped there, without touching the run, within the memory."""

import threading

import numpy as np
import pytest

from learners import Simulation, create
from learners.run import past
from learners.run.states import State
from learners.sweep.points import Points
from tests.cases import cases
from tests.learners.run.problems import check, data_of, every, same, same_histories, simulation

RUNS = [pytest.param(id, kind, 100, id=f"{id} {kind}".strip()) for id, kind in every()] + [
    pytest.param(id, kind, 6, id=id) for id, kind in every(online=False)
]


@pytest.fixture
def often(monkeypatch):
    """Keep states often, whatever the time that takes."""
    monkeypatch.setattr(past, "SHARE", float("inf"))


@cases(("id", "kind", "steps"), RUNS)
def test_a_step_is_what_it_was_when_it_was_the_latest(id, kind, steps, often):
    seed = sum(map(ord, id + kind))
    rng = np.random.default_rng(seed)
    sim = simulation(id, seed=seed, kind=kind)
    sim._past.interval = 1 if steps < 10 else 16
    sim.advance(steps=steps)
    assert len(sim._past.states) > 5 - (steps < 10)
    check(sim, lambda: simulation(id, seed=seed, kind=kind), {1, steps, *rng.integers(1, steps + 1, size=2)})


@cases("user", ["scan", "noisy-grades", "strict-alpha", "expert"])
def test_every_kind_of_user(user, often):
    sim = simulation("averaged-perceptron", seed=4, user=user)
    sim.advance(steps=200)
    check(sim, lambda: simulation("averaged-perceptron", seed=4, user=user), [3, 65, 130])


@pytest.mark.parametrize("id", ["perturbed-perceptron", "banditron", "multilabel-ucb"])
def test_looking_back_does_not_touch_the_run(id, often):
    one, other = (simulation(id, seed=2) for _ in range(2))
    for part in (1, 30, 64, 5, 40):
        one.advance(steps=part)
        other.advance(steps=part)
        for t in {1, max(1, one.t // 3), max(1, one.t - 1), one.t}:
            assert one.at(t).t == t
        one.fork(at=one.t)
    same_histories(one.history, other.history)
    same(one.last, other.last)


def test_what_is_returned_stays_as_it_is_when_other_steps_are_looked_at():
    sim, other = (simulation("perturbed-perceptron", seed=2) for _ in range(2))
    sim.advance(steps=150)
    found = {t: sim.at(t) for t in (80, 81, 82, 79, 40, 150, 149, 1)}
    for t, step in sorted(found.items()):
        other.advance(steps=t - other.t)
        same(step, other.last)


@pytest.mark.parametrize("megabytes", [0, 0.02, 0.05, 64])
@pytest.mark.parametrize("share", [0.0, float("inf")])
def test_the_record_does_not_depend_on_what_is_kept(megabytes, share, monkeypatch):
    monkeypatch.setattr(past, "SHARE", share)
    sim, plain = (Simulation("banditron", "digits", replicates=2, seed=5, megabytes=m) for m in (megabytes, 0))
    for run in (sim, plain):
        run.advance(steps=1500)
    same_histories(sim.history, plain.history)
    assert plain._past.states == {} and sim._past.bytes <= 1e6 * megabytes
    for t in (1400, 10, 700, 701, 690):
        same(sim.at(t), plain.at(t))


def test_states_lie_at_multiples_of_an_interval_that_doubles(often):
    sim = simulation("perceptron", replicates=3, megabytes=0.2)
    sim._past.interval = 256
    intervals = set()
    for _ in range(60):
        sim.advance(steps=97)
        kept = sim._past
        intervals.add(kept.interval)
        assert all(t % kept.interval == 0 for t in kept.states) and list(kept.states) == sorted(kept.states)
        assert kept.bytes <= 200_000
        assert kept.bytes == sum(s.bytes for s in kept.states.values()) + sum(
            item.nbytes + 100 for item in kept._seen.values() if isinstance(item, np.ndarray)
        )
    assert sorted(intervals) == [256 * 2**k for k in range(len(intervals))] and len(intervals) > 2
    assert max(kept.states) > sim.t - 2 * kept.interval  # the latest part of the run as well


@pytest.mark.parametrize("id", ["perceptron", "halving"])
def test_the_first_interval_is_about_a_block(id):
    sim = simulation(id, replicates=20)
    sim.advance(steps=1)
    assert sim._past.interval // 2 < sim.environment.block <= sim._past.interval and list(sim._past.states) == [0]


def test_memory_stays_within_its_budget(often):
    sim = simulation("banditron", replicates=20, megabytes=1)
    sim._past.interval = 64
    for _ in range(5):
        sim.advance(steps=2000)
        assert 0.2e6 < sim._past.bytes <= 1e6
    assert max(sim._past.states) > 6000


def test_a_state_larger_than_the_budget_is_not_kept(often):
    sim = simulation("second-order-perceptron", kind="adversary", replicates=2, megabytes=1)  # 1.4 MB a state
    sim.advance(steps=300)
    assert sim._past.states == {} and sim._past.bytes == 0
    other = simulation("second-order-perceptron", kind="adversary", replicates=2)
    other.advance(steps=222)
    same(sim.at(222), other.last)


def test_what_only_states_hold_counts(often):
    """The order of the rows is shared by the states of a pass, and counts once; the data do not count."""
    sim = Simulation("perceptron", "synsep", replicates=4, seed=0, megabytes=64)
    sim._past.interval = 64
    sim.advance(steps=300)
    orders = {id(array): array.nbytes for array in sim._past._seen.values() if isinstance(array, np.ndarray)}
    assert len(sim._past.states) > 1 and sum(orders.values()) >= 4 * 4 * sim.dataset.examples
    assert sum(orders.values()) < 1.01 * 4 * 4 * sim.dataset.examples + 1000


def test_neighbours_of_a_step_are_not_replayed_from_afar(monkeypatch):
    sim = simulation("perceptron", seed=1)
    sim._past.interval = 1 << 20  # only the start is kept
    sim.advance(steps=3000)
    kind, taken = type(sim.environment), []
    run = kind.run
    monkeypatch.setattr(kind, "run", lambda self, steps: (taken.append(steps), run(self, steps))[1])

    def cost(t):
        taken.clear()
        sim.at(t)
        return sum(taken)

    assert cost(2000) == 2000
    assert cost(2000) == 0 and cost(2001) == 1 and cost(2004) == 3
    assert cost(2003) <= past.BEFORE + 4 and cost(2002) <= past.BEFORE + 4 and cost(2003) == 1
    assert cost(500) == 500 and cost(499) <= past.BEFORE and cost(3000) == 0  # the latest step is there


def test_a_simulation_that_starts_again_forgets_its_past():
    sim = simulation("perturbed-perceptron", seed=1)
    sim.advance(steps=300)
    first = sim.at(100)
    learner = sim.learner
    sim.reset()
    with pytest.raises(ValueError, match="none has been yet"):
        sim.at(1)
    assert sim._past.states == {} and sim.learner is learner is sim.environment.learner
    sim.advance(steps=120)
    same(sim.at(100), first)


def test_a_changed_parameter_counts_after_a_reset():
    sim = Simulation(create("banditron", gamma=0.1), "digits", seed=1)
    sim.advance(steps=300)
    sim.learner.gamma = 0.5
    sim.reset()
    other = Simulation(create("banditron", gamma=0.5), "digits", seed=1)
    for run in (sim, other):
        run.advance(steps=300)
    same_histories(sim.history, other.history)
    same(sim.at(150), other.at(150))


def test_points_of_a_sweep_keep_nothing_and_can_still_look_back():
    made = [Points(create("perceptron"), data_of_perceptron(), None, 2, 3, seed=1) for _ in range(2)]
    made[0].advance(steps=600)
    made[1].advance(steps=200)
    assert made[0]._past.states == {}
    same(made[0].at(200), made[1].last)


def data_of_perceptron():
    from learners.catalogue import families

    return data_of(families()["classification"])


def test_one_thread_looks_back_while_another_advances(often):
    sim, other = (simulation("perturbed-perceptron", seed=6) for _ in range(2))
    other.advance(steps=1500)
    wanted = {t: other.at(t) for t in range(50, 1501, 290)}
    failed = []

    def go():
        try:
            while sim.t < 1500:
                sim.advance(steps=250)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=go)
    thread.start()
    looked = 0
    while thread.is_alive() or looked == 0:
        for t, step in wanted.items():
            if t <= sim.history.steps:
                same(sim.at(t), step)
                looked += 1
        if sim.history.steps > 100:
            fork = sim.fork(at=sim.history.steps // 2)
            same_histories(fork.history, other.history.until(fork.t))
    thread.join()
    assert not failed and looked
    same_histories(sim.history, other.history)


@cases("t", [0, -1, 101, 1000, 2.0, "x", None, True, [3]])
def test_a_step_that_has_not_been_taken_is_refused(t):
    sim = simulation("perceptron")
    sim.advance(steps=100)
    with pytest.raises(ValueError, match=r"^t must be a step that has been taken, a whole number from 1 to 100, got "):
        sim.at(t)


def test_before_the_first_step_there_is_nothing_to_look_at():
    with pytest.raises(ValueError, match=r"^t must be a step that has been taken, and none has been yet, got 1$"):
        simulation("perceptron").at(1)


@cases("megabytes", [-1, "64", None, float("nan"), float("inf"), True])
def test_a_budget_that_is_none_is_refused(megabytes):
    with pytest.raises(ValueError, match=r"^megabytes must be a number from 0 to 1,000,000,000,000, got "):
        simulation("perceptron", megabytes=megabytes)


def test_a_state_of_the_latest_step_is_a_copy():
    sim = simulation("perceptron")
    sim.advance(steps=10)
    assert State(sim.environment).restore().learner is not sim.learner
