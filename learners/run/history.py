"""The history of a run, which holds for every metric an array (rows, replicates) with a row for each step kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from datasets.parameters import shown, whole
from learners.base import Array
from learners.metric import Metric

MOST_CELLS = 2_000_000  # rows × replicates that are recorded one by one
MOST_ROWS, LEAST_ROWS = 100_000, 2_000  # of them


class History(Mapping[str, Array]):
    """A record of every metric that grows block by block.

    `history[id]` is a read-only view of shape (t, R) whose row t − 1 is the state after t steps.

    The record of a long run is thinned on a logarithmic grid. Each of the first `recorded` steps has a row. Of the next
    `recorded` steps every second one has a row, of the next 2 · `recorded` every fourth, and so on. The latest step
    always has a row. `at` holds the step of each row. For a metric of single steps, a row then holds the mean over the
    steps since the row before. By default 2,000,000 / R steps are recorded one by one, but at least 2,000 and at most
    100,000.

    One thread may append while others read: rows never become fewer.

    >>> history = History(replicates=2)
    >>> regret, mistakes = Metric("regret", "Regret", "Of the run."), Metric("mistakes", "Mistakes", "So far.")
    >>> history.append({regret: np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])})
    >>> history["regret"].shape
    (3, 2)
    >>> history.smooth("regret", np.array([2]), window=2)  # mean of steps 2 and 3
    array([[4., 5.]])
    >>> long = History(replicates=1, recorded=4)
    >>> long.append({mistakes: np.arange(1.0, 20.0)[:, None]})
    >>> long.at
    array([ 1,  2,  3,  4,  6,  8, 12, 16, 19])
    """

    def __init__(self, replicates: int, recorded: int | None = None) -> None:
        if recorded is not None:
            recorded = whole("recorded", recorded, low=1)
        self.replicates = replicates
        self.recorded = recorded or min(MOST_ROWS, max(LEAST_ROWS, MOST_CELLS // replicates))
        self.steps = 0  # steps so far
        self.rows = 0  # rows kept
        self._at: Array = np.empty(0, dtype=np.int64)
        self._data: dict[str, Array] = {}
        self.metrics: dict[str, Metric] = {}  # declarations by id
        # for each thinned metric, the sums and the numbers of values over the steps since the last row on the grid
        self._pending: dict[str, tuple[Array, Array]] = {}
        self._numbers: dict[
            str, Array
        ] = {}  # for metrics with missing values, the number of values behind each row, (rows, R)
        # for each metric smoothed so far, running sums of its values, and if some are missing, of their number
        self._sums: dict[str, _RunningSum] = {}
        self._known: dict[str, _RunningSum] = {}
        self._lock = threading.Lock()  # for the running sums, which grow when somebody looks

    @property
    def at(self) -> Array:
        """The step that each row stands for, (rows,)."""
        return self._at[: self.rows]

    @property
    def bytes(self) -> int:
        """About how much memory the history takes."""
        sums = (running.bytes for running in (*list(self._sums.values()), *list(self._known.values())))
        return sum(values.nbytes for values in (self._at, *list(self._data.values()))) + sum(sums)

    @property
    def thinned(self) -> bool:
        """Whether there are fewer rows than steps."""
        return self.steps > self.recorded

    def append(self, block: Mapping[Metric, Array]) -> None:
        """Add a block of values (B, R) for each metric. All blocks must have the same metrics."""
        with self._lock:
            self._append(block)

    def _append(self, block: Mapping[Metric, Array]) -> None:
        size = len(next(iter(block.values())))
        steps = np.arange(self.steps + 1, self.steps + size + 1)
        start = self.rows
        if start and not self._on_grid(self.at[-1:])[0]:
            start -= 1  # the last row was kept only as the latest
            for sums in (*self._sums.values(), *self._known.values()):
                sums.rows = min(sums.rows, start)
        on_grid = self._on_grid(steps)
        kept = np.flatnonzero(on_grid)
        if not on_grid[-1]:
            kept = np.append(kept, size - 1)
        end = start + len(kept)
        for metric, values in block.items():
            name = metric.id
            self.metrics[name] = metric
            self._data[name] = _room(self._data.get(name), start, len(kept), self.replicates)
            if metric.per_step and steps[-1] > self.recorded:
                values = self._means(name, values, start, kept, on_grid)
            elif len(kept) < size:
                values = values[kept]
            self._data[name][start:end] = values
        self._at = _room(self._at, start, len(kept))
        self._at[start:end] = steps[kept]
        self.rows, self.steps = end, self.steps + size

    def until(self, step: int) -> History:
        """Return the history up to a step, or else to the latest step before it that keeps its row in a longer run.

        It goes on as if it had ended there.

        >>> history = History(replicates=1, recorded=4)
        >>> history.append({Metric("mistakes", "Mistakes", "So far."): np.arange(1.0, 20.0)[:, None]})
        >>> history.until(11).at, history.until(11).steps
        (array([1, 2, 3, 4, 6, 8]), 8)
        """
        step = whole("step", step)
        short = History(self.replicates, self.recorded)
        at = self.at
        on_grid = self._on_grid(at) if len(at) else at
        rows = short.rows = int(np.count_nonzero(on_grid & (at <= step))) if len(at) else 0
        if rows:
            short.steps, short.metrics = int(at[rows - 1]), dict(self.metrics)
            short._at = at[:rows].copy()
            short._data = {name: self._data[name][:rows].copy() for name in self.metrics}
            if short.thinned:  # before, there is one step to a row
                short._numbers = {name: numbers[:rows].copy() for name, numbers in dict(self._numbers).items()}
        return short

    def of(self, replicates: slice) -> History:
        """Return the history of some of the replicates, as a run of these alone has it. It does not grow.

        >>> history = History(replicates=3)
        >>> history.append({Metric("mistakes", "Mistakes", "So far."): np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])})
        >>> history.of(slice(1, 3))["mistakes"]
        array([[2., 3.],
               [5., 6.]])
        """
        columns = range(self.replicates)[replicates]
        part = History(len(columns), self.recorded)
        part.rows, part.steps, part.metrics, part._at = self.rows, self.steps, dict(self.metrics), self._at[: self.rows]
        part._data = {name: values[: self.rows, replicates] for name, values in self._data.items()}
        part._numbers = {name: numbers[: self.rows, replicates] for name, numbers in self._numbers.items()}
        return part

    def _on_grid(self, steps: Array) -> Array:
        """Return for each step whether it keeps its row."""
        if steps[-1] <= self.recorded:
            return np.ones(len(steps), dtype=bool)
        power = np.ceil(np.log2(steps / self.recorded)).clip(0).astype(np.int64)
        return np.asarray(steps % (np.int64(1) << power) == 0)

    def _means(self, name: str, values: Array, start: int, kept: Array, on_grid: Array) -> Array:
        """Return means over the steps since the row before, (len(kept), R), without missing values (NaN)."""
        missing = np.isnan(values)
        if missing.any() and name not in self._numbers:  # count the values from now on
            self._numbers[name] = np.repeat(
                np.diff(self._at[:start], prepend=0).astype(float)[:, None], self.replicates, 1
            )
            before = self._data[name][:start]
            self._numbers[name][np.isnan(before)] = 0
        sums, number = self._pending.get(name, (np.zeros(self.replicates), np.zeros(self.replicates)))
        first = np.append(0, kept[:-1] + 1)
        counts: Array = np.repeat((kept - first + 1.0)[:, None], self.replicates, axis=1)
        if name in self._numbers:
            counts = np.add.reduceat(~missing, first, axis=0, dtype=float)
        counts[0] += number
        totals = _sums_of_runs(np.where(missing, 0.0, values), first, kept, sums)
        self._pending.pop(name, None)
        if not on_grid[-1]:
            self._pending[name] = (totals[-1], counts[-1])
        if name in self._numbers:
            self._numbers[name] = _room(self._numbers[name], start, len(kept), self.replicates)
            self._numbers[name][start : start + len(kept)] = counts
        means = np.full(totals.shape, np.nan)
        np.divide(totals, counts, out=means, where=counts > 0)
        return means

    def __getitem__(self, metric: str) -> Array:
        if not isinstance(metric, str) or metric not in self._data:
            raise KeyError(f"there is no metric {shown(metric)!r}; recorded are: {', '.join(self._data)}")
        values = self._data[metric][: self.rows]
        values.flags.writeable = False
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._data))

    def __len__(self) -> int:
        return len(self._data)

    def row_of(self, steps: Array) -> Array:
        """Return the distinct rows that stand for these steps, or else for the next step that is kept."""
        rows: Array = np.unique(np.minimum(np.searchsorted(self.at, steps), self.rows - 1))
        return rows

    def smooth(self, metric: str, rows: Array, window: int) -> Array:
        """Return means over the `window` steps up to the step of each row (fewer at the start), (len(rows), R).

        Steps without a value are left out. The mean is NaN if no step of the window has a value.
        """
        window = min(whole("window", window, low=1), self.steps + 1)
        with self._lock:
            return self._smooth(metric, rows, window)

    def _smooth(self, metric: str, rows: Array, window: int) -> Array:
        values = self[metric]
        at = np.append(0, self.at)  # at[i] is the step of row i − 1
        gaps = np.diff(at)[:, None]
        sums = self._sums.setdefault(metric, _RunningSum(self.replicates))
        new, weights = values[sums.rows :], self._numbers.get(metric, gaps)[: self.rows]
        missing = np.isnan(new)
        sums.extend(np.where(missing, 0.0, new) * weights[sums.rows :])
        if missing.any() or metric in self._numbers:
            self._known.setdefault(metric, _RunningSum(self.replicates))
        first = np.maximum(np.searchsorted(at, at[rows + 1] - window, side="right") - 2, -1)
        if metric not in self._known:
            means: Array = sums.between(first, rows) / (at[rows + 1] - at[first + 1])[:, None]
            return means
        known = self._known[metric]
        known.extend(~np.isnan(values[known.rows :]) * weights[known.rows :])
        number = known.between(first, rows)
        means = np.full(number.shape, np.nan)
        np.divide(sums.between(first, rows), number, out=means, where=number > 0)
        return means

    def final(self, metric: str) -> Array:
        """Return the values of a metric at the end of the run, (R,).

        For a metric of single steps this is the mean over the last tenth of the steps, for others the last value.
        """
        last = self[metric][-1]
        if self.metrics[metric].per_step:
            return np.asarray(self.smooth(metric, np.array([self.rows - 1]), max(1, self.steps // 10))[0])
        return np.asarray(last)

    def frame(self, every: int = 1) -> pd.DataFrame:
        """Return every `every`-th row as a tidy table with the columns step, replicate, metric and value."""
        every = min(whole("every", every, low=1), self.rows + 1)
        rows = np.arange(every - 1, self.rows, every)
        parts = [
            pd.DataFrame(
                {
                    "step": np.repeat(self.at[rows], self.replicates),
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


def _sums_of_runs(values: Array, first: Array, last: Array, before: Array) -> Array:
    """Return the sums of values[first : last + 1], (len(first), R). The first sum starts from `before`.

    The values are added one by one, unlike in np.add.reduceat, so that the bits do not depend on how a run is sliced.
    """
    lengths = last - first + 1
    totals = np.concatenate([before[None], np.zeros((len(first) - 1, len(before)))])
    if len(first) <= lengths.max():
        for i, (a, b) in enumerate(zip(first, last, strict=True)):
            totals[i] = np.cumsum(np.concatenate([totals[i : i + 1], values[a : b + 1]]), axis=0)[-1]
    else:
        for step in range(lengths.max()):
            going = np.flatnonzero(lengths > step)
            totals[going] += values[first[going] + step]
    return totals


class _RunningSum:
    """Sums over the first rows of an array that grows at its end."""

    def __init__(self, replicates: int) -> None:
        self.rows = 0  # rows summed so far
        self._store = np.zeros((1, replicates))  # (rows + 1 or more, R); row i holds the sum of the first i rows

    @property
    def bytes(self) -> int:
        return self._store.nbytes

    def extend(self, new: Array) -> None:
        """Add new rows one by one, so that the bits of the sums do not depend on when they are asked for."""
        start, end = self.rows, self.rows + len(new)
        self._store = _room(self._store, start + 1, len(new), self._store.shape[1])
        self._store[start + 1 : end + 1] = new
        np.cumsum(self._store[start : end + 1], axis=0, out=self._store[start : end + 1])
        self.rows = end

    def between(self, first: Array, last: Array) -> Array:
        """Return the sums of the rows after `first` up to `last`, (len(last), R)."""
        difference: Array = self._store[last + 1] - self._store[first + 1]
        return difference


def _room(store: Array | None, used: int, more: int, *shape: int) -> Array:
    """Return `store` with room for `more` rows after the `used` ones. It doubles whenever it must grow."""
    if store is not None and used + more <= len(store):
        return store
    grown = np.empty((max(256, 2 * used, used + more), *shape), dtype=float if store is None else store.dtype)
    if store is not None:
        grown[: len(store)] = store  # all of it, for those who read meanwhile
    return grown
