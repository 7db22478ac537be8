"""The decorator of compiled functions: numba's, with a cache of our own.

numba's cache looks at a function's own file alone, and so misses a change in a function that it calls. It raises an
error where the disk is full or its files are broken.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

from numba.core import sigutils, types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.serialize import dumps

from learners.compiled import store
from learners.compiled.fingerprint import fingerprint
from learners.compiled.turns import turn

_counts: Counter[str] = Counter()
_inside: Counter[int] = Counter()  # for each thread that compiles or waits for a compilation, how deep


def compiled(function: Callable[..., Any] | None = None, *, allocates: bool = False, inline: bool = False) -> Any:
    """Compile a function of numbers and arrays, which then runs without the interpreter lock.

    It may call other compiled functions, and use constants. Its machine code is kept on disk until it, a
    function that it calls, a constant, numba, or the processor changes.

    allocates : whether it makes arrays. It then counts the references to each array that it is given, which costs some
        ten nanoseconds an array and call; without it, a function that makes arrays is refused, and what it returns to
        Python must not be part of an array, in place of which the whole array would arrive.
    inline : see `inlined`.

    >>> @compiled
    ... def double(x):
    ...     return 2 * x
    >>> double(4)
    8
    """
    if function is None:
        return partial(compiled, allocates=allocates, inline=inline)
    options: dict[str, Any] = {"nopython": True, "nogil": True, "boundscheck": None}
    if inline:
        options["forceinline"] = True
    return Function(function, targetoptions=options if allocates else options | {"_nrt": False})


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function whose code stands in the place of each call in compiled code.

    A call with many arrays takes longer than a small function itself.
    """
    return compiled(function, inline=True)


def ready(function: Any, signature: Any) -> Any:
    """Compile a compiled function for this signature and no other, unless that is done, and return it.

    It can then be an argument of compiled code whose signature says `types.FunctionType(signature)` there.

    Raises
    ------
    ValueError : if the function is bound to another signature.

    >>> from numba import float64
    >>> @compiled
    ... def double(x):
    ...     return 2 * x
    >>> ready(double, float64(float64))(4)
    8.0
    """
    arguments, _ = sigutils.normalize_signature(signature)
    if function.bound is None:
        with global_compiler_lock:  # two threads may ask at once
            if function.bound is None:
                function.compile(signature)
                function.disable_compile()
                function.result = CachedAddresses(function.overloads[tuple(arguments)])
                function.bound = arguments
    if function.bound != arguments:
        raise ValueError(f"{function.__name__} is bound to the arguments {function.bound}, got {arguments}")
    return function


def prepare() -> None:
    """Preload the registries of numba, half a second that the first compiled function would wait for."""
    with global_compiler_lock:
        cpu_target.target_context.refresh()
        cpu_target.typing_context.refresh()


def counts() -> dict[str, int]:
    """Return how many functions this process has compiled, and how many it has loaded from the disk instead."""
    return {"compiled": _counts["compiled"], "loaded": _counts["loaded"]}


def waiting(thread: int) -> bool:
    """Return whether the thread of this number compiles, loads, or waits for somebody who compiles."""
    return thread in _inside


class Function(CPUDispatcher):  # type: ignore[misc]  # numba has no types
    """A compiled function: numba's dispatcher with our cache. Of several processes, one compiles; the others load."""

    bound: Any = None  # the only arguments that it takes, once it is `ready`
    result: Any = None  # what it is compiled to then

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        inline = "inline-" * ("forceinline" in self.targetoptions)
        self._cache = KeptFunction(self.py_func, inline + ("none" if "_nrt" in self.targetoptions else "room"))
        self._inner: set[tuple[Any, ...]] = set()  # arguments for which only compiled code can call it

    def get_compile_result(self, signature: Any) -> Any:
        """Return what it is compiled to; numba asks at every call that has the function as an argument."""
        if self.result is None:
            self._compile(signature, inner=False)
            return super().get_compile_result(signature)
        return self.result

    def compile(self, signature: Any) -> Any:
        """Compile for the signature, or load what was compiled before, and return the entry point.

        While a function that calls it is compiled, the code by which Python could call it as well is left out. For
        small functions of many arrays that code takes longer than all the rest.
        """
        return self._compile(signature, inner=waiting(threading.get_ident()))

    def _compile(self, signature: Any, inner: bool) -> Any:
        arguments = tuple(sigutils.normalize_signature(signature)[0])
        if not self._has(arguments, inner):
            with _announced(), global_compiler_lock:
                if not self._has(arguments, inner):  # another thread may have done it meanwhile, and bound the function
                    self.overloads.pop(arguments, None)
                    with self._leaving_out(inner), turn(self._cache.name(signature, self.targetctx.codegen())):
                        return super().compile(signature)
        return self.overloads[arguments].entry_point

    def _has(self, arguments: tuple[Any, ...], inner: bool) -> bool:
        return arguments in self.overloads and (inner or arguments not in self._inner)

    @contextmanager
    def _leaving_out(self, inner: bool) -> Iterator[None]:
        """Leave out, of what is compiled meanwhile, the code by which Python and C call it."""
        before = self._compiler.targetoptions, self._cache.inner
        if inner:
            self._compiler.targetoptions = before[0] | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        self._cache.inner = inner
        try:
            yield
        finally:
            self._compiler.targetoptions, self._cache.inner = before

    def add_overload(self, result: Any) -> None:
        """Note what it was compiled to, or loaded."""
        arguments = tuple(result.signature.args)
        if self._cache.inner:
            self.overloads[arguments] = result
            self._inner.add(arguments)
        else:
            super().add_overload(result)
            self._inner.discard(arguments)


class CachedAddresses:
    """Wraps a compile result of numba and memoises the addresses of its functions; a look-up takes ten microseconds."""

    def __init__(self, wrapped: Any) -> None:
        self.wrapped = wrapped
        if hasattr(wrapped, "library"):
            self.library = CachedAddresses(wrapped.library)
        else:
            self.get_pointer_to_function = cache(wrapped.get_pointer_to_function)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["wrapped"], name)


class KeptFunction(_Cache):  # type: ignore[misc]
    """The cache of one function, which is compiled in memory if anything goes wrong with its files."""

    inner = False  # whether what is compiled now can be called by compiled code alone

    def __init__(self, function: Callable[..., Any], kind: str) -> None:
        self.function, self.kind = function, kind

    @property
    def cache_path(self) -> str:
        """The folder of the cache."""
        return str(store.folder())

    def name(self, signature: Any, codegen: Any) -> str:
        """Return the name under which code of this signature is kept, or nothing if it cannot be kept."""
        arguments, result = sigutils.normalize_signature(signature)
        if self.function.__code__.co_filename.startswith("<"):  # typed in, or a doctest: names are not unique
            return ""
        if any(isinstance(argument, types.Dispatcher) for argument in arguments):  # not bound to a signature
            return ""
        known = fingerprint(self.function, arguments, result, codegen.magic_tuple())
        kind = f"{self.kind}-inner" if self.inner else self.kind
        return f"{self.function.__module__}.{self.function.__name__}-{kind}-{known}"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return what was compiled for this signature, or None."""
        context.refresh()
        name = self.name(signature, context.codegen())
        try:
            kept = store.load(name) if name else None
            found = None if kept is None else CompileResult._rebuild(context, *kept)
        except Exception as error:  # written by another version, for instance
            store.complain(error)
            return None
        _counts["loaded"] += found is not None
        return found

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled for this signature."""
        _counts["compiled"] += 1
        name = self.name(signature, result.codegen)
        if not name or result.lifted or result.library.has_dynamic_globals:
            return
        try:
            store.save(name, dumps(result._reduce()))
        except Exception as error:
            store.complain(error)

    def enable(self) -> None:
        """Do nothing: the cache is always on."""

    def disable(self) -> None:
        """Do nothing."""

    def flush(self) -> None:
        """Do nothing: what is kept belongs to exactly this code."""


@contextmanager
def _announced() -> Iterator[None]:
    """Let `waiting` say that this thread compiles or waits."""
    me = threading.get_ident()
    _inside[me] += 1
    try:
        yield
    finally:
        _inside[me] -= 1
        if not _inside[me]:
            del _inside[me]
