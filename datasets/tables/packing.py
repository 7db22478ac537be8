"""Pack classification data into a few arrays that can be stored in one file."""

from typing import Any

import numpy as np

from datasets.base import Array, ExampleSize
from datasets.classification import ClassificationData
from datasets.tables.encoding import Table, encode

_PART = 1 << 20  # numbers scaled at a time


def pack(
    features: Any, labels: Array, names: tuple[str, ...], notes: tuple[str, ...], image: tuple[int, ...] = ()
) -> dict[str, Array]:
    """Return arrays from which `unpack` restores the data; `features` are dense or a scipy.sparse csr_array."""
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


def pack_table(table: Table, numbered: bool = False) -> dict[str, Array]:
    """Encode a table and pack the result; examples of 64 or 784 numbers, none negative, are treated as pictures.

    numbered : see `encode`.
    """
    width = len(table.features)
    side = 0 if set(table.words) - {table.label} else {64: 8, 784: 28}.get(width, 0)
    features, labels, names, notes = encode(table, numbered)
    image = (side, side) if side and features.min() >= 0 else ()
    return pack(features, labels, names, notes, image)


def size(arrays: Any) -> ExampleSize:
    """Return the size of packed data."""
    return ExampleSize(*(int(n) for n in arrays["size"]))


def unpack(id: str, params: dict[str, Any], arrays: Any, unit_length: bool) -> ClassificationData:
    """Restore packed data; `unit_length` scales each example to length 1.

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
        features=_scaled(features) if unit_length else features,
        labels=arrays["labels"],
        names=tuple(arrays["names"].tolist()),
        image_shape=image if len(image) == 2 else None,
        notes=tuple(arrays["notes"].tolist()),
    )


def unit_rows(features: Any) -> Any:
    """Return dense or sparse rows scaled to length 1; a row of zeros stays as it is.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    return _scaled(features.copy())


def _scaled(features: Any) -> Any:
    """Scale the rows in place, some at a time, so that large data are not held twice."""
    n, width = features.shape
    step = max(1, _PART // max(1, width if isinstance(features, np.ndarray) else features.nnz // max(1, n)))
    for a in range(0, n, step):
        if isinstance(features, np.ndarray):
            features[a : a + step] = _scaled_part(features[a : a + step])
        else:
            part = slice(features.indptr[a], features.indptr[min(a + step, n)])
            features.data[part] = _scaled_part(features[a : a + step]).data
    return features


def _scaled_part(features: Any) -> Any:
    dense = isinstance(features, np.ndarray)
    largest = np.abs(features).max(axis=1, initial=0) if dense else abs(features).max(axis=1).toarray()
    scaled = _divide_rows(features, largest)  # so that the squares of small numbers do not underflow
    squares = np.einsum("nd,nd->n", scaled, scaled) if dense else np.asarray((scaled * scaled).sum(axis=1))
    return _divide_rows(scaled, np.sqrt(squares))


def _divide_rows(features: Any, lengths: Array) -> Any:
    """Divide each row by its length, unless that is 0."""
    factors = (1 / np.where(lengths > 0, lengths, 1)).astype(features.dtype)
    if isinstance(features, np.ndarray):
        return features * factors[:, None]
    divided = features.copy()
    divided.data *= np.repeat(factors, np.diff(features.indptr))
    return divided
