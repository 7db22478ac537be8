"""Looks of documents and examples in a scene: an image, a name, or a few features."""

from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.draw.images import data_url
from pages.ui.plain import visible

PIXELS = 4_000_000  # of all images together, at most
NAMES = 20_000  # at most
LETTERS = 60  # of a name
FEATURES = 4  # of an example that are written out


def images(features: Any, shape: tuple[int, int]) -> dict[str, Any]:
    """Return the images of rows (N, h · w), dark on light, in one picture; nothing if they are too many to send.

    >>> images(np.ones((5, 4)), (2, 2))["images"]["columns"]
    3
    """
    rows = features.shape[0]
    if rows * shape[0] * shape[1] > PIXELS:
        return {}
    dense = features.toarray() if hasattr(features, "toarray") else np.asarray(features)
    ink = np.clip(dense, 0, None)
    top = ink.max(axis=1, keepdims=True)
    grey = np.rint(255 * (1 - ink / np.where(top > 0, top, 1))).astype(np.uint8)
    across = int(np.ceil(np.sqrt(rows)))
    down = -(-rows // across)
    tiles = np.full((down * across, *shape), 255, np.uint8)
    tiles[:rows] = grey.reshape(rows, *shape)
    sheet = tiles.reshape(down, across, *shape).swapaxes(1, 2).reshape(down * shape[0], across * shape[1])
    return {"images": {"src": data_url(sheet), "width": shape[1], "height": shape[0], "columns": across, "rows": down}}


def names(texts: tuple[str, ...]) -> dict[str, Any]:
    """Return names by row, cut where they are long; nothing if they are too many to send.

    >>> names(("Fargo", "A" * 99))["names"][1].count("A")
    59
    """
    if len(texts) > NAMES:
        return {}
    return {"names": [visible(text if len(text) <= LETTERS else text[: LETTERS - 1] + "…") for text in texts]}


def examples(features: Any, shape: tuple[int, int] | None) -> dict[str, Any]:
    """Return the faces of examples, which are images or described by a few of their features.

    >>> examples(np.array([[0.25, -1.0], [2.0, 0.0]]), None)["names"]
    ['(0.25, −1)', '(2, 0)']
    """
    if shape is not None:
        return images(features, shape)
    if features.shape[0] > NAMES:
        return {}
    texts = [_described(features, i) for i in range(features.shape[0])]
    return {"names": texts} if any(texts) else {}


def labelled(data: Any, shape: tuple[int, int] | None = None) -> dict[str, Any]:
    """Return the names of labels, and the number and the faces of the examples. shape : of those that are images."""
    return {
        "labels": [visible(name) for name in data.names], "examples": data.examples, **examples(data.features, shape),
    }  # fmt: skip


def _described(features: Any, i: int) -> str:
    """Return an example in words: all features if they are few, else which are not 0, or nothing if that says nothing.

    >>> _described(np.eye(6)[[1]], 0), _described(np.ones((1, 6)), 0)
    ('feature 2', '')
    """
    row: Array = features[[i]].toarray()[0] if hasattr(features, "toarray") else np.asarray(features[i])
    if len(row) <= FEATURES:
        return f"({', '.join(_number(x) for x in row)})"
    here = np.flatnonzero(row)
    if len(here) == len(row):
        return ""
    listed = ", ".join(str(j + 1) for j in here[:FEATURES])
    return f"feature{'s' * (len(here) > 1)} {listed}{', …' if len(here) > FEATURES else ''}"


def _number(x: float) -> str:
    return f"{float(x) + 0.0:.2g}".replace("-", "−")
