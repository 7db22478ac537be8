"""When Python's garbage collector looks for objects that nobody holds, such as those of a session that has ended.

Streamlit has it look through everything after each run of a script, and so at each frame of each run that plays:
nine tenths of the server's time went into a few hundred thousand objects of libraries, which stay for good.
That is switched off in .streamlit/config.toml, and done here.
"""

from __future__ import annotations

import gc
import sys
import time

EVERY = 30.0  # seconds
MANY = 50  # modules
_modules, _last = 0, 0.0


def tidy() -> None:
    """Collect garbage where that was done long ago, or many modules are new; what modules made is not looked at again.

    Called at the end of app.py and of each frame; most often it does nothing.
    """
    global _modules, _last
    new, now = len(sys.modules) >= _modules + MANY, time.monotonic()
    if not new and now < _last + EVERY:
        return
    _last = now
    gc.collect()
    if new:
        _modules = len(sys.modules)
        gc.freeze()
