"""The exact versions that were tested: `python -m tests.constraints` writes those of this environment.

    python -m tests.constraints          # write constraints.txt, after the tests have passed here
    python -m tests.constraints --check  # say what is installed here in another version

To renew them, install the newest versions that the requirements allow into a new environment, without the file, run the
tests there, and write it. Only names and versions stand in it: where packages come from is for each machine to say.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from platform import python_version

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FILE = ROOT / "constraints.txt"
LISTS = ("requirements.txt", "tests/requirements.txt")
PYTHON = "# Tested with Python "


def listed(file: Path) -> Iterator[Requirement]:
    """Yield the requirements that a file lists, without those of files that it names."""
    for line in file.read_text("utf-8").splitlines():
        words = line.split(" #")[0].strip()
        if words and not words.startswith(("#", "-")):
            yield Requirement(words)


def versions(requirements: Iterator[Requirement]) -> dict[str, str]:
    """Return the installed version of each requirement, and of all that these require, by name.

    Raises
    ------
    ValueError : for a requirement that is not installed here, with its name.
    """
    found: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    queue = [(requirement, extra) for requirement in requirements for extra in ("", *requirement.extras)]
    while queue:
        requirement, extra = queue.pop()
        name = canonicalize_name(requirement.name)
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            raise ValueError(f"{name} is required and is not installed here") from None
        found[name] = installed.version
        for words in installed.requires or ():
            needed = Requirement(words)
            if needed.marker is None or needed.marker.evaluate(default_environment() | {"extra": extra}):
                queue += [(needed, other) for other in ("", *needed.extras)]
    return found


def tested() -> dict[str, str]:
    """Return the installed versions of all that the app and its tests require, by name."""
    return versions(requirement for name in LISTS for requirement in listed(ROOT / name))


def written() -> dict[str, str]:
    """Return the versions in the file, by name."""
    lines = FILE.read_text("utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def differences() -> list[str]:
    """Return a sentence for each package that is installed here in a version other than the file's."""
    here, there = tested(), written()
    return [
        f"{name} is {version} here and {there[name]} in {FILE.name}."
        if name in there
        else f"{name} is not in {FILE.name}."
        for name, version in here.items()
        if there.get(name) != version
    ]


def text() -> str:
    """Return what the file says of this environment."""
    head = [
        "# The versions that were tested together: pip install -r requirements.txt -c constraints.txt",
        f"{PYTHON}{python_version()}; written by python -m tests.constraints",
    ]
    return "\n".join([*head, *(f"{name}=={version}" for name, version in sorted(tested().items()))]) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        found = differences()
        print("\n".join(found) or "The versions here are those of constraints.txt.")
        sys.exit(bool(found))
    FILE.write_text(text(), "utf-8")
