"""The former address of the page Figures, whose links go on to work."""

import streamlit as st

from pages.ui.entry import through_app
from pages.ui.figures.view.words import published

through_app()
st.switch_page("pages/figures.py", query_params=published(st.query_params.to_dict()))
