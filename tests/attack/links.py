"""Opens links that nobody should write, on every page, and looks at what the page makes of them.

    python -m tests.attack.links --number 10000 --workers 2

Keys are those that the page knows, with values at and beyond every end, of the wrong type, huge, empty, in other
scripts and repeated; keys of other pages; and keys of nobody. A link is right if the page is drawn within the time,
without a traceback, with each refusal in one sentence, and if what it computes in the background breaks off at no fault
of the app.
"""

from __future__ import annotations

import gc
import logging
import random
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
import streamlit as st
from joblib import Parallel, delayed
from streamlit.testing.v1 import AppTest

from datasets.parameters import Parameter
from pages.ui.families import labs
from pages.ui.form.form import Form
from pages.ui.form.form import known as parameters
from pages.ui.form.settings import Settings
from pages.ui.gallery.demos import DEMOS
from pages.ui.jobs.queue import QUEUE
from pages.ui.sweep import page as sweep
from tests.attack.tally import FINE, HANG, REFUSED, Tally, command
from tests.conftest import ROOT

NUMBER = 10_000
COMPUTED = 0.15  # seconds for which the runs of a link are computed in the background
MOST_MB = 3000  # resident memory of the process that draws the pages
LABS = ("stability", "coactive", "bandit", "multilabel", "semi_supervised", "learning_to_rank",
        "refinement")  # fmt: skip
PAGES = (*LABS, *LABS, "sweep", "sweep", "figures", "lessons", "search", "catalogue", "catalogue",
         "home", "runs")  # fmt: skip
IDS = ("mode", "show", "family", "learner", "learner-1", "learner-2", "learner-3", "dataset", "user", "vary-1",
       "vary-2", "lesson", "figure", "paper")  # fmt: skip
NONSENSE = (
    "", " ", "nan", "NaN", "inf", "-inf", "-1", "0", "1e308", "-1e308", "1e-300", "5e-324", "1e400", "0x10", "1_000",
    "1,5", "٣", "１２", "½", "true", "TRUE", "yes", "null", "None", "[]", "{}", "<b>x</b>", "<script>alert(1)</script>",
    "![x](http://evil.example/x.png)", "https://evil.example", "www.evil.example", "$\\href{http://evil.example}{x}$",
    ":red[x]", "' or 1=1 --", "../../etc/passwd", "/etc/passwd", "upload/../../x", "upload/0000000000000000/x.csv",
    "file:///etc/passwd", "%00", "\x00", "\x0b", "a\nb", "a\r\nb", "\u202e", "\u200b", "é" * 300, "𝔘𝔫𝔦",
    "😀" * 50, "x" * 5000,
    "9" * 400, "-" * 100, ",,,", ",".join(["noise"] * 500), "1.2.3-4", "1.3.7-2,9", "999999999.1.1", "0.0.0",
)  # fmt: skip
COMMON = ("lock", "hide", "present", "follow", "embed", "utm_source", "t", "answers", "vs", "demo", "metric", "seed",
          "steps", "replicates", "charts", "speed", "scene", "card", "class", "tally", "path", "label", "own",
          "q")  # fmt: skip


@cache
def forms() -> dict[str, Callable[[Form], Any]]:
    """Return the function of each page that asks for all that a query may have, as the page hands it over or draws."""
    drawn: dict[str, Any] = {name: lab.ask for name, lab in labs().items()} | {"sweep": sweep.ask}
    found: dict[str, Any] = {}
    for page in sorted(set(PAGES)):

        def init(self: Settings, name: str, ask: Any = None, *more: Any, page: str = page, **given: Any) -> None:
            found[page] = ask or drawn[page]
            st.stop()  # nothing of the page need be drawn

        with patch.object(Settings, "__init__", init):
            opened(page, {})
    return found


@cache
def known(page: str, query: tuple[tuple[str, str], ...]) -> Mapping[str, Parameter]:
    """Return the parameters that a page knows with a query, none for a page without settings."""
    ask = forms().get(page)
    return parameters(ask, dict(query)) if ask is not None else {}


def value_of(parameter: Parameter, draw: random.Random) -> str:
    """Return a text for a parameter: allowed, at an end, just beyond one, or nonsense."""
    kind = draw.random()
    if kind < 0.25:
        return draw.choice(NONSENSE)
    if parameter.kind == "choice":
        return draw.choice(parameter.choices)
    if parameter.kind == "flag":
        return draw.choice(("true", "false"))
    if parameter.kind in ("real", "integer"):
        low, high = parameter.low, parameter.high
        ends = [x for x in (low, high) if np.isfinite(x)]
        if kind < 0.5 and ends:
            end = draw.choice(ends)
            return repr(end if parameter.kind == "real" else int(end))
        if kind < 0.6 and ends:
            return repr(draw.choice(ends) + draw.choice((-1, 1, 1e-9, -1e-9, 0.5)))
        top = min(high, max(low, 0) + 10 ** draw.uniform(-2, 4)) if np.isfinite(low) else 1.0
        value = draw.uniform(low if np.isfinite(low) else -1.0, top)
        return repr(value if parameter.kind == "real" else int(value))
    return parameter.format(parameter.default) if kind < 0.5 and parameter.kind != "text" else draw.choice(NONSENSE)


def link(draw: random.Random) -> tuple[str, dict[str, Any]]:
    """Return a page and a query."""
    page = draw.choice(PAGES)
    query: dict[str, Any] = {}
    for _ in range(3):  # ids first, since other keys depend on them
        found = known(page, tuple(sorted(query.items())))
        for key in IDS:
            if key in found and key not in query and found[key].kind == "choice" and draw.random() < 0.5:
                query[key] = draw.choice(found[key].choices)
    found = known(page, tuple(sorted(query.items())))
    if page in LABS or page == "sweep":
        query |= {"steps": str(draw.choice((10, 20, 40))), "replicates": str(draw.choice((1, 2, 5)))}
    if draw.random() < 0.1:
        query |= {key: str(value) for key, value in draw.choice(list(DEMOS)).link.items()}
    for key in draw.sample(sorted(found), min(len(found), draw.choice((0, 1, 1, 2, 3, 6)))):
        query[key] = value_of(found[key], draw)
    for _ in range(draw.choice((0, 0, 0, 1, 2))):
        query[draw.choice(COMMON)] = draw.choice(NONSENSE)
    if draw.random() < 0.05:
        query[draw.choice(NONSENSE) or "x"] = draw.choice(NONSENSE)
    if draw.random() < 0.05 and query:
        key = draw.choice(sorted(query))
        query[key] = [query[key], draw.choice(NONSENSE)]
    return page, query


@cache
def _registered() -> dict[Any, Any]:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300).run()
    return dict(app._registered_pages)


def opened(page: str, query: Mapping[str, Any]) -> AppTest:
    """Return the app with a page opened by a query."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    app._registered_pages = _registered()
    app.switch_page(f"pages/{page}.py")
    for key, value in query.items():
        app.query_params[key] = value
    return app.run()


def judge(page: str, query: Mapping[str, Any]) -> tuple[str, str]:
    """Open a link; return its outcome, and what was wrong."""
    began, worked = time.perf_counter(), time.process_time()
    try:
        app = opened(page, query)
    except Exception as error:
        return ("hang" if "timed out" in str(error) else "traceback"), f"{type(error).__name__}: {error}"
    # of its own, where the machine is shared; and by the clock, where other threads work, too
    seconds = min(time.perf_counter() - began, time.process_time() - worked)
    time.sleep(COMPUTED if len(QUEUE) else 0)
    broken = [job.failed for job in list(QUEUE._cache.jobs.values()) if "fault of the app" in job.failed]
    QUEUE.clear()
    if app.exception:
        return "traceback", str([e.value[:300] for e in app.exception])
    if broken:
        return "traceback", broken[0]
    if seconds > HANG:
        return "hang", f"{seconds:.0f} s"
    said = [element.value for element in (*app.error, *app.warning)]
    for text in said:
        if "Traceback" in text or any("\n" in sentence.strip() for sentence in text.split("\n\n")):
            return "not one sentence", text[:300]
    if (held := resident()) > MOST_MB:
        return "over memory", f"{held:,.0f} MB"
    return (REFUSED if said else FINE), ""


def resident() -> float:
    """Return the resident memory of this process in MB, 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096 / 1e6
    except OSError:
        return 0.0


def part(number: int, seed: int, first: int, every: int) -> Tally:
    """Open every so manieth link."""
    logging.disable(logging.CRITICAL)
    tally = Tally("links")
    for i in range(first, number, every):
        page, query = link(random.Random(f"{seed} {i}"))
        tally.add(f"#{i} /{page}?{ {k: str(v)[:80] for k, v in query.items()} }", *judge(page, query))
        if i % 50 == first:
            gc.collect()
    return tally


def campaign(seed: int = 0, workers: int = 1, number: int = NUMBER) -> Tally:
    """Open all links, in some processes."""
    tally = Tally("links")
    for found in Parallel(workers)(delayed(part)(number, seed, first, workers) for first in range(workers)):
        tally.join(found)
    return tally


if __name__ == "__main__":  # by its name, so that other processes find what is defined here
    from tests.attack import links as module

    raise SystemExit(command(module.campaign, __doc__, workers=1, number=NUMBER))
