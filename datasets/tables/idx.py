"""Read pictures with labels in IDX, the format in which MNIST is distributed: two files next to each other.

Every error is a `ValueError` of one sentence that begins with the file's name (not its path).
"""

import gzip
import re
import zlib
from pathlib import Path
from typing import IO, cast

import numpy as np

from datasets.base import Array
from datasets.limits import check_bytes
from datasets.tables import packing
from datasets.tables.encoding import LARGE, check_size, classes_of
from datasets.tables.text_files import MAX_LINES, check_file

_NAME = re.compile(r"(.*)(images|labels)([-.]idx)[13](-ubyte(?:\.gz)?)", re.IGNORECASE)
_BYTES = bytes([0, 0, 8])  # how a file of whole numbers from 0 to 255 begins; the number of axes follows
_LABELS, _PICTURES = 1, 3  # axes
_SIDE = 1000  # pixels


def is_idx(path: Path) -> bool:
    """Return whether a file begins as those of MNIST do."""
    try:
        with _open(path) as file:
            start = file.read(4)
    except (OSError, EOFError, zlib.error):
        return False
    return start[:3] == _BYTES and start[3:] in (bytes([_LABELS]), bytes([_PICTURES]))


def both(path: Path) -> tuple[Path, Path]:
    """Return the file of pictures and that of labels, of which `path` is one.

    Raises
    ------
    ValueError : if the name does not say which one it is, or the other is not beside it.

    >>> both(Path("train-images-idx3-ubyte.gz"))
    Traceback (most recent call last):
    ValueError: train-images-idx3-ubyte.gz needs train-labels-idx1-ubyte.gz beside it
    """
    found = _NAME.fullmatch(path.name)
    if found is None:
        raise ValueError(f"{path.name} must be named as in MNIST, such as train-images-idx3-ubyte.gz")
    pictures, labels = (
        path.with_name(f"{found[1]}{what}{found[3]}{axes}{found[4]}")
        for what, axes in (("images", _PICTURES), ("labels", _LABELS))
    )
    other = labels if found[2].lower() == "images" else pictures
    if not other.is_file():
        raise ValueError(f"{path.name} needs {other.name} beside it")
    return (path, labels) if other == labels else (pictures, path)


def parse(pictures: Path, labels: Path) -> dict[str, Array]:
    """Return the packed examples, a feature for each pixel from 0 to 255.

    Raises
    ------
    ValueError : for a file that is damaged or too large, and for numbers of pictures and labels that differ.
    """
    pixels, known = _read(pictures, _PICTURES), _read(labels, _LABELS)
    if len(pixels) != len(known):
        raise ValueError(f"{labels.name} has {len(known)} labels, but {pictures.name} has {len(pixels)} pictures")
    classes, names, notes = classes_of(labels.name, known.astype(float), lambda i: f"{labels.name}, label {i + 1}")
    check_bytes(pictures.name, pixels.size * (4 if pixels.size >= LARGE else 8))
    features = pixels.reshape(len(pixels), -1).astype(np.float32 if pixels.size >= LARGE else np.float64)
    return packing.pack(features, classes, names, notes, pixels.shape[1:])


def _read(path: Path, axes: int) -> Array:
    check_file(path, "classification file")
    try:
        with _open(path) as file:
            head = file.read(4 + 4 * axes)
            if head[:4] != _BYTES + bytes([axes]) or len(head) < 4 + 4 * axes:
                what = "pictures" if axes == _PICTURES else "labels"
                raise ValueError(f"{path.name} does not hold {what} in the form of MNIST")
            shape = tuple(int(n) for n in np.frombuffer(head, ">u4", offset=4))
            if not all(shape) or max(shape[1:], default=0) > _SIDE:
                raise ValueError(f"{path.name} says that it holds {' × '.join(map(str, shape))} numbers")
            if shape[0] > MAX_LINES:
                raise ValueError(f"{path.name} has {shape[0]} examples; at most {MAX_LINES} are allowed")
            check_size(path.name, shape[0], int(np.prod(shape[1:], dtype=np.int64)))
            total = int(np.prod(shape, dtype=np.int64))
            content = file.read(total + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ValueError(f"{path.name} is a damaged gzip file: it is cut off or was changed") from None
    except OSError as error:
        raise ValueError(f"{path.name} cannot be read: {error.strerror or error}") from None
    if len(content) != total:
        raise ValueError(f"{path.name} is damaged: it should hold {total} numbers")
    return np.frombuffer(content, np.uint8).reshape(shape)


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return cast("IO[bytes]", gzip.open(path, "rb") if packed else path.open("rb"))
