"""The download process: `python -m datasets.downloads.process folder id parameters`.

It is started by `downloads.download.download` and writes data.npz into the folder, or after a failure a file `error`
with one sentence. A file `words` describes the current step.
"""

import errno
import json
import socket
import sys
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError

import numpy as np

from datasets.downloads.base import Download

TIMEOUT = 20  # seconds without an answer


def main(folder: str, id: str, parameters: str) -> int:
    """Download into the folder; return the exit code, 0 for success."""
    from datasets.downloads.download import downloads

    home = Path(folder)
    dataset = downloads()[id].make(**json.loads(parameters))
    socket.setdefaulttimeout(TIMEOUT)
    try:
        (home / "words").write_text(f"downloading from {dataset.server}", "utf-8")
        arrays = dataset.fetch(home)
        (home / "words").write_text("keeping the data", "utf-8")
        np.savez(home / "data.npz", allow_pickle=False, **arrays)
    except Exception as error:
        (home / "error").write_text(f"{sentence(dataset, error)}; nothing was changed", "utf-8")
        return 1
    return 0


def sentence(dataset: Download, error: Exception) -> str:
    """Describe an error in one sentence.

    >>> from datasets.downloads.openml import OpenML
    >>> sentence(OpenML(), URLError(OSError(-2, "Name or service not known")))
    'openml cannot be reached from this machine: Name or service not known'
    """
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return f"there is no room left on the disk for {dataset.label}"
    if type(error).__name__ == "OpenMLError":
        which = f"{dataset.params['name']!r} in version {dataset.params['version']}"
        return f"openml has no data set named {which}; its names can be looked up on openml.org"
    if isinstance(error, HTTPError):
        return f"{dataset.server} answered with the error {error.code} {error.reason}"
    if isinstance(error, (URLError, TimeoutError, ConnectionError, HTTPException)):
        reason = getattr(error, "reason", error)
        words = getattr(reason, "strerror", None) or str(reason) or "it does not answer"
        return f"{dataset.server} cannot be reached from this machine: {words}"
    first = (str(error).splitlines() or [type(error).__name__])[0]
    if "checksum" in first.lower():
        return f"the copy of {dataset.label} from {dataset.server} was damaged in transit; try again"
    if isinstance(error, ValueError) and first.startswith(dataset.label):
        return first
    return f"{dataset.label} cannot be downloaded: {first}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
