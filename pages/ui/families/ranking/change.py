"""The changes that a step of a ranking learner made: the documents that changed places, and the weights that moved."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.race.change import Columns, StepChange


def columns(watched: Mapping[str, Array], data: Any) -> Columns:
    """Return the weights that moved most, and the first pair of the feedback, as the learner reads it."""
    return {"id": watched["moved"], "was": watched["was"], "now": watched["now"], "pair": pairs(watched)}


def columns_taught(watched: Mapping[str, Array], data: Any) -> Columns:
    """Return the same of the search that taught, before that which compares.

    Beyond that, query (F,) where there are several, and faces (F, 2) the rows of the pair, since the list beside shows
    the documents of another query.
    """
    told = {name: watched[f"taught_{name}"] for name in ("query", "rows", "shown", "improved", "swapped")}
    found = columns({**watched, **told}, data)
    pair = found["pair"][:, :2]
    found["faces"] = np.where(pair >= 0, np.take_along_axis(told["rows"], np.maximum(pair, 0), axis=1), -1)
    return found | ({"taught": told["query"]} if data.queries > 1 else {})


def pairs(watched: Mapping[str, Array]) -> Array:
    """Return the first document that the feedback puts above another, and that one, (F, 4) as in `StepChange`."""
    shown, improved, swapped = watched["shown"], watched["improved"], watched["swapped"]
    moved = (shown != improved) & (shown >= 0) & (improved >= 0)
    place, rows = moved.argmax(axis=1), np.arange(len(shown))
    up, down = improved[rows, place], shown[rows, place]
    stood = np.argsort(np.where(shown < 0, shown.shape[1], shown), axis=1, kind="stable")  # where each document stood
    after = np.argsort(np.where(improved < 0, improved.shape[1], improved), axis=1, kind="stable")
    raised = ((after < stood) & (np.arange(shown.shape[1]) < (shown >= 0).sum(axis=1)[:, None])).sum(axis=1)
    tried = np.where((swapped > 0).any(axis=1), swapped[rows, place] > 0, -1)
    made = np.stack([up, down, np.maximum(raised - 1, 0), tried], axis=1)
    return np.where(moved.any(axis=1)[:, None], made, -1)


CHANGE = StepChange(
    "What the step changed",
    "On top, the documents that the learner takes to be in the wrong order after the user's answer: it puts the first "
    "above the second. Below, the weights that moved most, before the step (outline) and after it (filled), with the "
    "change. Documents with a lot of a feature whose weight rose will be ranked higher from now on. A learner without "
    "such weights shows numbers that it keeps instead: clicks or losses of documents, for d1 − d2 how far d1 is ahead, "
    "n times compared, wins d1 ≻ d2, clicks on d1 at place 2 of a log, or weights U, b and v of a network.",
    names="weight",
    columns=columns,
)
TAUGHT = replace(
    CHANGE, columns=columns_taught,
    help=f"{CHANGE.help} In each step one search teaches the learner, and the next compares it: this is the first, the "
    "list beside it the second.",
)  # fmt: skip
