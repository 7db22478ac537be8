"""Counts how often the docstrings of a package name its functions, under "See Also" and in examples."""

import re
from collections.abc import Mapping

from datasets.functions.places import SHORT

_DOTTED = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.\w+)*")
_IMPORT = re.compile(r"from\s+([\w.]+)\s+import\s+([\w, ]+)")


def count(package: str, names: Mapping[str, tuple[str, ...]], texts: Mapping[str, Mapping[str, str]]) -> dict[str, int]:
    """Return for each full name in how many other docstrings it is named.

    names : the full names, with their aliases. texts : the sections of the docstring of each full name.
    """
    known = {alias: name for name, aliases in names.items() for alias in (name, *aliases)}
    found = dict.fromkeys(names, 0)
    for name, parts in texts.items():
        see, code = parts.get("See Also", ""), parts.get("Examples", "")
        if not see and not code:
            continue
        places = _places(name)
        meant = {_resolved(word, places, known) for word in _DOTTED.findall(see)}
        for module, imported in _IMPORT.findall(code):
            meant |= {known.get(f"{module}.{word.strip()}", "") for word in imported.split(",")}
        for word in _DOTTED.findall(code):
            first, _, rest = word.partition(".")
            if rest and (first in SHORT or first == package):
                meant.add(known.get(f"{SHORT.get(first, first)}.{rest}", ""))
        for other in meant - {"", name}:
            found[other] += 1
    return found


def _places(name: str) -> list[str]:
    """Return the modules and classes in which a docstring may leave out the first part of a name."""
    parts = name.split(".")[:-1]
    return [".".join(parts[:k]) for k in range(len(parts), 0, -1)]


def _resolved(word: str, places: list[str], known: Mapping[str, str]) -> str:
    if word in known:
        return known[word]
    return next((known[f"{place}.{word}"] for place in places if f"{place}.{word}" in known), "")
