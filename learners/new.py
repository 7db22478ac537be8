"""`python -m learners.new ranking decay` writes a learner of one's own to begin with, decay.py, which passes the check.

With `--compiled` an online learner is made of compiled rules, which run as fast as those of the library; without it, of
plain NumPy for all replicates side by side. The files in `templates` are what it begins with.
"""

import argparse
import re
import sys
from pathlib import Path

from datasets import home

TEMPLATES = Path(__file__).parent / "templates"
COMPILED = "-compiled"


def known() -> list[str]:
    """Return the families, and with `-compiled` behind their names those whose steps can be compiled rules."""
    return sorted(path.stem for path in TEMPLATES.glob("*.txt"))


def written(family: str, id: str, compiled: bool = False) -> str:
    """Return the text of a learner to begin with.

    Raises
    ------
    ValueError : for a family that does not exist or whose steps are not compiled, and an id that cannot be one.

    >>> print(written("ranking", "fast-decay").splitlines()[0])
    \"""Fast decay: say here in a sentence what it does.\"""
    """
    if family + COMPILED * compiled not in known():
        what = "family whose steps are compiled rules" if compiled else "family"
        names = (name for name in known() if name.endswith(COMPILED) == compiled)
        raise ValueError(
            f"there is no {what} {family!r}; known are: {', '.join(n.removesuffix(COMPILED) for n in names)}"
        )
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", id):
        raise ValueError(f"an id is made of lower-case words joined by hyphens, got {id!r}")
    text = (TEMPLATES / f"{family}{COMPILED * compiled}.txt").read_text("utf-8")
    title = id.replace("-", " ").capitalize()
    name = "".join(word.capitalize() for word in id.split("-"))
    for old, new in (("my-learner", id), ("My learner", title), ("MyLearner", name)):
        text = text.replace(old, new)
    return re.sub(r"^from (datasets|learners)\b", rf"from {home.PREFIX}\1", text, flags=re.M)


def main() -> int:
    """Write the file, unless there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", help=", ".join(name for name in known() if not name.endswith(COMPILED)))
    parser.add_argument("id", help="lower-case words joined by hyphens")
    parser.add_argument("--compiled", action="store_true", help="write compiled rules")
    given = parser.parse_args()
    path = Path(f"{given.id.replace('-', '_')}.py")
    try:
        text = written(given.family, given.id, given.compiled)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        print(f"There is already a file {path}.", file=sys.stderr)
        return 1
    except ValueError as error:
        print(f"{error}.", file=sys.stderr)
        return 1
    print(f"wrote {path}; python -m {home.module('learners.check')} {path} checks it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
