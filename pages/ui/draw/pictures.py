"""Small pictures as data URLs: documents that are images, and weights as a diverging map."""

from __future__ import annotations

import base64
import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

_BLUE, _WHITE, _RED = np.array([0, 90, 181]), np.array([247, 247, 247]), np.array([220, 50, 32])


def data_url(pixels: NDArray[np.uint8]) -> str:
    """A PNG of (h, w) grey or (h, w, 3) colour pixels, as a URL that holds it."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format="PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def ink(values: NDArray[np.float64]) -> str:
    """A picture of non-negative values, dark on light, scaled to its largest value."""
    top = float(values.max()) or 1.0
    return data_url((255 * (1 - np.clip(values / top, 0, 1))).astype(np.uint8))


def signed(values: NDArray[np.float64]) -> str:
    """A picture of values of both signs: blue below zero, white at zero, red above.

    Full colour stands for the 95th percentile, so that a single large value does not hide the others.
    """
    scale = float(np.quantile(np.abs(values), 0.95)) or float(np.abs(values).max()) or 1.0
    x = np.clip(values / scale, -1, 1)[..., None]
    return data_url(np.where(x < 0, _WHITE + (_BLUE - _WHITE) * -x, _WHITE + (_RED - _WHITE) * x).astype(np.uint8))
