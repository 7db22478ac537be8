"""The home page: a ranking that moves, three lessons to start with, and the gallery of demos."""

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

import streamlit as st

from pages.ui.component import component
from pages.ui.form.settings import begin_anew
from pages.ui.gallery.demos import DEMOS, Demo
from pages.ui.home.starts import STARTS, starts
from pages.ui.lessons import shelf
from pages.ui.plain import Html

PICTURES, SCRIPTS = Path(__file__).parent / "pictures", Path(__file__).parent / "js"
FIRST = ("flip", "digit", "turn-gamma", "try-out", "two-moons", "valley")  # demos that stand first


def address(page: str, query: Mapping[str, str]) -> str:
    """Return the address of a page, seen from the home page.

    >>> address("pages/stability.py", {"demo": "flip"})
    'stability?demo=flip'
    """
    return Path(page).stem + ("?" + urlencode(query) if query else "")


@cache
def targets() -> dict[str, tuple[str, dict[str, str]]]:
    """Return where every link of the page leads, by its key: a page file and the query."""
    found = {f"demo {demo.id}": (demo.page, demo.link) for demo in DEMOS}
    return found | {f"lesson {id}": (shelf.PAGE, {shelf.NAME: id}) for id in STARTS}


def content() -> dict[str, Any]:
    """Return all that the page shows."""
    return _kept() | {"starts": [_to(f"lesson {start['id']}") | start for start in starts()]}


def _to(key: str) -> dict[str, str]:
    return {"key": key, "href": address(*targets()[key])}


def card(demo: Demo) -> dict[str, Any]:
    """Return what the card of a demo shows, without where it leads."""
    return {
        "id": demo.id, "title": demo.title, "text": demo.text, "group": demo.group, "level": demo.level,
        "first": demo.id in FIRST, "minutes": demo.minutes,
        "picture": (PICTURES / f"{demo.id}.svg").read_text("utf-8"),
    }  # fmt: skip


def moving() -> Any:
    """Return the rankings that move at the top of the page."""
    return json.loads((PICTURES / "moving.json").read_text("utf-8"))


@cache
def _kept() -> dict[str, Any]:
    """Return what never changes while the server runs."""
    demos = [_to(f"demo {demo.id}") | card(demo) for demo in DEMOS]
    return {"moving": moving(), "demos": demos}


def show() -> None:
    """Draw the page, and open what the person chooses."""
    wanted = _component(key="home", data=content(), on_open_change=lambda: None).open
    if isinstance(wanted, str) and wanted in targets():
        page, query = targets()[wanted]
        begin_anew()
        st.switch_page(page, query_params=query)


# the first words of the app, beside the rankings that move
LEAD = """<div class="fl-home-top">
<div class="fl-home-lead">
<p>{}</p>
<p class="fl-home-fine">{}</p>
</div>
<div class="fl-home-moving"></div>
</div>
"""
SAYS = cast(dict[str, dict[str, Html]], tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")))  # ours
_component = component(
    "home", SCRIPTS / "home.js", shelf.style(), SCRIPTS / "home.css",
    html=f"""<div class="fl-home">
{LEAD.format(SAYS["en"]["first"], SAYS["en"]["then"])}<h2>Start here</h2>
<ul class="fl-starts"></ul>
<h2>Or pick a demo, and press Play</h2>
<div class="fl-home-gallery"></div>
</div>""",
)  # fmt: skip
