"""Compiled functions. They are compiled at first use and kept on disk, so that a second start need not wait.

>>> @compiled
... def double(x):
...     return 2 * x
>>> double(4)
8
"""

from learners.compiled.function import compiled, counts, inlined, prepare, ready, waiting
from learners.compiled.store import folder

__all__ = ["compiled", "counts", "folder", "inlined", "prepare", "ready", "waiting"]
