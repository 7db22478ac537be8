"""Scripts for the browser: ES modules with imports of each other, joined to one script before they are sent.

Streamlit takes the script of a component as one text, from which nothing can be imported by a relative path, and a run
that is taken away is one file. So a module and all that it imports are put one after the other, each once and after
its own imports, without the words `import` and `export`. Therefore

- an import stands at the start of a line, names a file by its relative path, and renames nothing;
- modules that come together declare no name twice at their top level;
- a module that nothing imports may have `export default`;
- translations of what it says stand beside it, as `player.de.toml` for `player.js`, and come along as calls of
  `flTranslate` (draw/js/texts.js).

Comments that have lines of their own, among them the types of JSDoc, are for readers of the files; they are not sent.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_IMPORT = re.compile(r"^import (?:\{[^{}]*\} from )?'(\.[^']*)';\n", re.M)
_EXPORT = re.compile(r"^export (?!default)", re.M)
_DECLARED = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", re.M)
_COMMENT = re.compile(r"^ *//.*\n|^ */\*\*(?:.|\n)*?\*/ *\n", re.M)


@cache
def joined(entry: Path) -> str:
    """Return a module with all that it imports as one script.

    Raises
    ------
    ValueError : where two of the modules declare the same name.
    """
    code = "\n".join(part for path in files(entry) for part in (bare(path.read_text("utf-8")), *_translated(path)))
    if twice := [name for name, count in Counter(_DECLARED.findall(code)).items() if count > 1]:
        raise ValueError(f"{entry.name} and its imports declare {', '.join(twice)} more than once")
    return code


def files(entry: Path) -> list[Path]:
    """Return the files of a module and of all that it imports, each after those that it imports itself."""
    return list(dict.fromkeys(_reached(entry.resolve(), ())))


def tables(module: Path) -> dict[str, dict[str, str]]:
    """Return the translations that stand beside a module, by language."""
    found = sorted(module.parent.glob(f"{module.stem}.??.toml"))
    return {path.suffixes[0][1:]: tomllib.loads(path.read_text("utf-8")) for path in found}


def bare(code: str) -> str:
    """Return the code of a module as it stands in a script with others.

    >>> bare("// Counts.\\nimport { two } from './two.js';\\n\\nexport const three = two + 1;  // why not\\n")
    'const three = two + 1;  // why not\\n'
    """
    return _EXPORT.sub("", _COMMENT.sub("", _IMPORT.sub("", code))).lstrip("\n")


def _translated(module: Path) -> Iterator[str]:
    for language, table in tables(module).items():
        yield f"flTranslate('{language}', {json.dumps(table, ensure_ascii=False)});".replace("<", "\\u003c")


def _reached(path: Path, on_the_way: tuple[Path, ...]) -> Iterator[Path]:
    if path in on_the_way:
        raise ValueError(f"{path.name} is imported in a circle")
    for other in _IMPORT.findall(path.read_text("utf-8")):
        yield from _reached((path.parent / other).resolve(), (*on_the_way, path))
    yield path
