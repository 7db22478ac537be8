"""The part of a page that takes a file from a person: the forms that are read, and the field for the upload."""

from pathlib import Path

import streamlit as st

import datasets
from pages.ui.files import choose as files
from pages.ui.files.uploads import DAYS, PERSON_MB
from pages.ui.form.settings import Settings
from pages.ui.plain import plain
from pages.ui.server.sessions import session
from pages.ui.server.upload_limit import was_refused

FORMS = {path.stem: path.read_text("utf-8") for path in sorted((Path(__file__).parent / "forms").glob("*.md"))}
UPLOAD = {
    "folds": "A .zip with folds, or the files together",
    "ranking": "Ranking file (and its .query file, if it has one)",
    "classification": "File with examples and classes (MNIST: both files)",
    "multilabel": "File with examples and labels (and its .xml, if it has one)",
    "movies": "MovieLens zip file, or its ratings and movies",
}


def bring(settings: Settings, family: str) -> None:
    """Draw the description of the file format and the upload widget, side by side.

    family : kind of the files, as `files.group` gives it.
    """
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(FORMS[family])
    with right:
        upload(settings, family)
        try:
            place = datasets.data_folder()
            st.caption(
                "Files in the server's data folder are listed too."
                if place
                else "To offer files without upload, start the app with `FEEDBACK_LAB_DATA` set to a folder."
            )
        except ValueError as error:
            st.warning(plain(f"{error}."))


def upload(settings: Settings, family: str) -> None:
    """Draw the upload widget; what is uploaded becomes the page's setting `path`."""
    given = st.file_uploader(
        UPLOAD[family],
        accept_multiple_files=True,
        key=f"upload:{family}",
        help=f"Kept on this server until nobody has used it for {DAYS.value:g} days; only people with the link can "
        f"open it. Of your visit it keeps {PERSON_MB.value:,} MB, and your oldest uploads make room for new ones.",
    )
    if was_refused(session()):
        st.error(
            "Not uploaded: open pages have sent as many files as this server holds in memory. Take a file away from "
            "the field above, or try again later.",
            icon=":material/block:",
        )
    if not given:
        return
    which = [file.file_id for file in given]
    before, ids = st.session_state.get(f"uploaded:{family}", ([], []))
    if which == before and all(map(files.find, ids)):  # Streamlit hands them to every run of the page
        return
    try:
        kept = files.save(given, family)
    except ValueError as error:
        st.error(plain(f"Not uploaded: {error}."), icon=":material/block:")
        return
    except OSError as error:
        why = error.strerror or error
        st.error(plain(f"The upload could not be stored on this server: {why}."), icon=":material/block:")
        return
    if not kept:
        st.error("This file accompanies another one; upload both together.")
        return
    st.session_state[f"uploaded:{family}"] = which, kept
    if kept != ids:
        settings.set(files.parameter(), kept[-1])  # show the new upload
