"""The rights of everybody on a server that is open to others, said on its home page to visitors and to its owner."""

import streamlit as st

import datasets
from pages.ui.files import uploads
from pages.ui.jobs import limits
from pages.ui.plain import Markdown
from pages.ui.server import exposure
from pages.ui.sweep.setup import clusters_allowed


def can() -> list[Markdown]:
    """Return in sentences what everybody can do here, with the limits that hold now."""
    largest = st.config.get_option("server.maxUploadSize")
    found = [
        f"**Run every lab.** The runs of {limits.PEOPLE.value:,} people are computed at once; others queue. All "
        f"runs keep at most {limits.MEMORY_MB.value:,} MB in memory. One that nobody has asked for is evicted after "
        f"{limits.KEEP_SECONDS.value:,.0f} seconds.",
        f"**Start sweeps and figures.** The server computes {limits.JOBS.value:,} at once, and others queue. "
        f"One person may have {limits.PERSON_JOBS.value:,}, of {limits.PERSON_MINUTES.value:,.0f} minutes of a core "
        f"together, and one run may take {limits.RUN_SECONDS.value:,} seconds by its estimate. They end "
        f"{limits.AWAY_SECONDS.value:,.0f} seconds after their pages have been closed.",
        f"**Upload files** of at most {int(largest):,} MB, {uploads.PERSON_MB.value:,} MB in one visit and "
        f"{uploads.ALL_MB.value:,} MB of all people. Whoever has a link to an upload can open it, and nobody else. An "
        f"upload that nobody uses goes after {uploads.DAYS.value:,.0f} days.",
        _folder(),
        "**Download public data** to this server's disk, which then serve everybody."
        if exposure.may_fetch()
        else "Nobody can make this server **download** anything.",
        "**Name a Dask scheduler.** Whoever does so can run any code on this server."
        if clusters_allowed()
        else "Nobody can run **code** of their own here.",
    ]
    return [Markdown(said) for said in found]


def _folder() -> Markdown:
    try:
        folder = datasets.data_folder()
    except ValueError:
        folder = None
    if folder is None:
        return Markdown("No files of this server can be read. It has no folder of data to choose from.")
    return Markdown("**Read the files in the server's data folder,** and no others.")


def offer() -> None:
    """Draw it at the end of the home page, where others than the one at this machine may be here."""
    if not exposure.is_public():
        return
    with st.expander("What everybody can do here", icon=":material/groups:"):
        st.markdown("This server is open to others. Whoever has its address can do the following.")
        st.markdown("\n".join(f"- {words}" for words in can()))
        st.markdown(
            "There are no accounts. What you set, answer and note stands in your links and in your browser, and the "
            "server forgets it after your page is closed. It counts who follows a teacher and what a class predicts, "
            "without names. Its log tells what happened and how long it took, without names, texts or addresses."
        )
        st.caption("Whoever runs the server sets these limits by environment variables, which HOSTING.md lists.")
