"""The lessons, one TOML file each, named after the id of the lesson. CONTRIBUTING tells how to write one."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from pages.ui.lessons.languages import NAMES
from pages.ui.lessons.lesson import Lesson, read

FOLDER = Path(__file__).parent


def files() -> list[Path]:
    """Return the files of all lessons."""
    return sorted(path for path in FOLDER.glob("*.toml") if "." not in path.stem)


def translations() -> list[Path]:
    """Return the files with the texts of lessons in other languages, such as flip.de.toml."""
    return sorted(FOLDER.glob("*.*.toml"))


def read_file(path: Path) -> Lesson:
    """Return the lesson of a file.

    Raises
    ------
    ValueError : with a sentence on each line for everything that is wrong with it.
    """
    id, _, language = path.stem.partition(".")
    if language:
        return read(_text(path.with_name(f"{id}.toml")), id, _text(path), language)
    return read(_text(path), id)


def _text(path: Path) -> str:
    if not path.is_file():
        raise ValueError(f"There is no file {path.name} here.")
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path.name} cannot be read as text. {error}.") from None


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


def lessons(language: str = "en") -> dict[str, Lesson]:
    """Return the lessons by their ids, in the order of their numbers; in English those without a translation.

    Files with mistakes are left out, and so is the newer of two with the same number.
    """
    found, _ = _shelf(_stamps())
    return {id: spoken.get(language, spoken["en"]) for id, spoken in found.items()}


def spoken(id: str) -> tuple[str, ...]:
    """Return the languages in which there is a lesson, English first."""
    found = _shelf(_stamps())[0].get(id, {})
    return tuple(language for language in NAMES if language in found)


def mistakes() -> list[str]:
    """Return a sentence for each mistake in the files of the library."""
    return _shelf(_stamps())[1]


def _stamps() -> tuple[tuple[Path, int], ...]:
    """Return each file with the time of its last change, so that a teacher sees a change at once."""
    return tuple((path, path.stat().st_mtime_ns) for path in (*files(), *translations()))


@lru_cache(maxsize=2)
def _shelf(stamps: tuple[tuple[Path, int], ...]) -> tuple[dict[str, dict[str, Lesson]], list[str]]:
    found: dict[str, dict[str, Lesson]] = {}
    problems: list[str] = []
    taken: dict[int, str] = {}
    for path, _ in sorted(stamps, key=lambda stamp: ("." in stamp[0].stem, stamp[1])):  # translations last
        try:
            lesson = read_file(path)
        except ValueError as error:
            problems.extend(str(error).splitlines())
            continue
        if problem := clash(lesson, taken):
            problems.append(problem)
            continue
        taken[lesson.number] = lesson.id
        found.setdefault(lesson.id, {})[lesson.language] = lesson
    return dict(sorted(found.items(), key=lambda one: (one[1]["en"].number, one[0]))), problems
