"""The part of a run that a sweep takes follows from the metric's declaration, in every family."""

import numpy as np
import pytest

import datasets
from learners import Simulation, sweep
from learners.catalogue import families
from learners.metric import Metric
from tests.cases import cases


@cases("family", families().values())
def test_a_sweep_takes_the_last_tenth_of_steps_or_the_last_value(family):
    """NDCG@5 is a value of a step in online ranking, and the state after a round in learning to rank."""
    steps = 20
    learner = family.rivals[0] if family.rivals[0] != "random-ranking" else "preference-perceptron"
    data = datasets.create(family.smallest.id, **family.smallest.values)
    owner = next(p.name for p in data.parameters() if p.name == "data_seed" or p.kind == "integer")
    value = getattr(data, owner)
    table = sweep({"learner": learner, "dataset": data, "user": family.user}, {owner: [value]}, 2, 0, steps)
    sim = Simulation(learner, data.build(), family.user, replicates=2, seed=0)
    sim.advance(steps=steps)
    for id in sim.history:
        found, last = table[table.metric == id].value.to_numpy(), sim.history[id][-2:]
        known = ~np.isnan(last)
        expected = last[-1]
        if family.by_id[id].per_step:
            expected = np.where(known.any(axis=0), np.nansum(last, axis=0) / known.sum(axis=0).clip(1), np.nan)
        np.testing.assert_allclose(found, expected, rtol=1e-12, err_msg=id)


def test_the_same_name_may_belong_to_a_step_or_to_the_state():
    online, rounds = families()["ranking"].by_id["ndcg@5"], families()["learning-to-rank"].by_id["ndcg@5"]
    assert online.per_step and not rounds.per_step
    assert not any(m.per_step for m in families()["learning-to-rank"].metrics)
    assert not any(m.per_step for m in families()["refinement"].metrics)


def test_a_metric_knows_its_best_value():
    lower, higher = Metric("a", "A", "A.", better="lower"), Metric("b", "B", "B.", better="higher")
    assert lower.best([3.0, 1.0, 2.0]) == 1 and higher.best([3.0, 1.0, 2.0]) == 0
    assert Metric("c", "C", "C.").best([1.0, 2.0]) is None
    with pytest.raises(ValueError, match="better of d must be lower, higher or empty, got up"):
        Metric("d", "D", "D.", better="up")
