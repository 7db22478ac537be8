"""A guard round every reader of files: whatever happens inside, a person reads one sentence.

The sentences are written where a fault is found. The guard is for what nobody foresaw: it turns that into a sentence
with the file's name, logs the traceback and counts it, so that a test can demand that it is never reached.
"""

from __future__ import annotations

import functools
import inspect
import logging
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from datasets.parameters import shown

P = ParamSpec("P")
R = TypeVar("R")

reached: Counter[str] = Counter()
"""How often something unforeseen was caught, by reader and kind of error."""
_KINDS: dict[str, tuple[Any, str]] = {
    "bool": (bool, "true or false"),
    "int": (int, "a whole number"),
    "str": (str, "a text"),
    "Path | None": (str | os.PathLike | None, "the path of a file or None"),
}
"""The type that isinstance takes for an annotated parameter of a reader, and its name in a sentence."""
_LOG = logging.getLogger(__name__)
_LONGEST_SENTENCE = 600  # characters of a sentence; longer ones quote a name that nobody reads to its end


def guarded(reader: Callable[P, R]) -> Callable[P, R]:
    """Return a reader whose first parameter is `path`, such that every error is a ValueError of one printable sentence.

    A ValueError that this package wrote passes. A lack of memory and a fault of the disk are named. Everything else is
    unforeseen: it is counted in `reached` and logged.

    >>> @guarded
    ... def read(path):
    ...     return 1 / 0
    >>> read(Path("here/mine.csv"))
    Traceback (most recent call last):
    ValueError: mine.csv cannot be read: something in it was not foreseen (ZeroDivisionError)
    >>> reached.pop(f"{__name__}.read: ZeroDivisionError")
    1
    """

    signature = inspect.signature(reader)

    @functools.wraps(reader)
    def read(*args: P.args, **kwargs: P.kwargs) -> R:
        path = args[0] if args else kwargs.get("path", "")
        if not isinstance(path, str | os.PathLike):
            raise ValueError(printable(f"path must be the path of a file, got {path!r:.60}"))
        _check_kinds(signature.bind(*args, **kwargs).arguments, signature)
        name = Path(path).name[:80] or str(path)[:80]
        try:
            return reader(*args, **kwargs)
        except ValueError as error:
            if _ours(error):
                if printable(str(error)) == str(error):
                    raise
                raise ValueError(printable(str(error))) from None
            words = _unforeseen(reader, error)
        except MemoryError:
            words = "it needs more memory than there is"
        except OSError as error:
            words = error.strerror or str(error)
        except Exception as error:
            words = _unforeseen(reader, error)
        raise ValueError(printable(f"{name} cannot be read: {words}"))

    return read


def _check_kinds(arguments: dict[str, Any], signature: inspect.Signature) -> None:
    """Raise a ValueError for an argument that is not of the kind that the reader declares."""
    for name, value in arguments.items():
        kind, words = _KINDS.get(signature.parameters[name].annotation, (object, ""))
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ValueError(f"{name} must be {words}, got {shown(value)}")


def printable(text: str) -> str:
    r"""Return a text in one line that any page can show; names of files and members may hold anything.

    >>> printable("a\nb\x1b.csv is \udcff empty")
    'a b .csv is \\udcff empty'
    """
    line = "".join(letter if letter.isprintable() or "\ud800" <= letter <= "\udfff" else " " for letter in text)
    line = line.encode("utf-8", "backslashreplace").decode("utf-8")
    return line if len(line) <= _LONGEST_SENTENCE else line[: _LONGEST_SENTENCE - 1] + "…"


def _ours(error: ValueError) -> bool:
    """Return whether this package wrote the error: a plain ValueError, or its kin here, raised by a module of ours."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    here = trace.tb_frame.f_globals.get("__name__", "") if trace is not None else ""
    own = type(error) is ValueError or type(error).__module__.startswith(f"{__package__}.")
    return own and here.startswith(f"{__package__}.")


def _unforeseen(reader: Callable[..., object], error: Exception) -> str:
    """Count and log an error; return the words for it, which quote nothing of the file."""
    reached[f"{reader.__module__}.{reader.__qualname__}: {type(error).__name__}"] += 1
    _LOG.error("a reader met something that was not foreseen", exc_info=error)
    return f"something in it was not foreseen ({type(error).__name__})"
