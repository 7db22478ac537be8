"""Small pictures as data URLs, of examples that are images and of weights."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence

import numpy as np
from PIL import Image

from learners.base import Array

_BLUE, _WHITE, _RED = np.array([0, 90, 181]), np.array([247, 247, 247]), np.array([220, 50, 32])


def data_url(pixels: Array) -> str:
    """Return a URL that holds a PNG of (h, w) grey or (h, w, 3) colour pixels, all uint8."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format="PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def ink(values: Array) -> str:
    """Draw values (h, w), dark on light and scaled to the largest; negative ones count as 0."""
    top = float(values.max()) or 1.0
    return data_url((255 * (1 - np.clip(values / top, 0, 1))).astype(np.uint8))


def signed(values: Array) -> str:
    """Draw values (h, w) of both signs, blue below zero, white at zero and red above.

    Full colour stands for the 95th percentile, so that a single large value does not hide the others.
    """
    scale = float(np.quantile(np.abs(values), 0.95)) or float(np.abs(values).max()) or 1.0
    x = np.clip(values / scale, -1, 1)[..., None]
    return data_url(np.where(x < 0, _WHITE + (_BLUE - _WHITE) * -x, _WHITE + (_RED - _WHITE) * x).astype(np.uint8))


def row(urls: Sequence[str], alt: str) -> str:
    """Return HTML that shows the pictures side by side."""
    style = "width:2.5rem;height:2.5rem;image-rendering:pixelated;border-radius:3px"
    pictures = "".join(f'<img alt="{alt}" style="{style}" src="{url}">' for url in urls)
    return f'<div style="display:flex;flex-wrap:wrap;gap:.35rem">{pictures}</div>'
