"""The reference: each algorithm's statement, feedback, parameters, bounds, source code and citation."""

import streamlit as st

from learners import catalogue
from learners.base import PAPERS
from learners.theory import BOUNDS
from pages.ui.entry import through_app
from pages.ui.settings import Settings, choice_of
from pages.ui.theme import title

through_app()

infos = {info.id: info for info in catalogue()}
which = choice_of("learner", "preference-perceptron", list(infos))
settings = Settings("algorithms", lambda query: {"learner": which})

title("Algorithms", "What each learner does, in the papers' notation and in the code that runs it.")
settings.show_problems()
id = settings.widget(which, label="Algorithm", titles=lambda id: infos[id].title)
settings.write()
info = infos[id]

st.header(info.title)
st.markdown(info.summary)
left, right = st.columns([3, 2], gap="large")
with left:
    st.subheader("Statement")
    st.markdown("\n".join(f"{i}. {line.text}" for i, line in enumerate(info.lines, start=1)))
    st.caption(
        r"$x_t$ query · $y$ ranking · $\phi(x, y) = \sum_i \gamma_i\, x_{y_i}$ with $\gamma_i = 1/\log_2(i+1)$ · "
        r"$\bar y_t$ feedback ranking · $w_t$ weights · ties rank in the order of the documents"
    )
with right:
    st.subheader("At a glance")
    st.markdown(
        f"- **Needs:** {info.feedback}\n- **Family:** {info.family}\n- **Source:** [{info.paper}] {info.section}\n"
        f"- **Id** in links and scripts: `{info.id}`"
    )
    st.caption(PAPERS[info.paper])
    link = {"learner-1": id, "learner-2": "random-ranking" if id != "random-ranking" else "preference-perceptron"}
    st.page_link(
        "pages/stability.py", label="Race it in the stability lab", icon=":material/monitoring:", query_params=link
    )

bounds = info.learner().bounds
if bounds:
    st.subheader("Bound on the average regret")
for name in bounds:
    bound = BOUNDS[name]
    st.markdown(f"**{bound.title}.** {bound.note}")
    st.latex(bound.formula)
if bounds:
    st.caption(
        r"$\mathrm{REG}_T$ mean of $U(x_t, y^*_t) - U(x_t, y_t)$ over $T$ steps · $\xi_t$ slack: what the feedback's gain "
        r"lacks of $\alpha$ times the gap · $R \ge \|\phi(x, y)\|$ · $w_*$ true weights"
    )
st.subheader("Parameters")
if info.parameters:
    for p in info.parameters:
        st.markdown(f"- `{p.name}` {p.symbol} · default `{p.format(p.default)}` · {p.allowed}  \n  {p.help}")
else:
    st.markdown("It has none.")
with st.expander("Source code", icon=":material/code:"):
    st.code(info.learner.source_code(), language="python", line_numbers=True)
