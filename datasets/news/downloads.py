"""The Reuters and newsgroups corpora as bags of words, with sparse features."""

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

    Features (N, 47236): the words' weights (log tf-idf), sparse, float32, each document of length 1. The Banditron
    paper uses the same four labels with its own selection of 346,810 words.

    Source: D. Lewis, Y. Yang, T. Rose and F. Li, RCV1: A new benchmark collection for text categorization research,
    JMLR 5, 2004. The choice of labels: S. Kakade, S. Shalev-Shwartz and A. Tewari, ICML 2008, §5.
    """

    id = "reuters4"
    order = 240
    title = "Reuters news, four topics"
    summary = (
        "Several hundred thousand news articles about companies, the economy, government or markets; every word is a "
        "feature. They are downloaded once, on your request, and take minutes to unpack."
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
    """Messages from twenty newsgroups, training and test part together, to be classified by their words.

    Features (18846, 130107): word counts, sparse, each message scaled to length 1.

    Source: K. Lang, NewsWeeder: Learning to filter netnews, ICML 1995; the copy and the vocabulary of scikit-learn.
    """

    id = "newsgroups"
    order = 250
    title = "Twenty newsgroups"
    summary = (
        "Messages from twenty newsgroups, on hockey, space, guns or Christianity; every word is a feature. They are "
        "downloaded once, on your request."
    )
    paper = "Lang, NewsWeeder, ICML 1995"
    section = "(the copy in scikit-learn)"
    server = "figshare"

    def fetch(self, home: Path) -> dict[str, Array]:
        from scipy.sparse import csr_array
        from sklearn.datasets import fetch_20newsgroups_vectorized

        bunch = fetch_20newsgroups_vectorized(subset="all", data_home=str(home), n_retries=1)
        return packing.pack(csr_array(bunch.data), np.asarray(bunch.target), tuple(bunch.target_names), ())
