"""The comparison of a learner with a fixed ranker on a simulated live search engine ([S] §7, Figs. 1 and 3)."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from datasets.parameters import within
from learners.base import Learner
from learners.event import Event
from learners.interleaving import metrics
from learners.interleaving.engine import LiveEngine
from learners.interleaving.events import EVENTS
from learners.interleaving.fixed import LINEAR_SAMPLE
from learners.interleaving.verdict import Verdict, check_level
from learners.ranking.interleave import METHODS
from learners.ranking.users.base import User
from learners.run.past import MEGABYTES
from learners.run.simulation import Simulation


class Comparison(Simulation):
    """A simulation whose steps have two searches: one teaches the learner, one compares it with a fixed ranker.

    The second search interleaves the rankings of w_t (not perturbed) and of w_fixed, and the user's clicks decide which
    of them wins. [S] assigns its users to the two groups at random. Here the searches take turns, so with the same seed
    the learner learns as in a `Simulation`.

    Parameters, in addition to those of Simulation
    ----------------------------------------------
    fixed : weights of the fixed ranker, (d,), or (K, d) for data with K tasks; or "hand-tuned", the ranker that some
        data bring along, as in the paper; or "linear-sample", least squares on the grades of `sample` queries.
    method : "team-draft" or "balanced" interleaving; [S] used the latter.
    sample : number of queries that "linear-sample" fits; fewer queries make a worse ranker.
    warm_start : start the learner at w_fixed, as [S] did; for data with one task.

    A person's `answers` are to the first search of a step, which teaches the learner.

    Metrics, in addition to those of ranking: wins, losses, ties (so far); win-share = wins / (wins + losses) and
    win-ratio = wins / losses as in Fig. 1, each with the 95 % limits -low and -high of Wilson's interval (NaN if there
    is none or it is unbounded); p-value of the sign test; top10-shared, the documents in the top ten of both rankings;
    advantage, the mean of U(x, ŷ) − U(x, y_fixed) over all comparisons by the true utility, at which clicks only hint.

    Raises
    ------
    ValueError : as Simulation; and for a learner of another family, a user who does not click, and weights, a method
        or a sample that are not allowed.

    >>> run = Comparison("perturbed-perceptron", "web-search", "noisy-grades", sample=2, replicates=2, seed=0)
    >>> run.advance(steps=300)
    >>> run.t, run.last.mixed.teams.shape, run.verdict().says
    (300, (2, 20), 'better')
    """

    def __init__(
        self,
        learner: str | type[Learner] | Learner,
        dataset: str | Any,
        user: str | type[User] | User | None = None,
        fixed: Any = LINEAR_SAMPLE,
        method: str = METHODS[0],
        replicates: int = 1,
        seed: int = 0,
        recorded: int | None = None,
        megabytes: float = MEGABYTES,
        *,
        sample: int = 20,
        warm_start: bool = False,
        answers: Mapping[int, Iterable[int]] | None = None,
    ) -> None:
        self._engine = {"fixed": fixed, "method": method, "sample": sample, "warm_start": warm_start}
        super().__init__(learner, dataset, user, replicates, seed, recorded, megabytes, answers)

    def _environment(self, learner: Any, user: Any) -> LiveEngine:
        if learner.family != "ranking":
            raise ValueError(f"only rankings can be interleaved; {learner.id} is of family {learner.family}")
        return LiveEngine(self.dataset, user, learner, self.replicates, self.seeds, **self._engine)

    @property
    def events(self) -> tuple[Event, ...]:
        return *EVENTS, *super().events

    @property
    def settings(self) -> dict[str, Any]:
        """The settings beside the parameters of a `Simulation`: fixed, method, sample and warm_start."""
        return dict(self._engine)

    @property
    def fixed(self) -> Any:
        """(R, d) weights of the fixed ranker."""
        return self.environment.fixed

    def verdict(self, since: int = 0, replicate: int | None = None, level: float = 0.05) -> Verdict:
        """Return what the comparisons after step `since` say, for all replicates together or for one.

        `since` is rounded down to a step for which the history has a row.

        Raises
        ------
        ValueError : for a step that has not been taken, a replicate that does not exist, and an impossible level.
        """
        within("since", since, 0, self.t, "a step ")
        if replicate is not None:
            within("replicate", replicate, 0, self.replicates - 1)
        check_level(level)
        counts = []
        for metric in (metrics.WINS, metrics.LOSSES, metrics.TIES):
            if self.t == 0:
                counts.append(0)
                continue
            row = int(np.searchsorted(self.history.at, since, side="right")) - 1
            values = self.history[metric.id]
            of = values[-1] - (values[row] if row >= 0 else 0)
            counts.append(int(of.sum() if replicate is None else of[replicate]))
        wins, losses, ties = counts
        return Verdict.of(wins, losses, ties, level)
