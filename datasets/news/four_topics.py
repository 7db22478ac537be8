"""Synthetic news on four topics, for learners that name the topic of a text."""

from dataclasses import dataclass

import numpy as np

from datasets.base import ExampleSize
from datasets.classification import ClassificationData, ClassificationDataset
from datasets.news.corpus import LENGTH, synthetic
from datasets.parameters import integer

TOPICS = 4


@dataclass(kw_only=True)
class FourTopics(ClassificationDataset):
    """Documents with one of four topics, drawn as the synthetic corpus of `news-topics` (see `corpus.synthetic`).

    Features (N, d): TF-IDF weights, sparse, each row of length 1.

    Source: made for this lab, in place of the Reuters documents of [B] §5, which have four topics too.

    >>> data = FourTopics(examples=500, words=300).build()
    >>> data.features.shape, data.classes, np.bincount(data.labels).tolist()
    ((500, 300), 4, [125, 125, 125, 125])
    """

    id = "four-topics"
    order = 125
    title = "Made news on four topics"
    summary = (
        "Texts on four topics over thousands of words, of which most are rare. A text shares words with other topics, "
        "so that no classifier is always right. They are drawn here and stand in for news that must be downloaded."
    )
    paper = "Kakade et al., Efficient Bandit Algorithms for Online Multiclass Prediction, ICML 2008"
    section = "§5 (in place of Reuters4; the texts are made for this lab)"

    examples: int = integer(20_000, 100, 200_000, symbol="N", step=1000, help="Texts before they repeat.")
    words: int = integer(10_000, 100, 50_000, symbol="d", help="Number of words, each a feature. Try 1000.")
    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the words of each topic and of the texts.")

    def size(self) -> ExampleSize:
        entries = self.examples * min(LENGTH, self.words)  # a rough upper bound, since words recur within a text
        return ExampleSize(self.examples, self.words, TOPICS, 12 * entries + 8 * self.examples)

    def build(self) -> ClassificationData:
        rng = np.random.default_rng(self.data_seed)
        corpus = synthetic(self.words, rng, self.examples, TOPICS, titled=False)
        names = tuple(f"topic {k + 1}" for k in range(TOPICS))
        return ClassificationData(self.id, self.params, corpus.features, corpus.labels, names)
