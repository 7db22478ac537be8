"""The button that keeps a run, and the list of kept runs, of which some are shown behind the present one."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui.component import component, heard
from pages.ui.form.form import Asked
from pages.ui.form.settings import Settings
from pages.ui.kept import run as kept
from pages.ui.kept.run import MOST_BEHIND, VS, Ask, KeptRun

_JS, _LAST = Path(__file__).parent / "js", "kept:last"


def behind(settings: Settings, ask: Ask) -> list[KeptRun]:
    """Return the kept runs that a link names. Their faults are added to the problems of the settings.

    Call it after all other settings are read and before they are written.
    """
    known: dict[str, KeptRun] = settings.state.setdefault("behind", {})
    found, problems = kept.read(settings.get(VS), ask, known)
    settings.state["behind"] = {run.text: run for run in found}
    settings.problems.extend(problems)
    settings.set(VS, kept.write(found))
    settings.get(VS)  # notes the runs that are left, so that the address holds no others
    return found


def show(
    page: str, now: KeptRun, shown: Sequence[KeptRun], asked: Asked, add: Callable[[], None],
    tick: Callable[[list[Any]], None], most: int = MOST_BEHIND,
) -> bool:  # fmt: skip
    """Draw the button that keeps the present run, and the list of the page's kept runs. Return whether it was pressed.

    shown : those that are shown behind the present one, at most `most`. asked : the settings of the page. add : has the
    present run shown as well. tick : is called with the kept runs that a person ticked, as the browser stores them.
    """
    key = f"kept-{page}"

    def ticked() -> None:
        if isinstance(sent := heard(key, "behind"), list):
            tick(sent)

    help = "Store this run in this browser with its final values, and show it behind the next one."
    pressed = st.button("Keep", icon=":material/bookmark_add:", key="keep", help=help, on_click=add)
    label = f"Kept runs · {len(shown)} behind" if shown else "Kept runs"
    with st.popover(label, icon=":material/bookmarks:", type="tertiary", key="kept-runs"):
        data = {
            "page": page, "settings": kept.titles_of(asked), "now": dict(now.link), "most": most,
            "behind": [{"text": run.text, "settings": dict(run.link)} for run in shown],
        }  # fmt: skip
        _shelf(key=key, data=data, on_behind_change=ticked)
    return pressed


def keep(entry: dict[str, Any]) -> None:
    """Have the browser store a run."""
    st.session_state[_LAST] = {"entry": entry, "number": str(time.time_ns())}


def keeper() -> None:
    """Connect the page with what stores the run that was kept last. Call it after `keep`."""
    _keeper(key="unseen-keeper", data=st.session_state.get(_LAST, {}))


_keeper = component("keeper", _JS / "keeper.js", _JS / "keeper.css")
_shelf = component("kept", _JS / "shelf.js", _JS / "kept.css")
