"""Decides when Python collects garbage, such as the objects of a session that has ended.

Streamlit collects after each run of a script, and so at each frame of each run that plays. That took nine tenths of the
server's time, spent on a few hundred thousand objects of libraries that stay for good. It is switched off in
.streamlit/config.toml and done here instead.
"""

import gc
import sys
import time

EVERY = 30.0  # seconds between collections
MANY_MODULES = 50  # new modules after which to collect at once
_modules, _last = 0, 0.0


def collect_garbage() -> None:
    """Collect garbage if the last time is long ago or many modules are new.

    Objects created by imports are not looked at again. app.py and each frame end with this call, which mostly
    does nothing.
    """
    global _modules, _last
    new, now = len(sys.modules) >= _modules + MANY_MODULES, time.monotonic()
    if not new and now < _last + EVERY:
        return
    _last = now
    gc.collect()
    if new:
        _modules = len(sys.modules)
        gc.freeze()
