"""A run as one HTML file that plays offline: the player, plotly.js, the recording, and the steps worth a look."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import orjson

from pages.ui.draw import plotly_js
from pages.ui.draw.charts import Look, rgba
from pages.ui.draw.markup import STYLE
from pages.ui.play import assets

# nothing may be loaded from anywhere; scripts and styles stand in the page, and pictures in its texts
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
POLICY += "; font-src data:; base-uri 'none'; form-action 'none'"

_VARIABLES = """
  color-scheme: %(scheme)s; --st-text-color: %(text)s; --st-background-color: %(ground)s;
  --st-secondary-background-color: %(soft)s; --st-primary-color: %(main)s; --st-border-color: %(edge)s;
"""
_LIGHT = {
    "scheme": "light", "text": "#1B1F24", "ground": "#FFFFFF", "soft": "#F3F5F8", "main": "#0072B2", "edge": "#D9DEE5",
}  # fmt: skip
_DARK = {
    "scheme": "dark", "text": "#E8ECF1", "ground": "#12161C", "soft": "#1C222B", "main": "#56B4E9", "edge": "#343D49",
}  # fmt: skip

_SHEET = f"""
:root {{ {_VARIABLES % _LIGHT} }}
:root[data-scheme=dark] {{ {_VARIABLES % _DARK} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; max-width: 88rem; padding: 1.6rem clamp(.8rem, 3vw, 2.4rem) 3rem; line-height: 1.5;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  color: var(--st-text-color); background: var(--st-background-color); }}
a {{ color: var(--st-primary-color); }}
.fl-head h1 {{ font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem; }}
.fl-head p {{ margin: 0 0 .4rem; max-width: 60rem; overflow-wrap: anywhere; }}
.fl-head {{ margin-bottom: 1.2rem; }}
.fl-story {{ margin-top: 1.4rem; border-top: 1px solid var(--st-border-color); padding-top: .6rem; overflow-x: auto; }}
.fl-story h2 {{ font-size: 1.05rem; margin: .6rem 0 .3rem; }}
.fl-foot {{ margin-top: 2rem; font-size: .85rem; opacity: .75; }}
@media print {{
  :root {{ color-scheme: light !important; }}
  body {{ max-width: none; padding: 0; background: none; }}
  :root[data-scheme=dark] body {{ filter: invert(1) hue-rotate(180deg); }}
  .fl-bar {{ position: static !important; background: none !important; }}
  .fl-bar button, .fl-bar select, .fl-bar input, .fl-timeline, .fl-row, .modebar {{
    display: none !important; }}
  .fl-head a::after {{ content: " (" attr(href) ")"; }}
  section, .fl-story, .fl-head {{ break-inside: avoid; }}
}}
"""

# the scheme is chosen once: what is drawn cannot follow a change
_SCHEME = """
document.documentElement.dataset.scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
"""

# plotly.js is packed, which makes the file a third as long; the player begins once it has been unpacked and run
_UNPACK = """
const library = (async () => {
  const packed = Uint8Array.from(atob(document.getElementById('fl-library').textContent), c => c.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const tag = document.createElement('script');
  tag.textContent = await new Response(plain).text();
  document.head.append(tag);
})();
const tooOld = () => {
  document.querySelector('.fl-player').textContent = 'This browser is too old for this file. Open it in a newer one.';
};
"""


def page(
    payload: Mapping[str, Any], stories: Sequence[Mapping[str, Any]], title: str, link: str, words: str = ""
) -> str:
    """Return a run as an HTML page that needs neither a server nor a network.

    Parameters
    ----------
    payload : what the player is given, complete.
    stories : the inspector at marked steps, each with `t`, `slot`, `replicate`, `title` (a text) and `html` (trusted).
    title : heading of the page. link : address at which the run can be opened again.
    words : the setup in a sentence; without it, the learners, replicates and steps are named.
    """
    setup = html.escape(words or setup_in_words(payload))
    address = html.escape(link)
    if link.startswith(("https://", "http://")):
        address = f'<a href="{address}">Open it in the lab</a> to change it or to ask it more.'
    again = f"<p>{address}</p>" if link else ""
    colors = html.escape(_colors(payload))
    recording = {**payload, "script": "", "stories": _told(stories)}
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Feedback Lab">
<title>{html.escape(title)}</title>
<link rel="icon" href="data:,">
<style>{_raw(assets.style(), "style")}</style>
{STYLE}
<style>{_SHEET}</style>
<script>{_SCHEME}</script>
</head>
<body>
<header class="fl-head">
<h1>{html.escape(title)}</h1>
<p>{setup}</p>
{again}
</header>
<noscript><p>JavaScript is off. Turn it on to play the run.</p></noscript>
<main><div class="fl-player"></div></main>
<footer class="fl-foot">Made with Feedback Lab. This file works without a network.</footer>
<script id="fl-payload" type="application/json" data-colors="{colors}">{_json(recording)}</script>
<script id="fl-library" type="text/plain">{base64.b64encode(plotly_js.packed()).decode()}</script>
<script>
{_UNPACK}
library.then(() => {{
{_raw(assets.script("alone"), "script")}
}}, tooOld);
</script>
</body>
</html>
"""


def setup_in_words(payload: Mapping[str, Any]) -> str:
    """Return who runs for how long.

    >>> learners = [{"label": "Perceptron"}, {"label": "Banditron, γ = 0.1"}]
    >>> setup_in_words({"learners": learners, "replicates": 20, "steps": 1000, "unit": "step"})
    'Perceptron · Banditron, γ = 0.1. 20 replicates of 1,000 steps.'
    """
    names = " · ".join(learner["label"] for learner in payload["learners"])
    runs = "One run" if payload["replicates"] == 1 else f"{payload['replicates']:,} replicates"
    return f"{names}. {runs} of {payload['steps']:,} {payload['unit']}s."


def _told(stories: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return one text for each step, with the stories of all learners at that step."""
    ordered = sorted(stories, key=itemgetter("t", "slot"))
    return [
        {"t": t, "html": "".join(f"<h2>{html.escape(s['title'])}</h2>{s['html']}" for s in of_step)}
        for t, of_step in groupby(ordered, key=itemgetter("t"))
    ]


def _colors(payload: Mapping[str, Any]) -> str:
    """Return the scheme in which the payload was made, and its colours with their likes in the other, for scheme.js."""
    dark = payload["text"] == Look.of("dark").text
    mine, other = (Look.of(scheme) for scheme in (("dark", "light") if dark else ("light", "dark")))

    def inner(color: str) -> str:
        return rgba(color, 1).removesuffix("1)")  # a part of rgba(…) with any opacity

    pairs = list(zip((*mine.colors, mine.other), (*other.colors, other.other), strict=True))
    curves = [pair for a, b in pairs for pair in ((a, b), (inner(a), inner(b)))]
    text = [[mine.text, other.text], [mine.grid, other.grid], [mine.ground, other.ground]]
    return json.dumps({"made": "dark" if dark else "light", "text": text, "curves": curves})


def _json(value: Any) -> str:
    """Return a value as JSON that can stand in a script element."""
    written = orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return written.replace("<", "\\u003c")


def _raw(code: str, element: str) -> str:
    """Return a script or a sheet as it may stand in its element: without what would end it."""
    return code.replace(f"</{element}", f"<\\/{element}").replace("<!--", "<\\!--")
