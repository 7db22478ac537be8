"""What every data set from the internet is: one file on this machine's disk, and the way it gets there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from datasets.base import Array, Dataset, ExampleSize
from datasets.classification import ClassificationData, ClassificationDataset
from datasets.tables import packing


def folder() -> Path:
    """Where downloads are kept: FEEDBACK_LAB_DOWNLOADS, or the user's data folder; it need not exist yet."""
    named = os.environ.get("FEEDBACK_LAB_DOWNLOADS", "").strip()
    if named:
        return Path(named).absolute()
    from platformdirs import user_data_dir

    return Path(user_data_dir("feedback-lab", appauthor=False)) / "downloads"


@dataclass(kw_only=True)
class Download(Dataset):
    """Data that `datasets.download` puts on the disk; `size` and `build` read from there and never download.

    Raises
    ------
    ValueError : from `size` and `build`, one sentence that says how to get the data if they are not there.
    """

    server: ClassVar[str] = ""  # where it comes from, as sentences name it

    @property
    def label(self) -> str:
        """How sentences name it."""
        return self.id

    @property
    def file(self) -> Path:
        """The file that holds it once it is downloaded."""
        return folder() / f"{self.id}.npz"

    @property
    def arguments(self) -> dict[str, Any]:
        """The parameters on which the download depends, where they are not at their default."""
        return {}

    def fetch(self, home: Path) -> dict[str, Array]:
        """The data from the internet as arrays, `size` among them; files on the way lie in the folder `home`."""
        raise NotImplementedError

    def _open(self) -> Any:
        try:
            arrays = np.load(self.file, allow_pickle=False)
            if "size" in arrays:
                return arrays
        except FileNotFoundError:
            call = ", ".join([repr(self.id), *(f"{name}={value!r}" for name, value in self.arguments.items())])
            way = f"press Download on the Data page, or call datasets.download({call})"
            raise ValueError(f"{self.label} is not downloaded yet; {way}") from None
        except Exception:  # whatever a cut or overwritten file leads to
            pass
        raise ValueError(f"what is kept of {self.label} cannot be read; delete {self.file} and download it again")


@dataclass(kw_only=True)
class Downloaded(Download, ClassificationDataset):
    """Classification data from the internet; `fetch` gives the arrays that `packing.pack` makes."""

    def size(self) -> ExampleSize:
        with self._open() as arrays:
            return packing.size(arrays)

    def build(self) -> ClassificationData:
        with self._open() as arrays:
            return packing.unpack(self.id, self.params, dict(arrays), self.params.get("unit_length", False))
