"""Draws each algorithm's statement, feedback, parameters, bounds, source code and citation, and a table of all."""

import re
from html import escape

import streamlit as st

from datasets.own_code import file_of
from learners import catalogue
from learners.catalogue import LearnerInfo, families, works
from learners.family import Family
from learners.theory import BOUNDS
from pages.ui.figures.view import component
from pages.ui.form.form import Form
from pages.ui.form.links import choice_of
from pages.ui.form.settings import Settings
from pages.ui.papers import in_markdown
from pages.ui.plain import Html, plain

ALL = "all"
HEAD = ("Algorithm", "Feedback it needs", "Shows", "Explores", "Paper", "Year")
infos = {info.id: info for info in catalogue()}
LEARNER = choice_of("learner", ALL, [ALL, *infos])


def ask(form: Form) -> str:
    """Ask for the algorithm."""
    id: str = form.widget(
        LEARNER, label="Algorithm",
        titles=lambda id: "All" if id == ALL else f"{families()[infos[id].family].title}: {infos[id].title}",
    )  # fmt: skip
    return id


def draw(id: str, settings: Settings) -> None:
    """Draw an algorithm, or the table of all."""
    if id == ALL:
        every(settings)
    else:
        details(infos[id])


def overview() -> Html:
    """Return the table of all learners as HTML: who needs what, shows what, and comes from where."""
    head = "".join(f'<th scope="col">{words}</th>' for words in HEAD)
    rows = []
    for family in families().values():
        rows.append(f'<tr><th scope="rowgroup" class="fl-group" colspan="{len(HEAD)}">{escape(family.title)}</th></tr>')
        rows += [row(info, family) for info in infos.values() if info.family == family.id]
    return (
        f'<div class="fl-sheet-scroll fl-overview"><table><thead><tr>{head}</tr></thead>{"".join(rows)}</table></div>'
    )


def row(info: LearnerInfo, family: Family) -> Html:
    """Return the line of a learner."""
    link = f'<a href="catalogue?learner={info.id}" data-open="{info.id}">{escape(info.title)}</a>'
    explores, phases = info.learner.explores, {line.phase for line in info.learner.lines}
    how = info.learner.parameter(explores).label if explores else "by its own rule" if "perturb" in phases else "–"
    year = re.findall(r"\b(?:19|20)\d\d\b", works().get(info.paper, ""))
    paper = f"[{info.paper}]" if info.paper else "–"
    cells = (info.feedback, family.shows, how, paper, year[-1] if year else "–")
    return f'<tr><th scope="row">{link}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'


def every(settings: Settings) -> None:
    """Draw the table of all learners, whose names lead to them."""
    style = (
        "<style>.fl-overview :is(td, th) { text-align: left !important; white-space: normal !important; } "
        ".fl-overview .fl-group { padding: .8rem 0 .2rem; font-size: 1.05rem; }</style>"
    )
    component.sheet(
        style + overview(), "catalogue:table",
        opened=lambda id: st.switch_page("pages/catalogue.py", query_params={"learner": id, **settings.sticky_query}),
    )  # fmt: skip


def details(info: LearnerInfo) -> None:
    """Draw the statement, the bounds, the parameters and the code of a learner."""
    family = families()[info.family]

    st.subheader(info.title)
    st.markdown(info.summary)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.subheader("Statement")
        words = [plain(info.learner.words(line)) for line in info.lines]
        st.markdown(
            "\n".join(
                f"{i}. {w}\n\n   {line.text}" for i, (w, line) in enumerate(zip(words, info.lines, strict=True), 1)
            )
        )
        st.caption(family.symbols)
    with right:
        st.subheader("At a glance")
        source = f"- **Source:** {in_markdown(f'[{info.paper}] {info.section}')}\n" if info.paper else ""
        if file := file_of(info.learner):
            source += f"- **From** {plain(file)}, a file of those who run this server\n"
        st.markdown(
            f"- **Feedback:** {info.feedback}\n- **Family:** {family.title.lower()}\n"
            f"{source}- **Id** in links and scripts: `{info.id}`",
            unsafe_allow_html=True,
        )
        if info.paper:
            st.caption(works()[info.paper])
        st.page_link(
            f"pages/{family.page}.py",
            label=f"Race it in the {family.lab}",
            icon=family.icon,
            query_params=raced(family, info.id),
        )

    bounds = info.learner().bounds
    if bounds:
        st.subheader(f"Bound on the {BOUNDS[bounds[0]].bounded}")
    for name in bounds:
        bound = BOUNDS[name]
        st.markdown(f"**{bound.title}** is {bound.words}. {bound.note}")
        st.latex(bound.formula)
        st.caption(bound.symbols)
    st.subheader("Parameters")
    if info.parameters:
        for p in info.parameters:
            st.markdown(f"- `{p.name}` {p.symbol} · default `{p.format(p.default)}` · {p.allowed}  \n  {p.help}")
    else:
        st.markdown("This algorithm has none.")
    with st.expander("Source code", icon=":material/code:"):
        st.code(info.learner.source_code(), language="python", line_numbers=True)


def raced(family: Family, learner: str) -> dict[str, str]:
    """Return the query that opens the family's lab with this learner and a rival."""
    rival = next(id for id in family.rivals if id != learner)
    return {"learner-1": learner, "learner-2": rival, "learner-3": "none", "learner-4": "none"}
