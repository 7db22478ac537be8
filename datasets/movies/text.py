"""Read MovieLens as it is distributed: ratings and titles in a folder, a zip file, or two adjacent files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from zipfile import is_zipfile

import numpy as np

from datasets.guard import guarded
from datasets.letor.archive import Archive
from datasets.movies.ratings import Ratings
from datasets.tables.text_files import shown

MAX_BYTES, MAX_RATINGS, MAX_MOVIES = 100_000_000, 1_500_000, 20_000
MAX_TITLES = 20_000_000  # bytes of the file of titles
MAX_GENRES, _LONGEST_LINE = 100, 1000  # different genres, bytes of a movie's line
MAX_CELLS = 30_000_000  # users × movies
GENRES_100K = (
    "unknown", "Action", "Adventure", "Animation", "Children's", "Comedy", "Crime", "Documentary", "Drama", "Fantasy",
    "Film-Noir", "Horror", "Musical", "Mystery", "Romance", "Sci-Fi", "Thriller", "War", "Western",
)  # fmt: skip


@dataclass(frozen=True)
class _Layout:
    """The names and the format of the two files of an edition; a rating is user, movie, stars and time."""

    ratings: str
    movies: str
    mark: bytes
    example: str


_LAYOUTS = (
    _Layout("u.data", "u.item", b"\t", "user, movie, rating and time between tabs"),
    _Layout("ratings.dat", "movies.dat", b"::", "user::movie::rating::time"),
)
NAMES = tuple(layout.ratings for layout in _LAYOUTS)


@guarded
def read(path: Path) -> Ratings:
    """Read the ratings of MovieLens 100K (u.data, u.item) or 1M (ratings.dat, movies.dat).

    Parameters
    ----------
    path : a folder with both files, a zip file with both anywhere in it, or the ratings with the titles next to them.
        At most 100 MB of ratings, 1.5 million of them, 20,000 movies in 20 MB with 100 genres, and 30 million users ×
        movies. Texts are Latin-1,
        as distributed, or UTF-8, as some editors save them.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.
    """
    name = path.name[:80] or str(path)[:80]
    try:
        if path.is_dir():
            return _read(name, [p.name for p in path.iterdir() if p.is_file()], partial(_file, path))
        if not path.is_file():
            raise ValueError(f"there is no file {name!r}")
        if is_zipfile(path) or path.suffix.lower() == ".zip":
            with Archive(path) as archive:
                return _read(name, archive.names, lambda file, most: b"".join(archive.pieces(file, most)))
        if not any(path.name.lower() == layout.ratings for layout in _LAYOUTS):
            raise ValueError(f"{name} is neither a folder nor a zip file nor one of {' and '.join(NAMES)}")
        beside = [p.name for p in path.parent.iterdir() if p.is_file() and p.name.lower() not in NAMES] + [path.name]
        return _read(path.parent.name or name, beside, partial(_file, path.parent))
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror or error}") from None


def _read(where: str, files: list[str], content: Callable[[str, int], bytes]) -> Ratings:
    """Return the ratings in the first layout whose ratings file exists."""
    at = {PurePosixPath(file).name.lower(): file for file in reversed(files)}
    for layout in _LAYOUTS:
        if layout.ratings in at:
            if layout.movies not in at:
                raise ValueError(f"{where} has {layout.ratings} but not {layout.movies}, where the titles are")
            titles = _titles(layout, _text(layout.movies, content(at[layout.movies], MAX_TITLES)))
            return _ratings(layout, _text(layout.ratings, content(at[layout.ratings], MAX_BYTES)), titles)
    raise ValueError(f"{where} has neither {' nor '.join(NAMES)}, so it is not MovieLens 100K or 1M")


def _file(folder: Path, name: str, most: int) -> bytes:
    """Return the content of a file in a folder, at most so many bytes."""
    if (size := (folder / name).stat().st_size) > most:
        raise ValueError(f"{name} has {size / 1e6:.0f} MB; at most {most / 1e6:.0f} MB are allowed")
    return (folder / name).read_bytes()


def _text(name: str, content: bytes) -> bytes:
    """Return the content without its UTF-8 mark; raise ValueError if it is empty."""
    if not content:
        raise ValueError(f"{name} is empty")
    return content.removeprefix(b"\xef\xbb\xbf")


def _titles(layout: _Layout, content: bytes) -> dict[int, str]:
    """Return title and genres of each movie by its number in the file."""
    try:
        content.decode("utf-8")
        letters = "utf-8"
    except UnicodeDecodeError:
        letters = "latin-1"
    if content.count(b"\n") > MAX_MOVIES:
        raise ValueError(f"{layout.movies} has more than the {MAX_MOVIES} movies that are allowed")
    titles: dict[int, str] = {}
    kinds: set[str] = set()
    for number, raw in enumerate(content.split(b"\n"), start=1):
        if not raw.strip():
            continue
        here = f"{layout.movies}, line {number}"
        if len(raw) > _LONGEST_LINE:
            raise ValueError(f"{here}: a movie may have at most {_LONGEST_LINE} letters, got {len(raw)}")
        line = raw.decode(letters)
        parts = line.strip("\r").split("|" if layout.mark == b"\t" else "::")
        least = 5 + len(GENRES_100K) if layout.mark == b"\t" else 3
        if len(parts) < least or not re.fullmatch(r"[0-9]{1,9}", parts[0].strip()):
            written = "number|title|…|19 genres" if layout.mark == b"\t" else "number::title::genres"
            raise ValueError(f"{here}: a movie must be written {written}, got {shown(line.encode())}")
        movie = int(parts[0].strip())
        if movie in titles:
            raise ValueError(f"{here}: movie {movie} is there twice")
        if layout.mark == b"\t":
            flags = parts[-len(GENRES_100K) :]
            genres = [genre for genre, flag in zip(GENRES_100K, flags, strict=True) if flag.strip() == "1"]
        else:
            genres = list(filter(None, parts[-1].strip().split("|")))
        kinds.update(genres)
        if len(kinds) > MAX_GENRES:
            raise ValueError(f"{here}: these are more than the {MAX_GENRES} genres that are allowed")
        title = parts[1] if layout.mark == b"\t" else "::".join(parts[1:-1])
        titles[movie] = " · ".join(part for part in (title.strip(), ", ".join(genres)) if part)
    return titles


def _ratings(layout: _Layout, content: bytes, titles: dict[int, str]) -> Ratings:
    name, mark = layout.ratings, re.escape(layout.mark)
    line = rb"[0-9]{1,9}" + mark + rb"[0-9]{1,9}" + mark + rb"[1-5]" + mark + rb"[0-9]{1,12}"
    lines = content.count(b"\n") + 1
    if lines > MAX_RATINGS + 1:
        raise ValueError(f"{name} has more than the {MAX_RATINGS} ratings that are allowed")
    if not re.fullmatch(rb"(?:" + line + rb"\r?\n)*(?:" + line + rb")?\s*", content):
        single = re.compile(line + rb"\r?")
        for number, given in enumerate(content.split(b"\n"), start=1):
            if not single.fullmatch(given):
                words = f"must be written {layout.example}, the rating a whole number from 1 to 5"
                raise ValueError(f"{name}, line {number}: a rating {words}, got {shown(given.strip())}")
    if not content.strip():  # of which `fromstring` would make a 0
        raise ValueError(f"{name} has no ratings")
    table = np.fromstring(content.replace(layout.mark, b" "), np.int64, sep=" ").reshape(-1, 4)
    users, user = np.unique(table[:, 0], return_inverse=True)
    # movies without ratings count too, but every rated movie must have a title
    movies = np.array(sorted(titles), dtype=np.int64)
    movie = np.minimum(np.searchsorted(movies, table[:, 1]), max(len(movies) - 1, 0))
    strange = np.flatnonzero(movies[movie] != table[:, 1]) if len(movies) else np.arange(1)
    if len(strange):
        wrong = int(strange[0])
        raise ValueError(f"{name}, line {wrong + 1}: movie {table[wrong, 1]} is not in {layout.movies}")
    if len(users) * len(movies) > MAX_CELLS:
        raise ValueError(
            f"{name} has {len(users)} users and {len(movies)} movies; at most {MAX_CELLS / 1e6:.0f} million of users × "
            "movies are allowed"
        )
    pair = user * len(movies) + movie
    order = np.argsort(pair, kind="stable")
    twice = np.flatnonzero(np.diff(pair[order]) == 0)
    if len(twice):
        second = int(order[twice + 1].min())
        raise ValueError(f"{name}, line {second + 1}: user {table[second, 0]} rates movie {table[second, 1]} twice")
    names = tuple(titles[int(m)] for m in movies)
    return Ratings(user, movie, table[:, 2], names, tuple(f"user {u}" for u in users))
