"""The state of an environment at one step, kept as a copy from which it can go on as often as asked.

An environment shares with all its copies, in place of copying them, the objects that never change in place: the data,
the user, functions, and those that a class names in `shared`.
"""

import gc
import io
import pickle
import sys
from collections.abc import Callable
from functools import cache, partial
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from learners.base import Array
from learners.metric import Metric

_PLAIN = frozenset((int, float, complex, bool, str, bytes, type(None)))
_FIXED = (type, FunctionType, ModuleType, Metric, np.dtype, np.ufunc, type(cache(len)))
_DEPTH = 4  # to which the attributes of what is shared are followed, to find arrays that others hold as well


class State:
    """The state of an environment after t steps, which later steps of that environment do not change.

    A class of the environment, of its learner or of their parts may name attributes in a class variable `shared`.
    These never change in place and are not copied; classes derived from it add names of their own. The `data` and the
    `user` of an environment are always shared. All else is copied: generators with their state, arrays with their
    memory order, and arrays that are views of each other stay so.

    Attributes
    ----------
    t : steps taken. bytes : memory that the copy takes. shared : what classes declare as shared, by id, which the copy
    holds without copying it.

    Raises
    ------
    TypeError : for an environment that holds a function defined in a function, which may hide state.

    >>> from learners import Simulation
    >>> sim = Simulation("preference-perceptron", "toy-ranking", "cascade", seed=1)
    >>> sim.advance(steps=10)
    >>> state = State(sim.environment)
    >>> sim.advance(steps=5)
    >>> copy = state.restore()
    >>> found = copy.run(5)
    >>> bool((copy.learner.weights == sim.learner.weights).all()), copy.data is sim.environment.data
    (True, True)
    """

    def __init__(self, environment: Any) -> None:
        file = io.BytesIO()
        writer = _Writer(file, environment)
        writer.dump(environment)
        self.t: int = environment.t
        self.shared = {key: item for key, item in writer.shared.items() if key not in writer.world and not fixed(item)}
        self._skeleton = file.getvalue()  # everything but what `_parts` makes
        self._parts, owned = _parts(writer.parts, writer.shared)
        self._owned = owned  # copies of arrays, by the id of the original
        arrays = sum(array.nbytes for array in owned.values())
        # and about what Python needs for an array, a part, an entry of a dictionary, and the rest
        self.bytes = len(self._skeleton) + arrays + 250 * len(owned) + 250 * len(self._parts) + 100 * len(self.shared)
        self.bytes += 1000

    def restore(self) -> Any:
        """Return a new environment in this state."""
        owned = {key: array.copy(order="K") for key, array in self._owned.items()}
        return _Reader(io.BytesIO(self._skeleton), [part(owned) for part in self._parts]).load()


class _Writer(pickle.Pickler):
    """Writes an environment without its arrays and without what is shared, which become numbers of `parts`."""

    def __init__(self, file: io.BytesIO, environment: Any) -> None:
        super().__init__(file, protocol=5)
        self.parts: list[Any] = []
        self.shared: dict[int, Any] = {}  # by id
        self._numbers: dict[int, int] = {}  # of the parts, by id
        for name in ("data", "user"):
            self._share(getattr(environment, name, None))
        self.world = frozenset(self.shared)  # held by the environment as long as it lives

    def persistent_id(self, item: Any) -> int | None:
        """Return the number of a part, or None for what is written."""
        if type(item) in _PLAIN:
            return None
        number = self._numbers.get(id(item))
        if number is not None:
            return number
        if id(item) not in self.shared:
            if fixed(item):
                self.shared[id(item)] = item
            elif type(item) is not np.ndarray or item.dtype.hasobject:
                return None
        number = self._numbers[id(item)] = len(self.parts)
        self.parts.append(item)
        return number

    def reducer_override(self, item: Any) -> Any:
        """Note what the class of an item declares as shared, before its attributes are written."""
        for name in _names(cast(Any, type(item))):
            self._share(getattr(item, name, None))
        return NotImplemented

    def _share(self, item: Any, depth: int = _DEPTH) -> None:
        """Share an item and what it consists of, which others may hold as well."""
        if type(item) in _PLAIN or id(item) in self.shared:
            return
        self.shared[id(item)] = item
        if isinstance(item, np.ndarray):
            owner = root(item)
            self.shared[id(owner)] = owner
        elif depth:
            parts = item.values() if isinstance(item, dict) else item
            if not isinstance(item, dict | tuple | list):
                parts = getattr(item, "__dict__", {}).values()
            elif len(item) and isinstance(next(iter(parts)), str):
                return  # names
            for part in parts:
                self._share(part, depth - 1)


class _Reader(pickle.Unpickler):
    """Reads what a `_Writer` has written."""

    def __init__(self, file: io.BytesIO, parts: list[Any]) -> None:
        super().__init__(file)
        self._parts = parts

    def persistent_load(self, number: int) -> Any:
        """Return the part of this number."""
        return self._parts[number]


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """Return the attributes that a class and its bases declare as shared."""
    declared = [vars(base).get("shared", ()) for base in kind.__mro__]
    return tuple(name for names in declared if isinstance(names, tuple) for name in names)


def fixed(item: Any) -> bool:
    """Return whether an item can be shared whoever holds it: classes, functions, modules, declarations.

    >>> fixed(len), fixed(np.random.default_rng(0).random), fixed([])
    (True, False, False)
    """
    if isinstance(item, FunctionType) and item.__closure__ is not None:
        inside = [cell.cell_contents for cell in item.__closure__]
        if not all(type(x) in _PLAIN or fixed(x) for x in inside):
            raise TypeError(f"{item.__qualname__} may hide state, which cannot be kept; use functools.partial instead")
    if isinstance(item, BuiltinFunctionType):
        return item.__self__ is None or isinstance(item.__self__, ModuleType)
    return isinstance(item, _FIXED) or type(item).__module__.partition(".")[0] == "numba"


def root(array: Array) -> Array:
    """Return the array that an array is a view of, in the end; itself if of none."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


Part = Callable[[dict[int, Array]], Any]


def _parts(items: list[Any], shared: dict[int, Any]) -> tuple[list[Part], dict[int, Array]]:
    """Return how to make each item out of copies of the arrays that own memory, and these, by their ids."""
    arrays = [item for item in items if isinstance(item, np.ndarray) and id(item) not in shared]
    views: dict[int, int] = {}  # number of arrays that look at the same memory
    for array in arrays:
        views[id(root(array))] = views.get(id(root(array)), 0) + 1
    owned: dict[int, Array] = {}
    parts: list[Part] = []
    for item in items:
        if not isinstance(item, np.ndarray) or id(item) in shared or id(root(item)) in shared:
            parts.append(partial(_itself, item))
            continue
        owner = root(item)
        contiguous = item.flags.c_contiguous or item.flags.f_contiguous
        if views[id(owner)] == 1 and contiguous and item.nbytes <= owner.nbytes:
            owner = item  # nobody else looks at the rest of it
        if id(owner) not in owned:
            owned[id(owner)] = owner.copy(order="K")
        if item is owner:
            parts.append(partial(_owner, id(owner), item.flags.writeable))
        else:
            offset = item.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
            parts.append(partial(_view, id(owner), item.shape, item.dtype, offset, item.strides, item.flags.writeable))
    return parts, owned


def _itself(item: Any, owned: dict[int, Array]) -> Any:
    return item


def _owner(key: int, writeable: bool, owned: dict[int, Array]) -> Array:
    owned[key].flags.writeable = writeable
    return owned[key]


def _view(
    key: int, shape: tuple[int, ...], dtype: Any, offset: int, strides: tuple[int, ...], writeable: bool,
    owned: dict[int, Array],
) -> Array:  # fmt: skip
    owner = owned[key]
    memory = owner.transpose(sorted(range(owner.ndim), key=lambda axis: -owner.strides[axis]))  # in the order it lies
    view: Array = np.ndarray(shape, dtype, memory, offset, strides)
    if not writeable:
        view.flags.writeable = False
    return view


def weigh(item: Any, seen: dict[int, Any]) -> int:
    """Return about how many bytes an item takes, without those parts that have been `seen`, and note them.

    >>> item, seen = [np.zeros(1000)], {}
    >>> 8000 < weigh(item, seen) < 8500, weigh(item, seen)
    (True, 0)
    """
    if type(item) in _PLAIN or id(item) in seen or fixed(item):
        return 0
    seen[id(item)] = item
    if isinstance(item, np.ndarray):
        owner = root(item)
        if owner is item:
            return item.nbytes + 100
        return 100 + weigh(owner, seen)
    inside = gc.get_referents(item)
    if not inside and "__getstate__" in vars(type(item)):  # compiled, such as a tree of scikit-learn
        return len(pickle.dumps(item))
    return sys.getsizeof(item) + sum(weigh(part, seen) for part in inside)
