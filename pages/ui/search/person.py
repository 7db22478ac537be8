"""A person at the search engine: one search after another, of which the odd ones teach and the even ones compare."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from datasets.functions.index import Hit, Index
from datasets.functions.tuned import tuned_weights
from learners import create
from learners.base import Array
from learners.interleaving.live import Live

LEARNERS = {"preference-perceptron": "Perceptron", "perturbed-perceptron": "3PR"}  # with their names on the page
TUNED = "Hand-tuned"
MOST_FOUND = 40  # functions that are found, of which a list shows the first
IDEAS = (  # queries to begin with
    "singular value decomposition", "merge two tables", "random forest", "sort by several columns", "distance matrix",
    "read csv", "fourier transform", "missing values", "split train test", "moving average", "confusion matrix",
    "solve linear equations", "count unique values", "text to features", "interpolate", "standard deviation",
    "nearest neighbors", "random permutation", "minimize a function", "pivot table",
)  # fmt: skip

Kind = Literal["teach", "compare"]


@dataclass(frozen=True)
class Search:
    """A search that the person has ended. clicked : full names of the functions. learner : that was compared, or "".

    outcome : 1 if that learner won, −1 if it lost, 0 for a tie, and 0 for a search that taught.
    """

    query: str
    kind: Kind
    clicked: tuple[str, ...]
    learner: str = ""
    outcome: int = 0


@dataclass
class Searcher:
    """The search engine of one person, and the search that is on the page.

    Attributes
    ----------
    live : the learners, which start as the hand-tuned ranker. found : what the search on the page has found, or None.
    kind, ended : of that search, and whether the person has clicked and ended it. problem : a sentence on the latest
    query, or "". log : the searches that were ended. before_crowd : the state before a crowd took over, or None.

    >>> from datasets.functions.index import Index
    >>> from datasets.functions.corpus import DocumentedFunction
    >>> words = ("Solve a system.", "Sort an array.", "Sort a table.")
    >>> named = [(f"sort_{i}", text) for i, text in enumerate(words)]
    >>> known = [DocumentedFunction("numpy", "numpy", name, "function", text, "") for name, text in named]
    >>> person = Searcher(Index(known))
    >>> person.search("sort table")
    >>> person.kind, person.ended, len(person.found.rows)
    ('teach', False, 3)
    >>> person.done([0])
    >>> person.log
    [Search(query='sort table', kind='teach', clicked=('numpy.sort_2',), learner='', outcome=0)]
    """

    index: Index
    seed: int = 0
    found: Hit | None = None
    kind: Kind = "teach"
    ended: bool = False
    problem: str = ""
    marked: set[int] = field(default_factory=set)  # documents clicked so far, numbers from 0
    log: list[Search] = field(default_factory=list)
    before_crowd: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        self.live = Live({id: create(id) for id in LEARNERS}, tuned_weights(), self.seed)

    @property
    def next(self) -> Kind:
        """The purpose of the next search. Purposes alternate, beginning with a search that teaches."""
        return "teach" if self.live.taught <= self.live.compared else "compare"

    @property
    def number(self) -> int:
        """The number, from 1, of the search on the page, or of the next one if there is none."""
        return self.live.taught + self.live.compared + (not self.ended)

    def search(self, query: str) -> None:
        """Begin a search. One that waits for clicks ends first with the clicks there are, or is forgotten without.

        Where the query finds nothing, `problem` says why.
        """
        self.done(self.marked)
        found = self.index.search(query, MOST_FOUND)
        self.problem, self.marked, self.ended = found.problem, set(), False
        self.found = found if len(found.rows) else None
        if self.found is None:
            return
        self.kind = self.next
        if self.kind == "teach":
            self.live.teach(found.features)
        else:
            self.live.compare(found.features)

    def done(self, clicked: Iterable[int]) -> None:
        """End the search with clicks on these documents, numbers from 0. Without any, nothing happens."""
        documents = sorted({i for i in clicked if self.found is not None and 0 <= i < len(self.found.rows)})
        if self.found is None or self.ended or not documents:
            return
        self.live.clicked(documents)
        names = tuple(self.index.functions[self.found.rows[i]].qualified for i in documents)
        trial = self.live.trial
        learner, outcome = (trial.name, int(trial.outcome or 0)) if trial is not None else ("", 0)
        self.log.append(Search(self.found.query, self.kind, names, learner, outcome))
        self.marked, self.ended, self.before_crowd = set(documents), True, None

    def ideas(self, number: int) -> list[str]:
        """Return some queries to go on with, those that were not asked yet first."""
        asked = {search.query for search in self.log}
        fresh = [idea for idea in IDEAS if idea not in asked]
        return [*fresh, *(idea for idea in IDEAS if idea in asked)][:number]

    def rankings(self, query: str) -> tuple[Hit, dict[str, Array]]:
        """Return what a query finds, and how the hand-tuned ranker and each learner rank it now. Nothing is learned."""
        found = self.index.search(query, MOST_FOUND)
        if not len(found.rows):
            return found, {}
        names: dict[str, str | None] = {TUNED: None} | {title: id for id, title in LEARNERS.items()}
        return found, {title: self.live.rank(found.features, id) for title, id in names.items()}

    def gained(self, id: str) -> Array:
        """Return by how much the weights (d,) of a learner have moved from the hand-tuned ones."""
        change: Array = self.live.weights(id) - self.live.fixed
        return change

    @property
    def changed(self) -> bool:
        """Whether a learner has other weights than the hand-tuned ranker."""
        return any(self.gained(id).any() for id in LEARNERS)

    def top_changes(self, number: int) -> list[int]:
        """Return the features whose weights have moved most in either learner, the largest movement first."""
        most = np.max([np.abs(self.gained(id)) for id in LEARNERS], axis=0)
        order = np.argsort(-most, kind="stable")[:number]
        return [int(i) for i in order if most[i] > 0]

    # ---- a crowd, and another place --------------------------------------------------------------------

    def crowd_goes_on(self, weights: Mapping[str, Array]) -> None:
        """Let the learners go on from the weights (d,) that a crowd has taught them. Wins stay the person's own.

        A search that waits for clicks begins again.
        """
        before = {"state": self.live.state(), "log": list(self.log)}
        self.live.go_on_from(weights)
        self._again()
        self.before_crowd = before

    def undo_crowd(self) -> None:
        """Go back to the state before the crowd, as long as no search has followed it."""
        if self.before_crowd is None:
            return
        found, before = self.found, self.before_crowd
        self.restored(before["state"], before["log"])
        self.found = found
        self._again()

    def _again(self) -> None:
        """Begin the search on the page again if it waits for clicks, or if nothing is known of it any more."""
        if self.found is not None and not (self.ended and (self.live.lessons or self.live.trial)):
            self.marked = set()
            self.search(self.found.query)

    def restored(self, state: Any, log: list[Search]) -> None:
        """Take over a state of `live` and a log.

        Raises
        ------
        ValueError : with a sentence, for anything that is no such state; then nothing has changed.
        """
        self.live.restored(state)
        self.log, self.found, self.problem, self.before_crowd = log, None, "", None
        self.marked, self.ended = set(), False
