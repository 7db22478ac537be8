"""Find the files of ranking data with folds: in a folder, in a zip archive, or next to one of them."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from zipfile import is_zipfile

from datasets.letor.archive import Archive
from datasets.letor.layouts import FOLD, WANTED, Layout, layouts
from datasets.letor.text import beside
from datasets.tables.text_files import MAX_BYTES, MAX_TEXT, check_file

_DEPTH, _ENTRIES = 4, 20_000  # limits of the search in a folder: levels and files


class PartSource:
    """The files of a data set, by name, in a folder or in a zip archive."""

    def __init__(self, root: Path, layout: Layout, archive: Archive | None = None) -> None:
        self.root, self.layout, self._archive = root, layout, archive

    def only(self, layout: Layout) -> PartSource:
        """Return the same source for some of its files."""
        return PartSource(self.root, layout, self._archive)

    @contextmanager
    def open(self, name: str) -> Iterator[tuple[Path, Path | None]]:
        """Yield the path of a file, and that of the query sizes next to it or None.

        Files from an archive are unpacked into a temporary folder that exists until the context ends.
        """
        if self._archive is None:
            path = self.root / name
            check_file(path)
            yield path, beside(path)
            return
        with tempfile.TemporaryDirectory() as folder:  # `_unpacked` uses only the last part of an archived name
            path = self._unpacked(name, Path(folder))
            here = PurePosixPath(name)
            known, stem = set(self._archive.names), here.name
            while stem:
                if (sizes := str(here.with_name(stem + ".query"))) in known:
                    self._unpacked(sizes, Path(folder))
                stem = stem.rpartition(".")[0]
            check_file(path)
            yield path, beside(path)

    def contents(self) -> list[Path | None]:
        """Return the files on disk on which the data depend."""
        if self._archive is not None:
            return [self.root]
        files = [self.root / name for name in self.layout.files]
        return [path for file in files for path in (file, beside(file))]

    def _unpacked(self, name: str, folder: Path) -> Path:
        assert self._archive is not None
        target = folder / PurePosixPath(name).name
        with target.open("wb") as file:
            file.writelines(self._archive.pieces(name, MAX_BYTES))
        return target


@contextmanager
def source(path: Path) -> Iterator[PartSource]:
    """Yield the files of the data set at a path: a folder, a zip file, or one of the files, such as Fold1/train.txt.

    Raises
    ------
    ValueError : one sentence with the file's name and what is missing.
    """
    name = path.name[:80] or str(path)[:80]
    try:
        if path.is_dir():
            yield PartSource(path, _only(name, layouts(_listed(path))))
            return
        check_file(path)
        if is_zipfile(path) or path.suffix.lower() == ".zip":
            with Archive(path) as archive:
                layout = _only(name, layouts(archive.names))
                if (total := sum(map(archive.size, layout.files))) > MAX_TEXT:
                    limit = f"at most {MAX_TEXT / 1e6:.0f} MB are allowed"
                    raise ValueError(f"{name} unpacks to {total / 1e6:.0f} MB; {limit}")
                yield PartSource(path, layout, archive)
            return
        found = _around(path)
        if found is None:
            raise ValueError(f"{name} is not part of a split into training and test queries; expected {WANTED}")
        yield found
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror or error}") from None


def leads(path: Path) -> bool:
    """Return whether a file stands for a data set with folds: its zip file or its first training file."""
    try:
        if path.suffix.lower() == ".zip":
            with Archive(path) as archive:
                return bool(_only(path.name, layouts(archive.names)))  # ValueError for none or several
        found = _around(path)
        return found is not None and found.root / found.layout.files[0] == path
    except (OSError, ValueError):
        return False


def _around(path: Path) -> PartSource | None:
    """Return the data set that a file belongs to, judging by the files next to it."""
    in_fold = re.fullmatch(r"fold\d{1,3}", path.parent.name, re.I) and FOLD.fullmatch(f"{path.parent.name}/{path.name}")
    root = path.parent.parent if in_fold else path.parent
    if in_fold:
        folders = [f for f in root.iterdir() if re.fullmatch(r"fold\d{1,3}", f.name, re.I) and f.is_dir()]
        names = [f"{folder.name}/{file.name}" for folder in folders for file in folder.iterdir() if file.is_file()]
    else:
        names = [file.name for file in root.iterdir() if file.is_file()]
    own = path.relative_to(root).as_posix()
    layout = next((layout for layout in layouts(names) if own in layout.files), None)
    return None if layout is None else PartSource(root, layout)


def _listed(folder: Path) -> list[str]:
    """Return the names, with slashes, of the files in a folder and below, except in hidden and linked folders."""
    names: list[str] = []
    for here, folders, files in os.walk(folder):
        inside = Path(here).relative_to(folder)
        folders[:] = [f for f in folders if not f.startswith(".")] if len(inside.parts) < _DEPTH else []
        names += [(inside / file).as_posix() for file in files]
        if len(names) > _ENTRIES:
            raise ValueError(f"{folder.name} has more than {_ENTRIES} files; name the folder of one data set")
    return names


def _only(name: str, found: list[Layout]) -> Layout:
    """Return the only data set of the best kind: folds before parts, parts before a single split."""
    for kind in ("folds", "parts", "single"):
        some = [layout for layout in found if layout.kind == kind]
        if len(some) > 1:
            bases = ", ".join(sorted(layout.base or "." for layout in some)[:5])
            raise ValueError(f"{name} holds {len(some)} data sets ({bases}); choose one of them")
        if some:
            return some[0]
    raise ValueError(f"{name} has no split into training and test queries; expected {WANTED}")
