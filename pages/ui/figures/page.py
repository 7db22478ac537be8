"""The page of the figures: a map of all of them, pictures of those that are looked for, or one of them large."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from datasets.parameters import Parameter
from learners.catalogue import learner_classes
from pages.ui.counting import counted
from pages.ui.draw.theme import title
from pages.ui.figures import catalogue, own_data_box
from pages.ui.figures.figure import SHEETS, Figure
from pages.ui.figures.statement import VERDICTS
from pages.ui.figures.view import cards, component, one_figure, words
from pages.ui.figures.view.cards import FoundCard
from pages.ui.figures.view.one_figure import FIGURE, ID, PAGE, SIZE
from pages.ui.form.form import Form, each
from pages.ui.form.links import choice_of
from pages.ui.form.settings import Settings
from pages.ui.plain import Markdown
from pages.ui.share import dialog, presentation

ALL = "all"
PAPER = choice_of("paper", ALL, [ALL, *SHEETS], "The work whose figures are shown.")
VERDICT = choice_of("verdict", ALL, [ALL, *VERDICTS], "Figures with a statement of this verdict.")
FIND = Parameter("find", "text", "", help="A number or words of a title, such as: S fig 4.")
STATEMENTS = Parameter(
    "statements", "flag", False, help="What the papers print, and what came out here, below each figure."
)
LEAD = (
    "Every figure and table of five papers, redrawn from our own runs and compared with what the paper states, and "
    "later work. Choose one to see it large and to run it."
)


def learner_filter() -> Parameter:
    """Return the setting that chooses the figures with a learner."""
    used = {id for figure in catalogue.figures().values() for id in words.learners_of(figure)}
    known = [id for id in learner_classes() if id in used]
    return choice_of("learner", ALL, [ALL, *known], "Figures in which this learner takes part.")


def ask(form: Form) -> None:
    """Ask for everything that may stand in the address."""
    figure = catalogue.figures().get(form.get(FIGURE))
    each(FIND, PAPER, VERDICT, learner_filter(), STATEMENTS, SIZE)(form)
    if figure is not None:
        own_data_box.ask(form, figure)


def run() -> None:
    """Draw the page."""
    settings = Settings(ID, ask)
    if not settings.query:  # the bare address shows all figures, also to those who come back
        settings.values.clear()
    id = settings.get(FIGURE)
    figure = catalogue.figures().get(id)
    if figure is not None:
        one_figure.run(settings, figure)
        return
    if id:
        settings.problems[:] = [f"There is no figure “{id[:60]}”. All that there are stand below."]
        settings.set(FIGURE, "")
        settings.get(FIGURE)
    place = title("Figures", LEAD)
    st.html(f"<style>{component.PRINT}</style>")
    settings.show_problems()
    found, only, full = _filtered(settings)
    whole = len(found) == len(catalogue.figures()) and not full
    settings.write()
    presentation.frame(settings, place)
    if found:
        html = cards.tiles(found) if whole else "".join(
            cards.section(paper, list(several), full, only)
            for paper, several in groupby(found, key=lambda one: one.figure.paper)
        )  # fmt: skip
        component.sheet(html, f"{ID}:cards", full, settings.present, opened=lambda id: _open(settings, id))
        st.caption(_counts(found))
    else:
        st.info("No figure has all that you have chosen.", icon=":material/filter_alt_off:")
    dialog.offer(settings, place, "Figures")


def _filtered(settings: Settings) -> tuple[list[FoundCard], str, bool]:
    """Draw the filters. Return what remains, the verdict of the statements shown, and whether to show any."""
    papers = {id: f"[{id}] {paper.split('. ')[0]}" for id, paper in SHEETS.items()}
    learner_choice, classes = learner_filter(), learner_classes()
    with st.container(key="only-screen-filters"):
        columns = st.columns([2, 3, 2, 3, 2], vertical_alignment="bottom")
        with columns[0]:
            wanted = str(settings.widget(FIND, label="Find"))
        with columns[1]:
            paper = settings.widget(PAPER, titles=lambda id: papers.get(id, "All works"))
        with columns[2]:
            verdict = settings.widget(VERDICT, titles=lambda id: "Any verdict" if id == ALL else id.capitalize())
        with columns[3]:
            learner = settings.widget(
                learner_choice, titles=lambda id: "Any learner" if id == ALL else classes[id].title
            )
        with columns[4]:
            full = settings.widget(STATEMENTS, label="With statements")
    found = [
        cards.find(figure)
        for figure in catalogue.figures().values()
        if paper in (ALL, figure.paper)
        and (learner == ALL or learner in words.learners_of(figure))
        and matches(figure, wanted)
    ]
    found = [one for one in found if verdict == ALL or verdict in one.verdicts]
    return found, "" if verdict == ALL else verdict, full


def matches(figure: Figure, wanted: str) -> bool:
    """Return whether a figure has every number and the beginning of every word that is looked for.

    >>> from pages.ui.figures.catalogue import figures
    >>> [id for id, figure in figures().items() if matches(figure, "[S] Fig.4")]
    ['S-fig4']
    """
    known = _tokens(f"{figure.paper} {figure.where} {figure.title} {figure.id}")
    return all(
        any(token == one or (token.isalpha() and len(token) > 1 and one.startswith(token)) for one in known)
        for token in _tokens(wanted)
    )


def _tokens(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+|\d+", text.lower())


def _counts(found: Sequence[FoundCard]) -> Markdown:
    """Return how many figures, panels and statements there are, their verdicts, and how long computing them took."""
    panels = sum(len(one.figure.panels) for one in found)
    said = words.counts(verdict for one in found for verdict in one.verdicts)
    seconds = sum(one.result.seconds for one in found if one.result)
    text = f"{counted(len(found), 'figure')} with {counted(panels, 'panel')} and {said}."
    if seconds:
        text += f" One processor computes them in {words.duration(seconds)}."
    if more := Counter(one.complete for one in found)[True]:
        text += f" {counted(more, 'figure')} {'was' if more == 1 else 'were'} run at the paper’s size too."
    if late := Counter(bool(one.old) for one in found)[True]:
        text += f" {counted(late, 'result')} {'is' if late == 1 else 'are'} older than the setup."
    return Markdown(text)


def _open(settings: Settings, id: str) -> None:
    if id in catalogue.figures() or id in SHEETS:
        st.switch_page(PAGE, query_params={(PAPER if id in SHEETS else FIGURE).name: id} | settings.sticky_query)
