"""A live search engine for one person, whose clicks teach several learners and compare each with a fixed ranker.

[S] §7 did this with the visitors of a search engine, half of whom taught a learner, while the other half compared it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from datasets.parameters import shown
from datasets.ranking import discounts
from learners.base import Array, Shape
from learners.interleaving.verdict import Verdict
from learners.random import Stream
from learners.ranking.base import Context, Feedback, RankingLearner, Shown, presents_by_hand
from learners.ranking.interleave import Interleaved, interleave, preference

SLOTS = 10  # positions of a list that a person sees; a document further down cannot be clicked
METHOD = "balanced"  # the interleaving of [S] §7
TEACH, COMPARE = range(2)  # what random numbers are for
LARGEST_WEIGHT = 1e100  # of a weight, so that scores stay finite numbers


@dataclass(frozen=True)
class TaughtSearch:
    """The ranking that one learner showed in a search that teaches, and its update. All rankings are (n,).

    shown : the ranking that the person saw. before : the one it believed best. partner : by position, the position in
    the same pair, or itself. swapped : (n,) bool by position, whether the pair was exchanged before it was shown.
    After the clicks, clicks : (n,) bool by position of `shown`. improved : the feedback ranking, from which it learned.
    after : the ranking that it believes best now. change : (d,) by how much its weights moved.
    """

    shown: Array
    before: Array
    partner: Array
    swapped: Array
    clicks: Array | None = None
    improved: Array | None = None
    after: Array | None = None
    change: Array | None = None

    @property
    def moved(self) -> dict[int, tuple[int, int]]:
        """The rank before and after learning, from 1, of each document that stands elsewhere now."""
        if self.after is None:
            return {}
        old, new = np.argsort(self.before), np.argsort(self.after)
        return {int(i): (int(old[i]) + 1, int(new[i]) + 1) for i in np.flatnonzero(old != new)}


@dataclass(frozen=True)
class LiveTrial:
    """A search that compares. mixed : the list, with a first axis of 1, in which `first` is the learner's ranking.

    name : of the learner. outcome : 1 if it won, −1 if it lost, 0 for a tie, None before the clicks. clicks : (n,) bool
    by position, or None before them.
    """

    name: str
    mixed: Interleaved
    outcome: int | None = None
    clicks: Array | None = None


class Live:
    """Learners that one person's clicks teach and compare, search by search.

    A search begins with `teach`, which returns what each learner shows, or with `compare`, which mixes the list of one
    learner with the fixed ranker's. `clicked` ends it. A search that is not ended has never happened. The random
    numbers of a search follow from the seed and from how many searches came before it, so that a state that is kept
    and `restored` goes on in the same way.

    learners : by a name each, compiled learners whose class is nothing but its rules. fixed : (d,) weights of the fixed
    ranker, with which all of them start. seed : of the swaps and of who leads an interleaved list.

    Attributes
    ----------
    taught, compared : number of searches of either kind so far. lessons : by name, the latest search that teaches.
    trial : the latest search that compares, or None. open : whether a search waits for clicks.

    Raises
    ------
    ValueError : for a learner that learns by a method of its own, and for weights that are not (d,) finite numbers.

    >>> from learners import create
    >>> live = Live({"perceptron": create("preference-perceptron")}, fixed=np.zeros(2))
    >>> live.teach(np.eye(2))["perceptron"]
    array([0, 1])
    >>> live.clicked([1])
    >>> live.lessons["perceptron"].moved, live.weights("perceptron").round(2)
    ({0: (1, 2), 1: (2, 1)}, array([-0.37,  0.37]))
    """

    def __init__(self, learners: Mapping[str, RankingLearner], fixed: Array, seed: int = 0) -> None:
        weights = np.array(fixed, dtype=float)
        if weights.ndim != 1 or not np.isfinite(weights).all():
            raise ValueError(f"fixed must be finite weights (d,), got shape {weights.shape}")
        for name, learner in learners.items():
            if presents_by_hand(learner) or learner.solves or learner.tries or learner.reads:
                raise ValueError(f"{name} must be a learner that is nothing but its rules, got {learner.id}")
            if reason := learner.unfit(None, None):
                raise ValueError(reason)
        self.learners, self.fixed, self.seed = dict(learners), weights, seed
        self.taught = self.compared = 0
        self.lessons: dict[str, TaughtSearch] = {}
        self.trial: LiveTrial | None = None
        self._counts = {name: [0, 0, 0] for name in self.learners}  # wins, losses, ties
        self._features: Array = np.empty((0, len(weights)))  # of the latest search
        self._shown: dict[str, Shown] | None = None  # of the search that waits for clicks, if it teaches
        shape = Shape(len(weights), initial_weights=weights)
        for learner in self.learners.values():
            learner.reset(shape, 1, self._stream(TEACH))

    # ---- what it believes ------------------------------------------------------------------------------

    @property
    def open(self) -> bool:
        return self._shown is not None or (self.trial is not None and self.trial.outcome is None)

    @property
    def next(self) -> str:
        """The name of the learner whose turn it is to be compared."""
        return list(self.learners)[self.compared % len(self.learners)]

    def weights(self, name: str) -> Array:
        """Return the weights (d,) of a learner, copied."""
        w: Array = self.learners[name].w[0]
        return w

    def rank(self, features: Any, name: str | None = None) -> Array:
        """Return the ranking (n,) that a learner believes best, or that of the fixed ranker.

        features : (n, d), an array or a sparse matrix. Nothing is learned, and no search begins.
        """
        context = self._context(self._dense(features))
        weights = self.fixed if name is None else self.weights(name)
        ranking: Array = context.rank(context.scores(weights[None]))[0]
        return ranking

    def verdict(self, name: str) -> Verdict:
        """Return what the comparisons of a learner with the fixed ranker say so far."""
        return Verdict.of(*self._counts[name])

    # ---- a search --------------------------------------------------------------------------------------

    def teach(self, features: Any) -> dict[str, Array]:
        """Begin a search that teaches, and return the ranking (n,) that each learner shows of these documents (n, d).

        Raises
        ------
        ValueError : for features that are not (n, d) finite numbers with n ≥ 1.
        """
        self._begin(features)
        context, self._shown = self._context(self._features), {}
        for slot, (name, learner) in enumerate(self.learners.items()):
            learner.rng = self._stream(TEACH, self.taught, slot)
            shown = self._shown[name] = learner.present(context)
            alone = np.arange(context.n)
            partner, swapped = (shown.pairs.partner[0], shown.pairs.swapped[0]) if shown.pairs else (alone, alone < 0)
            self.lessons[name] = TaughtSearch(shown.ranking[0], shown.predicted[0], partner, swapped)
        return {name: lesson.shown for name, lesson in self.lessons.items()}

    def compare(self, features: Any, name: str | None = None) -> Interleaved:
        """Begin a search that compares a learner, or the one whose turn it is, with the fixed ranker.

        Return the interleaved list, with a first axis of 1. The learner's ranking is the one it believes best.

        Raises
        ------
        ValueError : for features that are not (n, d) finite numbers with n ≥ 1, and a learner that is not there.
        """
        name = self.next if name is None else name
        if name not in self.learners:
            raise ValueError(f"learner must be one of {', '.join(self.learners)}, got {name}")
        self._begin(features)
        a, b = self.rank(self._features, name), self.rank(self._features)
        coins = self._stream(COMPARE, self.compared)
        mixed = interleave(a[None], b[None], METHOD, coins)
        self.trial = LiveTrial(name, mixed)
        return mixed

    def clicked(self, documents: Iterable[int]) -> None:
        """End the search with clicks on these documents, numbers from 0. `lessons` or `trial` says what came of it.

        A click counts for a list if the document is among its first positions, those that a person sees.

        Raises
        ------
        RuntimeError : if no search waits for clicks.
        """
        if not self.open:
            raise RuntimeError("no search waits for clicks")
        clicked = np.zeros(len(self._features), dtype=bool)
        clicked[list(documents)] = True
        context = self._context(self._features)
        seen = np.arange(context.n) < SLOTS
        if self._shown is not None:
            for name, learner in self.learners.items():
                self._learn(name, learner, context, clicked[self._shown[name].ranking[0]] & seen)
            self._shown, self.taught = None, self.taught + 1
        elif self.trial is not None:
            clicks = clicked[self.trial.mixed.ranking[0]] & seen
            outcome = int(preference(self.trial.mixed, clicks[None])[0])
            self._counts[self.trial.name][(1, -1, 0).index(outcome)] += 1
            self.trial, self.compared = replace(self.trial, outcome=outcome, clicks=clicks), self.compared + 1

    def _learn(self, name: str, learner: RankingLearner, context: Context, clicks: Array) -> None:
        assert self._shown is not None
        before = self.weights(name)
        improved = learner.update(context, self._shown[name], Feedback(clicks=clicks[None]))
        self.lessons[name] = replace(
            self.lessons[name], clicks=clicks, improved=improved[0], after=self.rank(self._features, name),
            change=self.weights(name) - before,
        )  # fmt: skip

    def _begin(self, features: Any) -> None:
        self._features = self._dense(features)
        self._shown, self.lessons, self.trial = None, {}, None

    def _dense(self, features: Any) -> Array:
        found = np.asarray(features.toarray() if hasattr(features, "toarray") else features, dtype=float)
        if found.ndim != 2 or found.shape[1] != len(self.fixed) or not len(found) or not np.isfinite(found).all():
            raise ValueError(f"features must be finite numbers (n, {len(self.fixed)}), n ≥ 1, got shape {found.shape}")
        return found

    def _context(self, features: Array) -> Context:
        n = len(features)
        gamma = np.where(np.arange(n) < SLOTS, discounts(n), 0.0)
        return Context(features[None], gamma, slots=SLOTS)

    def _stream(self, *key: int) -> Stream:
        return Stream(np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key)), 1)

    # ---- to go on elsewhere ----------------------------------------------------------------------------

    def go_on_from(self, weights: Mapping[str, Array]) -> None:
        """Let some learners, by name, go on from weights (d,) that others have taught."""
        for name, w in weights.items():
            self.learners[name].w = np.asarray(w, dtype=float)[None]

    def state(self) -> dict[str, Any]:
        """Return all that is needed to go on elsewhere, as numbers, lists and dictionaries.

        A search that waits for clicks is left out.
        """
        kept = {
            name: {
                "weights": learner.state[0].tolist(), "memory": learner.tally[0].tolist(), "steps": learner.t,
                "wins": wins, "losses": losses, "ties": ties,
            }
            for (name, learner), (wins, losses, ties) in zip(
                self.learners.items(), self._counts.values(), strict=True
            )
        }  # fmt: skip
        return {"seed": self.seed, "taught": self.taught, "compared": self.compared, "learners": kept}

    def restored(self, state: Any) -> None:
        """Take over a state that `state` has returned, of the same learners. A search that waits for clicks ends.

        Raises
        ------
        ValueError : with a sentence, for anything that is no such state; then nothing has changed.
        """
        found = _fields(state, "the state", seed=int, taught=int, compared=int, learners=dict)
        kept = found["learners"]
        if set(kept) != set(self.learners):
            raise ValueError(f"the learners must be {', '.join(self.learners)}, got {', '.join(map(str, kept))[:200]}")
        states = {}
        for name, learner in self.learners.items():
            one = _fields(kept[name], name, weights=list, memory=list, steps=int, wins=int, losses=int, ties=int)
            rows = _numbers(one["weights"], learner.state[0].shape, f"weights of {name}")
            states[name] = rows, _numbers(one["memory"], learner.tally[0].shape, f"memory of {name}"), one
        for name, (rows, memory, one) in states.items():
            learner = self.learners[name]
            learner.state[0], learner.tally[0], learner.t = rows, memory, one["steps"]
            self._counts[name] = [one["wins"], one["losses"], one["ties"]]
        self.seed, self.taught, self.compared = found["seed"], found["taught"], found["compared"]
        self._shown, self.lessons, self.trial = None, {}, None


def prepare() -> None:
    """Run a small search of either kind, so that what they are compiled to is there when a person needs it."""
    from learners.catalogue import create

    live = Live({id: create(id) for id in ("preference-perceptron", "perturbed-perceptron")}, np.zeros(2))
    for begin in (live.teach, live.compare):
        begin(np.eye(2))
        live.clicked([1])


def _fields(found: Any, of: str, **kinds: type) -> dict[str, Any]:
    """Return a dictionary if it has these fields of these types; whole numbers must be ≥ 0, and < 2^53."""
    if not isinstance(found, dict):
        raise ValueError(f"{of} must be an object, got {type(found).__name__}")
    words = {int: "a whole number from 0", list: "a list", dict: "an object"}
    for name, kind in kinds.items():
        value = found.get(name)
        small = not isinstance(value, int) or 0 <= value < 1 << 53
        if type(value) is not kind or not small:  # nor True, which is an int
            raise ValueError(f"{name} of {of} must be {words[kind]}, got {shown(value)}")
    return found


def _numbers(found: Any, shape: tuple[int, ...], of: str) -> Array:
    """Return nested lists of numbers as an array of this shape."""

    def flat(part: Any, depth: int) -> Iterable[Any]:
        if depth == len(shape):
            yield part
        elif not isinstance(part, list) or len(part) != shape[depth]:
            size = len(part) if isinstance(part, list) else "no list"
            raise ValueError(f"{of} must be {' × '.join(map(str, shape))} numbers, got {size}")
        else:
            for each in part:
                yield from flat(each, depth + 1)

    values = list(flat(found, 0))
    for value in values:
        if type(value) not in (int, float) or not abs(value) <= LARGEST_WEIGHT:  # nor NaN
            raise ValueError(f"{of} must be finite numbers, got {shown(value)}")
    return np.array(values, dtype=float).reshape(shape)
