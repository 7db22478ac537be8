"""News as bags of words, thousands of features of which few are set: the Reuters and the newsgroups corpora."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from datasets.base import Array
from datasets.downloads.base import Downloaded
from datasets.tables import packing

_TOPICS = ("CCAT", "ECAT", "GCAT", "MCAT")


@dataclass(kw_only=True)
class Reuters4(Downloaded):
    """Reuters news with exactly one of the four main topics of RCV1: corporate, economics, government, markets.

    Features (N, 47236): the words' weights (log tf-idf), each document of length 1, sparse, float32. The Banditron
    paper uses the same four labels with words of its own choice, 346,810 of them.

    Source: D. Lewis, Y. Yang, T. Rose and F. Li, RCV1: A new benchmark collection for text categorization research,
    JMLR 5, 2004. The choice of labels: S. Kakade, S. Shalev-Shwartz and A. Tewari, ICML 2008, §5.
    """

    id = "reuters4"
    order = 240
    title = "Reuters news, four topics"
    summary = (
        "Several hundred thousand news articles about companies, the economy, government or markets, one word a "
        "feature. They are downloaded once, when you ask for it, and take minutes to unpack."
    )
    paper = "Lewis et al., RCV1, JMLR 5, 2004"
    section = "(the labels of Kakade et al., ICML 2008, §5)"
    server = "figshare"

    def fetch(self, home: Path) -> dict[str, Array]:
        from scipy.sparse import csr_array
        from sklearn.datasets import fetch_rcv1

        bunch = fetch_rcv1(data_home=str(home), n_retries=1)
        columns = [list(bunch.target_names).index(topic) for topic in _TOPICS]
        topics = csr_array(bunch.target)[:, columns].toarray()
        rows = np.flatnonzero(topics.sum(axis=1) == 1)
        features = csr_array(bunch.data)[rows].astype(np.float32)
        return packing.pack(features, topics[rows].argmax(axis=1), _TOPICS, ())


@dataclass(kw_only=True)
class Newsgroups(Downloaded):
    """Messages of twenty newsgroups, training and test part, to be told apart by their words.

    Features (18846, 130107): counts of words, each message scaled to length 1, sparse.

    Source: K. Lang, NewsWeeder: Learning to filter netnews, ICML 1995; the copy and the words of scikit-learn.
    """

    id = "newsgroups"
    order = 250
    title = "Twenty newsgroups"
    summary = (
        "Messages of twenty newsgroups, on hockey, space, guns or Christianity, one word a feature. They are "
        "downloaded once, when you ask for it."
    )
    paper = "Lang, NewsWeeder, ICML 1995"
    section = "(the copy in scikit-learn)"
    server = "figshare"

    def fetch(self, home: Path) -> dict[str, Array]:
        from scipy.sparse import csr_array
        from sklearn.datasets import fetch_20newsgroups_vectorized

        bunch = fetch_20newsgroups_vectorized(subset="all", data_home=str(home), n_retries=1)
        return packing.pack(csr_array(bunch.data), np.asarray(bunch.target), tuple(bunch.target_names), ())
