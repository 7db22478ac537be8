"""The reference, with each algorithm's statement, feedback, parameters, bounds, source code and citation."""

import streamlit as st

from learners import catalogue
from learners.catalogue import families, works
from learners.theory import BOUNDS
from pages.ui.draw.theme import title
from pages.ui.entry import through_app
from pages.ui.papers import explained
from pages.ui.race.setup import raced
from pages.ui.settings import Settings, choice_of, plain
from pages.ui.share import dialog, quiet

through_app()

infos = {info.id: info for info in catalogue()}
which = choice_of("learner", "preference-perceptron", list(infos))
settings = Settings("algorithms", lambda query: {"learner": which})

place = title("Algorithms", "Each learner in the notation of its paper and in the code that runs it.")
settings.show_problems()
id = settings.widget(
    which, label="Algorithm", titles=lambda id: f"{families()[infos[id].family].title}: {infos[id].title}"
)
settings.write()
quiet.frame(settings, place)
info = infos[id]
family = families()[info.family]

st.header(info.title)
st.markdown(info.summary)
left, right = st.columns([3, 2], gap="large")
with left:
    st.subheader("Statement")
    words = [plain(info.learner.words(line)) for line in info.lines]
    st.markdown(
        "\n".join(f"{i}. {w}\n\n   {line.text}" for i, (w, line) in enumerate(zip(words, info.lines, strict=True), 1))
    )
    st.caption(family.symbols)
with right:
    st.subheader("At a glance")
    source = f"- **Source:** {explained(f'[{info.paper}] {info.section}')}\n" if info.paper else ""
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
        query_params=raced(family, id),
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
dialog.offer(settings, place, "Algorithms")
