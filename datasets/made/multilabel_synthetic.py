"""Synthetic examples whose label probabilities follow Gentile and Orabona's model exactly."""

from dataclasses import dataclass

import numpy as np

from datasets.base import Array, ExampleSize
from datasets.multilabel import LOSSES, MultilabelData, MultilabelDataset, link
from datasets.parameters import choice, integer, real

_CHUNK = 2_000_000  # label probabilities computed at a time
_SAMPLE = 2000  # examples used to fit the offsets of the logistic model
_CONSTANT = np.sqrt(0.5)  # the first feature of every example
_TOPICS = 1.5  # approximate number of topics that matter in a document
_STEEP = 5.0  # slope of the logistic model's margin in the similarity v·z

TAGS = (  # of pictures; what a label fits is drawn at random, whatever its name
    "beach", "snow", "forest", "city", "river", "sunset", "bridge", "garden", "mountain", "desert", "harbour", "street",
    "castle", "market", "lake", "night", "storm", "meadow", "island", "tower", "horse", "bird", "dog", "cat", "fish",
    "flower", "tree", "child", "crowd", "dancer", "bicycle", "train", "boat", "car", "plane", "bread", "fruit", "music",
    "book", "clock",
)  # fmt: skip


def tag_of(label: int) -> str:
    """Return the name of a label, a number from 0.

    >>> tag_of(0), tag_of(40)
    ('beach', 'beach 2')
    """
    again, place = divmod(label, len(TAGS))
    return TAGS[place] + f" {again + 1}" * (again > 0)


@dataclass(kw_only=True)
class MultilabelSynthetic(MultilabelDataset):
    """Documents that mix a few of d − 1 topics, and K labels that each fit a few topics.

    Features (N, d), rows of unit length: x = √½ (1, z). The topics z ≥ 0 and the tastes v_i ≥ 0 are gamma variates
    scaled to unit length. Their shape parameter is so small that few entries matter: one to three in a document, and
    more in the tastes if the density is higher. The vector u_i is such that the margin u_i·x = b_i + s_i v_i·z depends
    on the similarity v_i·z of taste and document. In the square model, P = (1 + u_i·x) / 2 has mean `density` over the
    examples, and s_i is almost as large as |u_i·x| < 1 allows. In the logistic model, s_i = 5 and b_i makes the mean
    about `density`. The labels are independent given x, and are drawn afresh at every visit.

    Source: the model is that of Gentile and Orabona, On Multilabel Classification and Ranking with Partial Feedback,
    NIPS 2012, Eq. 2; the paper has no synthetic data.

    >>> data = MultilabelSynthetic(examples=2000).build()
    >>> p = data.probabilities(np.arange(2000))
    >>> round(float(p.mean()), 6), bool(data.margin < 1), bool(p.std(axis=0).mean() > 0.08)
    (0.1, True, True)
    """

    id = "multilabel-synthetic"
    order = 200
    title = "Synthetic topics with many labels"
    summary = (
        "Documents that mix a few topics, and labels that each fit a few topics, with probabilities exactly as the "
        "paper's theorem assumes. Labels are named like the tags of pictures. They are drawn afresh at every visit, "
        "and the regret against the best possible label sets can be measured."
    )
    paper = "Gentile and Orabona, On Multilabel Classification and Ranking with Partial Feedback, NIPS 2012"
    section = "Eq. 2 (the model; the examples are made for this lab)"

    labels: int = integer(40, 2, 1000, symbol="K", help="Number of labels; more take longer to explore.")
    features: int = integer(
        20, 3, 500, symbol="d", help="Number of features of a document: the topics and one constant feature."
    )
    density: float = real(
        0.1, 0.01, 0.5, step=0.01,
        help="Mean share of the labels that a document has; 4 % in the paper's video data. Try 0.3.",
    )  # fmt: skip
    model: str = choice(
        "square", LOSSES,
        help="Dependence of the probabilities on the features: linear, as the square loss assumes, or logistic.",
    )  # fmt: skip
    examples: int = integer(5000, 100, 200_000, symbol="N", step=1000, help="Documents before they repeat.")
    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the documents and tastes.")

    def size(self) -> ExampleSize:
        total = self.examples * (24 * self.features + self.labels) + 8 * _CHUNK
        return ExampleSize(self.examples, self.features, self.labels, total)

    def build(self) -> MultilabelData:
        topics_rng, tastes_rng, labels_rng = map(np.random.default_rng, np.random.SeedSequence(self.data_seed).spawn(3))
        topics = _directions(self.examples, self.features - 1, _TOPICS, topics_rng)
        tastes = _directions(self.labels, self.features - 1, max(1.0, self.density * (self.features - 1)), tastes_rng)
        offset, scale = (self._linear if self.model == "square" else self._logistic)(topics, tastes)
        u = np.concatenate([(offset / _CONSTANT)[:, None], (scale / _CONSTANT)[:, None] * tastes], axis=1)
        features = np.concatenate([np.full((self.examples, 1), _CONSTANT), _CONSTANT * topics], axis=1)
        labels = np.empty((self.examples, self.labels), dtype=bool)
        step = max(1, _CHUNK // self.labels)
        for a in range(0, self.examples, step):
            p = link(features[a : a + step] @ u.T, self.model)
            labels[a : a + step] = labels_rng.random(p.shape) < p
        names = tuple(tag_of(k) for k in range(self.labels))
        return MultilabelData(self.id, self.params, features, labels, names, model=(u, self.model))

    def _linear(self, topics: Array, tastes: Array) -> tuple[Array, Array]:
        """Return b and s (K,) of the square model, with the exact mean and P inside (0, 1) for every example."""
        mean = tastes @ topics.mean(axis=0)
        least, most = np.full(self.labels, np.inf), np.zeros(self.labels)
        step = max(1, _CHUNK // self.labels)
        for a in range(0, self.examples, step):
            likeness = topics[a : a + step] @ tastes.T
            least, most = np.minimum(least, likeness.min(axis=0)), np.maximum(most, likeness.max(axis=0))
        slope = 0.98 * np.minimum(self.density / (mean - least), (1 - self.density) / (most - mean))  # of P
        return 2 * (self.density - slope * mean) - 1, 2 * slope

    def _logistic(self, topics: Array, tastes: Array) -> tuple[Array, Array]:
        """Return b and s (K,) of the logistic model; b is found by bisection."""
        likeness = topics[:_SAMPLE] @ tastes.T
        low, high = np.full(self.labels, -20.0), np.full(self.labels, 20.0)
        for _ in range(40):
            middle = (low + high) / 2
            much = link(_STEEP * likeness + middle, "logistic").mean(axis=0) > self.density
            low, high = np.where(much, low, middle), np.where(much, middle, high)
        return (low + high) / 2, np.full(self.labels, _STEEP)


def _directions(rows: int, dimension: int, large: float, rng: np.random.Generator) -> Array:
    """Draw (rows, dimension) non-negative vectors of unit length, in each of which about `large` entries stand out."""
    vectors = rng.gamma(large / dimension, size=(rows, dimension)) + 1e-12
    directions: Array = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return directions
