"""Documents with one topic each, as TF-IDF features: a synthetic corpus, and the preparation of real ones."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.base import Array
from datasets.news.headlines import TOPICS as SPELLED
from datasets.news.headlines import headlines

TOPICS, DOCUMENTS = len(SPELLED), 4000  # of the synthetic corpus
LENGTH = 105  # median number of words of a synthetic document
_KEYWORDS = 20  # one word in twenty is a keyword of a given topic


@dataclass(frozen=True)
class Corpus:
    """Documents and their topics.

    features : (N, d) csr_array with rows of length 1.
    labels : (N,) topic of each document, from 0.
    names : the names of the K topics. titles : of the documents, or none.
    """

    features: Any
    labels: Array
    names: tuple[str, ...]
    titles: tuple[str, ...] = ()


def synthetic(
    words: int, rng: np.random.Generator, documents: int = DOCUMENTS, topics: int = TOPICS, titled: bool = True
) -> Corpus:
    """Draw documents, equally many on each topic.

    The word frequencies follow Zipf's law, 1 / (rank + 2.7). One word in twenty is a keyword of a given topic. Between
    5 and 35 percent of the words of a document are keywords of its topic, up to 10 percent are keywords of one other
    topic, and the rest are arbitrary words, all drawn by frequency. The lengths are log-normal with median 105. Words
    are numbers; only some keywords are spelled, for the headlines of documents that are `titled`.

    >>> corpus = synthetic(1000, np.random.default_rng(0))
    >>> corpus.features.shape, np.bincount(corpus.labels).tolist() == [200] * 20
    ((4000, 1000), True)
    """
    from scipy.sparse import csr_array

    frequency = 1.0 / (np.arange(1, words + 1) + 2.7)
    labels = rng.permutation(np.arange(documents) % topics)
    other = (labels + rng.integers(1, topics, size=documents)) % topics
    lengths = np.maximum(10, np.round(LENGTH * np.exp(0.3 * rng.standard_normal(documents)))).astype(int)
    own, strange = rng.uniform(0.05, 0.35, documents), rng.uniform(0.0, 0.10, documents)
    document = np.repeat(np.arange(documents), lengths)
    kind = rng.random(len(document))
    # the list from which each word is drawn: a topic's keywords, or as the last one all words
    source = np.where(
        kind < own[document], labels[document], np.where(kind < (own + strange)[document], other[document], topics)
    )
    drawn = rng.random(len(document))
    word = np.empty(len(document), dtype=np.int32)
    keywords = []
    for k in range(topics + 1):
        few = words if k == topics else max(2, words // _KEYWORDS)
        known = np.arange(words) if k == topics else rng.choice(words, few, replace=False)
        keywords.append(known)
        chances = np.cumsum(frequency[known])
        here = source == k
        word[here] = known[np.searchsorted(chances, drawn[here] * chances[-1]).clip(0, few - 1)]
    counts = csr_array((np.ones(len(word)), (document, word)), shape=(documents, words))
    features = tf_idf(counts)
    names = tuple(f"topic {k}: {name}" for k, name in enumerate(list(SPELLED)[:topics], start=1))
    titles = headlines(features, labels, keywords[:topics]) if titled else ()
    return Corpus(features, labels, names, titles)


def tf_idf(counts: Any) -> Any:
    """Return unit rows of count · (ln((1 + N) / (1 + n)) + 1); the given rows are counts up to a factor.

    n is the number of documents with the word, N the number of all documents.

    >>> from scipy.sparse import csr_array
    >>> tf_idf(csr_array(np.array([[3.0, 4.0], [1.0, 1.0]]))).toarray().round(3)
    array([[0.6  , 0.8  ],
           [0.707, 0.707]])
    """
    from datasets.tables.packing import unit_rows

    found = np.bincount(counts.indices, minlength=counts.shape[1])
    weights = np.log((1 + counts.shape[0]) / (1 + found)) + 1
    weighted = counts.astype(np.float64)
    weighted.data = weighted.data * weights[weighted.indices]
    return unit_rows(weighted)


def telling_words(features: Any, labels: Array, topics: int, words: int) -> Array:
    """Return the numbers of the `words` words that are most informative about the topics, sorted ([S] §8, note 1).

    Words are ranked by their largest χ² statistic over the topics, for the independence of word and topic.

    >>> from scipy.sparse import csr_array
    >>> telling_words(csr_array(np.array([[1, 1, 0], [1, 0, 0], [1, 0, 1], [1, 0, 1]])), np.array([0, 0, 1, 1]), 2, 1)
    array([2])
    """
    from scipy.sparse import csr_array

    there = csr_array((np.ones(features.nnz), features.indices, features.indptr), shape=features.shape)
    n = features.shape[0]
    both = np.stack([np.asarray(there[labels == k].sum(axis=0)).ravel() for k in range(topics)])  # (K, d) documents
    with_word, with_topic = both.sum(axis=0), np.bincount(labels, minlength=topics)[:, None]
    # χ² of the 2 × 2 table: N (ad − bc)² divided by the product of the margins
    above = n * (both * n - with_word * with_topic) ** 2.0
    below = with_word * (n - with_word) * (with_topic * (n - with_topic))
    statistic = np.divide(above, below, out=np.zeros(both.shape), where=below > 0).max(axis=0)
    chosen: Array = np.sort(np.argsort(-statistic, kind="stable")[:words])
    return chosen
