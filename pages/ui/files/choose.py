"""Choose among your own data files, which are uploaded or lie in the folder named by FEEDBACK_LAB_DATA.

Links identify a file by a short id: its path in that folder, or upload/<hash of its content>/<name>.
No other file of the server can be requested.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

import datasets
from datasets.base import Dataset
from datasets.letor.parts import leads
from datasets.own_file import OwnFile
from datasets.parameters import Parameter
from datasets.spec import Spec
from datasets.tables.classification_file import label_words
from pages.ui.files import uploads
from pages.ui.form.form import Form
from pages.ui.form.settings import Settings
from pages.ui.plain import plain
from pages.ui.server.sessions import session

ACCOMPANY = (".query", ".xml", ".item", "movies.dat", "idx1-ubyte", "idx1-ubyte.gz")  # files that others are read with


@dataclass(frozen=True)
class FileParameter(Parameter):
    """A parameter whose value is the id of a file on this server."""

    @property
    def allowed(self) -> str:
        return "a file of this server's data folder, or one that was uploaded in the catalogue"

    def check(self, value: Any) -> Any:
        if not isinstance(value, str) or (value and find(value) is None):
            raise self.refuse(value)
        return value

    def refuse(self, value: object) -> ValueError:
        said = uploads.gone(value) if isinstance(value, str) else ""
        return ValueError(said) if said else super().refuse(value)


def parameter() -> FileParameter:
    """Return the declaration of the setting `path`."""
    return FileParameter("path", "text", "", help="A file with data; bring your own in the catalogue.")


def folder() -> Path | None:
    """Return the server's data folder, or None if there is none or the setting is invalid."""
    try:
        return datasets.data_folder()
    except ValueError:
        return None


def find(id: str) -> Path | None:
    """Return the path of the file with this id, or None."""
    if id.startswith("upload/"):
        return uploads.find(id)
    base = folder()
    try:
        return None if base is None else datasets.file_in(base, id)
    except ValueError:
        return None


def resolve(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a data set with the id of its file, if it has one, replaced by its path on this server.

    Raises
    ------
    ValueError : if there is no such file, or it was damaged since it was uploaded.
    """
    id = values.get("path", "")
    if not id:
        return dict(values)
    path = find(id) if not id.startswith("upload/") else uploads.checked(id)
    if path is None:
        raise parameter().refuse(id)
    return {**values, "path": str(path)}


def version(id: str) -> tuple[int, int] | None:
    """Return numbers that change whenever a file does, its time stamp and size, or None if there is no file.

    An upload's address says what it holds, so that its time does not matter.
    """
    path = find(id) if id else None
    try:
        state = None if path is None else path.stat()
    except OSError:
        return None
    return state and (0 if id.startswith("upload/") else state.st_mtime_ns, state.st_size)


def data_version(dataset: Spec) -> tuple[int, int] | None:
    """Return what changes with the file of a data set, if it has one."""
    return version(dataset.values.get("path", ""))


def is_file(kind: type[Dataset]) -> bool:
    """Return whether a data set is read from a file that the user supplies."""
    return issubclass(kind, OwnFile)


def group(kind: type[Dataset]) -> str:
    """Return the kind of file that a data set is read from: its family, movies or folds."""
    return getattr(kind, "form", "") or kind.family


def available(family: str, linked: str = "") -> list[str]:
    """Return the ids of the files in the data folder that may hold data of this kind, and of this session's uploads.

    linked : the id of a file that a link names, which may be another.
    """
    base = folder()
    paths = datasets.find_files(base, family=family) if base else []
    ids = [str(path.relative_to(base)) for path in sorted(paths, key=lambda path: not _typical(path, family)) if base]
    return ids + [id for id in dict.fromkeys([*_uploads(family), linked]) if id and id not in ids and find(id)]


def _typical(path: Path, family: str) -> bool:
    """Return whether a file is more likely of this kind than of another, so that it is offered first."""
    name = path.name.removesuffix(".gz")
    if family == "classification":
        return name.endswith((".csv", ".data", ".tra", ".arff"))
    return family != "multilabel" or path.with_name(Path(name).stem + ".xml").is_file()


def _uploads(family: str) -> list[str]:
    known: list[str] = st.session_state.setdefault("uploads", {}).setdefault(family, [])
    return known


def save(files: list[Any], family: str) -> list[str]:
    """Store the files of one upload next to each other; return the ids of those that hold data.

    A file of query sizes or label names is found by its name, beside the file that it belongs to.

    Raises
    ------
    ValueError : with a sentence, if two have one name, or there is no room for them.
    OSError : if they cannot be written.
    """
    contents = {uploads.safe(file.name): file.getbuffer() for file in files}
    if len(contents) < len(files):
        raise ValueError("two of these files have the same name; upload one of them")
    address = uploads.keep(contents, session())
    ids = [f"upload/{address}/{name}" for name in contents if not name.endswith(ACCOMPANY)]
    if family == "folds":  # one file stands for all of them
        ids = [id for id in ids if (path := find(id)) is not None and leads(path)]
    known = _uploads(family)
    known.extend(id for id in ids if id not in known)
    return ids


def title(id: str) -> str:
    """Return the name of a file as shown on the page."""
    return id.rsplit("/", 1)[-1] + " (uploaded)" if id.startswith("upload/") else id


def choose(form: Form, kind: type[Dataset], link: bool = True, family: str = "") -> Spec:
    """Ask for a file, and for the data set's other parameters.

    link : whether to show a link to the catalogue if there is no file.
    family : the family of the learners.
    """
    found = _chosen(form, kind, link, family) if isinstance(form, Settings) else form.declared(kind, family=family)
    form.asked["path"] = parameter(), parameter().label
    return found


def _chosen(settings: Settings, kind: type[Dataset], link: bool, family: str) -> Spec:
    now = settings.given(parameter())
    ids = available(group(kind), now)
    if now not in ids and (said := uploads.gone(now)):  # it was there when the page was opened
        st.warning(plain(f"{said}."), icon=":material/link_off:")
    if not ids and not link:
        return settings.declared(kind, fixed={"path": ""}, family=family)
    if not ids:
        st.info("There is no such file here yet.")
        link_there = {"show": "data", "family": kind.family, "dataset": kind.id}
        words, icon = "Upload your own in the catalogue", ":material/upload_file:"
        st.page_link("pages/catalogue.py", label=words, icon=icon, query_params=link_there)
        return settings.declared(kind, fixed={"path": ""}, family=family)
    shown = Parameter("path", "choice", ids[0], choices=tuple(ids), help=parameter().help)
    if settings.values.get("path") not in ids:
        settings.values["path"] = ids[0]
        st.session_state.pop(f"{settings.page}:path", None)
    chosen = settings.widget(shown, label="File", titles=title)
    settings.spell_out("path", chosen)  # even the default is in the link, since servers differ in their first file
    if all(p.name != "label" for p in kind.parameters()):
        return settings.declared(kind, fixed={"path": chosen}, family=family)
    before = st.session_state.get(f"{settings.page}:labelled file", chosen)
    st.session_state[f"{settings.page}:labelled file"] = chosen
    if chosen != before and not settings.fresh:  # a different file has different columns
        settings.values.pop("label", None)
        st.session_state.pop(f"{settings.page}:{kind.id}:label", None)
    above = st.empty()
    choice = settings.declared(kind, fixed={"path": chosen}, family=family)
    if sentence := label_sentence(chosen, choice.values["label"]):
        above.markdown(plain(sentence))
    return choice


def label_sentence(id: str, label: str) -> str:
    """Return a sentence saying which column of a file is its label, or an empty text for an unreadable file."""
    now = version(id)  # the cache misses once the file changes
    return _label_sentence(id, label, now)


@st.cache_data(max_entries=100, show_spinner=False)
def _label_sentence(id: str, label: str, version: tuple[int, int] | None) -> str:
    path = find(id)
    try:
        words = label_words(path, label) if path is not None else ""
    except ValueError:  # the error is shown in place of the data
        return ""
    return words and f"Label: {words}; choose another below."
