"""The lessons, one TOML file each, named after the id of the lesson. CONTRIBUTING tells how to write one."""

from __future__ import annotations

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


def lessons() -> dict[str, Lesson]:
    """Return the lessons by their ids, in the order of their numbers. Files with mistakes are left out."""
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
    for path, _ in stamps:
        try:
            found.append(read_file(path))
        except ValueError as error:
            problems.extend(str(error).splitlines())
    return {lesson.id: lesson for lesson in sorted(found, key=lambda lesson: (lesson.number, lesson.id))}, problems
