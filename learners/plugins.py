"""Learners, users and data sets that the operator of a server has put into a folder, checked when the server starts.

Each file is checked in a process of its own with a time limit. One that raises, prints, never ends or breaks a promise
is left out with a sentence in the log, and nothing else happens. Nobody else's code is ever run.
"""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from datasets import discovery, own_code
from datasets.variables import Variable
from learners.catalogue import forget, learner_classes, user_classes
from learners.check.report import CheckedFile, check_file

PLUGINS = Variable(
    "FEEDBACK_LAB_PLUGINS", "text", "", folder=True,
    help="Folder with Python files of your own, whose learners, users and data sets everybody may choose. They are "
    "checked when the server starts; the log and the status page say which are left out, and why.",
)  # fmt: skip
SECONDS = 60.0  # that the check of a file may take
AT_ONCE = 2
CLOSED = "this server runs only what is in its catalogue"

offered: dict[str, list[str]] = {}  # the ids that files brought, by their names
refused: dict[str, str] = {}  # why files were left out


def start() -> None:
    """Check the files of the folder, put what holds into the catalogue, and refuse all other code from now on."""
    if PLUGINS.value:
        paths = sorted(path for path in Path(PLUGINS.value).glob("*.py") if not path.name.startswith("_"))
        with ThreadPoolExecutor(AT_ONCE) as threads:
            texts = [_source(path) for path in paths]
            for path, source, found in zip(paths, texts, threads.map(_checked, paths), strict=True):
                if reason := _take(source, found):
                    refused[path.name] = reason
                    logging.getLogger(__name__).warning("The plugin %s is left out. %s", path.name, reason)
                else:
                    offered[path.name] = [cls.id for cls in found.classes]
    own_code.close(CLOSED)


def _source(path: Path) -> own_code.OwnSource | None:
    try:
        return own_code.read_source(str(path))
    except ValueError:  # the check says why
        return None


def _checked(path: Path) -> CheckedFile:
    return check_file(path, SECONDS)


def _take(source: own_code.OwnSource | None, found: CheckedFile) -> str:
    """Put the classes of a file into the catalogue, or return why not."""
    if found.reason or source is None:
        return found.reason or "It cannot be read."
    known = {*learner_classes(), *user_classes(), *discovery.classes()}
    if taken := [cls.id for cls in found.classes if cls.id in known]:
        return f"There is already something with the id {taken[0]}."
    if _source(found.path) != source:
        return "It was changed while it was checked."
    own_code.bring(source, {cls.id: cls.name for cls in found.classes})
    forget()
    return ""
