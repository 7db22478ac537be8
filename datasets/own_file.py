"""The base class of data sets that are read from a file or a folder of your own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from datasets.base import Dataset
from datasets.parameters import text
from datasets.paths import locate


@dataclass(kw_only=True)
class OwnFile(Dataset):
    """Data read from the file or the folder at `path`.

    what : in words, what the path must name. form : how `find_files` calls such files, "" if as the family.

    Every reader of a file runs under `guard.guarded` and keeps what it parsed by `file_cache.through`.
    """

    what: ClassVar[str] = ""
    form: ClassVar[str] = ""

    path: str = text()

    def read(self, path: Path) -> Any:
        """Return the content of the file that `path` names."""
        raise NotImplementedError

    def content(self) -> Any:
        """Return what `read` returns, which is called again only after a parameter has changed."""
        known: tuple[dict[str, Any], Any] | None = getattr(self, "_known", None)
        if known is None or known[0] != self.params:
            known = self._known = (self.params, self.read(locate(self.path, self.what)))
        return known[1]

    def size(self) -> Any:
        """Return the size; this reads the file and keeps the data for `build`."""
        return self.build().size()

    def build(self) -> Any:
        return self.content()

    def named(self, data: Any, path: Path, **changes: Any) -> Any:
        """Return the data with the parameters of this data set; their path is that of the file that was found."""
        return replace(data, params=self.params | {"path": str(path)}, **changes)
