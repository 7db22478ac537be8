"""The base class of data sets from the internet, each stored in one file on this machine's disk."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from datasets.base import Array, Dataset, ExampleSize
from datasets.classification import ClassificationData, ClassificationDataset
from datasets.tables import packing
from datasets.variables import Variable

DOWNLOADS = Variable(
    "FEEDBACK_LAB_DOWNLOADS", "text", "", deprecated=True,
    help="Folder that keeps downloaded data. By default it lies among the user's data.",
)  # fmt: skip


def folder() -> Path:
    """Return the folder of downloads, FEEDBACK_LAB_DOWNLOADS or else in the user's data folder; it may not exist."""
    if DOWNLOADS.value:
        return Path(DOWNLOADS.value).absolute()
    from platformdirs import user_data_dir

    return Path(user_data_dir("feedback-lab", appauthor=False)) / "downloads"


@dataclass(kw_only=True)
class Download(Dataset):
    """Data that `datasets.download` stores on disk; `size` and `build` read the file and never download.

    Raises
    ------
    ValueError : from `size` and `build`, one sentence that says how to get the data if they are missing.
    """

    server: ClassVar[str] = ""  # the server's name in messages

    @property
    def label(self) -> str:
        """The name of the data in messages."""
        return self.id

    @property
    def file(self) -> Path:
        """The file that holds the data once they are downloaded."""
        return folder() / f"{self.id}.npz"

    @property
    def arguments(self) -> dict[str, Any]:
        """The parameters on which the download depends, except those with their default value."""
        return {}

    def fetch(self, home: Path) -> dict[str, Array]:
        """Download the data and return them as arrays, `size` among them; temporary files go into the folder `home`."""
        raise NotImplementedError

    def _read(self, *names: str) -> dict[str, Array]:
        """Return the stored arrays, or those that are named."""
        try:
            with np.load(self.file, allow_pickle=False) as arrays:
                if "size" in arrays:
                    return {name: arrays[name] for name in names or arrays}
        except FileNotFoundError:
            call = ", ".join([repr(self.id), *(f"{name}={value!r}" for name, value in self.arguments.items())])
            way = f"press Download in the catalogue, or call datasets.download({call})"
            raise ValueError(f"{self.label} is not downloaded yet; {way}") from None
        except Exception:  # a truncated or overwritten file can raise anything
            pass
        raise ValueError(f"the stored copy of {self.label} cannot be read; delete {self.file} and download it again")


@dataclass(kw_only=True)
class Downloaded(Download, ClassificationDataset):
    """Classification data from the internet; `fetch` returns the arrays made by `packing.pack`."""

    def size(self) -> ExampleSize:
        return packing.size(self._read("size"))

    def build(self) -> ClassificationData:
        return packing.unpack(self.id, self.params, self._read(), self.params.get("unit_length", False))
