"""Published beside measured: what the papers say, what comes out here, and a link that shows it live."""

import streamlit as st

from learners.base import PAPERS
from pages.ui.draw.theme import title
from pages.ui.entry import through_app
from pages.ui.gallery.published import AGREES, CLAIMS, DIFFERS, PARTLY
from pages.ui.settings import Settings, choice_of

COLORS = {DIFFERS: "red", PARTLY: "orange", AGREES: "green"}
PAPER = choice_of("paper", "all", ["all", *PAPERS], "Whose statements are listed.")
VERDICT = choice_of("verdict", "all", ["all", *COLORS], "Differences come first.")

through_app()
title(
    "Published beside measured",
    "Figures, tables and theorems of the five works, and what came out when they were computed again: the **differences first**, "
    "with what is known of their causes. Each links to a live run that shows it on a smaller scale.",
)
settings = Settings("published", lambda query: {"paper": PAPER, "verdict": VERDICT})
settings.show_problems()
left, right = st.columns([3, 2])
with left:
    paper = settings.widget(
        PAPER, titles=lambda id: "All five works" if id == "all" else f"[{id}] {PAPERS[id].split('. ')[0]}: {PAPERS[id].split('. ')[1]}"
    )  # fmt: skip
with right:
    verdict = settings.widget(VERDICT, titles=lambda id: "Any outcome" if id == "all" else id.capitalize())
settings.write()
order = list(COLORS)
chosen = [c for c in CLAIMS if paper in ("all", c.paper) and verdict in ("all", c.verdict)]
counts = ", ".join(f"{sum(c.verdict == v for c in chosen)} {words}" for v, words in (
    (DIFFERS, "differ"), (PARTLY, "agree in part"), (AGREES, "agree"),
))  # fmt: skip
st.caption(f"{len(chosen)} statements: {counts}." if chosen else "No statement of this work has this outcome.")
for claim in sorted(chosen, key=lambda c: order.index(c.verdict)):
    with st.container(border=True):
        st.markdown(
            f"#### {claim.title}\n:{COLORS[claim.verdict]}-badge[{claim.verdict}] [{claim.paper}] {claim.where}"
        )
        printed, here = st.columns(2, gap="large")
        printed.markdown(f"**Printed.** {claim.printed}")
        here.markdown(f"**Here.** {claim.here}")
        if claim.why:
            st.markdown(f"**Why.** {claim.why}")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(claim.page, label="Watch it live", icon=":material/play_circle:", query_params=claim.settings)
            st.caption(f"`{claim.command}`")
