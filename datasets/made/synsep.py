"""The synthetic documents of the Banditron paper: SynSep, and SynNonSep with noisy labels ([B] Fig. 1)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.base import Array, ExampleSize
from datasets.classification import ClassificationData, ClassificationDataset
from datasets.parameters import integer, real

TOPICS, WORDS, KEYWORDS = 9, 400, 120
OFF, COMMON = 5, 20  # keywords switched off, common words switched on
_CHUNK = 50_000
DRAWS = 10_000  # of the topics, of which the first few differ enough


@dataclass(kw_only=True)
class SynSep(ClassificationDataset):
    """Nine linearly separable topics, each with 20 to 40 keywords among the first 120 of 400 words.

    An example contains the keywords of a random topic except five, and 20 of the last 280 words, which are
    uninformative. Features (N, 400): 0 or 1, sparse. The keywords of different topics overlap. Topics are redrawn until
    no topic can be mistaken for another: each must have more than five keywords that any given other topic lacks, since
    five can be missing.

    Source: Kakade, Shalev-Shwartz and Tewari, Efficient Bandit Algorithms for Online Multiclass Prediction,
    ICML 2008, Fig. 1.

    >>> data = SynSep(examples=200).build()
    >>> scores = data.features @ data.separator.T
    >>> data.features.shape, data.classes, bool((scores.argmax(axis=1) == data.labels).all())
    ((200, 400), 9, True)
    """

    id = "synsep"
    order = 110
    title = "Synthetic topics, separable (SynSep)"
    summary = (
        "Documents on nine topics over 400 words. Each contains most of its topic's keywords and twenty meaningless "
        "words. Some linear classifier is always right, so a learner that sees the true labels soon stops making "
        "mistakes."
    )
    paper = "Kakade et al., Efficient Bandit Algorithms for Online Multiclass Prediction, ICML 2008"
    section = "§5 and Fig. 1"

    examples: int = integer(
        100_000, 100, 2_000_000, symbol="N", step=1000,
        help="Documents before they repeat; the paper has a million. Fewer load faster.",
    )  # fmt: skip
    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the topics and documents.")

    def size(self) -> ExampleSize:
        widest = 40 - OFF + COMMON
        return ExampleSize(self.examples, WORDS, TOPICS, self.examples * (widest * 8 + 12))

    def build(self) -> ClassificationData:
        return self._build(noise=0.0)

    def _build(self, noise: float) -> ClassificationData:
        topics_rng, rng, noise_rng = map(np.random.default_rng, np.random.SeedSequence(self.data_seed).spawn(3))
        topics = _topics(topics_rng)
        truth = rng.integers(TOPICS, size=self.examples).astype(np.int16)
        parts = [_documents(topics, truth[a : a + _CHUNK], rng) for a in range(0, self.examples, _CHUNK)]
        labels = truth.copy()
        wrong = noise_rng.random(self.examples) < noise  # label noise picks a different label
        labels[wrong] = (labels[wrong] + noise_rng.integers(1, TOPICS, size=int(wrong.sum()))) % TOPICS
        from scipy.sparse import vstack

        return ClassificationData(
            id=self.id,
            params=self.params,
            features=vstack(parts, format="csr"),
            labels=labels,
            names=tuple(f"topic {k + 1}" for k in range(TOPICS)),
            separator=_separator(topics),
        )


@dataclass(kw_only=True)
class SynNonSep(SynSep):
    """SynSep with a share of the labels replaced by wrong ones, so that no classifier is always right.

    Source: as SynSep; the paper's noise is 5 %.

    >>> clean, noisy = SynSep(examples=1000).build(), SynNonSep(examples=1000).build()
    >>> 0.03 < (clean.labels != noisy.labels).mean() < 0.07
    np.True_
    """

    id = "synnonsep"
    order = 120
    title = "Synthetic topics with label noise (SynNonSep)"
    summary = (
        "The synthetic topics, with one label in twenty replaced by a wrong one. Here too little exploration hurts: a "
        "learner that only sees whether it was right must try enough other labels to reach its final error."
    )

    noise: float = real(
        0.05, 0, 0.5, symbol="ν", step=0.01, named=True,
        help="Share of labels that are replaced by wrong ones; 0 is the separable set. Try 0.2.",
    )  # fmt: skip

    def build(self) -> ClassificationData:
        return self._build(self.noise)


def _topics(rng: np.random.Generator) -> Array:
    """Draw the keywords of each topic, (9, 120) bool."""
    for _ in range(DRAWS):
        topics = np.zeros((TOPICS, KEYWORDS), dtype=bool)
        for topic in topics:
            topic[rng.choice(KEYWORDS, size=rng.integers(20, 41), replace=False)] = True
        beyond = (topics[:, None] & ~topics[None]).sum(axis=2)[~np.eye(TOPICS, dtype=bool)]
        if beyond.min() > OFF:
            return topics
    raise ValueError(f"no topics that differ enough were found in {DRAWS:,} draws; choose another data_seed")


def _separator(topics: Array) -> Array:
    """Return (9, 400) weights that separate the topics: 1 for a topic's keywords and −1 for all other keywords."""
    weights = np.zeros((TOPICS, WORDS))
    weights[:, :KEYWORDS] = np.where(topics, 1.0, -1.0)
    return weights


def _documents(topics: Array, truth: Array, rng: np.random.Generator) -> Any:
    """Draw documents on the topics in `truth` (n,); the result is (n, 400), zeros and ones."""
    n = len(truth)
    on = np.zeros((n, WORDS), dtype=bool)
    on[:, :KEYWORDS] = topics[truth]
    rows = np.arange(n)[:, None]
    sizes = topics.sum(axis=1)
    words = np.stack([np.argsort(~topic, kind="stable") for topic in topics]).astype(np.int16)  # keywords first
    on[rows, _draw(words[truth], sizes[truth], OFF, rng)] = False
    common = np.tile(np.arange(KEYWORDS, WORDS, dtype=np.int16), (n, 1))
    on[rows, _draw(common, np.full(n, WORDS - KEYWORDS), COMMON, rng)] = True
    indices = np.nonzero(on)[1].astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(on.sum(axis=1))])
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(indices), dtype=np.float32), indices, starts), shape=on.shape)


def _draw(words: Array, sizes: Array, number: int, rng: np.random.Generator) -> Array:
    """Draw (n, number) distinct words among the first `sizes` of each row, by a partial Fisher-Yates shuffle."""
    rows = np.arange(len(words))
    for i in range(number):
        other = i + (rng.random(len(words)) * (sizes - i)).astype(int)
        words[rows, i], words[rows, other] = words[rows, other], words[rows, i]
    return words[:, :number]
