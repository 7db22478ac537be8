"""Recognise the split of ranking data into training, validation and test files from the file names alone."""

import re
from dataclasses import dataclass

Triple = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]  # training, validation and test files

ROLES = {"train": 0, "trainingset": 0, "vali": 1, "valid": 1, "validationset": 1, "test": 2, "testset": 2}
FOLD = re.compile(
    r"(?:(.*)/)?fold(\d{1,3})/(trainingset|train|validationset|vali|valid|testset|test)\.txt(?:\.gz)?", re.I
)
_PART = re.compile(r"(?:(.*)/)?s([1-5])\.txt(?:\.gz)?", re.I)
_ALONE = re.compile(r"((?:.*/)?)(trainingset|train|validationset|vali|valid|testset|test)\.txt(?:\.gz)?", re.I)
_NAMED = re.compile(r"(.*)\.(train|vali|valid|test)(?:\.gz)?", re.I)
WANTED = "Fold1 … Fold5 with train.txt, vali.txt and test.txt, or S1.txt … S5.txt, or a training file with a test file"


@dataclass(frozen=True)
class Layout:
    """The files of a data set with folds.

    kind : folds, parts or single.
    base : the folder that contains the files.
    folds : the training, validation and test files of each fold.
    """

    kind: str
    base: str
    folds: tuple[Triple, ...]

    @property
    def files(self) -> list[str]:
        """All files without duplicates, in the order of the folds."""
        return list(dict.fromkeys(file for fold in self.folds for part in fold for file in part))


def layouts(names: list[str]) -> list[Layout]:
    """Return the data sets found in a list of file names with slashes between folders, sorted by kind, folds first.

    >>> layouts(["S1.txt", "S2.txt", "S3.txt", "S4.txt", "S5.txt"])[0].folds[1]
    (('S2.txt', 'S3.txt', 'S4.txt'), ('S5.txt',), ('S1.txt',))
    >>> layouts(["a/rank.train", "a/rank.test", "a/other.train"])[0].folds
    ((('a/rank.train',), (), ('a/rank.test',)),)
    """
    folds: dict[str, dict[int, dict[int, str]]] = {}
    parts: dict[str, dict[int, str]] = {}
    single: dict[tuple[str, str], dict[int, str]] = {}
    for name in sorted(names):
        if found := FOLD.fullmatch(name):
            base, number, role = found[1] or "", int(found[2]), ROLES[found[3].lower()]
            folds.setdefault(base, {}).setdefault(number, {}).setdefault(role, name)
        elif found := _PART.fullmatch(name):
            parts.setdefault(found[1] or "", {}).setdefault(int(found[2]), name)
        elif found := _ALONE.fullmatch(name) or _NAMED.fullmatch(name):
            key = (found[1], "alone" if found.re is _ALONE else "named")
            single.setdefault(key, {}).setdefault(ROLES[found[2].lower()], name)
    found_layouts = []
    for base, numbered in folds.items():
        complete = [files for _, files in sorted(numbered.items()) if 0 in files and 2 in files]
        if complete:
            found_layouts.append(Layout("folds", base, tuple(map(_triple, complete))))
    for base, numbered_parts in parts.items():
        if len(numbered_parts) == 5:
            rotations = [[numbered_parts[(k + i) % 5 + 1] for i in range(5)] for k in range(5)]
            found_layouts.append(Layout("parts", base, tuple((tuple(s[:3]), (s[3],), (s[4],)) for s in rotations)))
    for (base, _), files in single.items():
        if 0 in files and 2 in files:
            found_layouts.append(Layout("single", base, (_triple(files),)))
    return found_layouts


def _triple(files: dict[int, str]) -> Triple:
    train, validation, test = ((files[role],) if role in files else () for role in range(3))
    return train, validation, test
