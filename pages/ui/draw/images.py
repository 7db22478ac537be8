"""Small pictures as data URLs, of examples that are images and of weights."""

import base64
import struct
import zlib
from collections.abc import Sequence

import numpy as np

from learners.base import Array
from pages.ui.plain import Html, for_html

SHADES = 31  # of either sign, in a sheet of maps
_GREY, _COLOR, _OF_PALETTE = 0, 2, 3  # kinds of pixels of a PNG
_CLEAR = 2 * SHADES + 1  # the number of the colour of its gaps
_BLUE, _WHITE, _RED = np.array([0, 90, 181]), np.array([247, 247, 247]), np.array([220, 50, 32])


def data_url(pixels: Array) -> Html:
    """Return a URL that holds a PNG of (h, w) grey or (h, w, 3) colour pixels, all uint8."""
    return Html("data:image/png;base64," + base64.b64encode(png(pixels)).decode())


def png(pixels: Array, palette: bytes = b"") -> bytes:
    """Return the PNG of (h, w) grey or (h, w, 3) colour pixels, all uint8; the same bytes for the same pixels.

    palette : the colours, three bytes each, of which (h, w) pixels are the numbers. The last of them is transparent.
    """
    height, width = pixels.shape[:2]
    kind = _OF_PALETTE if palette else _GREY if pixels.ndim == 2 else _COLOR
    rows = np.ascontiguousarray(pixels, np.uint8).reshape(height, -1)
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0))]
    if palette:
        parts += [(b"PLTE", palette), (b"tRNS", b"\xff" * (len(palette) // 3 - 1) + b"\x00")]
    parts += [(b"IDAT", zlib.compress(np.pad(rows, ((0, 0), (1, 0))).tobytes(), 9)), (b"IEND", b"")]  # rows unfiltered
    sealed = (
        struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part)) for name, part in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(sealed)


def ink(values: Array) -> Html:
    """Draw values (h, w), dark on light and scaled to the largest; negative ones count as 0."""
    top = float(values.max()) or 1.0
    return data_url((255 * (1 - np.clip(values / top, 0, 1))).astype(np.uint8))


def centred(weights: Array) -> Array:
    """Return weights without their mean if all are positive, as those of multiplicative learners are."""
    return weights - weights.mean() if weights.min() >= 0 else weights


def sheet(maps: Array) -> Html:
    """Draw maps (k, h, w) of both signs side by side, each as `signed` does but in 63 shades, with gaps between them.

    It takes less than a third of the bytes that the maps take one by one.
    """
    scales = np.array([_scale(values) for values in maps])[:, None, None]
    shades = np.rint(SHADES * (1 + np.clip(maps / scales, -1, 1))).astype(np.uint8)
    spaced = np.pad(shades, ((0, 0), (0, 0), (0, 1)), constant_values=_CLEAR)
    palette = _colored(np.linspace(-1, 1, _CLEAR)[:, None]).tobytes() + bytes(3)
    pixels = png(np.hstack(list(spaced))[:, :-1], palette)
    return Html("data:image/png;base64," + base64.b64encode(pixels).decode())


def signed(values: Array) -> Html:
    """Draw values (h, w) of both signs, blue below zero, white at zero and red above.

    Full colour stands for the 95th percentile, so that a single large value does not hide the others.
    """
    return data_url(_colored(np.clip(values / _scale(values), -1, 1)[..., None]))


def _scale(values: Array) -> float:
    return float(np.quantile(np.abs(values), 0.95)) or float(np.abs(values).max()) or 1.0


def _colored(x: Array) -> Array:
    """Return the colours (..., 3) of values (..., 1) from −1 to 1."""
    colors: Array = np.where(x < 0, _WHITE + (_BLUE - _WHITE) * -x, _WHITE + (_RED - _WHITE) * x).astype(np.uint8)
    return colors


def row(urls: Sequence[Html], alt: str) -> Html:
    """Return HTML that shows the pictures side by side."""
    style = "width:2.5rem;height:2.5rem;image-rendering:pixelated;border-radius:3px"
    pictures = "".join(f'<img alt="{for_html(alt)}" style="{style}" src="{url}">' for url in urls)
    return f'<div style="display:flex;flex-wrap:wrap;gap:.35rem">{pictures}</div>'
