"""The home page, with demos that open with everything set."""

import streamlit as st

from learners.catalogue import families
from pages.ui.draw.theme import title
from pages.ui.entry import through_app
from pages.ui.gallery.demos import DEMOS

through_app()

title(
    "Feedback Lab",
    "Watch algorithms learn step by step from clicks, from right and wrong and from partial answers, and see which of "
    "them stay calm and which become unstable. Real implementations of the published algorithms compute everything "
    "live. Pick a demo, press **Play**, then change any setting and see what it does.",
)
for group in dict.fromkeys(demo.group for demo in DEMOS):
    st.subheader(group)
    cards = [demo for demo in DEMOS if demo.group == group]
    for first in range(0, len(cards), 2):
        for column, demo in zip(st.columns(2), cards[first : first + 2], strict=False):
            with column.container(border=True, height="stretch"):
                st.markdown(f"#### {demo.title}")
                st.markdown(demo.text)
                st.page_link(demo.page, label="Open the demo", icon=":material/play_circle:", query_params=demo.link)
st.subheader("Or start from the parts")
with st.container(horizontal=True):
    for family in families().values():
        st.page_link(f"pages/{family.page}.py", label=f"{family.lab.capitalize()}, where you left it", icon=family.icon)
    for page, label, icon in (
        ("coactive", "Coactive lab", "handshake"),
        ("interleaving", "Interleaving", "compare_arrows"),
        ("lower_bound", "Lower bound", "vertical_align_bottom"),
    ):
        st.page_link(f"pages/{page}.py", label=label, icon=f":material/{icon}:")
    st.page_link("pages/sweep.py", label="Sweep over parameters", icon=":material/tune:")
    st.page_link("pages/runs.py", label="Run log: what you have run, with notes", icon=":material/history:")
    st.page_link("pages/published.py", label="Published and measured results", icon=":material/fact_check:")
    st.page_link("pages/data.py", label="Data sets and files of your own", icon=":material/database:")
    st.page_link("pages/algorithms.py", label="Algorithms with formulas, bounds and code", icon=":material/function:")
