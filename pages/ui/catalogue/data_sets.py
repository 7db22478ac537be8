"""Draws what each data set is; a person can bring a file, or have data downloaded."""

from collections.abc import Callable
from typing import Any

import streamlit as st

import datasets
from datasets.classification import ClassificationData
from datasets.multilabel import MultilabelData
from datasets.parameters import Parameter
from datasets.ranking import RankingData
from datasets.spec import Spec
from datasets.tables import holes
from datasets.tables.classification_file import ClassificationFile
from datasets.tables.encoding import MissingValues
from learners.catalogue import datasets_of, families
from pages.ui.draw import labelled_data, ranking_data
from pages.ui.files import choose as files
from pages.ui.files import downloading
from pages.ui.files.bring import bring
from pages.ui.files.sharing import load_data
from pages.ui.form.form import Form
from pages.ui.form.links import choice_of
from pages.ui.form.settings import Settings
from pages.ui.plain import plain
from pages.ui.race.limits import check_size

PORTRAITS: dict[type, Callable[[Any, str], None]] = {
    RankingData: ranking_data.draw,
    ClassificationData: labelled_data.draw_classification,
    MultilabelData: labelled_data.draw_multilabel,
}
WAYS = {
    holes.ROWS: "Leave out the rows",
    holes.COLUMNS: "Leave out the columns",
    holes.MEDIAN: "Fill with the median",
    holes.FREQUENT: "Fill with the most frequent value",
}

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


def ask(form: Form) -> Spec:
    """Ask for the data set and its parameters, and say above these what it is."""
    form.section("", "world")
    left, right = form.columns([1, 3])
    with left:
        chosen = form.widget(FAMILY, label="Data for", titles=lambda id: families()[id].title)
    for other in KINDS:
        form.offer([datasets.classes()[id] for id in ids_of(other)])
    with right:
        kind = form.choose(which(chosen), datasets.classes(), "Data set", owner=chosen)
    assert kind is not None
    if isinstance(form, Settings):
        introduce(form, kind)
    if files.is_file(kind):
        return files.choose(form, kind, link=False, family=chosen)
    with form.expander("Settings", [p.name for p in kind.parameters()]):
        return form.declared(kind, family=chosen)


def introduce(settings: Settings, kind: type[datasets.Dataset]) -> None:
    """Draw what a data set is, and the field into which a person's own file is put."""
    st.markdown(kind.summary)
    if kind.info().source:
        st.caption(f"Source: {kind.info().source}")
    if files.is_file(kind):
        bring(settings, files.group(kind))


def draw(choice: Spec, settings: Settings) -> None:
    """Draw a data set, or what has to be done before it is there."""
    there = downloading.offer(choice) if downloading.is_download(choice.id) else choice.values.get("path", "-") != ""
    if there:
        portrait(choice, settings)


def portrait(choice: Spec, settings: Settings) -> None:
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
                column.metric(plain(name.capitalize()), f"{value:,}")
    except ValueError as error:
        st.error(plain(str(error)), icon=":material/block:")
        if isinstance(error, MissingValues):
            offer_to_mend(settings)
        return
    except MemoryError:
        st.error("These data need more memory than the server has.", icon=":material/block:")
        return
    link = {"dataset": choice.id} | {k: v for k, v in settings.link.items() if k not in ("show", "family", "dataset")}
    with st.container(horizontal=True):
        for family in families().values():
            if choice.id in datasets_of(family):
                page = f"pages/{family.page}.py"
                st.page_link(page, label=f"Open in the {family.lab}", icon=family.icon, query_params=link)


def offer_to_mend(settings: Settings) -> None:
    """Draw a button for each way to read a table with empty cells; it becomes the setting `missing`."""
    parameter = ClassificationFile.parameter("missing")
    with st.container(horizontal=True):
        for how, words in WAYS.items():
            st.button(
                plain(words), key=f"missing:{how}", on_click=settings.set, args=(parameter, how),
                help=plain(parameter.help), disabled=settings.locks("missing"),
            )  # fmt: skip
