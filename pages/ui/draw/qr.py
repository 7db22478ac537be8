"""QR codes, so that a class can open a link with a phone."""

from functools import lru_cache

import segno
from segno.encoder import DataOverflowError

LONGEST_LINK = 1200  # characters of a link that a phone reads from a screen across a room


@lru_cache(maxsize=64)
def qr(text: str) -> str:
    """Return a text as a QR code, an SVG that fills the width of its place.

    It is black on white with the quiet zone that readers need, whatever the theme. Raise `ValueError` for a text that
    is empty or too long to be read.

    >>> code = qr("https://example.org/stability?t=100")
    >>> code.startswith("<svg") and "viewBox" in code
    True
    >>> qr("x" * 5000)
    Traceback (most recent call last):
    ValueError: This link has 5,000 characters, which is too long for a QR code. At most 1,200 can be read.
    """
    if not text:
        raise ValueError("There is no link to draw as a QR code.")
    try:
        if len(text) > LONGEST_LINK:
            raise DataOverflowError
        code = segno.make_qr(text, error="l", boost_error=True)
    except DataOverflowError:
        words = f"This link has {len(text):,} characters, which is too long for a QR code."
        raise ValueError(f"{words} At most {LONGEST_LINK:,} can be read.") from None
    return str(code.svg_inline(border=4, dark="#000000", light="#FFFFFF", omitsize=True))
