"""Search among the functions of Python libraries: queries as a person types them, drawn from names and texts."""

from dataclasses import dataclass

import numpy as np

from datasets.base import Array
from datasets.functions import features
from datasets.functions.asking import ask, grade
from datasets.functions.index import Index, index
from datasets.functions.tuned import tuned_weights
from datasets.parameters import integer
from datasets.ranking import RankingData, RankingDataset, Size

_ROWS = 4096  # documents of the fit that are converted to float64 at a time


@dataclass(kw_only=True)
class FunctionSearch(RankingDataset):
    """The functions of NumPy, pandas, SciPy, and scikit-learn; each user looks for one of them.

    A function that m other docstrings name is looked for with a chance proportional to 1 + m. The user types one to
    three neighbouring words of its name, half of the time a word of its first sentence, one time in five its package.
    The query offers the `documents` best matches of a full-text search, in random order. If the function is not among
    them, it takes the place of the last; where fewer match, random functions fill up.

    Relevance goes by name and module alone. The function itself has grade 4, one with the same name elsewhere 3. One of
    the same module or class has grade 2 if it shares at least half of the words of the name, or else 1, as has one of
    the same package that shares one. All others have grade 0.

    Features (Q · n, d) float32: each query and document has features of its own (`features.names`). w* is the ridge
    fit of the grades with λ = mean ‖x‖². `tuned` is a ranker tuned by hand. The texts are read from the installed
    libraries, so other versions give other data.

    Raises
    ------
    ValueError : for a parameter that is out of its range; from `build` where there are no docstrings.

    Source: the set-up follows Raman et al., Stable Coactive Learning via Perturbation, ICML 2013, §7, a study with the
    full-text search of arXiv.org.
    """

    id = "function-search"
    order = 65
    judged_by = "names and summaries"
    title = "Functions: search in docstrings"
    summary = (
        "Every document is a function of NumPy, pandas, SciPy or scikit-learn, described by how its name and docstring "
        "match the query. A user looks for one function and also likes those with similar names nearby."
    )
    paper = "Raman et al., Stable Coactive Learning via Perturbation, ICML 2013"
    section = "§7 (full-text search); texts: docstrings of the installed libraries"

    documents: int = integer(20, 10, 50, symbol="n", help="Functions in each query, the best matches of a text search.")
    queries: int = integer(500, 100, 2000, help="Different queries before they repeat.")
    data_seed: int = integer(
        0, 0, 2**31 - 1, rare=True, help="Seed of the queries; another seed gives others of the same kind."
    )

    def size(self) -> Size:
        d, rows = len(features.names()), self.queries * self.documents
        return Size(self.queries, self.documents, d, 4 * rows * d + 8 * rows)

    def build(self) -> RankingData:
        rng = np.random.default_rng(self.data_seed)
        held = index()
        sought, queries = ask(held.functions, self.queries, rng)
        offered = np.empty((self.queries, self.documents), dtype=int)
        shown = np.empty((self.queries * self.documents, len(features.names())), dtype=np.float32)
        for q, query in enumerate(queries):
            rows, x = self._candidates(held, query, int(sought[q]), rng)
            order = rng.permutation(self.documents)
            offered[q] = rows[order]
            shown[q * self.documents : (q + 1) * self.documents] = x[order]
        grades = grade(held.functions, sought, offered).reshape(1, -1)
        names = tuple(f"{function.qualified} · {function.summary}" for function in held.functions)
        return RankingData(
            id=self.id,
            params=self.params,
            features=shown,
            starts=np.arange(self.queries + 1) * self.documents,
            grades=grades,
            weights=_fit(shown, grades),
            query_names=tuple(queries),
            document_names=tuple(names[row] for row in offered.ravel()),
            tuned=tuned_weights(),
            top_grade=4,
        )

    def _candidates(self, held: Index, query: str, sought: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Return the rows (n,) that the query offers, with the function sought, and their features (n, d)."""
        rows = held.search(query, self.documents).rows
        spare = rng.permutation(len(held.functions))[: 2 * self.documents]
        if sought not in rows:
            rows = np.append(rows[: self.documents - 1], sought)
        rows = np.append(rows, spare[~np.isin(spare, rows)])[: self.documents]
        return rows, held.describe(query, rows).features


def _fit(x: Array, grades: Array) -> Array:
    """Return the weights (1, d) of the ridge fit of the grades (1, N) on the features x (N, d), with λ = mean ‖x‖²."""
    from scipy.linalg import solve

    gram, right = np.zeros((x.shape[1],) * 2), np.zeros(x.shape[1])
    for a in range(0, len(x), _ROWS):
        part = x[a : a + _ROWS].astype(np.float64)
        gram += part.T @ part
        right += part.T @ grades[0, a : a + _ROWS]
    gram[np.diag_indices_from(gram)] += np.trace(gram) / len(x)
    weights: Array = solve(gram, right, assume_a="pos")
    return weights[None]
