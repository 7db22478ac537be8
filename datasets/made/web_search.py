"""Synthetic web search: graded documents from a noisy model, up to the size of the papers' data."""

from dataclasses import dataclass, replace

import numpy as np

from datasets.base import Array
from datasets.parameters import choice, integer, real
from datasets.ranking import RankingData, RankingDataset, Size, counted

MAX_BYTES = 4_000_000_000  # of features; the papers' size needs 1.8 GB in single precision, 3.6 GB in double
SHARES = (0.50, 0.25, 0.15, 0.07, 0.03)  # of the grades 0 … 4: many documents are poor, few are perfect
CORRELATION = 0.9  # of neighbouring features in the spectrum `correlated`
_CHUNK = 1 << 22  # numbers drawn at a time


@dataclass(kw_only=True)
class WebSearch(RankingDataset):
    """Queries whose documents have Gaussian features and grades 0 … 4 from a noisy model.

    Features (N, d) are independent and normal with mean 0 and variance 1 (isotropic) or i⁻² for feature i
    (ill-conditioned), or have variance 1 and correlations .9^|i − j| (correlated). The relevance of a document is a
    signal of unit variance plus normal noise of standard deviation `relevance_noise`. The signal is u·x (linear), or
    half of its variance comes from u·x and half from the product (v·x)(z·x), which no linear model can explain
    (nonlinear); u, v and z are random. Cutting the relevance at its quantiles gives grades with the shares 50, 25, 15,
    7 and 3 percent. w* is the least-squares fit of the grades on the features. Test queries have documents of their own
    from the same model, graded at the same cuts.

    The features are drawn in place, chunk by chunk, so the peak memory is little more than the data. The same
    parameters give the same data.

    Raises
    ------
    ValueError : for a parameter that is out of its range; from `build` for more than 4 GB of features.

    Source: stands in for the web search data of Shivaswamy and Joachims, Coactive Learning, JAIR 53, 2015,
    §6.1.1, and Raman et al., Stable Coactive Learning via Perturbation, ICML 2013, §8 (28,000 queries,
    about 650,000 documents, 700 features), which are not free to share.

    >>> data = WebSearch(queries=100, documents=10, features=5).build()
    >>> data.features.shape, np.bincount(data.grades[0].astype(int)).tolist()
    ((1000, 5), [500, 250, 150, 70, 30])
    """

    id = "web-search"
    order = 30
    title = "Web search, synthetic"
    summary = (
        "Synthetic search queries whose documents are graded from 0 (irrelevant) to 4 (perfect); most of them "
        "are poor, as on the web. You choose how many there are, how noisy the grades are and whether a "
        "linear model can explain them, up to the size of the papers' data."
    )
    paper = "after Shivaswamy and Joachims, Coactive Learning, JAIR 53, 2015"
    section = "§6.1.1, and Raman et al., ICML 2013, §8"

    queries: int = integer(2000, 10, 28000, help="Number of queries; the papers have 28000.")
    documents: int = integer(
        20, 2, 200, symbol="n", help="Mean number of documents in a query; try 100 for a long search."
    )
    features: int = integer(
        50, 2, 1000, symbol="d", help="Number of features of a document; more take longer to learn."
    )
    relevance: str = choice(
        "linear",
        ("linear", "nonlinear"),
        help="Whether a linear model can explain the grades; if nonlinear, it explains half of the signal.",
    )
    relevance_noise: float = real(
        0.5, 0, 5, rare=True, help="Standard deviation of the noise in the grades; that of the signal is 1. Try 0."
    )
    spectrum: str = choice(
        "isotropic",
        ("isotropic", "ill-conditioned", "correlated"),
        rare=True,
        help="Distribution of the features: variance 1; variance 1/i² for feature i, where second-order learners gain; "
        "or variance 1 with correlation .9 between neighbours, where no single feature says much.",
    )
    lengths: str = choice(
        "equal",
        ("equal", "varied"),
        rare=True,
        help="Documents per query: the same number in all, or anything from 2 to twice the mean minus 2.",
    )
    precision: str = choice(
        "double", ("double", "single"), rare=True, help="Number format of the features; single takes half the memory."
    )
    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the data; another seed gives other documents.")
    test_queries: int = integer(
        0, 0, 28000, step=100, family="ranking",
        help="Number of further queries of the same model, on which rankings are measured and nobody learns. Try 500.",
    )  # fmt: skip
    slots: int = counted()

    def size(self) -> Size:
        lengths, tests = self._lengths(), self._lengths(6)
        n = int(lengths.sum() + tests.sum())
        numbers = n + self.queries + 1 + self.test_queries + bool(self.test_queries)  # grades and starts
        return Size(
            queries=self.queries,
            documents=int(lengths.max()),
            features=self.features,
            bytes=n * self.features * self._dtype().itemsize + 8 * numbers,
        )

    def build(self) -> RankingData:
        size = self.size()
        if size.bytes > MAX_BYTES:
            raise ValueError(
                f"{self.queries} queries of {self.documents} documents with {self.features} features "
                f"would take {size.bytes / 1e9:.1f} GB, at most {MAX_BYTES / 1e9:.0f} GB are allowed; "
                "choose fewer or single precision"
            )
        starts = np.concatenate([[0], np.cumsum(self._lengths())])
        features, signal = self._draw(int(starts[-1]), 2)
        scale = signal.std() or 1.0
        score = signal / scale + self.relevance_noise * self._rng(3).standard_normal(len(signal))
        cuts = np.quantile(score, np.cumsum(SHARES)[:-1])
        data = RankingData(
            id=self.id,
            params=self.params,
            features=features,
            starts=starts,
            grades=np.searchsorted(cuts, score)[None].astype(float),
            top_grade=len(SHARES) - 1,
            slots=self.slots or None,
        )
        return replace(data, test=self._test(data, scale, cuts)) if self.test_queries else data

    def _test(self, data: RankingData, scale: float, cuts: Array) -> RankingData:
        """Draw the test queries, whose signal is scaled and cut as that of the others."""
        starts = np.concatenate([[0], np.cumsum(self._lengths(6))])
        features, signal = self._draw(int(starts[-1]), 4)
        score = signal / scale + self.relevance_noise * self._rng(5).standard_normal(len(signal))
        grades = np.searchsorted(cuts, score)[None].astype(float)
        return replace(data, features=features, starts=starts, grades=grades)

    def _dtype(self) -> np.dtype[np.floating]:
        return np.dtype(np.float32 if self.precision == "single" else np.float64)

    def _rng(self, stream: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self.data_seed).spawn(7)[stream])

    def _lengths(self, stream: int = 0) -> Array:
        """Draw the (Q,) number of documents of each query, by stream 6 of each test query."""
        queries = self.test_queries if stream else self.queries
        if self.lengths == "equal":
            return np.full(queries, self.documents)
        return self._rng(stream).integers(2, 2 * self.documents - 2, size=queries, endpoint=True)

    def _draw(self, n: int, stream: int) -> tuple[Array, Array]:
        """Draw features (n, d) of n documents by a stream, and return them with the signal of their relevance (n,)."""
        d, dtype = self.features, self._dtype()
        spread = 1.0 / np.arange(1, d + 1) if self.spectrum == "ill-conditioned" else np.ones(d)
        directions = self._rng(1).standard_normal((d, 3))  # u, v, z
        if self.spectrum == "correlated":
            apart = np.abs(np.subtract.outer(np.arange(d), np.arange(d)))
            variances = np.einsum("ik,ij,jk->k", directions, CORRELATION**apart, directions, optimize=False)
        else:
            variances = spread**2 @ directions**2
        directions /= np.sqrt(variances)  # each projection then has variance 1
        rng, features, signal = self._rng(stream), np.empty((n, d), dtype), np.empty(n)
        step = max(1, _CHUNK // d)
        for a in range(0, n, step):
            x = features[a : a + step]
            rng.standard_normal(out=x, dtype=dtype)
            x *= spread.astype(dtype)
            if self.spectrum == "correlated":
                for i in range(1, d):  # an autoregression along the features
                    x[:, i] = CORRELATION * x[:, i - 1] + np.sqrt(1 - CORRELATION**2) * x[:, i]
            u, v, z = (x @ directions.astype(dtype)).T.astype(float)
            signal[a : a + step] = u if self.relevance == "linear" else (u + v * z) / np.sqrt(2)
        return features, signal
