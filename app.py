"""Feedback Lab: start it with `streamlit run app.py`."""

import pandas  # noqa: F401  # before plotly, which may otherwise meet it half loaded in another thread
import streamlit as st

from learners import plugins, warm
from pages.ui import follow, moved, variables
from pages.ui.access import fold_menu, order_tabs
from pages.ui.collector import collect_garbage
from pages.ui.draw import plotly_js, theme
from pages.ui.entry import mark
from pages.ui.files import uploads
from pages.ui.server import event_log, health, status
from pages.ui.server.middleware import MIDDLEWARE
from pages.ui.server_metrics import METRICS


def page(name: str, title: str, icon: str) -> st.Page:
    """Return a page whose address is its file's name; a server that has just started knows it by no other."""
    return st.Page(f"pages/{name}.py", title=title, icon=f":material/{icon}:", url_path=name)


def main() -> None:
    """Draw the page that a person has opened."""
    st.set_page_config(page_title="Feedback Lab", page_icon="🧪", layout="wide")  # a material icon comes from a host
    mark()
    theme.begin()
    chosen = st.navigation(
        {
            "": [
                st.Page("pages/home.py", title="Home", icon=":material/home:", default=True),
                page("lessons", "Lessons", "school"),
            ],
            "Rankings from clicks": [
                page("stability", "Stability lab", "monitoring"),
                page("coactive", "Coactive lab", "handshake"),
                page("search", "Search", "search"),
            ],
            "Labels from right or wrong": [
                page("bandit", "Bandit lab", "casino"),
                page("multilabel", "Multilabel lab", "label"),
            ],
            "Boosting": [
                page("semi_supervised", "Semi-supervised lab", "scatter_plot"),
                page("learning_to_rank", "Learning-to-rank lab", "format_list_numbered"),
                page("refinement", "Relevance-feedback lab", "rate_review"),
            ],
            "Runs": [page("sweep", "Sweep", "tune"), page("runs", "Kept runs", "bookmarks")],
            "Look up": [page("figures", "Figures", "show_chart"), page("catalogue", "Catalogue", "menu_book")],
        },
        position="top",
    )
    order_tabs()
    fold_menu()
    follow.begin(chosen.url_path)
    chosen.run()
    warm.start(chosen.url_path)
    collect_garbage()
    uploads.sweep()


if __name__ == "__main__":
    main()
else:  # the server imports this file, and then runs it as its script
    variables.check()
    plugins.start()
    event_log.listen()
    event_log.note("server-started")
    base = str(st.config.get_option("server.baseUrlPath") or "").strip("/")
    routes = [*follow.routes(base), *health.routes(base, METRICS), *plotly_js.routes(base), *moved.routes(base)]
    routes += status.routes(base, METRICS, variables.VARIABLES)
    app = st.App("app.py", routes=routes, middleware=MIDDLEWARE)
