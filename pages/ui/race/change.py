"""The picture of what a step changed, which each family declares and one script draws (play/js/change.js).

Its vocabulary: bars before and after with names, intervals around them, signs beside the names, and documents that
changed places. It is read from what the environment notes of a step, or a round of boosting records.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.base import Array
from learners.moved import MOST_MOVED

Columns = dict[str, Array]
BITS, LEVELS = 15, 32767  # of a number that is sent in 16 bits
CHANGE = "change"  # the id of its keyframes, where it is recorded with the pictures


@dataclass(frozen=True)
class StepChange:
    """The drawn changes of a step.

    title : what the person sees. help : how to read it. names : what a row is called by its number: "weight", "label"
    (a label of the data) or "example" or "document" (with its number). signs : what the bits of `role` mean, the lowest
    first, each a sign of scene_signs.js and its words. number : the symbol of a number that the step used, such as γ.
    columns : of some steps, from the columns of a `Watch` and the data.

    Columns, each (F, m) with rows in order: id, −1 for none; was, now; width, of the interval around `was`; role, bits.
    Beside them number (F,), and pair (F, 4): the document that was put above another, that one, how many more were
    moved up, and 1 if the learner had swapped the two to try them, 0 if not, −1 if it does not swap; −1 for no pair.
    Only id, was and now must be there. Of the rows, those beyond `rows` are left out.
    """

    title: str
    help: str
    names: str
    columns: Callable[[Mapping[str, Array], Any], Columns] | None = None
    signs: tuple[tuple[str, str], ...] = ()
    number: str = ""

    def rows(self, learners: int) -> int:
        """Return how many rows of each learner there is room for; a pair takes the place of one."""
        return MOST_MOVED - (learners > 3) - (learners > 2 and self.names == "weight")

    def face(self, learners: int) -> dict[str, Any]:
        """Return what the script must know before any step."""
        return {
            "title": self.title, "help": self.help, "names": self.names, "number": self.number,
            "signs": [{"sign": sign, "words": words} for sign, words in self.signs], "rows": self.rows(learners),
        }  # fmt: skip


def largest(was: Array, now: Array, first: Array | None = None) -> Array:
    """Return the places (F, MOST_MOVED) of the numbers (F, K) that are told of each step, −1 for none.

    first : (F, n) those that come in any case, −1 for none. Then come those that moved, the largest move first.

    >>> largest(np.array([[0, 5, 1, 0]]), np.array([[0, 0, 2, 0]]), np.array([[3, 3, -1]])).tolist()
    [[3, 1, 2, -1]]
    """
    F, K = was.shape
    size = np.abs(now - was).astype(float)
    if first is not None:
        for i in range(first.shape[1]):
            at = np.flatnonzero(first[:, i] >= 0)
            weight = 1e30 * (first.shape[1] - i)
            size[at, first[at, i]] = np.maximum(size[at, first[at, i]], weight)
    order = np.argsort(-size, axis=1, kind="stable")[:, :MOST_MOVED]
    found = np.full((F, MOST_MOVED), -1)
    found[:, : min(K, MOST_MOVED)] = np.where(np.take_along_axis(size, order, axis=1) > 0, order, -1)
    return found


def levelled(columns: Columns, rows: int = MOST_MOVED) -> Columns:
    """Return the columns as they are sent: the first rows of was, by (now − was) and width in 16 bits, times 2**power.

    power (F, 2) : the first is that of was and width, the second that of by, so that a small change keeps its digits.

    >>> sent = levelled({"id": np.array([[1]]), "was": np.array([[-2.0]]), "now": np.array([[-1.5]])})
    >>> {name: values.tolist() for name, values in sent.items()}
    {'id': [[1]], 'was': [[-16384]], 'by': [[16384]], 'power': [[-13, -15]]}
    """
    of_rows = [name for name in ("id", "was", "now", "width", "role") if name in columns]
    columns = columns | {name: columns[name][:, :rows] for name in of_rows}
    numbers = {"was": columns["was"].astype(float), "by": columns["now"].astype(float) - columns["was"]}
    if "width" in columns:
        numbers["width"] = columns["width"].astype(float)
    whole = np.hstack([numbers[name] for name in ("was", "width") if name in numbers])
    most = np.stack([np.abs(whole).max(axis=1), np.abs(numbers["by"]).max(axis=1)], axis=1)
    power = np.clip(np.frexp(most)[1] - BITS, -127, 127)
    sent = {
        name: np.clip(np.rint(np.ldexp(values, -power[:, [int(name == "by")]])), -LEVELS, LEVELS).astype(np.int16)
        for name, values in numbers.items()
    }
    kept = {name: values for name, values in columns.items() if name not in ("was", "now", "width")}
    return kept | sent | {"power": power.astype(np.int8)}


def picked(values: Array, ids: Array) -> Array:
    """Return values (F, K) at places (F, m) in single precision, 0 where there is none."""
    return np.where(ids < 0, 0.0, np.take_along_axis(values, np.maximum(ids, 0), axis=1)).astype(np.float32)
