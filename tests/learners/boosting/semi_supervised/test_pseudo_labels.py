"""Pseudo-labels: the schedule by hand, a plain loop beside it, and what it cannot mend."""

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from datasets import load
from learners import Simulation, create
from learners.boosting.semi_supervised.base import Training
from learners.boosting.semi_supervised.pseudo_labels import PseudoLabels
from tests.cases import cases


def begun(x, labels, classes=2, **params):
    learner = PseudoLabels(**params)
    learner.reset(Training(np.asarray(x, dtype=float), np.asarray(labels), classes), np.random.default_rng(0))
    return learner


@cases(("step", "counts"), [(0.4, [2, 4, 5]), (1.0, [5]), (0.2, [1, 2, 3, 4, 5])])
def test_the_schedule_by_hand(step, counts, monkeypatch):
    """Of five unlabelled examples, Δ = 0.4 labels ⌈2⌉, ⌈4⌉ and all 5, the surest first."""
    seen = []
    trained = PseudoLabels._trained

    def watched(self, x, seed):
        seen.append(int((self.believed >= 0).sum()))
        return trained(self, x, seed)

    monkeypatch.setattr(PseudoLabels, "_trained", watched)
    begun([[0], [9], [1], [8], [2], [7], [0.5]], [0, 1, -1, -1, -1, -1, -1], step=step, smallest=1).round()
    assert seen == [2, *(2 + count for count in counts)]


def test_it_is_a_plain_loop_around_scikit_learn():
    data = load("moons", examples=100)
    x, labels = data.features.astype(np.float32), np.where(np.arange(len(data.labels)) < 10, data.labels, -1)
    learner = begun(x, labels, step=0.5, trees=5)
    done = learner.round()
    seed = int(np.random.default_rng(0).integers(2**31 - 1))
    others, believed, model = [i for i in range(len(x)) if labels[i] < 0], labels.copy(), None
    for share in (0.0, 0.5, 1.0):
        if share:
            chances = model.predict_proba(x[others])
            order = sorted(range(len(others)), key=lambda i: -chances[i].max())
            believed = labels.copy()
            for i in order[: int(np.ceil(share * len(others)))]:
                believed[others[i]] = model.classes_[chances[i].argmax()]
        known = believed >= 0
        model = HistGradientBoostingClassifier(
            max_iter=5, max_leaf_nodes=15, min_samples_leaf=2, early_stopping=False, random_state=seed
        ).fit(x[known], believed[known])
    np.testing.assert_array_equal(done.answers, model.predict(x))
    np.testing.assert_array_equal(done.targets, believed)


def test_given_labels_are_never_changed():
    data = load("wine")
    labels = np.where(np.arange(len(data.labels)) % 9 == 0, (data.labels + 1) % 3, -1)  # wrong ones at that
    done = begun(data.features, labels, classes=3).round()
    assert (done.targets[labels >= 0] == labels[labels >= 0]).all() and (done.targets >= 0).all()


def test_same_seed_same_answers():
    runs = [Simulation(create("pseudo-labels", trees=3), "moons", replicates=2, seed=4) for _ in range(2)]
    for run in runs:
        run.advance(steps=1)
    np.testing.assert_array_equal(runs[0].environment.scores, runs[1].environment.scores)
