"""The sessions that are connected, and the session of the page that is being drawn."""

import sys
import time
from typing import Any

NOBODY = ""  # the session of code that runs outside of a page
MOST_SEEN = 1000  # sessions whose latest connection is remembered

_seen: dict[str, float] = {}


def session() -> str:
    """Return the id of the session whose page is being drawn, "" outside of pages."""
    if "streamlit.runtime.scriptrunner" not in sys.modules:
        return NOBODY
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx(suppress_warning=True)
    return NOBODY if context is None else context.session_id


def connected(owner: str) -> bool:
    """Return whether the browser of a session is connected. Outside of a server everybody is."""
    manager = _manager()
    return owner == NOBODY or manager is None or bool(manager.is_active_session(owner))


def seen(owner: str) -> float:
    """Return when a session was last found connected, by time.monotonic(). Call it at least every few seconds."""
    now = time.monotonic()
    if connected(owner):
        _seen.pop(owner, None)  # so that the latest stand last
        _seen[owner] = now
        while len(_seen) > MOST_SEEN:
            _seen.pop(next(iter(_seen)), None)
    return _seen.get(owner, 0.0)


def open_pages() -> int | None:
    """Return the number of open pages, None before the server runs."""
    manager = _manager()
    return None if manager is None else len(manager.list_active_sessions())


def _manager() -> Any:
    if "streamlit.runtime" not in sys.modules:
        return None
    from streamlit.runtime import Runtime

    # Streamlit does not export the manager; without it everybody is taken to be here
    return getattr(Runtime.instance(), "_session_mgr", None) if Runtime.exists() else None
