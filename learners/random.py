"""The random numbers of a run, drawn in streams that know the axis of the replicates.

The R replicates of a run may be P points of a sweep with R / P replicates each. Every point then meets the same random
numbers as in a run by itself. Each draw therefore marks the axis of the replicates by `EACH` in its size.

>>> alone, sweep = Stream(np.random.default_rng(0), replicates=2), Stream(np.random.default_rng(0), 6, points=3)
>>> alone.random((EACH, 3)).round(2)
array([[0.64, 0.27, 0.04],
       [0.02, 0.81, 0.91]])
>>> bool((sweep.random((EACH, 3)) == np.tile(np.random.default_rng(0).random((2, 3)), (3, 1))).all())
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, Final

import numpy as np

from learners.base import Array


class _Marker(Enum):
    EACH = "one for each replicate"


EACH: Final = _Marker.EACH
Size = int | _Marker | tuple[int | _Marker, ...]


class Stream:
    """A stream of random numbers for R replicates, which are P points with R / P replicates each.

    A draw for each replicate has `EACH` once in its size. `stream.random((EACH, 3))` has the shape (R, 3), and
    `stream.random((3, EACH))` the shape (3, R). Numbers that all replicates share are drawn from `common`.

    common : the underlying generator. replicates : R. points : P.

    Raises
    ------
    ValueError : for a size that does not contain `EACH` exactly once.

    >>> stream = Stream(np.random.default_rng(0), replicates=6, points=2)
    >>> stream.replicate
    array([0, 1, 2, 0, 1, 2])
    >>> stream.random(EACH).round(2)
    array([0.64, 0.27, 0.04, 0.64, 0.27, 0.04])
    >>> stream.random((6, 3))
    Traceback (most recent call last):
    ValueError: size must hold EACH once, for the axis of the replicates, got (6, 3); draw from common what they share
    """

    def __init__(self, common: np.random.Generator, replicates: int, points: int = 1) -> None:
        self.common, self.replicates, self.points = common, replicates, points

    @classmethod
    def of(cls, source: Source, replicates: int) -> Stream:
        """Return a stream as it is, or wrap a generator in a stream."""
        return source if isinstance(source, Stream) else cls(source, replicates)

    @property
    def replicate(self) -> Array:
        """The number of each replicate within its point, from 0, (R,)."""
        return np.arange(self.replicates) % (self.replicates // self.points)

    def random(self, size: Size) -> Array:
        """Draw uniform numbers from [0, 1)."""
        return self._draw(size, self.common.random)

    def uniform(self, low: float, high: float, size: Size) -> Array:
        """Draw uniform numbers from [low, high)."""
        return self._draw(size, partial(self.common.uniform, low, high))

    def integers(self, low: int, high: int, size: Size) -> Array:
        """Draw integers from low to high − 1 with equal probability."""
        return self._draw(size, partial(self.common.integers, low, high))

    def standard_normal(self, size: Size) -> Array:
        """Draw from the normal distribution with mean 0 and variance 1."""
        return self._draw(size, self.common.standard_normal)

    def standard_exponential(self, size: Size) -> Array:
        """Draw from the exponential distribution with mean 1."""
        return self._draw(size, self.common.standard_exponential)

    def permutations(self, n: int, dtype: Any = np.int64) -> Array:
        """Draw a permutation of 0 … n − 1 for each replicate, (R, n)."""

        def shuffle(size: tuple[int, ...]) -> Array:
            rows: Array = np.tile(np.arange(n, dtype=dtype), (size[0], 1))
            return self.common.permuted(rows, axis=1, out=rows)

        return self._draw((EACH, n), shuffle)

    def _draw(self, size: Size, draw: Callable[[Any], Any]) -> Array:
        sizes = size if isinstance(size, tuple) else (size,)
        if sizes.count(EACH) != 1:
            raise ValueError(
                f"size must hold EACH once, for the axis of the replicates, got {size}; "
                "draw from common what they share"
            )
        axis = sizes.index(EACH)
        drawn: Array = draw((*sizes[:axis], self.replicates // self.points, *sizes[axis + 1 :]))
        return drawn if self.points == 1 else np.concatenate([drawn] * self.points, axis=axis)


Source = Stream | np.random.Generator  # what a learner may receive; `Stream.of` makes a stream of either


@dataclass(frozen=True)
class Seeds:
    """The source of all random numbers of a run, which come in independent streams from one seed.

    replicates : R. points : P, among which the replicates are divided.

    >>> order, user = Seeds(seed=1, replicates=3).spawn(2)
    >>> order.random(EACH).shape
    (3,)
    """

    seed: int
    replicates: int
    points: int = 1

    def spawn(self, number: int, first: int = 0) -> list[Stream]:
        """Return the streams `first`, `first` + 1, …. None depends on what is drawn from the others."""
        seeds = [np.random.SeedSequence(self.seed, spawn_key=(i,)) for i in range(first, first + number)]
        return [Stream(np.random.default_rng(seed), self.replicates, self.points) for seed in seeds]
