"""Classification data as a few arrays, to be kept in one file."""

from __future__ import annotations

from typing import Any

import numpy as np

from datasets.base import Array, ExampleSize
from datasets.classification import ClassificationData
from datasets.tables.encoding import Table, encode


def pack(
    features: Any, labels: Array, names: tuple[str, ...], notes: tuple[str, ...], image: tuple[int, ...] = ()
) -> dict[str, Array]:
    """The arrays from which `unpack` makes data again; `features` are dense or a scipy.sparse csr_array."""
    if isinstance(features, np.ndarray):
        held = {"features": features}
    else:
        held = {"data": features.data, "indices": features.indices, "indptr": features.indptr}
    held["labels"] = labels
    total = sum(array.nbytes for array in held.values())
    return held | {
        "names": np.array(names, dtype=str),
        "notes": np.array(notes, dtype=str),
        "image": np.array(image, dtype=int),
        "size": np.array([*features.shape, len(names), total], dtype=np.int64),
    }


def pack_table(table: Table) -> dict[str, Array]:
    """Pack what `encode` makes of a table.

    64 or 784 numbers, none below 0, are taken for pictures.
    """
    width = table.pieces[0].shape[1] - 1
    side = 0 if set(table.words) - {table.label} else {64: 8, 784: 28}.get(width, 0)
    features, labels, names, notes = encode(table)
    image = (side, side) if side and features.min() >= 0 else ()
    return pack(features, labels, names, notes, image)


def size(arrays: Any) -> ExampleSize:
    """The size of packed data."""
    return ExampleSize(*(int(n) for n in arrays["size"]))


def unpack(id: str, params: dict[str, Any], arrays: Any, unit_length: bool) -> ClassificationData:
    """The data; `unit_length` scales each example to length 1.

    >>> arrays = pack(np.array([[3.0, 4.0], [1.0, 0.0]]), np.array([0, 1]), ("no", "yes"), ())
    >>> unpack("two", {}, arrays, unit_length=True).features
    array([[0.6, 0.8],
           [1. , 0. ]])
    """
    if "features" in arrays:
        features = arrays["features"]
    else:
        from scipy.sparse import csr_array

        shape = tuple(int(n) for n in arrays["size"][:2])
        features = csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
    image = tuple(arrays["image"].tolist())
    return ClassificationData(
        id=id,
        params=params,
        features=unit_rows(features) if unit_length else features,
        labels=arrays["labels"],
        names=tuple(arrays["names"].tolist()),
        image_shape=image if len(image) == 2 else None,
        notes=tuple(arrays["notes"].tolist()),
    )


def unit_rows(features: Any) -> Any:
    """The rows scaled to length 1, dense or sparse; a row of zeros stays.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    dense = isinstance(features, np.ndarray)
    largest = np.abs(features).max(axis=1, initial=0) if dense else abs(features).max(axis=1).toarray()
    scaled = _times(features, largest)  # so that the squares of small numbers do not vanish
    squares = np.einsum("nd,nd->n", scaled, scaled) if dense else np.asarray((scaled * scaled).sum(axis=1))
    return _times(scaled, np.sqrt(squares))


def _times(features: Any, lengths: Array) -> Any:
    """Each row divided by its length, unless that is 0."""
    factors = (1 / np.where(lengths > 0, lengths, 1)).astype(features.dtype)
    return (
        features * factors[:, None] if isinstance(features, np.ndarray) else features.multiply(factors[:, None]).tocsr()
    )
