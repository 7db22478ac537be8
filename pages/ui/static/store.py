"""The folder of an edition: whole files, written only where they differ, and those of an earlier edition that go."""

import json
import re
from pathlib import Path

from datasets import disk

LIST = "edition.json"  # names all files of the edition, so that the next one knows which are its own


class Store:
    """Writes the files of an edition into a folder, which may hold other things as well.

    written : names of all files of this edition, relative to the folder. changed : those that were not there before.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> store = Store(Path(folder.name))
    >>> store.write("a/b.txt", "one"), store.write("a/b.txt", "one"), sorted(store.written)
    (True, False, ['a/b.txt'])
    >>> folder.cleanup()
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written: set[str] = set()
        self.changed: set[str] = set()

    def write(self, name: str, content: str | bytes) -> bool:
        """Write a file as a whole, and return whether it differs from the one that was there."""
        self.written.add(name)
        data = content.encode() if isinstance(content, str) else content
        path = self.folder / name
        if path.is_file() and path.read_bytes() == data:
            return False
        disk.write(path, data)
        self.changed.add(name)
        return True

    def keep(self, *names: str) -> None:
        """Note files of this edition that are there already."""
        self.written.update(names)

    def finish(self) -> int:
        """Remove files of the edition before that this one does not have, and return how many bytes there are."""
        for name in sorted(listed(self.folder) - self.written):
            path = self.folder / name
            if path.resolve().is_relative_to(self.folder.resolve()):  # whoever wrote the list
                path.unlink(missing_ok=True)
        self.write(LIST, json.dumps(sorted(self.written - {LIST}), indent=0) + "\n")
        return sum((self.folder / name).stat().st_size for name in self.written)


def listed(folder: Path) -> set[str]:
    """Return the names of the files of the edition that is in a folder."""
    try:
        found = json.loads((folder / LIST).read_text("utf-8"))
    except (OSError, ValueError):
        return set()
    return {name for name in found if isinstance(name, str)} if isinstance(found, list) else set()


def wrapped(data: bytes) -> bytes:
    r"""Return a script that holds a file: most pages fetch it, and a page from a disk has to run it (play/js/read.js).

    A byte is a character of windows-1252, which has one for each, in the literal of a text. Four of them are escaped,
    so that a packed file becomes 2 % longer; in base 64 it would become a third longer.

    >>> wrapped(b'a"\n\xe9')
    b'document.currentScript.packed="a\\"\\n\xe9";\n'
    >>> unwrapped(wrapped(bytes(range(256)))) == bytes(range(256))
    True
    """
    return _BEFORE + re.sub(rb'[\\"\n\r]', lambda found: _ESCAPED[found[0]], data) + _AFTER


def unwrapped(script: bytes) -> bytes:
    """Return the file that a script of `wrapped` holds."""
    inside = script.removeprefix(_BEFORE).removesuffix(_AFTER)
    return re.sub(rb"\\.", lambda found: _PLAIN[found[0]], inside)


_BEFORE, _AFTER = b'document.currentScript.packed="', b'";\n'
_ESCAPED = {b"\\": rb"\\", b'"': rb"\"", b"\n": rb"\n", b"\r": rb"\r"}
_PLAIN = {escaped: plain for plain, escaped in _ESCAPED.items()}
