"""How ranking data are divided into training, validation and test files, read from the names of the files alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

Triple = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]  # files that train, validate, test

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
    """kind : folds, parts or single. folds : of each, the files of its three parts. base : the folder they are in."""

    kind: str
    base: str
    folds: tuple[Triple, ...]

    @property
    def files(self) -> list[str]:
        """All files, each once, in the order of the folds."""
        return list(dict.fromkeys(file for fold in self.folds for part in fold for file in part))


def layouts(names: list[str]) -> list[Layout]:
    """The data sets that a list of files, with slashes between folders, holds; those of folds come first.

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
    made = []
    for base, numbered in folds.items():
        whole = [files for _, files in sorted(numbered.items()) if 0 in files and 2 in files]
        if whole:
            made.append(Layout("folds", base, tuple(map(_triple, whole))))
    for base, five in parts.items():
        if len(five) == 5:
            turns = [[five[(k + i) % 5 + 1] for i in range(5)] for k in range(5)]
            made.append(Layout("parts", base, tuple((tuple(s[:3]), (s[3],), (s[4],)) for s in turns)))
    for (base, _), files in single.items():
        if 0 in files and 2 in files:
            made.append(Layout("single", base, (_triple(files),)))
    return made


def _triple(files: dict[int, str]) -> Triple:
    train, validation, test = ((files[role],) if role in files else () for role in range(3))
    return train, validation, test
