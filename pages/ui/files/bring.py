"""The part of a page that takes a file from a person: the forms that are read, and the field for the upload."""

from __future__ import annotations

import streamlit as st

import datasets
from pages.ui.files import choose as files
from pages.ui.files.uploads import DAYS, PERSON_MB
from pages.ui.form.settings import Settings
from pages.ui.plain import plain
from pages.ui.server.sessions import session
from pages.ui.server.upload_limit import was_refused

FORMS = {
    "ranking": """
**Each line is one document:** its relevance grade, its query, then `number:value` for each feature that is not 0.

```
2 qid:1 1:0.53 3:0.12 7:1.0 # a comment
0 qid:1 2:0.91
1 qid:2 1:0.07 3:0.44
```

The lines of a query must be adjacent. The file may be plain text or `.gz`. In LightGBM's form there is no `qid`; a
second file, with the same name ending in `.query`, holds the number of documents of each query, one per line. Upload
both together. The documents of a query are put into a fixed pseudo-random order, so that a file sorted by grade does
not flatter learners with tied scores.
""",
    "classification": """
**Each line is one example,** in one of three forms, plain or `.gz`. The first is a table with a label column; the page
says which one it takes, and you can choose another.

```
5.1,3.5,1.4,setosa
```

The second is LIBSVM / SVMlight, with the label first and then `number:value` for each feature that is not 0.

```
2 1:0.53 7:1.0
```

The third is an ARFF file, whose last attribute is the label by default.
MNIST is read as its site gives it: upload `train-images-idx3-ubyte.gz` and `train-labels-idx1-ubyte.gz` together.
Columns of words become features of 0 and 1. Sparse files stay sparse. Of a table with empty cells you choose what
becomes of them: their rows or columns are left out, or they are filled.
""",
    "multilabel": """
**ARFF as in Mulan and MEKA,** dense or sparse, plain or `.gz`. The labels are attributes of 0 and 1 at the end.
Upload Mulan's `.xml` with the label names together with it, or state how many labels there are.
SVMlight with several labels works too:

```
1,3,7 4:0.5 9:1.0
2 1:0.25
```
""",
}
FORMS["movies"] = """
**MovieLens 100K or 1M as distributed:** the zip file, or `u.data` together with `u.item`, or `ratings.dat` together
with `movies.dat`. Half of the users determine the features of the movies, the others receive recommendations.
"""
FORMS["folds"] = """
**Ranking files with a fixed split,** each in the form of LETOR, SVMlight or LightGBM, plain or `.gz`:

- the folders `Fold1` … `Fold5`, each with `train.txt`, `vali.txt` and `test.txt`, in one `.zip`;
- the parts `S1.txt` … `S5.txt`, together or in a `.zip`; fold k trains on three of them, validates on the next
  and tests on the last;
- a training file and a test file, such as `rank.train` and `rank.test` with their `.query` files, uploaded together.
"""
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
