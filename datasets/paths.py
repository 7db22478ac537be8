"""Find data files: by a path given as text, or in the server's data folder by a name that cannot be trusted."""

from pathlib import Path

from datasets.parameters import shown
from datasets.variables import Variable

DATA = Variable(
    "FEEDBACK_LAB_DATA", "text", "", folder=True, help="Folder whose files everybody who opens the app may choose."
)


def data_folder() -> Path | None:
    """Return the folder named by the environment variable FEEDBACK_LAB_DATA, or None if it is not set.

    Raises
    ------
    ValueError : if it is set to something that is not a folder.
    """
    named = DATA.value
    return Path(named) if named else None


def file_in(folder: Path, name: str) -> Path:
    """Return the path of a file in the folder or below; for names that cannot be trusted, such as from a URL.

    Raises
    ------
    ValueError : for a name that leads outside the folder or to no file.

    >>> file_in(Path("."), "../secret.txt")
    Traceback (most recent call last):
    ValueError: there is no file '../secret.txt' in the data folder
    """
    if not isinstance(folder, Path) or not isinstance(name, str):
        raise ValueError(f"folder must be a Path and name a text, got {shown(folder)} and {shown(name)}")
    try:
        path = (folder / name).resolve()
        inside = path.is_relative_to(folder.resolve()) and path.is_file()
    except (OSError, ValueError, RuntimeError):
        inside = False
    if not inside:
        raise ValueError(f"there is no file {shown(name, 80)!r} in the data folder")
    return path


def locate(name: str, what: str) -> Path:
    """Return the path that a text names: inside the data folder if it exists there, otherwise as it stands.

    Raises
    ------
    ValueError : for an empty text or one that cannot be a path; `what` says what it should name.

    >>> locate(" ", "ranking file")
    Traceback (most recent call last):
    ValueError: path must name a ranking file, got an empty text
    """
    if not name.strip():
        raise ValueError(f"path must name a {what}, got an empty text")
    try:
        path = Path(name).expanduser()
        folder = data_folder()
        return folder / path if folder is not None and (folder / path).exists() else path
    except (OSError, RuntimeError):
        raise ValueError(f"path must name a {what}, got a text that is not a path") from None
