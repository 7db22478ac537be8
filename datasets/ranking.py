"""Loaded ranking data: queries, their candidate documents, and the relevance of each document.

Shapes: N stored documents with d features, Q queries, K tasks (users who want different things from the
same documents; K = 1 where a data set has one set of grades).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from datasets.base import Array, Dataset, bytes_of, check_names, is_sparse, numbers
from datasets.parameters import integer, shown, whole

RIDGE = 0.1  # λ of the fit to sparse features, in units of mean ‖x‖²
_CHUNK = 1 << 22  # entries of the feature matrix converted to float64 at a time


def discounts(n: int) -> Array:
    """Return the position discounts γ_i = 1 / log2(i + 1) for ranks i = 1…n, shape (n,) ([S] §6).

    >>> discounts(3).round(4)
    array([1.    , 0.6309, 0.5   ])
    """
    return 1.0 / np.log2(np.arange(2, n + 2))


def counted() -> Any:
    """Declare how many positions of a ranking count, the parameter `slots` of a data set; 0 stands for all."""
    return integer(
        0, 0, 1000, family="ranking",
        help="Positions of a ranking that count, from the top; 0 for all. With 5, utility and regret are sums over the "
        "first five documents, as in coactive learning’s Eq. 21. The list goes on below them, where nothing is gained "
        "or lost. With 1, a single document is recommended.",
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class RankingData:
    """Queries with their candidate documents.

    The candidates of query q are `rows[starts[q]:starts[q + 1]]`, row numbers of `features`.

    Parameters
    ----------
    id, params : the data set's id and parameters.
    features : (N, d) float32 or float64, an array or a scipy.sparse matrix, which is never made dense.
    starts : (Q + 1,) integers, from 0 to len(rows).
    rows : (M,) integers, or None where the queries use consecutive stored documents.
    grades : (K, N) relevance grades, not negative.
    weights : (K, d) true utility weights w*, or None for the least-squares fit of the grades ([C] §6.1.1), which for
        sparse features is the ridge fit with λ = 0.1 · mean ‖x‖².
    initial_weights : (d,) weights w₁ at which learners start, or None for 0.
    image_shape : (height, width) where a document's features are a picture.
    task_names : K names of what the users want.
    query_names : Q names of the queries; empty where they are numbered from 1.
    notes : sentences on how the data were changed while loading.
    slots : how many positions of a ranking count, or None for all; recommending one item is ranking with one slot. Of
        several slots, a list goes on below them, worth nothing, unless documents are used up (see `on_page`).
    consumable : whether a document that was shown or chosen in a slot is removed from the candidates. When fewer than
        two are left, the user starts afresh with all of them. Such data need slots and a single query with every
        document.
    document_names : N names of the stored documents, such as "Toy Story (1995) · Animation, Comedy", or none.
    base, base_name : (N,) scores of a base ranker from which ranking refinement may start, or None; and its name.
    folds : partitions of the queries into training, validation and test queries, each a triple of arrays of query
        numbers. Learning to rank uses them in turn; without folds it splits the queries at random.
    tuned : (d,) weights of a ranker tuned by hand, with which learners can be compared, or None.
    top_grade : the highest grade of the scale by which relevance was judged in whole numbers from 0, such as 4; it need
        not occur. None where no such scale is declared. Users who click by the grade need it.
    fixed_candidates : whether every step offers the same documents, with the same grades, in the same order, so that a
        learner can keep numbers of each document. The data set declares it.
    test : a second set of queries, with the same features and tasks, that no learner sees; or None.

    Raises
    ------
    ValueError : for a query with fewer than two documents, for arrays whose shapes do not match, for
        grades that are negative, not finite or not on the declared scale, for test queries of another kind, and (where
        w* has to be fitted) for features that are not finite.

    >>> data = RankingData("two", {}, np.eye(2), np.array([0, 2]), np.array([[3.0, 1.0]]))
    >>> data.weights.round(6), data.utility.round(6)
    (array([[3., 1.]]), array([[3., 1.]]))
    """

    id: str
    params: dict[str, Any]
    features: Any
    starts: Array
    grades: Array
    rows: Array | None = None
    weights: Array = None  # type: ignore[assignment]  # filled below
    initial_weights: Array | None = None
    image_shape: tuple[int, int] | None = None
    task_names: tuple[str, ...] = ("all users",)
    query_names: tuple[str, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()
    slots: int | None = None
    consumable: bool = False
    document_names: tuple[str, ...] = field(default=(), repr=False)
    base: Array | None = None
    base_name: str = "base ranker of the data"
    folds: tuple[tuple[Array, Array, Array], ...] = ()
    tuned: Array | None = None
    top_grade: int | None = None
    fixed_candidates: bool = False
    test: RankingData | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self._check_kinds()
        if self.sparse:
            object.__setattr__(self, "features", canonical(self.features))
        lengths = np.diff(self.starts)
        if lengths.size == 0:
            raise ValueError("the data set has no queries")
        if lengths.min() < 2:
            short = int(np.argmin(lengths))
            raise ValueError(
                f"query {self.query_name(short)} has {lengths[short]} document(s); a ranking needs at least 2"
            )
        stored = self.features.shape[0]
        offered = stored if self.rows is None else len(self.rows)
        if self.starts[0] != 0 or self.starts[-1] != offered:
            given = f"{self.starts[0]} to {self.starts[-1]}"
            raise ValueError(f"starts must run from 0 to {offered}, got {given}")
        if self.grades.shape[1:] != (stored,):
            raise ValueError(f"grades must be (K, {stored}) numbers, got {self.grades.shape}")
        if not np.isfinite(self.grades).all() or self.grades.min() < 0:
            raise ValueError("a relevance grade is negative or not a finite number")
        if self.slots is not None and self.slots < 1:
            raise ValueError(f"slots must be at least 1, or None for all positions, got {self.slots}")
        if self.rows is not None and not 0 <= self.rows.min() <= self.rows.max() < stored:
            raise ValueError(f"rows must be numbers of stored documents, from 0 to {stored - 1}")
        if self.consumable and (self.slots is None or len(lengths) > 1 or self.rows is not None):
            raise ValueError("consumable documents need slots, and a single query that offers all of them")
        if self.fixed_candidates and (len(lengths) > 1 or self.consumable):
            raise ValueError("fixed candidates need a single query whose documents are not used up")
        if self.document_names and len(self.document_names) != stored:
            raise ValueError(f"document_names must be {stored} names or none, got {len(self.document_names)}")
        if self.base is not None and (self.base.shape != (stored,) or not np.isfinite(self.base).all()):
            raise ValueError(f"base must be {stored} finite numbers, one per document, or None")
        if self.tuned is not None and (self.tuned.shape != (self.dimension,) or not np.isfinite(self.tuned).all()):
            raise ValueError(f"tuned must be {self.dimension} finite numbers, one per feature, or None")
        if self.top_grade is not None:
            self._check_scale(self.top_grade)
        if self.test is not None and (self.test.dimension, self.test.tasks) != (self.dimension, self.tasks):
            kind = f"{self.dimension} features and {self.tasks} task(s)"
            raise ValueError(f"test must have {kind}, got {self.test.dimension} and {self.test.tasks}")
        if self.weights is None:
            object.__setattr__(self, "weights", self._fit_sparse() if self.sparse else self._fit())

    def _check_kinds(self) -> None:
        """Raise a ValueError for a value of the wrong kind; lists become arrays."""
        axes = {"starts": 1, "rows": 1, "weights": 2, "initial_weights": 1, "grades": None, "base": None, "tuned": None}
        object.__setattr__(self, "features", numbers("features", self.features, 2, sparse=True))
        for name, dimensions in axes.items():
            value = getattr(self, name)
            if value is None and name not in ("starts", "grades"):
                continue
            found = numbers(name, value, dimensions)
            if name in ("starts", "rows") and found.dtype.kind not in "iu":
                raise ValueError(f"{name} must be whole numbers, got {shown(value)}")
            object.__setattr__(self, name, found)
        if self.slots is not None:
            whole("slots", self.slots)
        for name in ("task_names", "query_names", "document_names"):
            check_names(name, getattr(self, name))

    def _check_scale(self, top: int) -> None:
        """Raise a ValueError unless all grades are whole numbers from 0 to the top of the scale."""
        whole("top_grade", top, low=1)
        off = (self.grades > top) | (self.grades != np.round(self.grades))
        if off.any():
            raise ValueError(f"grades are declared to be whole numbers from 0 to {top}, got {self.grades[off][0]:g}")

    @property
    def queries(self) -> int:
        """Number of queries Q."""
        return len(self.starts) - 1

    @property
    def dimension(self) -> int:
        """Number of features d."""
        return int(self.features.shape[1])

    @property
    def sparse(self) -> bool:
        """Whether the features are a sparse matrix."""
        return is_sparse(self.features)

    @property
    def tasks(self) -> int:
        """Number of tasks K."""
        return len(self.grades)

    @cached_property
    def lengths(self) -> Array:
        """(Q,) number of documents of each query."""
        return np.diff(self.starts)

    @cached_property
    def longest(self) -> int:
        """Number of documents of the longest query."""
        return int(self.lengths.max())

    def size(self) -> Size:
        """Return how large the data are, as the data set promised before it was built."""
        more = 0 if self.test is None else self.test.size().bytes
        return Size(self.queries, self.longest, self.dimension, bytes_of(self.features) + self.grades.nbytes + more)

    @cached_property
    def gamma(self) -> Array:
        """(n,) position discounts for the longest query, 0 beyond the slots."""
        gamma = discounts(self.longest)
        return gamma if self.slots is None else np.where(np.arange(self.longest) < self.slots, gamma, 0.0)

    @cached_property
    def on_page(self) -> int:
        """How many places a list has: all documents, or the slots where one item is recommended or items are used up.

        >>> data = RankingData("three", {}, np.eye(3), np.array([0, 3]), np.eye(3)[:1], slots=2)
        >>> data.on_page, replace(data, slots=1).on_page, data.gamma.round(2)
        (3, 1, array([1.  , 0.63, 0.  ]))
        """
        if self.slots is None or not (self.consumable or self.slots == 1):
            return self.longest
        return min(self.slots, self.longest)

    @cached_property
    def same_length(self) -> bool:
        """Whether all queries have the same number of documents."""
        return bool((self.lengths == self.longest).all())

    @cached_property
    def utility(self) -> Array:
        """(K, N) true utilities w* · x of the stored documents."""
        if self.sparse:
            return np.ascontiguousarray((self.features @ self.weights.T).T)
        return np.concatenate([self._float64(a, b) @ self.weights.T for a, b in self._chunks()]).T.copy()

    @cached_property
    def radius(self) -> float:
        """A bound R on ‖φ(x, y)‖ for every query x and ranking y ([C] Eq. 9).

        By the triangle inequality ‖φ(x, y)‖ ≤ Σ_i γ_i ‖x_(i)‖ with the norms in descending order.
        """
        return self._largest_discounted_sum(np.sqrt(self._squares()))

    @cached_property
    def largest(self) -> float:
        """A bound S on |φ(x, y)|_∞ for every query x and ranking y ([C] §5.1), likewise from the largest |x_j|.

        >>> x = np.array([[3.0, 1.0], [0.0, -2.0]])
        >>> round(RankingData("two", {}, x, np.array([0, 2]), np.eye(2)[:1]).largest, 6)  # 3 + .6309 · 2
        4.26186
        """
        if self.sparse:
            sizes = abs(self.features).max(axis=1).toarray()
        else:
            sizes = np.concatenate([np.abs(self._float64(a, b)).max(axis=1) for a, b in self._chunks()])
        return self._largest_discounted_sum(np.asarray(sizes, dtype=np.float64).ravel())

    def _largest_discounted_sum(self, sizes: Array) -> float:
        """Return the largest Σ_i γ_i s_(i) over the queries, for document sizes s (N,) in descending order."""
        offered = sizes if self.rows is None else sizes[self.rows]
        query = np.repeat(np.arange(self.queries), self.lengths)
        descending = offered[np.lexsort((-offered, query))]  # within each query
        rank = np.arange(len(query)) - self.starts[query]
        return float(np.add.reduceat(descending * self.gamma[rank], self.starts[:-1]).max())

    def only(self, tasks: Array | slice) -> RankingData:
        """Return the same data for some of the tasks, such as a block of users.

        >>> data = RankingData("two", {}, np.eye(2), np.array([0, 2]), np.eye(2), task_names=("one", "other"))
        >>> data.only(slice(1, 2)).task_names, data.only(slice(1, 2)).tasks
        (('other',), 1)
        """
        names = tuple(np.array(self.task_names, dtype=object)[tasks])
        test = None if self.test is None else self.test.only(tasks)
        return replace(self, grades=self.grades[tasks], weights=self.weights[tasks], task_names=names, test=test)

    def one_list(self, query: int) -> RankingData:
        """Return the same data with one query alone, which every step offers: a fixed list.

        The true weights are those of all queries.

        Raises
        ------
        ValueError : for a query that there is not, and for documents that are used up.

        >>> data = RankingData("two", {}, np.eye(4), np.array([0, 2, 4]), np.arange(4.0)[None])
        >>> one = data.one_list(1)
        >>> one.grades, one.fixed_candidates, bool((one.weights == data.weights).all())
        (array([[2., 3.]]), True, True)
        """
        if self.consumable:
            raise ValueError("documents that are used up are no fixed list")
        if not 0 <= query < self.queries:
            raise ValueError(f"query must be from 0 to {self.queries - 1}, got {query}")
        rows = self.documents(query)
        return replace(
            self, features=self.features[rows], starts=np.array([0, len(rows)]), grades=self.grades[:, rows], rows=None,
            query_names=(self.query_names[query],) if self.query_names else (), folds=(), test=None,
            document_names=tuple(self.document_names[i] for i in rows) if self.document_names else (),
            base=None if self.base is None else self.base[rows], fixed_candidates=True,
        )  # fmt: skip

    def documents(self, query: int) -> Array:
        """Return the (n,) rows of `features` that are the query's candidates."""
        a, b = self.starts[query], self.starts[query + 1]
        return np.arange(a, b) if self.rows is None else self.rows[a:b]

    def candidates(self, queries: Array) -> Array:
        """Return the candidates of an array of queries as rows of `features`, shape (..., n), n of the longest.

        A shorter query is padded with its last document; the caller must mask the padding.
        """
        if self.same_length:
            place = self.starts[queries][..., None] + np.arange(self.longest)
        else:
            lengths = self.lengths[queries]
            rank = np.minimum(np.arange(lengths.max()), lengths[..., None] - 1)
            place = self.starts[queries][..., None] + rank
        return place if self.rows is None else self.rows[place]

    def query_name(self, query: int) -> str:
        """Return the query's name in its file, or its number from 1."""
        return self.query_names[query] if self.query_names else str(query + 1)

    def _chunks(self) -> list[tuple[int, int]]:
        n, d = self.features.shape
        size = max(1, _CHUNK // max(d, 1))
        return [(a, min(a + size, n)) for a in range(0, n, size)]

    def _float64(self, a: int, b: int) -> Array:
        return np.asarray(self.features[a:b], dtype=np.float64)

    def _squares(self) -> Array:
        """Return ‖x‖² of the stored documents, shape (N,)."""
        if self.sparse:
            return np.asarray(self.features.multiply(self.features).sum(axis=1), dtype=np.float64).ravel()
        return np.concatenate([np.einsum("nd,nd->n", x, x) for x in (self._float64(a, b) for a, b in self._chunks())])

    def _fit_sparse(self) -> Array:
        """Return the (K, d) weights of the ridge fit of the grades on sparse features."""
        from datasets.ridge import ridge

        squares = self._squares() if np.isfinite(self.features.data).all() else np.array([np.inf])
        if not np.isfinite(squares).all():
            raise ValueError("a feature is not a finite number, or too large to compute with")
        return np.ascontiguousarray(ridge(self.features, self.grades.T, RIDGE * float(squares.mean())).T)

    def _fit(self) -> Array:
        """Return the (K, d) minimum-norm least-squares weights of the grades on the features."""
        from datasets.least_squares import least_squares

        fit = least_squares(lambda: ((self._float64(a, b), self.grades[:, a:b].T) for a, b in self._chunks()))
        return np.ascontiguousarray(fit.T)


def canonical(features: Any) -> Any:
    """Return sparse features as a csr_array of floating-point numbers with sorted indices and no duplicates."""
    from scipy.sparse import csr_array

    rows = csr_array(features)
    if rows.dtype not in (np.float32, np.float64):
        rows = rows.astype(np.float64)
    if not (rows.has_sorted_indices and rows.has_canonical_format):
        rows = rows.copy()  # so as not to change the caller's matrix
        rows.sum_duplicates()
    return rows


@dataclass(frozen=True)
class Size:
    """The size of a ranking data set, known before it is built."""

    queries: int
    documents: int  # in the longest query
    features: int
    bytes: int


@dataclass(kw_only=True)
class RankingDataset(Dataset):
    """A ranking data set that can be built from its parameters."""

    family: ClassVar[str] = "ranking"
    fixed_candidates: ClassVar[bool] = False  # as in RankingData, known before the data are built
