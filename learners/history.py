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
        self._sums: dict[str, Array] = {}  # running sums, of the metrics that were asked for

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
        """(len(rows), R) means over the `window` steps up to each row (fewer at the start)."""
        sums = self._running_sum(metric)
        first = np.maximum(rows - window, -1)
        means: Array = (sums[rows + 1] - sums[first + 1]) / (rows - first)[:, None]
        return means

    def _running_sum(self, metric: str) -> Array:
        """(t + 1, R) sums of the first 0…t rows, extended by what is new since the last call."""
        values = self[metric]
        sums = self._sums.get(metric)
        done = 0 if sums is None else len(sums) - 1
        if done < self.steps:
            new = np.cumsum(np.nan_to_num(values[done:]), axis=0)
            if sums is None:
                sums = np.zeros((1, self.replicates))
            store = _room(sums.base if sums.base is not None else sums, done + 1, len(new), self.replicates)
            store[done + 1 : done + 1 + len(new)] = new + store[done]
            self._sums[metric] = sums = store[: self.steps + 1]
        assert sums is not None
        return sums

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


def _room(store: Array | None, used: int, more: int, replicates: int) -> Array:
    """`store` with room for `more` rows after `used` ones, twice as large whenever it must grow."""
    if store is not None and used + more <= len(store):
        return store
    grown = np.empty((max(256, 2 * used, used + more), replicates))
    if store is not None:
        grown[:used] = store[:used]
    return grown
