"""Copies of an environment: what they share, what they copy, and what that weighs."""

import tracemalloc
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from learners.run.states import State, root
from tests.cases import cases
from tests.learners.run.problems import every, same, simulation


class World(SimpleNamespace):
    """An environment with attributes of all kinds."""

    shared = ("kept",)


class Derived(World):
    shared = ("more",)


def made(kind=World, **attributes):
    return kind(t=3, data=None, user=None, **attributes)


def test_views_stay_views_of_the_same_memory():
    memory = np.arange(24.0).reshape(2, 3, 4)
    turned = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    world = made(memory=memory, row=memory[1], column=memory[:, :, 2], back=memory[::-1, 1], turned=turned, t2=turned.T)
    copy = State(world).restore()
    for name in ("memory", "row", "column", "back", "turned", "t2"):
        one, other = getattr(world, name), getattr(copy, name)
        assert np.array_equal(one, other) and one.strides == other.strides and not np.shares_memory(one, other)
    copy.memory[1, 1, 2] = 99.0
    assert copy.row[1, 2] == copy.column[1, 1] == copy.back[0, 2] == 99.0 and world.row[1, 2] == 18.0
    copy.turned[0, 1] = -1.0
    assert copy.t2[1, 0] == -1.0


def test_two_names_for_one_thing_stay_one_thing():
    array, inner = np.zeros(3), {"a": [1]}
    copy = State(made(one=array, other=array, inner=inner, again=inner)).restore()
    assert copy.one is copy.other and copy.inner is copy.again and copy.one is not array and copy.inner is not inner


def test_memory_order_and_write_protection_are_kept():
    order = np.zeros((2, 3, 4)).transpose(1, 0, 2).copy(order="K")
    locked = np.arange(5)
    locked.flags.writeable = False
    same_value = np.broadcast_to(np.array([7.0]), (1000, 1000))
    state = State(made(order=order, locked=locked, wide=same_value))
    copy = state.restore()
    assert copy.order.strides == order.strides and not copy.locked.flags.writeable
    assert copy.wide.strides == (0, 0) and (copy.wide == 7.0).all() and state.bytes < 6000


def test_a_small_part_of_a_large_block_does_not_hold_the_block():
    state = State(made(total=np.zeros((1000, 10))[-1]))
    assert state.bytes < 4000 and root(state.restore().total).size == 10


def test_generators_go_on_with_the_same_numbers():
    rng = np.random.default_rng(5)
    rng.integers(0, 7, 3, dtype=np.int32)  # half of a 64-bit number is left
    rng.standard_normal()
    world = made(rng=rng, also=rng, draw=rng.random)
    state = State(world)
    copies = [state.restore() for _ in range(2)]
    wanted = [rng.integers(0, 7, 5, dtype=np.int32), rng.standard_normal(3), world.draw(2)]
    for copy in copies:
        assert copy.rng is copy.also
        found = [copy.rng.integers(0, 7, 5, dtype=np.int32), copy.rng.standard_normal(3), copy.draw(2)]
        assert all(np.array_equal(a, b) for a, b in zip(wanted, found, strict=True))


class Counter:
    def __init__(self):
        self.n = 0

    def count(self, by):
        self.n += by
        return self.n


def test_bound_methods_and_partials_belong_to_the_copy():
    counter = Counter()
    world = made(counter=counter, bound=counter.count, two=partial(counter.count, 2))
    copy = State(world).restore()
    assert copy.bound(1) == 1 and copy.two() == 3 == copy.counter.n and counter.n == 0


def test_a_function_that_may_hide_state_is_refused():
    hidden = []
    with pytest.raises(TypeError, match=r"may hide state, which cannot be kept; use functools.partial instead"):
        State(made(f=lambda: hidden.append(1)))
    number = 3
    copy = State(made(f=lambda: number, g=np.sum, h=len)).restore()
    assert copy.f() == 3 and copy.g is np.sum and copy.h is len


def test_what_is_declared_as_shared_is_not_copied_wherever_it_stands():
    kept, more, other = np.zeros(10_000), [np.ones(10_000)], np.zeros(3)
    data = SimpleNamespace(features=np.zeros((500, 20)), nested={"rows": (np.arange(9000),)})
    world = Derived(
        t=0, data=data, user=Counter(), kept=kept, more=more, other=other,
        again=kept, part=kept[10:20], first=more[0], x=data.features, y=data.features[3:7], z=data.nested["rows"][0],
    )  # fmt: skip
    state = State(world)
    copy = state.restore()
    for name in ("data", "user", "kept", "more", "again", "first", "x", "z"):
        assert getattr(copy, name) is getattr(world, name)
    assert np.shares_memory(copy.part, kept) and np.shares_memory(copy.y, data.features)
    assert copy.other is not other and state.bytes < 8000


def test_a_copy_can_be_copied():
    world = made(a=np.arange(6), deep=[{"x": np.zeros(2)}])
    world.b = world.a[2:4]
    copy = State(State(world).restore()).restore()
    copy.a[2] = -5
    assert copy.b[0] == -5 and world.b[0] == 2 and copy.deep[0]["x"].tolist() == [0, 0]


@cases("id", [id for online in (True, False) for id, kind in every(online) if not kind])
def test_a_copy_shares_no_state_with_the_environment(id):
    """The copy is run, and the environment afterwards takes the steps that it would have taken, and the reverse."""
    sim, other = (simulation(id, seed=3) for _ in range(2))
    steps = 3 if sim.environment.block == 1 else 40
    for run in (sim, other):
        run.advance(steps=steps)
    state = State(sim.environment)
    first = state.restore()
    first.run(steps)
    assert sim.t == steps
    same(sim.last, other.last)
    sim.advance(steps=steps)
    other.advance(steps=steps)
    same(sim.last, other.last)
    same(first.last(), sim.last)
    second = state.restore()
    assert second.t == steps and second.learner is not sim.learner and second is not first
    second.run(steps)
    same(second.last(), sim.last)


@pytest.mark.parametrize("id", ["perturbed-perceptron", "second-order-perceptron", "banditron", "multilabel-ucb"])
def test_the_bytes_of_a_state_are_those_that_it_takes(id):
    sim = simulation(id, replicates=40)
    sim.advance(steps=100)
    State(sim.environment)
    tracemalloc.start()
    states = [State(sim.environment) for _ in range(20)]
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert 0.7 * taken < sum(state.bytes for state in states) < 1.4 * taken
