"""Feedback Lab: start it with `streamlit run app.py`."""

import pandas  # noqa: F401  # before plotly, which may otherwise meet it half loaded in another thread
import streamlit as st

from pages.ui.collector import tidy
from pages.ui.draw.live_charts import provide_plotly
from pages.ui.entry import mark

st.set_page_config(page_title="Feedback Lab", page_icon=":material/science:", layout="wide")
provide_plotly()
mark()
# url_path is the name of the file: a server that has just started knows a page by no other (see pages/ui/entry.py)
st.navigation(
    {
        "": [st.Page("pages/home.py", title="Home", icon=":material/home:", default=True)],
        "Rankings from clicks": [
            st.Page("pages/stability.py", title="Stability lab", icon=":material/monitoring:", url_path="stability"),
            st.Page("pages/coactive.py", title="Coactive lab", icon=":material/handshake:", url_path="coactive"),
            st.Page(
                "pages/interleaving.py", title="Interleaving", icon=":material/compare_arrows:", url_path="interleaving"
            ),
            st.Page(
                "pages/lower_bound.py", title="Lower bound", icon=":material/vertical_align_bottom:",
                url_path="lower_bound",
            ),
        ],
        "Partial answers": [
            st.Page("pages/bandit.py", title="Bandit lab", icon=":material/casino:", url_path="bandit"),
            st.Page("pages/multilabel.py", title="Multilabel lab", icon=":material/label:", url_path="multilabel"),
        ],
        "Boosting": [
            st.Page(
                "pages/semi_supervised.py", title="Semi-supervised lab", icon=":material/scatter_plot:",
                url_path="semi_supervised",
            ),
            st.Page(
                "pages/learning_to_rank.py", title="Learning-to-rank lab", icon=":material/format_list_numbered:",
                url_path="learning_to_rank",
            ),
            st.Page(
                "pages/refinement.py", title="Relevance-feedback lab", icon=":material/rate_review:",
                url_path="refinement",
            ),
        ],
        "Tools": [
            st.Page("pages/sweep.py", title="Sweep", icon=":material/tune:", url_path="sweep"),
            st.Page("pages/published.py", title="Published", icon=":material/fact_check:", url_path="published"),
            st.Page("pages/data.py", title="Data", icon=":material/database:", url_path="data"),
            st.Page("pages/algorithms.py", title="Algorithms", icon=":material/function:", url_path="algorithms"),
        ],
    },
    position="top",
).run()  # fmt: skip
tidy()
