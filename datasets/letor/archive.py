"""Zip files of data: their members by name, within limits, and every damage as one sentence.

A damaged archive makes Python's modules raise almost anything: errors of zip, of compression, of letters, of numbers.
So whatever they raise is damage.
"""

import contextlib
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Self

_MAX_LIST = 10_000_000  # bytes of the list of members at the end of an archive
_END, _END_SIZE = b"PK\x05\x06", 22  # what follows the list: its mark, and its length without a comment
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack a few bytes to gigabytes at once
_PIECE = 1 << 20  # bytes


class Archive(contextlib.AbstractContextManager["Archive"]):
    """An open zip file.

    path : the file. names : those of its members, with slashes.

    Raises
    ------
    ValueError : from every method, one sentence with the name of the file or the member.
    """

    def __init__(self, path: Path) -> None:
        self._name = path.name[:80] or str(path)[:80]
        try:
            if not zipfile.is_zipfile(path):
                raise ValueError(f"{self._name} is not a zip file, although its name ends in .zip")
        except OSError as error:
            raise ValueError(f"{self._name} cannot be read: {error.strerror or error}") from None
        _check_list(path, self._name)
        with self._damage():
            self._zip = zipfile.ZipFile(path)
            self.names = self._zip.namelist()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def size(self, name: str) -> int:
        """Return the bytes of a member once it is unpacked, as the archive says; reading never gives more."""
        return self._zip.getinfo(name).file_size

    def pieces(self, name: str, most: int) -> Iterator[bytes]:
        """Yield the content of a member piece by piece; `most` is the number of bytes that are allowed."""
        own = shown(name)
        if (size := self.size(name)) > most:
            raise ValueError(f"{own} unpacks to {size / 1e6:.0f} MB; at most {most / 1e6:.0f} MB are allowed")
        member = self._zip.getinfo(name)
        if member.flag_bits & 1:
            raise ValueError(f"{self._name}: {own} is encrypted, which is not allowed")
        if member.compress_type not in _METHODS:
            raise ValueError(f"{self._name}: {own} must be compressed by deflate, as usual in zip files, or not at all")
        with contextlib.ExitStack() as opened:
            with self._damage():
                content = opened.enter_context(self._zip.open(member))
            piece = b"more"
            while piece:
                with self._damage():
                    piece = content.read(_PIECE)
                yield piece

    @contextlib.contextmanager
    def _damage(self) -> Iterator[None]:
        """Say that the file is damaged, whatever was raised."""
        try:
            yield
        except MemoryError:
            raise
        except Exception:
            raise ValueError(f"{self._name} is a damaged zip file: it is cut off or was changed") from None


def shown(name: str) -> str:
    """Return the last part of a member's name, which may be thousands of letters long."""
    return (PurePosixPath(name).name or name)[-80:]


def _check_list(path: Path, name: str) -> None:
    """Raise ValueError if the list of members is so long that it would fill the memory."""
    with path.open("rb") as file:
        file.seek(0, 2)
        file.seek(max(0, file.tell() - (1 << 16) - _END_SIZE))
        end = file.read()
    at = end.rfind(_END)
    size = int.from_bytes(end[at + 12 : at + 16], "little")
    if size > _MAX_LIST:
        raise ValueError(
            f"{name} lists its members in {size / 1e6:.0f} MB; at most {_MAX_LIST / 1e6:.0f} MB are allowed"
        )
