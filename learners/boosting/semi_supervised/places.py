"""Places examples in a picture: in the plane of their features, or of their first two principal components."""

import numpy as np

from learners.base import Array

_EXACT = 200  # features or rows up to which the components are computed exactly


def plane(features: Array) -> Array:
    """Return places (n, 2) of rows (n, d): the features themselves if d = 2, else their first two principal components.

    The largest weight of a component is positive. Where the rows differ in fewer than two directions, the missing
    coordinates are 0.

    >>> plane(np.array([[0.0, 3.0, 0.0], [0.0, -3.0, 0.0]]))
    array([[ 3., 0.],
           [-3., 0.]])
    """
    n, d = features.shape
    if d == 2:
        return np.asarray(features, dtype=float)
    centred = np.asarray(features - features.mean(axis=0), dtype=float)
    if min(n, d) > _EXACT:
        from sklearn.utils.extmath import randomized_svd

        _, lengths, axes = randomized_svd(centred, n_components=2, n_iter=7, random_state=0)
    else:
        _, lengths, axes = np.linalg.svd(centred, full_matrices=False)
    places = np.zeros((n, 2))
    for j, (length, axis) in enumerate(zip(lengths[:2], axes[:2], strict=True)):
        if length > 1e-9 * max(lengths[0], 1e-300):
            places[:, j] = centred @ axis * np.sign(axis[np.abs(axis).argmax()])
    return places


def extent_of(features: Array, margin: float = 0.06) -> tuple[float, float, float, float]:
    """Return (x0, x1, y0, y1) around all points (N, 2), with a margin, a share of the width on each side.

    >>> extent_of(np.array([[0.0, 5.0], [10.0, 5.0]]), margin=0.1)
    (-1.0, 11.0, 4.9, 5.1)
    """
    low, high = features.min(axis=0), features.max(axis=0)
    more = margin * np.where(high > low, high - low, 1.0)
    (x0, y0), (x1, y1) = low - more, high + more
    return float(x0), float(x1), float(y0), float(y1)
