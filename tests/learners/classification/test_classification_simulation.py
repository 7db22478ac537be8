"""Classification runs as a whole: against a slow reference, dense and sparse, compiled or not, however they are sliced
and raced, and what a learner gets to see."""

import itertools
import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from datasets import load
from datasets.classification import ClassificationData
from learners import Simulation, catalogue, create
from learners.catalogue import learner_classes
from learners.classification import linear
from learners.classification.environment import ClassificationEnvironment
from learners.classification.linear import Examples
from learners.random import Seeds

IDS = [info.id for info in catalogue() if info.family == "classification"]
METRICS = {
    "error-rate", "mistakes", "error-rate-greedy", "accuracy", "accuracy-greedy", "gamma", "explored", "bound",
}  # fmt: skip
# three replicates with parameters of their own
SETUPS = [
    ("perceptron", {}),
    ("banditron", {"gamma": [0.05, 0.3, 1.0]}),
    ("banditron-positive", {"gamma": [0.05, 0.3, 0.6]}),
    ("potential", {"potential": "squared-norm", "gamma": [0.05, 0.3, 0.6]}),
    ("potential", {"potential": "p-norm", "power": [2.5, 3.0, 5.0], "gamma": [0.05, 0.3, 0.6]}),
    ("potential", {"potential": "hyperbolic", "scale": [0.01, 0.1, 1.0], "gamma": 0.3}),
    ("potential", {"potential": "exponential", "scale": [0.01, 0.1, 1.0], "gamma": 0.3}),
    ("exponentiated-gradient", {"gamma": [0.05, 0.3, 0.6], "scale": 0.1, "horizon": [0, 10, 500]}),
    *(("adaptive-banditron", {"strategy": f"ag{i}", "exponent": [0.1, 0.5, 1.0]}) for i in range(4)),
    ("banditron-winnow", {"gamma": [0.05, 0.3, 0.6], "rate": [0.001, 0.01, 0.1]}),
    ("banditron-winnow", {"gamma": 0.3, "rate": [0.001, 0.01, 0.1], "balanced": True}),
    ("banditron-margin", {"gamma": [0.05, 0.3, 0.6], "margin": [0.0, 5.0, 50.0]}),
    ("banditron-labels", {"gamma": [0.05, 0.3, 1.0], "labels": 2}),
    ("halving", {"levels": 2}),
    ("halving", {"levels": 3, "projection": 2}),
]
NAMES = [f"{id} {' '.join(map(str, params.values()))}" for id, params in SETUPS]


def make(id, params):
    return create(id, **{k: np.array(v) if isinstance(v, list) else v for k, v in params.items()})


def world(n=40, d=3, k=3, seed=0, form="dense"):
    """Random examples: normal numbers, some of them 0 (dense or sparse), or zeros and ones (binary)."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6)
    features[:, 0] = rng.normal(size=n)
    if form.startswith("binary"):
        features = (rng.random((n, d)) < 0.5).astype(float)
    labels = (features @ rng.normal(size=(d, k)) + 0.5 * rng.normal(size=(n, k))).argmax(axis=1)
    features = features if form in ("dense", "binary-dense") else csr_array(features)
    return ClassificationData("world", {}, features, labels, tuple(f"class {i}" for i in range(k)))


def run(learner, data, steps=150, replicates=3, seed=0):
    sim = Simulation(learner, data, replicates=replicates, seed=seed)
    sim.advance(steps=steps)
    return sim


def same(a, b):
    """Whether two runs agree in every bit of their history."""
    return all(np.array_equal(a.history[m], b.history[m], equal_nan=True) for m in METRICS)


# ---- a slow reference ----------------------------------------------------------------------------------


def best(scores):
    """The first of the largest."""
    return max(range(len(scores)), key=lambda k: (scores[k], -k))


class Reference:
    """All learners and metrics for one replicate, in plain loops over lists."""

    def __init__(self, data, id, params, grid=None, projection=None):
        self.data, self.id, self.params = data, id, params
        self.k, self.d = data.classes, data.dimension
        rows = data.features.toarray() if data.sparse else data.features
        self.rows = [[float(v) for v in row] for row in rows]
        self.radius = max(math.sqrt(sum(v * v for v in row)) for row in self.rows)
        self.theta = [[0.0] * self.d for _ in range(self.k)]
        self.t = self.hits = self.mistakes = self.wrong = self.explored = 0
        self.loss = self.gammas = self.variance = 0.0
        self.grid, self.projection = grid, projection
        self.left = None if grid is None else set(range(len(grid)))

    # -- the learner

    def weights(self):
        id, theta = self.id, self.theta
        kind = {"exponentiated-gradient": "exponential"}.get(id, self.params.get("potential"))
        if kind == "exponential":
            sums = [sum(math.exp(v) for v in row) for row in theta]
            return [[math.exp(v) / z for v in row] for row, z in zip(theta, sums, strict=True)]
        if kind == "hyperbolic":
            return [[math.sinh(v) for v in row] for row in theta]
        if kind == "p-norm":
            return [[math.copysign(abs(v) ** (self.params["power"] - 1), v) for v in row] for row in theta]
        if id == "banditron-winnow":
            rate = self.params["rate"]
            return [
                [math.exp(rate * v) - (math.exp(-rate * v) if self.params.get("balanced") else 0) for v in row]
                for row in theta
            ]
        return theta

    def gamma(self):
        if self.id != "adaptive-banditron":
            return self.params.get("gamma", 0.0)
        strategy, power = self.params["strategy"], self.params["exponent"] - 1
        up = (1 + (self.t - 1) + 2 * self.hits) ** power  # ω′(Σ 1 + μ) / λ
        down = (1 + (self.t - 1) - self.hits) ** power  # ω′(Σ τ) / λ
        return {
            "ag0": 0.5 * self.t ** (-1 / 3),
            "ag1": up / 2,
            "ag2": (1 + self.t) ** power / (2 * down),
            "ag3": up / (2 * down),
        }[strategy]

    def add(self, label, amount, x):
        for j, value in enumerate(x):
            self.theta[label][j] += amount * value

    def rate(self):
        if self.id != "exponentiated-gradient" and self.params.get("potential") not in ("exponential", "hyperbolic"):
            return 1.0
        g, t = self.params["gamma"], self.params.get("horizon") or self.data.examples
        return self.params["scale"] * math.sqrt(self.k * (1 - g) * math.log(self.k) / (t * g))

    def step(self, row, draws):
        """One step; returns its metrics."""
        x = self.rows[row]
        y = int(self.data.labels[row])
        self.t += 1
        gamma = self.gamma()
        if self.id == "halving":
            shown = predicted = self.halving(x, y)
            explored = False
        elif self.id == "banditron-labels":
            shown, predicted, explored = self.labels(x, y, gamma, draws)
        else:
            shown, predicted, explored = self.one_label(x, y, gamma, draws)
        right, greedy = y in shown, y in predicted
        self.mistakes += not right
        self.wrong += not greedy
        self.explored += explored
        return self.measure(row, right, greedy, gamma)

    def one_label(self, x, y, gamma, draws):
        scores = [sum(w * v for w, v in zip(row, x, strict=True) if v != 0) for row in self.weights()]
        predicted = best(scores)
        if self.id == "perceptron":
            if predicted != y:
                self.add(y, 1.0, x)
                self.add(predicted, -1.0, x)
            return [predicted], [predicted], False
        explored = draws[0] < gamma
        played = int(draws[1] * self.k) if explored else predicted
        p = (1 - gamma) * (played == predicted) + gamma / self.k
        gain = (played == y) / p
        self.add(played, self.rate() * gain, x)
        self.add(predicted, -self.rate(), x)
        if self.id == "banditron-positive":
            self.theta = [[max(0.0, v) for v in row] for row in self.theta]
        if self.id == "banditron-margin" and played == predicted == y:
            second = best([s if k != predicted else -math.inf for k, s in enumerate(scores)])
            if scores[predicted] - scores[second] < self.params["margin"]:
                self.add(predicted, gain, x)
                self.add(second, -gain, x)
        self.hits += played == predicted == y
        return [played], [predicted], explored

    def labels(self, x, y, gamma, draws):
        r, scores = self.params["labels"], [sum(w * v for w, v in zip(row, x, strict=True)) for row in self.theta]
        order = sorted(range(self.k), key=lambda k: -scores[k])
        shown, explored = order[:r], draws[0] < gamma
        if explored:
            new = order[r + int(draws[2] * (self.k - r))]
            shown = list(shown)
            shown[int(draws[1] * r)] = new
            if new == y:
                self.add(new, (self.k - r) / gamma, x)
        elif y not in shown:
            self.add(shown[-1], -1 / (1 - gamma), x)
        return shown, order[:r], explored

    def halving(self, x, y):
        if self.projection is not None:
            x = [sum(p * v for p, v in zip(row, x, strict=True)) for row in self.projection]
        said = [best([sum(w * v for w, v in zip(row, x, strict=True)) for row in h]) for h in self.grid]
        votes = [sum(said[h] == k for h in self.left) for k in range(self.k)]
        if best(votes) != y:
            self.left = {h for h in self.left if said[h] != best(votes)} or set(range(len(self.grid)))
        return [best(votes)]

    # -- the environment

    def measure(self, row, right, greedy, gamma):
        scores = [sum(w * v for w, v in zip(weights, self.rows[row], strict=True)) for weights in self.data.comparator]
        own = scores.pop(self.data.labels[row])
        self.loss += max(0.0, 1 - own + max(scores))
        self.gammas += gamma
        if gamma:
            self.variance += gamma if greedy else self.k / gamma
        return {
            "mistakes": self.mistakes,
            "error-rate": self.mistakes / self.t,
            "error-rate-greedy": self.wrong / self.t,
            "accuracy": float(right),
            "accuracy-greedy": float(greedy),
            "gamma": gamma,
            "explored": self.explored / self.t,
            "bound": self.bound(gamma),
        }

    def bound(self, g):
        big_d, loss, k = 2 * float((self.data.comparator**2).sum()) * self.radius**2, self.loss, self.k
        if self.id == "perceptron":
            return loss + big_d + math.sqrt(loss * big_d)
        if self.id == "banditron" and g <= 0.5:
            return (
                loss
                + g * self.t
                + 3 * max(k * big_d / g, math.sqrt(big_d * g * self.t))
                + math.sqrt(k * big_d * loss / g)
            )
        if self.id == "adaptive-banditron":
            return loss + self.gammas + math.sqrt(big_d / 2) * math.sqrt(2 * self.variance)
        return k * math.log(len(self.grid)) if self.id == "halving" else math.nan


def reference(data, id, params, replicates, seed, steps):
    """Metrics (steps, R) of the slow reference, with the random numbers that the simulation draws."""
    order, _, own, _ = (np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(4))
    grid = projection = None
    if id == "halving":
        d = params.get("projection") or data.dimension
        projection = own.uniform(-1, 1, (d, data.dimension)) / math.sqrt(d) if "projection" in params else None
        levels = np.linspace(-1, 1, params["levels"])
        grid = [np.reshape(h, (data.classes, d)).tolist() for h in itertools.product(levels, repeat=data.classes * d)]
    one = [{k: v[r] if isinstance(v, list) else v for k, v in params.items()} for r in range(replicates)]
    runs = [Reference(data, id, one[r], grid, projection) for r in range(replicates)]
    found, draws = [], None
    for t in range(steps):
        if t % data.examples == 0:
            rows = order.permuted(np.tile(np.arange(data.examples), (replicates, 1)), axis=1)
        if id == "banditron-labels":
            draw = own.random((3, replicates))
        elif id in ("perceptron", "halving"):
            draw = np.zeros((2, replicates))
        else:
            draws = own.random((256, 2, replicates)) if t % 256 == 0 else draws
            draw = draws[t % 256]
        found.append([run.step(int(rows[r, t % data.examples]), draw[:, r]) for r, run in enumerate(runs)])
    return {m: np.array([[cell[m] for cell in row] for row in found], dtype=float) for m in METRICS}


# of zeros and ones the scores of the other learners are often equal but for rounding
ADDITIVE = [s for s in SETUPS if s[0] not in ("exponentiated-gradient", "potential", "banditron-winnow", "halving")]
COMPARED = [(form, *s) for form in ("dense", "sparse") for s in SETUPS] + [("binary", *s) for s in ADDITIVE]


@pytest.mark.parametrize(("form", "id", "params"), COMPARED)
def test_runs_agree_with_a_slow_reference(form, id, params):
    """A batch of three replicates with parameters of their own: each as if it ran alone."""
    data = world(form=form, d=2 if id == "halving" and "projection" not in params else 3)
    steps = 60 if id == "halving" else 300
    expected = reference(data, id, params, 3, 5, steps)
    history = run(make(id, params), data, steps=steps, seed=5).history
    assert set(history) == METRICS
    for metric in METRICS:
        np.testing.assert_allclose(history[metric], expected[metric], rtol=1e-9, err_msg=metric)


# ---- the same data in other forms, the same arithmetic in other code -----------------------------------


@pytest.mark.parametrize(("id", "params"), SETUPS, ids=NAMES)
def test_dense_and_sparse_forms_of_the_same_data_give_the_same_answers(id, params):
    """Features that are 0 add nothing to a sum, so that even the bits agree; the winnow's scale is another one."""
    for dense, sparse in (("dense", "sparse"), ("binary-dense", "binary")):
        a, b = world(form=dense, d=4), world(form=sparse, d=4)
        if id == "halving" and "projection" not in params:
            a, b = world(form=dense, d=2), world(form=sparse, d=2)
        first, second = run(make(id, params), a), run(make(id, params), b)
        np.testing.assert_array_equal(first.history["mistakes"], second.history["mistakes"])
        if first.learner.weights is not None:
            np.testing.assert_allclose(first.learner.weights, second.learner.weights, rtol=1e-9)


@pytest.mark.parametrize(("id", "params"), SETUPS, ids=NAMES)
@pytest.mark.parametrize("form", ["dense", "sparse", "binary"])
def test_compiled_and_plain_loops_give_the_same_bits(id, params, form, monkeypatch):
    data = world(form=form, d=6 if id != "halving" else 2)
    first = run(make(id, params), data)
    monkeypatch.setattr(linear, "_loops", lambda: None)
    second = run(make(id, params), data)
    assert same(first, second)
    if first.learner.weights is not None:
        assert np.array_equal(first.learner.weights, second.learner.weights)


@pytest.mark.parametrize(("id", "params"), SETUPS[:-2], ids=NAMES[:-2])
def test_padded_and_gathered_rows_give_the_same_answers(id, params):
    """Sparse rows of much the same length are kept padded, others are gathered when they are met."""
    for form in ("sparse", "binary"):
        padded, gathered = world(form=form, d=6), world(form=form, d=6)
        padded.__dict__["even"], gathered.__dict__["even"] = True, False
        first, second = run(make(id, params), padded), run(make(id, params), gathered)
        assert first.last.examples.index.shape[1] == padded.widest
        assert same(first, second)


def test_rows_of_very_different_lengths_are_not_padded():
    wide = ClassificationData(
        "wide", {}, csr_array(np.vstack([np.ones((1, 200)), np.eye(200)])), np.arange(201) % 2, ("a", "b")
    )
    assert not wide.even
    sim = run("banditron", wide, steps=60)
    assert sim.last.examples.index.shape[1] < 200
    triangle = csr_array(np.tril(np.ones((50, 50))))
    assert ClassificationData("triangle", {}, triangle, np.arange(50) % 2, ("a", "b")).even


def test_padding_neither_counts_nor_learns():
    """The place beyond the features stays 0 in every learner."""
    for id, params in SETUPS[:-2]:
        learner = run(make(id, params), world(form="binary", d=6)).learner
        assert (learner.W[:, -1] == 0).all()
        assert not hasattr(learner, "theta") or (learner.theta[:, -1] == 0).all()


def test_dense_tells_the_example():
    x = Examples(index=np.array([[0, 2, 3], [1, 3, 3]]), value=np.array([[2.0, 3.0, 0.0], [4.0, 0.0, 0.0]]))
    assert x.dense(0, 3).tolist() == [2, 0, 3] and x.dense(1, 3).tolist() == [0, 4, 0]
    assert Examples(index=np.array([[0, 2, 3]])).dense(0, 3).tolist() == [1, 0, 1]


# ---- slices, races, what is told -----------------------------------------------------------------------


@pytest.mark.parametrize(("id", "params"), SETUPS, ids=NAMES)
def test_slices_and_resets_give_the_same_bits(id, params):
    data = world(d=2 if id == "halving" else 3)
    whole = run(make(id, params), data, steps=300, seed=3)
    sliced = Simulation(make(id, params), data, replicates=3, seed=3)
    for steps in (1, 1, 7, 256, 35):
        sliced.advance(steps=steps)
    assert same(whole, sliced)
    sliced.reset()
    assert sliced.t == 0 and sliced.last is None
    sliced.advance(steps=300)
    assert same(whole, sliced)


def test_learners_raced_on_one_seed_meet_the_same_examples():
    sims = [Simulation(id, world(), replicates=3, seed=7) for id in IDS if id != "halving"]
    rows = [[sim.last.row.tolist() for _ in range(100) if sim.advance(steps=1) is None] for sim in sims]
    assert all(found == rows[0] for found in rows)
    passes = np.array(rows[0])[:80].reshape(2, 40, 3)
    assert (np.sort(passes, axis=1) == np.arange(40)[None, :, None]).all()  # every example once a pass
    assert len({tuple(order) for order in passes.transpose(0, 2, 1).reshape(6, 40)}) == 6  # each in an order of its own


def reachable(item, depth=4):
    """All arrays in an object, its fields and items."""
    if isinstance(item, np.ndarray):
        yield item
    elif depth and isinstance(item, (tuple, list)):
        for part in item:
            yield from reachable(part, depth - 1)
    elif depth and (hasattr(item, "__dict__") or hasattr(item, "__slots__")):
        names = [*getattr(item, "__dict__", {}), *getattr(type(item), "__slots__", ())]
        for name in names:
            yield from reachable(getattr(item, name), depth - 1)


@pytest.mark.parametrize("id", IDS)
def test_a_bandit_learner_never_receives_the_true_label(id):
    """Nothing that it is handed equals the true labels of 50 replicates, in any shape."""
    data, handed, features = load("separable-points", classes=6, margin=0.05, examples=300), [], set()

    class Spy(learner_classes()[id]):
        def reset(self, shape, replicates, rng):
            handed.append((shape,))
            super().reset(shape, replicates, rng)

        def present(self, x):
            handed.append((x,))
            features.update(x.__slots__)
            return super().present(x)

        def update(self, x, shown, feedback):
            handed.append((x, shown, feedback))
            assert (feedback.label is None) == (id != "perceptron")
            return super().update(x, shown, feedback)

    sim = Simulation(Spy(**({"levels": 2} if id == "halving" else {})), data, replicates=50, seed=0)
    told = 0
    for _ in range(30):
        sim.advance(steps=1)
        truth = sim.last.truth
        for item in handed:
            told += sum(
                a.shape[:1] == (50,) and (a.reshape(50, -1) == truth[:, None]).all(axis=0).any()
                for a in reachable(item)
            )
        handed.clear()
    assert (told > 0) == (id == "perceptron")
    assert features == {"features", "index", "value"}


# ---- metrics ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["banditron", "banditron-labels"])
def test_confusion_counts_true_and_played_labels(id):
    """Of the latest steps, at most a thousand; of several labels shown the right one is counted, or else the first."""
    data = world(k=4)
    sim = Simulation(id, data, replicates=3, seed=0)
    pairs = []
    for _ in range(1300):
        sim.advance(steps=1)
        label = sim.last.shown.label.reshape(3, -1)
        pairs.append(
            [(y, y if y in shown else shown[0]) for y, shown in zip(sim.last.truth, label.tolist(), strict=True)]
        )
    for steps in (0, 1, 300, 1000, 5000):
        for replicate in (None, 1):
            counts = np.zeros((4, 4), dtype=int)
            for step in pairs[max(0, len(pairs) - min(steps, 1000)) :]:
                for y, label in step if replicate is None else [step[replicate]]:
                    counts[y, label] += 1
            assert sim.environment.confusion(steps, replicate).tolist() == counts.tolist()
    assert sim.environment.confusion(1000).sum() == 3000


def test_the_record_of_the_latest_step():
    data = world(k=4)
    sim = run(create("banditron", gamma=0.5), data, steps=20)
    step = sim.last
    assert step.t == 20 and (step.truth == data.labels[step.row]).all()
    assert (step.examples.features == data.features[step.row]).all()
    assert (step.right == (step.shown.label == step.truth)).all()
    assert (sim.history["accuracy"][-1] == step.right).all()


def test_a_block_is_measured_no_more_than_once():
    environment = ClassificationEnvironment(world(), None, create("banditron"), 2, Seeds(0, 2))
    assert environment.measure() is None
    environment.step()
    assert environment.measure()["mistakes"].shape == (1, 2)
    assert environment.measure() is None
