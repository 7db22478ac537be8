"""What each data set is; bring your own ranking file."""

import streamlit as st

import datasets
from pages.ui import files, portraits
from pages.ui.entry import through_app
from pages.ui.lab import load_data
from pages.ui.settings import plain
from pages.ui.setup import Choice
from pages.ui.theme import title

FORM = """
**Each line is one document:** its relevance grade, its query, then `number:value` for each feature that is not 0.

```
2 qid:1 1:0.53 3:0.12 7:1.0 # a comment
0 qid:1 2:0.91
1 qid:2 1:0.07 3:0.44
```

The lines of a query stand together. Plain text or `.gz`. In LightGBM's form there is no `qid`; a second file, with
the same name ending in `.query`, holds the number of documents of each query, one a line: upload both together.
"""

through_app()

title(
    "Data",
    "What the learners can be run on: made-up worlds in which the truth is known, real images, and files of your own.",
)


def portrait(choice: Choice, key: str, link: dict[str, str]) -> None:
    """The portrait of a data set with a link into the lab, or a sentence on why it cannot be shown."""
    try:
        with st.spinner("Reading …"):
            data = load_data(choice)
    except ValueError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    except MemoryError:
        st.error("This file needs more memory than the server has.", icon=":material/block:")
        return
    portraits.draw(data, key)
    st.page_link(
        "pages/stability.py", label="Open in the stability lab", icon=":material/monitoring:", query_params=link
    )


classes = datasets.classes()
own = "letor-file"
ids = [id for id in classes if id != own]
for tab, id in zip(st.tabs([*(classes[id].title for id in ids), classes[own].title]), [*ids, own], strict=True):
    with tab:
        st.markdown(classes[id].summary)
        if id != own:
            st.caption(f"Source: {classes[id].info().source}")
            portrait(Choice(id, tuple(classes[id]().params.items())), id, {"dataset": id})
            continue
        left, right = st.columns(2, gap="large")
        with left:
            st.markdown(FORM)
        with right:
            uploads = st.file_uploader(
                "Ranking file (and its .query file, if it has one)", accept_multiple_files=True, key="upload",
                help="Kept on this server until forty newer ones have come; only those who have the link can open it.",
            )  # fmt: skip
            if uploads:
                try:
                    if not files.save(uploads, "ranking"):
                        st.error("This holds the sizes of queries only; upload the ranking file together with it.")
                except OSError as error:
                    st.error(f"The upload could not be kept on this server: {error.strerror}.")
            place = files.folder()
            try:
                datasets.data_folder()
            except ValueError as error:
                st.warning(f"{error}.")
            st.caption(
                "Files in the server's data folder are listed too."
                if place
                else "To offer files without upload, start the app with `FEEDBACK_LAB_DATA` set to a folder."
            )
        known = files.available("ranking")
        if known:
            newest = len(known) - 1 if st.session_state.get("uploads", {}).get("ranking") else 0
            chosen = st.selectbox("File", known, index=newest, format_func=files.title, key=f"file:{len(known)}")
            portrait(Choice(own, (("path", chosen),)), f"file:{chosen}", {"dataset": own, "path": chosen})
