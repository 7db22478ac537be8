"""Pictures of a run at its keyframes, kept and sent as what changes from one to the next."""

import base64
import math
import re
from typing import Any

import numpy as np
import orjson

from learners.base import Array

FEW_NUMBERS = 16  # shorter arrays and lists are written out as they are
# types for whole numbers, the smallest first
_WHOLE = (("u1", np.uint8), ("i1", np.int8), ("i2", np.int16), ("i4", np.int32))


class Frames:
    """The pictures of one chart in the order of their steps, each a Plotly figure or HTML.

    bytes : the memory they take.

    A frame of the payload is null where the picture stays the same. Otherwise it lists what changes, as pairs of a path
    into the picture and the value that belongs there; the path [] stands for the picture as a whole. HTML is the list
    of its tags and texts. Long arrays have the form that plotly.js reads, {"dtype", "bdata", "shape"}, in single
    precision, or smaller where they hold whole numbers. Long lists in which texts repeat are {"texts", "which"}, at
    most 256 different texts and the number of the text at each place.

    >>> frames = Frames()
    >>> for t in range(3):
    ...     frames.add(10 * t, {"data": [{"type": "heatmap", "z": np.eye(4) * (t // 2)}], "layout": {"height": 200}})
    >>> orjson.loads(orjson.dumps(frames.since(1)))  # the second is like the first
    {'first': 1, 'at': [10, 20], 'frames': [None, [[['data', 0, 'z', 'bdata'], 'AQAAAAABAAAAAAEAAAAAAQ==']]]}
    """

    def __init__(self) -> None:
        self._at: list[int] = []
        self._frames: list[bytes] = []  # JSON, written once however often it is sent
        self._latest: Any = None
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, t: int, picture: dict[str, Any] | str) -> None:
        """Append the picture after step t.

        Raises
        ------
        ValueError : where t does not come after the steps of the frames that are there.
        """
        if self._at and t <= self._at[-1]:
            raise ValueError(f"t must be larger than {self._at[-1]}, the step of the latest frame, got {t}")
        picture = plain(picture)
        changes = [((), picture)] if not self._at else _changes(self._latest, picture, ())
        self._latest = picture
        self._at.append(t)
        self._frames.append(orjson.dumps(changes or None))
        self.bytes += len(self._frames[-1]) * (2 if len(self) == 1 else 1)  # the latest is held whole, too

    def since(self, n: int) -> dict[str, Any]:
        """Return the part of the payload from frame n on, counted from 0, for `orjson.dumps`.

        It may be called from another thread while frames are added.
        """
        last = len(self._frames)
        first = min(max(n, 0), last)
        return {"first": first, "at": self._at[first:last], "frames": [*map(orjson.Fragment, self._frames[first:last])]}


def plain(value: Any) -> Any:
    """Return a picture as JSON can hold it, with arrays and repeated texts in the forms that `Frames` describes.

    >>> plain(np.arange(20))["dtype"], plain(np.array([1.0, np.nan])), plain("<b>t = 5</b>")
    ('u1', [1.0, None], ['<b>', 't = 5', '</b>'])
    """
    if isinstance(value, str):
        return [part for part in re.split(r"(?<=>)|(?=<)", value) if part]
    return _plain(value)


def rarely(values: Array) -> Any:
    """Return the rows of an array without the cells that are as in the row before, if that is shorter.

    It has the form {"width", "fresh", "values"}: the cells of a row, a bit for each cell, 1 if it is written, eight
    to a number, and those that are written, in the order of rows.

    >>> rarely(np.array([[7, 1]] * 20 + [[7, 2]] * 20))["values"]
    [7, 1, 2]
    """
    rows = values.reshape(len(values), -1)
    fresh = np.ones(rows.shape, dtype=bool)
    fresh[1:] = rows[1:] != rows[:-1]
    if rows.size < FEW_NUMBERS or fresh.mean() + 1 / (8 * rows.itemsize) > 1:
        return plain(values)
    return {"width": rows.shape[1], "fresh": plain(np.packbits(fresh)), "values": plain(rows[fresh])}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _packed(value) if value.size >= FEW_NUMBERS and value.dtype.kind in "biuf" else _plain(value.tolist())
    if isinstance(value, list | tuple):
        different = set(value) if len(value) >= FEW_NUMBERS and all(isinstance(item, str) for item in value) else ()
        if different and len(different) <= min(256, len(value) // 2):
            texts = sorted(different)
            place = {text: i for i, text in enumerate(texts)}
            return {"texts": texts, "which": _packed(np.array([place[text] for text in value]))}
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _packed(values: Array) -> dict[str, str]:
    """Return an array as plotly.js reads it, in the smallest type that holds it to single precision."""
    kind, packed = "f8", values.astype(np.float64)
    if np.isfinite(packed).all() and (packed == np.rint(packed)).all():
        fits = (w for w in _WHOLE if np.iinfo(w[1]).min <= packed.min() and packed.max() <= np.iinfo(w[1]).max)
        kind, of = next(fits, ("f8", np.float64))
        packed = packed.astype(of)
    elif np.abs(packed[np.isfinite(packed)]).max(initial=0) <= np.finfo(np.float32).max:
        kind, packed = "f4", packed.astype(np.float32)
    data = base64.b64encode(np.ascontiguousarray(packed, packed.dtype.newbyteorder("<")).tobytes()).decode()
    return {"dtype": kind, "bdata": data, "shape": ", ".join(map(str, values.shape))}


def _changes(old: Any, new: Any, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], Any]]:
    """Return the paths where two pictures differ, each with the value of the new one."""
    if old == new:
        return []
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        return [change for key in new for change in _changes(old[key], new[key], (*path, key))]
    both = isinstance(old, list) and isinstance(new, list) and len(old) == len(new)
    if both and all(isinstance(item, dict | str) for item in new):  # traces, annotations, HTML; not numbers
        return [change for i in range(len(new)) for change in _changes(old[i], new[i], (*path, i))]
    return [(path, new)]
