"""The answers of a person in place of the simulated user or of the truth, as a setting in the link of a run."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.parameters import Parameter
from learners.family import Family
from learners.random import Seeds

# (step, from 1; documents or labels approved of in it, from 0), in rising order
Answers = tuple[tuple[int, tuple[int, ...]], ...]

MOST_ANSWERS = 50  # steps that a person can answer
LAST_STEP, LAST_ITEM = 100_000, 1_000_000
_NONE = "none"
_NUMBER = "[1-9][0-9]{0,6}"
_FORM = re.compile(rf"{_NUMBER}(\.{_NUMBER})*(-{_NUMBER}(\.{_NUMBER})*)*")


@dataclass(frozen=True)
class AnswersParameter(Parameter):
    """The answers of a person, in a link such as 1.3.7-2-3.2: in step 1 items 3 and 7, in step 2 none, in step 3 one.

    A text numbers documents and labels from 1, as pages do; a value numbers them from 0.

    >>> ANSWERS.parse("3.2-1.7.3-2")
    ((1, (2, 6)), (2, ()), (3, (1,)))
    >>> ANSWERS.format(((1, (2, 6)), (2, ()), (3, (1,))))
    '1.3.7-2-3.2'
    >>> ANSWERS.parse("1.3-1.4")
    Traceback (most recent call last):
    ValueError: answers must be to different steps, got step 1 twice
    """

    @property
    def allowed(self) -> str:
        return "steps with the numbers chosen in them, such as 1.3.7-2 for step 1 with 3 and 7, and step 2 with none"

    def parse(self, text: str) -> Answers:
        if text in ("", _NONE):
            return ()
        if not _FORM.fullmatch(text):
            raise self.refuse(text)
        steps = [[int(number) for number in part.split(".")] for part in text.split("-")]
        return self.check([(t, [item - 1 for item in items]) for t, *items in steps])

    def format(self, value: Any) -> str:
        steps = (".".join(map(str, (t, *(item + 1 for item in items)))) for t, items in value)
        return "-".join(steps) or _NONE

    def check(self, value: Any) -> Answers:
        """Return answers by step or as pairs in rising order, each item once. Raise a ValueError if not allowed."""
        found: dict[int, tuple[int, ...]] = {}
        try:
            pairs = [(t, tuple(items)) for t, items in (value.items() if isinstance(value, Mapping) else value)]
        except (TypeError, ValueError):
            raise self.refuse(str(value)) from None
        for t, items in pairs:
            if not all(isinstance(number, int) and not isinstance(number, bool) for number in (t, *items)):
                raise self.refuse(str(value))
            if t in found:
                raise ValueError(f"{self.name} must be to different steps, got step {t:,} twice")
            if not 1 <= t <= LAST_STEP:
                raise ValueError(f"{self.name} must be to steps from 1 to {LAST_STEP:,}, got step {t:,}")
            wrong = next((item for item in items if not 0 <= item < LAST_ITEM), None)
            if wrong is not None:
                raise ValueError(
                    f"{self.name} must be numbers from 1 to {LAST_ITEM:,}, got {wrong + 1:,} in step {t:,}"
                )
            found[t] = tuple(sorted(set(items)))
        if len(found) > MOST_ANSWERS:
            raise ValueError(f"{self.name} must be to at most {MOST_ANSWERS} steps, got {len(found)}")
        return tuple(sorted(found.items()))


ANSWERS = AnswersParameter(
    "answers", "answers", (), help="Steps that a person answered in place of the simulated user or of the truth."
)


def check_items(answers: Answers, family: Family, data: Any, seeds: Seeds) -> None:
    """Check that what was chosen in each step is there.

    Raises
    ------
    ValueError : with a sentence, if a step of the first replicate has no such document or label.
    """
    kind: Any = family.environment
    if not answers or not family.answerable:
        return
    counts = kind.items_at(data, seeds, np.array([t for t, _ in answers]))
    what = family.answerable
    for (t, items), count in zip(answers, counts, strict=True):
        if items and items[-1] >= count:
            raise ValueError(
                f"Step {t:,} was answered by hand with number {items[-1] + 1:,}, but has only {count:,} {what}. "
                "The answers belong to other data or to another seed; forget them behind “Run”, or go back to those."
            )
