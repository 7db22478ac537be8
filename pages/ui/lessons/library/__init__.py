"""The lessons, one TOML file each, named after the id of the lesson. CONTRIBUTING tells how to write one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from pages.ui.lessons.lesson import Lesson, read

FOLDER = Path(__file__).parent


def files() -> list[Path]:
    """Return the files of all lessons."""
    return sorted(FOLDER.glob("*.toml"))


def read_file(path: Path) -> Lesson:
    """Return the lesson of a file.

    Raises
    ------
    ValueError : with a sentence on each line for everything that is wrong with it.
    """
    if not path.is_file():
        raise ValueError(f"There is no file {path.name} here.")
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path.name} cannot be read as text. {error}.") from None
    return read(text, path.stem)


def named(name: str) -> Path:
    """Return the file that a person means: a path, or else the name of a file of the library."""
    path = Path(name)
    return path if path.is_file() or len(path.parts) > 1 else FOLDER / f"{path.name.removesuffix('.toml')}.toml"


def clash(lesson: Lesson, taken: Mapping[int, str]) -> str:
    """Return a sentence on a number that another lesson has, or "". taken : ids of the other lessons by their numbers.

    >>> lesson = lessons()["flip"]
    >>> clash(lesson, {1: "mine", 2: "other"})
    'Lesson flip has the number 1, as mine has; 3 is free.'
    """
    if taken.get(lesson.number, lesson.id) == lesson.id:
        return ""
    free = next(number for number in range(1, len(taken) + 2) if number not in taken)
    return f"Lesson {lesson.id} has the number {lesson.number}, as {taken[lesson.number]} has; {free} is free."


def lessons() -> dict[str, Lesson]:
    """Return the lessons by their ids, in the order of their numbers.

    Files with mistakes are left out, and so is the newer of two with the same number.
    """
    found, _ = _shelf(_stamps())
    return found


def mistakes() -> list[str]:
    """Return a sentence for each mistake in the files of the library."""
    return _shelf(_stamps())[1]


def _stamps() -> tuple[tuple[Path, int], ...]:
    """Return each file with the time of its last change, so that a teacher sees a change at once."""
    return tuple((path, path.stat().st_mtime_ns) for path in files())


@lru_cache(maxsize=2)
def _shelf(stamps: tuple[tuple[Path, int], ...]) -> tuple[dict[str, Lesson], list[str]]:
    found: list[Lesson] = []
    problems: list[str] = []
    taken: dict[int, str] = {}
    for path, _ in sorted(stamps, key=lambda stamp: stamp[1]):
        try:
            lesson = read_file(path)
        except ValueError as error:
            problems.extend(str(error).splitlines())
            continue
        if problem := clash(lesson, taken):
            problems.append(problem)
            continue
        taken[lesson.number] = lesson.id
        found.append(lesson)
    return {lesson.id: lesson for lesson in sorted(found, key=lambda lesson: (lesson.number, lesson.id))}, problems
