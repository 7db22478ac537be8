"""The record of a run: for every metric an array of shape (steps, replicates)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Array = NDArray[Any]


class History(Mapping[str, Array]):
    """Grows block by block; `history[id]` is a view of shape (t, R), row t − 1 the state after t steps.

    >>> history = History(replicates=2)
    >>> history.append({"regret": np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])})
    >>> history["regret"].shape
    (3, 2)
    >>> history.smooth("regret", np.array([2]), window=2)  # mean of steps 2 and 3
    array([[4., 5.]])
    """

    def __init__(self, replicates: int) -> None:
        self.replicates = replicates
        self.steps = 0
        self._data: dict[str, Array] = {}
        # of the metrics that were asked for: running sums of the values, and where some are missing, of how many
        # there are
        self._sums: dict[str, _RunningSum] = {}
        self._known: dict[str, _RunningSum] = {}

    def append(self, block: Mapping[str, Array]) -> None:
        """Add a block of (B, R) values for each metric; all blocks have the same metrics."""
        size = len(next(iter(block.values())))
        for name, values in block.items():
            self._data[name] = _room(self._data.get(name), self.steps, size, self.replicates)
            self._data[name][self.steps : self.steps + size] = values
        self.steps += size

    def __getitem__(self, metric: str) -> Array:
        if metric not in self._data:
            raise KeyError(f"there is no metric {metric!r}; recorded are: {', '.join(self._data)}")
        values = self._data[metric][: self.steps]
        values.flags.writeable = False
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def smooth(self, metric: str, rows: Array, window: int) -> Array:
        """(len(rows), R) means over the `window` steps up to each row (fewer at the start).

        Steps without a value are left out; NaN where no step of the window has one.
        """
        values = self[metric]
        sums = self._sums.setdefault(metric, _RunningSum(self.replicates))
        new = values[sums.rows :]
        missing = np.isnan(new)
        sums.extend(np.where(missing, 0.0, new))
        if missing.any():
            self._known.setdefault(metric, _RunningSum(self.replicates))
        first = np.maximum(rows - window, -1)
        if metric not in self._known:
            means: Array = sums.between(first, rows) / (rows - first)[:, None]
            return means
        known = self._known[metric]
        known.extend(~np.isnan(values[known.rows :]))
        number = known.between(first, rows)
        means = np.full(number.shape, np.nan)
        np.divide(sums.between(first, rows), number, out=means, where=number > 0)
        return means

    def frame(self, every: int = 1) -> pd.DataFrame:
        """Tidy table with the columns step, replicate, metric, value; `every` keeps each so manieth step."""
        rows = np.arange(every - 1, self.steps, every)
        parts = [
            pd.DataFrame(
                {
                    "step": np.repeat(rows + 1, self.replicates),
                    "replicate": np.tile(np.arange(self.replicates), len(rows)),
                    "metric": name,
                    "value": self[name][rows].ravel(),
                }
            )
            for name in self
        ]
        if not parts:
            return pd.DataFrame(columns=["step", "replicate", "metric", "value"])
        return pd.concat(parts, ignore_index=True)


class _RunningSum:
    """Sums over the first rows of an array that grows at its end."""

    def __init__(self, replicates: int) -> None:
        self.rows = 0  # summed so far
        self._store = np.zeros((1, replicates))  # (rows + 1 or more, R): row i is the sum of the first i rows

    def extend(self, new: Array) -> None:
        """Add the rows that are new."""
        start, end = self.rows, self.rows + len(new)
        self._store = _room(self._store, start + 1, len(new), self._store.shape[1])
        self._store[start + 1 : end + 1] = self._store[start] + np.cumsum(new, axis=0)
        self.rows = end

    def between(self, first: Array, last: Array) -> Array:
        """(len(last), R) sums of the rows after `first`, up to `last`."""
        difference: Array = self._store[last + 1] - self._store[first + 1]
        return difference


def _room(store: Array | None, used: int, more: int, replicates: int) -> Array:
    """`store` with room for `more` rows after `used` ones, twice as large whenever it must grow."""
    if store is not None and used + more <= len(store):
        return store
    grown = np.empty((max(256, 2 * used, used + more), replicates))
    if store is not None:
        grown[:used] = store[:used]
    return grown
