"""What each data set is; bring your own file, or download one."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

import datasets
from datasets.classification import ClassificationData
from datasets.multilabel import MultilabelData
from datasets.parameters import Parameter
from datasets.ranking import RankingData
from learners.catalogue import datasets_of, families
from pages.ui.choice import Choice, check_size
from pages.ui.draw import labelled_data, ranking_data
from pages.ui.draw.theme import title
from pages.ui.entry import through_app
from pages.ui.files import choose as files
from pages.ui.files import downloading
from pages.ui.lab.recorded import load_data
from pages.ui.settings import Settings, choice_of, chosen_id, plain
from pages.ui.share import dialog, quiet

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
Columns of words become features of 0 and 1. Sparse files stay sparse.
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
PORTRAITS: dict[type, Callable[[Any, str], None]] = {
    RankingData: ranking_data.draw,
    ClassificationData: labelled_data.draw_classification,
    MultilabelData: labelled_data.draw_multilabel,
}
UPLOAD = {
    "folds": "A .zip with folds, or the files together",
    "ranking": "Ranking file (and its .query file, if it has one)",
    "classification": "File with examples and classes",
    "multilabel": "File with examples and labels (and its .xml, if it has one)",
    "movies": "MovieLens zip file, or its ratings and movies",
}

through_app()

# the families with their own data sets
KINDS = [id for id, family in families().items() if family.data_family == id]
FAMILY = choice_of("family", "ranking", KINDS, "What the data are for.")


def ids_of(family: str) -> list[str]:
    """Return the ids of the data sets of a family, those from files and downloads last."""
    classes = datasets.classes()
    sharing = [other for other in families().values() if other.data_family == family]
    ids = list(dict.fromkeys(id for other in sharing for id in datasets_of(other)))
    return sorted(ids, key=lambda id: (files.is_file(classes[id]), downloading.is_download(id)))


def which(family: str) -> Parameter:
    """Return the setting that chooses among the data sets of a family."""
    ids = ids_of(family)
    return choice_of("dataset", ids[0], ids, "The data set that is shown.")


def schema(query: Mapping[str, str]) -> dict[str, Parameter]:
    """Return the settings that a link with this query may contain."""
    parameter = which(chosen_id(query, FAMILY))
    kind = datasets.classes()[chosen_id(query, parameter)]
    own = {p.name: p for p in kind.used_by(kind.family)}
    if "path" in own:
        own["path"] = files.parameter()
    return {"family": FAMILY, "dataset": parameter} | own


def bring(family: str) -> None:
    """Draw the description of the file format and the upload widget."""
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(FORMS[family])
    with right:
        uploads = st.file_uploader(
            UPLOAD[family],
            accept_multiple_files=True,
            key=f"upload:{family}",
            help="Kept on this server until forty newer uploads replace it; only people with the link can open it.",
        )
        if uploads:
            try:
                ids = files.save(uploads, family)
                if not ids:
                    st.error("This file accompanies another one; upload both together.")
                elif st.session_state.get(f"uploaded:{family}") != ids:
                    st.session_state[f"uploaded:{family}"] = ids
                    settings.values["path"] = ids[-1]  # show the new upload
                    st.session_state.pop("data:path", None)
            except OSError as error:
                st.error(f"The upload could not be stored on this server: {error.strerror}.")
        try:
            place = datasets.data_folder()
            st.caption(
                "Files in the server's data folder are listed too."
                if place
                else "To offer files without upload, start the app with `FEEDBACK_LAB_DATA` set to a folder."
            )
        except ValueError as error:
            st.warning(f"{error}.")


def portrait(choice: Choice) -> None:
    """Draw the portrait of a data set with links to the labs, or say why it cannot be shown."""
    try:
        check_size(choice)
        with st.spinner("Reading …"):
            data = load_data(choice)
        key = repr(choice)
        draw = PORTRAITS.get(type(data))
        if draw is not None:
            draw(data, key)
        else:  # of a kind without a portrait: how much there is
            for column, (name, value) in zip(st.columns(4), vars(data.size()).items(), strict=False):
                column.metric(name.capitalize(), f"{value:,}")
    except ValueError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    except MemoryError:
        st.error("These data need more memory than the server has.", icon=":material/block:")
        return
    link = {"dataset": choice.id} | {k: v for k, v in settings.link.items() if k not in ("family", "dataset")}
    with st.container(horizontal=True):
        for family in families().values():
            if choice.id in datasets_of(family):
                page = f"pages/{family.page}.py"
                st.page_link(page, label=f"Open in the {family.lab}", icon=family.icon, query_params=link)


place = title(
    "Data", "The data on which learners can run: synthetic data whose truth is known, real data, and your own files."
)
settings = Settings("data", schema)
settings.show_problems()
classes = datasets.classes()
settings.section("", "world")
left, right = st.columns([1, 3], gap="large")
with left:
    chosen = settings.widget(FAMILY, label="For", titles=lambda id: families()[id].title)
with right:
    id = settings.widget(which(chosen), label="Data set", titles=lambda id: classes[id].title, owner=chosen)
kind = classes[id]
st.markdown(kind.summary)
if kind.info().source:
    st.caption(f"Source: {kind.info().source}")
if files.is_file(kind):
    bring(files.group(kind))
    choice = files.choose(settings, kind, link=False, family=chosen)
else:
    with settings.expander("Settings", [p.name for p in kind.parameters()]):
        choice = settings.declared(kind, family=chosen)
settings.write()
quiet.frame(settings, place)
there = downloading.offer(choice) if downloading.is_download(id) else choice.dict.get("path", "-") != ""
if there:
    portrait(choice)
dialog.offer(settings, place, "Data")
