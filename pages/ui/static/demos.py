"""The demos of an edition: each is a lab to scrub."""

import html
from pathlib import Path
from typing import Any

import orjson

from pages.ui.gallery.demos import DEMOS, Demo
from pages.ui.home.page import address, card
from pages.ui.recordings.document import SUFFIX
from pages.ui.recordings.takeaway import colors
from pages.ui.static import sweeps
from pages.ui.static.films import FOLDER, Wanted, file_of, opened, read_facts
from pages.ui.static.page import PLOTLY, page
from pages.ui.static.store import Store

ID = "demo-{}.html"


def offered() -> dict[str, Demo]:
    """Return the demos by their ids."""
    return {demo.id: demo for demo in DEMOS}


def wanted(demo: Demo) -> Wanted:
    """Return the recording of a demo; where the demo waits for a person, a simulated user stands in."""
    return Wanted(Path(demo.page).stem, tuple((demo.settings | dict(demo.stands_for)).items()), knobs=True)


def says(demo: Demo) -> dict[str, Any]:
    """Return what the card of a demo says on the first page."""
    href = ID.format(demo.id)
    return card(demo) | {"key": href, "href": href}


def write(store: Store, demo: Demo, server: str) -> bool:
    """Write the page of a demo whose recording, or results, are there. Return whether it draws pictures."""
    if sweeps.is_sweep(demo):
        return sweeps.write(store, demo, server, ID.format(demo.id))
    name = wanted(demo).name
    about = read_facts(store.folder, name)
    assert about is not None
    file = file_of(name)
    document = opened((store.folder / file).read_bytes())
    pictures = any(chart["kind"] == "figure" for chart in document.payload["charts"])
    data = {
        "kind": "demo", "file": file, "colors": orjson.loads(colors(document.payload)), "knobs": about["knobs"],
        "plotly": PLOTLY if pictures else "", "stops": [f"{FOLDER}/{stop}" for stop in about["stops"]],
    }  # fmt: skip
    stands = " A simulated user stands in for you here." if demo.stands_for else ""
    lab = f'<a href="{html.escape(server + address(demo.page, demo.link))}">Open it in the lab</a>' if server else ""
    body = f"""<header class="fl-head">
<h1>{html.escape(demo.title)}</h1>
<p>{html.escape(demo.text)}{stands}</p>
<p class="fl-fine">{html.escape(document.setup)}</p>
</header>
<div class="fl-player" role="region" aria-label="The run"></div>
<p class="fl-away">{lab}
<button type="button" data-take="{demo.id}{SUFFIX}" data-file="{html.escape(file)}">The recording as a file</button>
<small>for the page “Kept runs” of the app and for notebooks</small></p>"""
    store.write(ID.format(demo.id), page(demo.title, body, data, "demos"))
    return pictures
