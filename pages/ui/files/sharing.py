"""The data sets that all sessions share: each is loaded once, and they take no more memory than is stated."""

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from fractions import Fraction
from typing import Any

import datasets
from datasets.spec import Spec
from datasets.variables import DATA_MB, RAM_MB, Variable
from learners.run.states import weigh
from pages.ui.files import choose as files

DATA_CACHE_MB = Variable(
    "FEEDBACK_LAB_DATA_CACHE_MB", "integer", 1000, 0, 1_000_000, of=RAM_MB, share=Fraction(1, 7), deprecated=True,
    help="Memory in MB for data sets that stay loaded for the next person. Those used longest ago go first.",
)  # fmt: skip
LARGE = 50e6  # bytes from which data wait for their turn to be loaded
AT_ONCE = 2  # large data sets that are loaded at a time, since loading takes more memory than the data


class Shared:
    """Values by key that take long to make and much memory.

    A caller waits for a value that another makes, and shares the error if it fails. Kept are the values that were
    asked for last, in at most `megabytes()`. A value that somebody else still holds is handed out also after it has
    gone from here.

    >>> import numpy as np
    >>> shared = Shared(lambda: 1)
    >>> shared.get("ones", lambda: np.ones(100_000)) is shared.get("ones", list)
    True
    >>> more = shared.get("more", lambda: np.ones(100_000)), shared.get("more", list)
    >>> len(shared), shared.bytes // 1000
    (1, 800)
    """

    def __init__(self, megabytes: Callable[[], float]) -> None:
        self.megabytes = megabytes
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._held: weakref.WeakValueDictionary[Hashable, Any] = weakref.WeakValueDictionary()
        self._made: dict[Hashable, Future[Any]] = {}  # what is being made
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the value of a key, made if it is not there. Errors of `make` are raised and not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
            held, future = self._held.get(key), self._made.get(key)
            mine = held is None and future is None
            if mine:
                future = self._made[key] = Future()
        if held is not None:
            self._keep(key, held)
            return held
        assert future is not None
        if mine:
            self._make(key, make, future)
        return future.result()

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._kept.clear()
            self._held.clear()

    @property
    def bytes(self) -> int:
        """About how much memory the kept values take."""
        with self._lock:
            return sum(size for _, size in self._kept.values())

    def __len__(self) -> int:
        return len(self._kept)

    def _make(self, key: Hashable, make: Callable[[], Any], future: Future[Any]) -> None:
        try:
            value = make()
            self._keep(key, value)
            future.set_result(value)
        except BaseException as error:
            future.set_exception(error)
        finally:
            with self._lock:
                del self._made[key]

    def _keep(self, key: Hashable, value: Any) -> None:
        size, most = weigh(value, {}), 1e6 * self.megabytes()
        with self._lock:
            self._held[key] = value
            self._kept[key] = value, size
            self._kept.move_to_end(key)
            total = sum(size for _, size in self._kept.values())
            while total > most:
                total -= self._kept.popitem(last=False)[1][1]


DATA = Shared(lambda: DATA_CACHE_MB.value)
_turns = threading.BoundedSemaphore(AT_ONCE)


def load_data(choice: Spec) -> Any:
    """Return the data of a choice, which all sessions share; a file is read again when it has changed.

    Raises
    ------
    ValueError : with a sentence, if they cannot be read or are too large for this server.
    """
    return DATA.get((choice, files.data_version(choice)), lambda: _load(choice))


def _load(choice: Spec) -> Any:
    if choice.values.get("path") == "":
        raise ValueError("Choose a file, or upload one in the catalogue.")
    made = datasets.create(choice.id, **files.resolve(choice.values))
    if "path" not in choice.values and made.size().bytes < LARGE:
        return made.build()
    with _turns:
        data = made.build()
    if data.size().bytes > 1e6 * DATA_MB.value:
        raise ValueError(
            f"These data take {data.size().bytes / 1e6:,.0f} MB of memory; this server allows {DATA_MB.value:,} MB. "
            "Take a smaller file or run it as a script."
        )
    return data
