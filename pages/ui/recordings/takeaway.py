"""A run as one HTML file that plays offline: the player, plotly.js, the recording, and the steps worth a look."""

import base64
import html
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from pages.ui.draw import plotly_js
from pages.ui.draw.charts import Look, rgba
from pages.ui.modules import joined
from pages.ui.plain import Html, Ours, for_html
from pages.ui.play import assets
from pages.ui.recordings.document import Document

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

SHEET = f"""
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
SCHEME = """
document.documentElement.dataset.scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
"""

# The recording and plotly.js are packed, which makes the file a third as long; the player begins once they have been
# unpacked, and plotly.js has run.
_OPEN = """
const packed = id => Uint8Array.from(atob(document.getElementById(id).textContent), c => c.charCodeAt(0));
const ready = (async () => {
  globalThis.flRecording = await flOpened(packed('fl-recording'));
  if (!document.getElementById('fl-library')) return;
  const tag = document.createElement('script');
  tag.textContent = await flUnpacked(packed('fl-library'));
  document.head.append(tag);
})();
const tooOld = () => {
  document.querySelector('.fl-player').textContent = 'This browser is too old for this file. Open it in a newer one.';
};
"""
_UNPACK = joined(assets.FOLDER / "unfold.js") + _OPEN


@dataclass(frozen=True)
class Library:
    """The source from which a page has plotly.js.

    inside : within itself. address : where a browser fetches it, "" for nowhere. integrity : the hash of what must come
    from there.
    """

    inside: bool = True
    address: str = ""
    integrity: str = ""


def page(document: Document, library: Library = Library(), framed: bool = False) -> Html:  # frozen
    """Return a run as an HTML page that needs no server, and with plotly.js inside no network.

    The recording in the page is that of a `.flab` file. framed : whether it stands in another page with its title.
    """
    title, setup, link = for_html(document.title), for_html(document.setup), document.link
    address = html.escape(link)
    if link.startswith(("https://", "http://")):
        address = f'<a href="{address}">Open it in the lab</a> to change it or to ask it more.'
    again = f"<p>{address}</p>" if link else ""
    head = f'<header class="fl-head">\n<h1>{title}</h1>\n<p>{setup}</p>\n{again}\n</header>'
    foot = '<footer class="fl-foot">Made with Feedback Lab. This file works without a network.</footer>'
    policy, plotly = POLICY, ""
    if library.inside:
        packed = base64.b64encode(plotly_js.packed()).decode()
        plotly = f'<script id="fl-library" type="text/plain">{packed}</script>'
    elif library.address:
        policy = POLICY.replace("script-src", f"script-src {library.address}")
        whole = f' integrity="{library.integrity}" crossorigin="anonymous"' if library.integrity else ""
        plotly = f'<script src="{library.address}"{whole}></script>'
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Feedback Lab">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{raw(assets.style(), "style")}</style>
<style>{SHEET}</style>
<script>{SCHEME}</script>
</head>
<body>
{"" if framed else head}
<noscript><p>JavaScript is off. Turn it on to play the run.</p></noscript>
<main><div class="fl-player"></div></main>
{"" if framed else foot}
<script id="fl-recording" type="text/plain" data-colors="{html.escape(colors(document.payload))}">{
        base64.b64encode(document.packed()).decode()
    }</script>
{plotly}
<script>
{_UNPACK}
ready.then(() => {{
{raw(assets.script("alone"), "script")}
}}, tooOld);
</script>
</body>
</html>
"""


def colors(payload: Mapping[str, Any]) -> str:
    """Return the scheme in which the payload was made, and its colours with their likes in the other, for scheme.js."""
    dark = payload["text"] == Look.of("dark").text
    mine, other = (Look.of(scheme) for scheme in (("dark", "light") if dark else ("light", "dark")))

    def inner(color: str) -> str:
        return rgba(color, 1).removesuffix("1)")  # a part of rgba(…) with any opacity

    pairs = list(zip((*mine.colors, mine.other), (*other.colors, other.other), strict=True))
    curves = [pair for a, b in pairs for pair in ((a, b), (inner(a), inner(b)))]
    text = [[mine.text, other.text], [mine.grid, other.grid], [mine.ground, other.ground]]
    return json.dumps({"made": "dark" if dark else "light", "text": text, "curves": curves})


def raw(code: str, element: Ours) -> Html:
    """Return a script or a sheet as it may stand in its element: without what would end it."""
    return cast(Html, code.replace(f"</{element}", f"<\\/{element}").replace("<!--", "<\\!--"))
