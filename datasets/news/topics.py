"""News search by a user who wants one topic, with sparse TF-IDF features of thousands of words."""

from dataclasses import dataclass

import numpy as np

from datasets.base import Array
from datasets.downloads.base import Downloaded
from datasets.news.corpus import DOCUMENTS, LENGTH, TOPICS, Corpus, synthetic, telling_words, tf_idf
from datasets.news.downloads import Newsgroups, Reuters4
from datasets.parameters import choice, integer
from datasets.ranking import RankingData, RankingDataset, Size

MOST_DOCUMENTS = 20_000  # larger corpora are sampled at random
_TOPICS_OF = {"synthetic": TOPICS, "20newsgroups": 20, "rcv1": 4}


@dataclass(kw_only=True)
class NewsTopics(RankingDataset):
    """Queries that offer documents on all topics; a document is relevant, with grade 1, if it has the user's topic.

    Features (N, d) are sparse TF-IDF weights, each row of length 1. A query has n // K documents on each of the K
    topics, and one more on n % K random topics. The documents on a topic are dealt out over the queries in random
    order, and in a new order once all have been used. w* is the ridge fit of the grades (see `RankingData`).

    The corpus `synthetic` is generated here. The corpora `20newsgroups` and `rcv1` are the downloads newsgroups and
    reuters4, read from disk; as in the paper, only the words with the largest χ² are kept. The set-up departs from the
    paper in two ways: the paper does not say how many documents a query has, and its RCV1 task has 103 topics, while
    the download has the four main ones.

    Raises
    ------
    ValueError : for a parameter out of its range; from `size` and `build` for a corpus that is not downloaded yet, and
        for a topic that it does not have.

    Source: Raman, Joachims, Shivaswamy and Schnabel, Stable Coactive Learning via Perturbation, ICML 2013, §8.

    >>> data = NewsTopics(topic="3", queries=50, words=500).build()
    >>> data.sparse, data.features.shape, data.task_names
    (True, (4000, 500), ('topic 3: hockey',))
    >>> [int(data.grades[0, data.documents(q)].sum()) for q in range(3)]
    [1, 1, 1]
    """

    id = "news-topics"
    order = 60
    judged_by = "headlines"
    title = "News: find one topic"
    summary = (
        "Every document is a text on one of several topics, described by its words, and the user wants the texts on "
        "one topic. The bundled corpus is synthetic; twenty newsgroups or Reuters news can be downloaded on the Data "
        "page."
    )
    paper = "Raman et al., Stable Coactive Learning via Perturbation, ICML 2013"
    section = "§8 (News and RCV1)"

    corpus: str = choice(
        "synthetic", tuple(_TOPICS_OF),
        help="The texts: synthetic ones, or a corpus that is downloaded once, 14 MB for the newsgroups and 660 MB for "
        "rcv1.",
    )  # fmt: skip
    topic: str = choice(
        "all", ("all", *(str(k + 1) for k in range(20))),
        help="Number of the topic that the user wants; with all, the replicates take them in turn. rcv1 has four.",
    )  # fmt: skip
    documents: int = integer(
        20, 20, 200, symbol="n", help="Texts in each query; with 20 texts and 20 topics, only one is relevant."
    )
    queries: int = integer(1000, 10, 20000, help="Different queries before they repeat.")
    words: int = integer(
        1000, 100, 50000, symbol="d",
        help="Largest number of words, each a feature. The paper keeps 1000 for News and 3000 for RCV1; try 20000.",
    )  # fmt: skip
    data_seed: int = integer(
        0, 0, 2**31 - 1, rare=True, help="Seed of the texts and queries; another seed gives others of the same kind."
    )

    def size(self) -> Size:
        tasks = len(self._topics())
        if self.corpus == "synthetic":
            stored, words = DOCUMENTS, self.words
            entries = stored * min(LENGTH, words)  # a rough upper bound, since words recur within a document
        else:
            held = self._download().size()
            stored, words = min(held.examples, MOST_DOCUMENTS), min(self.words, held.features)
            entries = held.bytes // 8 * stored // held.examples
        numbers = tasks * (2 * stored + words) + self.queries * (self.documents + 1) + 1
        return Size(queries=self.queries, documents=self.documents, features=words, bytes=12 * entries + 8 * numbers)

    def build(self) -> RankingData:
        topics = np.array(self._topics())
        texts, order = (np.random.default_rng(s) for s in np.random.SeedSequence(self.data_seed).spawn(2))
        corpus = synthetic(self.words, texts) if self.corpus == "synthetic" else self._read(texts)
        return RankingData(
            id=self.id,
            params=self.params,
            features=corpus.features,
            starts=np.arange(self.queries + 1) * self.documents,
            grades=(corpus.labels == topics[:, None]).astype(float),
            rows=_deal(corpus.labels, len(corpus.names), self.queries, self.documents, order).ravel(),
            task_names=tuple(corpus.names[k] for k in topics),
            document_names=corpus.titles,
            top_grade=1,
        )

    def _topics(self) -> list[int]:
        known = _TOPICS_OF[self.corpus]
        if self.topic == "all":
            return list(range(known))
        if int(self.topic) > known:
            raise ValueError(f"topic must be all or a number from 1 to {known} for {self.corpus}, got {self.topic}")
        return [int(self.topic) - 1]

    def _download(self) -> Downloaded:
        return Newsgroups() if self.corpus == "20newsgroups" else Reuters4()

    def _read(self, rng: np.random.Generator) -> Corpus:
        """Read at most MOST_DOCUMENTS texts of a downloaded corpus, reduced to the most informative words."""
        from datasets.tables.packing import unit_rows

        data = self._download().build()
        features, labels = data.features, data.labels
        if data.examples > MOST_DOCUMENTS:
            rows = np.sort(rng.choice(data.examples, MOST_DOCUMENTS, replace=False))
            features, labels = features[rows], labels[rows]
        if self.corpus == "20newsgroups":  # word counts; the other corpus is already weighted
            features = tf_idf(features)
        if self.words < features.shape[1]:
            features = features[:, telling_words(features, labels, data.classes, self.words)]
        rows = np.flatnonzero(np.diff(features.indptr))  # without texts that have none of the words
        return Corpus(unit_rows(features[rows].astype(np.float64)), labels[rows], data.names)


def _deal(labels: Array, topics: int, queries: int, documents: int, rng: np.random.Generator) -> Array:
    """Deal out (Q, n) document numbers topic by topic, balanced and without repetition within a query."""
    each, extra = divmod(documents, topics)
    drawn = np.empty((queries, topics, each + 1), dtype=int)
    for topic in range(topics):
        known = np.flatnonzero(labels == topic)
        per_deck = len(known) // (each + 1)  # queries served by one shuffled deck of the documents
        if per_deck == 0:
            raise ValueError(f"documents must be at most {topics * len(known) - 1} for this corpus, got {documents}")
        decks = rng.permuted(np.tile(known, (-(-queries // per_deck), 1)), axis=1)
        drawn[:, topic] = decks[:, : per_deck * (each + 1)].reshape(-1, each + 1)[:queries]
    keep = np.ones(drawn.shape, dtype=bool)
    keep[:, :, each] = rng.random((queries, topics)).argsort(axis=1) < extra
    return rng.permuted(drawn[keep].reshape(queries, documents), axis=1)
