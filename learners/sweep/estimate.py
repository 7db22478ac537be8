"""Estimates what a sweep costs before it starts, from small runs of a few of its batches."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import datasets
from datasets.own_code import using
from learners.base import Shape
from learners.catalogue import create, families
from learners.run.cost import Cost, held, probe
from learners.sweep.batch import compute, simulation
from learners.sweep.plan import Batch

PROBED = 3  # batches of a sweep, at most


@dataclass(frozen=True)
class Probe:
    """The estimate of a batch, as a piece of work for `run`, which finds its `Cost`.

    >>> from learners.sweep.plan import plan
    >>> batches = plan({"learner": "banditron", "dataset": "separable-points"}, {"gamma": [0.1, 0.2]}, steps=100)
    >>> cost = compute(Probe(batches[0]))
    >>> 0 < cost.seconds < 5 and 1e5 < cost.bytes < 1e7
    True
    """

    batch: Batch
    steps: int = 1
    runs: int = 1

    @property
    def number(self) -> int:
        """The number of the batch."""
        return self.batch.number


@compute.register(Probe)
def compute_probe(work: Probe, tick: Callable[[int], bool] = lambda steps: False) -> Cost | None:
    """Try a few steps, and return what the whole batch costs, or None if it was cancelled."""
    if tick(0):
        return None
    batch, began = work.batch, time.process_time()
    with using(batch.sources):
        simulation(smaller(batch, 1))  # builds the data, unless another probe has
        building = time.process_time() - began
        cost = probe(lambda runs: simulation(smaller(batch, runs)), batch.runs, batch.steps)
        return Cost(cost.seconds + building, needed(batch), cost.step)


def smaller(batch: Batch, runs: int) -> Batch:
    """Return a batch of so few runs, one each of points from all over the given one."""
    last = len(batch.points) - 1
    at = np.linspace(0, last, runs).round().astype(int) if runs > 1 else [last // 2]
    run = replace(batch.run, replicates=1)
    return replace(batch, run=run, points=tuple(batch.points[i] for i in at), places=tuple(range(runs)))


def needed(batch: Batch) -> float:
    """Return about how many bytes a batch holds while it runs, with its data; nothing is built for it.

    >>> from learners.sweep.plan import plan
    >>> over = {"learner": "second-order-perceptron", "dataset": datasets.create("web-search", features=1000)}
    >>> batches = plan(over, {"gamma": [0.1, 1.0]}, replicates=10)
    >>> round(needed(batches[0]) / 1e6)
    521
    """
    (spec,), given = batch.run.learners, batch.run.dataset
    learner = create(spec.id, **spec.values)
    data: Any = datasets.create(given.id, **given.values) if batch.data is None else batch.data
    size = data.size()
    shape = Shape(
        getattr(size, "features", 1), getattr(size, "documents", 0), classes=getattr(size, "classes", 0),
        examples=getattr(size, "examples", 0),
    )  # fmt: skip
    state = float(families()[learner.family].held(learner, size, data.params) * batch.runs)
    beside: float = held(learner, shape, batch.runs, batch.steps) - learner.memory(shape, batch.runs)
    return state + beside + float(size.bytes)


def probed(batches: Sequence[Batch]) -> list[Probe]:
    """Return the probes of the batches that need the least and the most memory, and of one between these."""
    order = sorted(batches, key=needed)
    at = np.unique(np.linspace(0, len(order) - 1, PROBED).round().astype(int))
    return [Probe(order[i]) for i in at]


def total(batches: Sequence[Batch], found: Mapping[int, Cost], workers: int = 1) -> Cost:
    """Return what a sweep costs in so many processes, from the costs found for some batches, by their numbers.

    Seconds are those of one core. The cost of a batch is taken to lie between those of the batches that need a little
    less and a little more memory.
    """
    size = {batch.number: needed(batch) for batch in batches}
    known = sorted({size[number] for number in found})
    costs = [[cost for number, cost in found.items() if size[number] == at] for at in known]
    seconds = [float(np.mean([cost.seconds for cost in some])) for some in costs]
    every = np.interp(list(size.values()), known, seconds)
    largest = sorted(size.values(), reverse=True)[:workers]
    return Cost(float(every.sum()), sum(largest), max(cost.step for cost in found.values()))
