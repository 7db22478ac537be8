"""Statements of the papers beside what was measured, each with a link to a live run."""

import html

import streamlit as st

from learners.base import PAPERS
from pages.ui.draw.theme import title
from pages.ui.entry import through_app
from pages.ui.gallery.published import AGREES, CLAIMS, DIFFERS, PARTLY
from pages.ui.papers import explained
from pages.ui.settings import Settings, choice_of
from pages.ui.share import dialog, quiet

COLORS = {DIFFERS: "red", PARTLY: "orange", AGREES: "green"}
WORDS = {DIFFERS: "differ", PARTLY: "agree in part", AGREES: "agree"}
PAPER = choice_of("paper", "all", ["all", *PAPERS], "The work whose statements are listed.")
VERDICT = choice_of("verdict", "all", ["all", *COLORS], "What the check of the statement found.")

through_app()
place = title(
    "Published and measured results",
    "Figures, tables and theorems of five works, each beside what came out when it was computed again. **Differences "
    "come first**, with their causes as far as they are known. Each statement links to a live run on a smaller scale.",
)
settings = Settings("published", lambda query: {"paper": PAPER, "verdict": VERDICT})
settings.show_problems()
titles = {id: f"[{id}] {paper.split('. ')[0]}, {paper.split('. ')[1]}" for id, paper in PAPERS.items()}
left, right = st.columns([3, 2])
with left:
    paper = settings.widget(PAPER, titles=({"all": "All five works"} | titles).__getitem__)
with right:
    verdict = settings.widget(VERDICT, titles=lambda id: "Any outcome" if id == "all" else id.capitalize())
settings.write()
quiet.frame(settings, place)
order = list(COLORS)
chosen = [c for c in CLAIMS if paper in ("all", c.paper) and verdict in ("all", c.verdict)]
numbers = {words: sum(c.verdict == verdict for c in chosen) for verdict, words in WORDS.items()}
counts = ", ".join(f"{number} {words}" for words, number in numbers.items())
st.caption(f"{len(chosen)} statements: {counts}." if chosen else "No statement of this work has this outcome.")
for claim in sorted(chosen, key=lambda c: order.index(c.verdict)):
    with st.container(border=True):
        st.markdown(
            f"#### {html.escape(claim.title, quote=False)}\n:{COLORS[claim.verdict]}-badge[{claim.verdict}] "
            + explained(f"[{claim.paper}] {claim.where}"),
            unsafe_allow_html=True,
        )
        printed, here = st.columns(2, gap="large")
        printed.markdown(f"**Printed.** {claim.printed}")
        here.markdown(f"**Measured.** {claim.here}")
        if claim.why:
            st.markdown(f"**Why.** {claim.why}")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(claim.page, label="Watch it live", icon=":material/play_circle:", query_params=claim.settings)
            st.caption(f"`{claim.command}`")
dialog.offer(settings, place, "Published and measured results")
