"""Additions to Streamlit's server: headers, checks of hosts and sizes, `/health`, `/status` and a log."""
