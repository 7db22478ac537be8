"""A simulation of several points of a grid at once, all of which meet the same data order and the same noise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from learners.ranking.world.environment import RankingEnvironment
from learners.run.history import LEAST, History
from learners.run.simulation import Simulation


class Tiled(np.random.Generator):
    """Random numbers of r replicates, given to each of P points: what is drawn for P·r replicates repeats P times.

    So all points meet the same order and noise, and a point gets the same numbers however a grid is cut into batches.
    The replicate axis of a draw is the first or the last, whichever has the length P·r.

    >>> Tiled(np.random.SeedSequence(0), points=2, replicates=3).random(6).round(2)
    array([0.64, 0.27, 0.04, 0.64, 0.27, 0.04])
    """

    def __init__(self, seed: np.random.SeedSequence, points: int, replicates: int) -> None:
        super().__init__(np.random.PCG64(seed))
        self.points, self.replicates = points, replicates

    def _tiled(self, draw: Callable[[Any], Any], size: Any) -> Any:
        shape = (size,) if isinstance(size, (int, np.integer)) else tuple(size or ())
        total = self.points * self.replicates
        axis = next((a for a in (0, len(shape) - 1) if shape and shape[a] == total), None)
        if axis is None:
            return draw(size)
        drawn = draw((*shape[:axis], self.replicates, *shape[axis + 1 :]))
        return np.concatenate([drawn] * self.points, axis=axis)

    def random(self, size: Any = None, *args: Any, **more: Any) -> Any:
        return self._tiled(lambda n: super(Tiled, self).random(n, *args, **more), size)

    def standard_normal(self, size: Any = None, *args: Any, **more: Any) -> Any:
        return self._tiled(lambda n: super(Tiled, self).standard_normal(n, *args, **more), size)

    def standard_exponential(self, size: Any = None, *args: Any, **more: Any) -> Any:
        return self._tiled(lambda n: super(Tiled, self).standard_exponential(n, *args, **more), size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        return self._tiled(lambda n: super(Tiled, self).uniform(low, high, n), size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._tiled(lambda n: super(Tiled, self).normal(loc, scale, n), size)

    def integers(self, low: Any, high: Any = None, size: Any = None, *args: Any, **more: Any) -> Any:
        return self._tiled(lambda n: super(Tiled, self).integers(low, high, n, *args, **more), size)

    def permuted(self, x: Any, *, axis: Any = None, out: Any = None) -> Any:
        if axis != 1 or len(x) != self.points * self.replicates:
            return super().permuted(x, axis=axis, out=out)
        drawn = np.concatenate([super().permuted(x[: self.replicates], axis=1)] * self.points)
        if out is None:
            return drawn
        out[...] = drawn
        return out


class _Streams(np.random.SeedSequence):
    """A seed whose streams are tiled."""

    def __init__(self, seed: int, points: int, replicates: int) -> None:
        super().__init__(seed)
        self.tiling = points, replicates

    def spawn(self, n_children: int) -> Any:
        """Generators in place of seeds; `np.random.default_rng` hands them on as they are."""
        return [Tiled(seed, *self.tiling) for seed in np.random.SeedSequence(self.entropy).spawn(n_children)]


class Points(Simulation):
    """A simulation of P points of a grid with r replicates each; replicate p·r + j is replicate j of point p.

    Each point gets the numbers that it gets in a simulation of its own with r replicates.
    """

    def __init__(self, learner: Any, dataset: Any, user: Any, points: int, replicates: int, seed: int) -> None:
        self.points = points
        # what is told is the end of the run, so few steps are kept; how many must not depend on the batch
        super().__init__(learner, dataset, user, points * replicates, seed, recorded=LEAST)

    def reset(self) -> None:
        each = self.replicates // self.points
        self.history = History(self.replicates, self.recorded)
        seeds = _Streams(self.seed, self.points, each) if self.points > 1 else np.random.SeedSequence(self.seed)
        self.environment = self._environment(self.dataset, self.user, self.learner, self.replicates, seeds)
        if isinstance(self.environment, RankingEnvironment):  # tasks are dealt out anew to the replicates of each point
            self.environment.world.deal(np.arange(self.replicates) % each)
