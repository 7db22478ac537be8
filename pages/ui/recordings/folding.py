"""JSON in which arrays stand in base 64, folded: their bytes follow it, in an order in which gzip finds what repeats.

A folded text is JSON, a zero byte, which no JSON has, and the bytes of all arrays. In the JSON an array is the text
"=width start size": where its bytes are among those that follow, and that the first bytes of all its numbers come
first, then all second ones, and so on, where a number has `width` bytes. An array that comes again has the same place.
Any other text that begins with "=" has one "=" more. The scripts unfold it in `pages/ui/play/js/unfold.js`.
"""

import base64
import binascii
import gzip
import re
import zlib
from typing import Any

import numpy as np
import orjson

END = b"\0"  # of the JSON
SHORTEST = 64  # letters of an array that is moved
WIDTHS = (1, 2, 4)
MOST_VALUES, DEEPEST = 4_000_000, 60  # of JSON that is read, which takes up to 70 bytes for each value
_ARRAY = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_PLACE = re.compile(r"=(1|2|4) (\d{1,9}) (\d{1,9})")


def packed(value: Any) -> bytes:
    """Return a value as folded JSON, packed by gzip. The same value gives the same bytes.

    >>> unfolded(gzip.decompress(packed({"x": "AAAA" * 20, "y": "=3"})))["y"]
    '=3'
    """
    places: dict[str, str] = {}
    parts: list[bytes] = []
    text = orjson.dumps(_folded(value, places, parts))
    return gzip.compress(text + END + b"".join(parts), 9, mtime=0)


def _folded(value: Any, places: dict[str, str], parts: list[bytes]) -> Any:
    if isinstance(value, dict):
        return {key: _folded(item, places, parts) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_folded(item, places, parts) if isinstance(item, str | dict | list | tuple) else item for item in value]
    if not isinstance(value, str):
        return value
    if value.startswith("="):
        return f"={value}"
    if len(value) < SHORTEST or (value not in places and not _ARRAY.fullmatch(value)):
        return value
    if value not in places:
        try:
            data = base64.b64decode(value, validate=True)
        except binascii.Error:
            return value
        if base64.b64encode(data).decode() != value:  # it is a text
            return value
        start = sum(map(len, parts))
        width = min((w for w in WIDTHS if len(data) % w == 0), key=lambda w: len(zlib.compress(_sorted(data, w), 6)))
        parts.append(_sorted(data, width))
        places[value] = f"={width} {start} {len(data)}"
    return places[value]


def _sorted(data: bytes, width: int) -> bytes:
    return np.frombuffer(data, np.uint8).reshape(-1, width).T.tobytes()


def unfolded(text: bytes, most: int = 2**31) -> Any:
    """Return the value of a folded text, or of plain JSON.

    most : bytes of all arrays; one that comes again counts again.

    Raises
    ------
    ValueError : for what is neither, with a clause.
    """
    written, end, rest = text.partition(END)
    if sum(map(written.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise ValueError(f"it holds more than {MOST_VALUES:,} values")
    try:
        value = orjson.loads(written)
    except orjson.JSONDecodeError:  # NaN, too, which no JSON has, and what is nested much too deeply
        raise ValueError("what it holds is no JSON") from None
    level = [value]
    for _ in range(DEEPEST):
        each = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list))
        level = [inner for inners in each for inner in inners if isinstance(inner, dict | list)]
    if level:
        raise ValueError("it is nested too deeply")
    return _Unfolding(rest, most).whole(value) if end else value


class _Unfolding:
    def __init__(self, rest: bytes, most: int) -> None:
        self.rest, self.left = rest, most

    def whole(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.whole(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.whole(item) if isinstance(item, str | dict | list) else item for item in value]
        if not isinstance(value, str) or not value.startswith("="):
            return value
        return value[1:] if value.startswith("==") else self._array(value)

    def _array(self, place: str) -> str:
        found = _PLACE.fullmatch(place)
        width, start, size = map(int, found.groups()) if found else (1, 0, 0)
        self.left -= size
        if not found or size % width or start + size > len(self.rest) or self.left < 0:
            raise ValueError("an array of it is not where it should be")
        data = np.frombuffer(self.rest, np.uint8, size, start)
        return base64.b64encode(data.reshape(width, -1).T.tobytes()).decode()
