"""The common parts of the pages of an edition: its frame, the one script, the one style sheet, and plotly.js."""

import gzip
import html
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

from pages.ui.draw import plotly_js
from pages.ui.draw.charts import ON_DARK
from pages.ui.figures.view import component
from pages.ui.home.page import SCRIPTS as HOME
from pages.ui.lessons import cards, handout, shelf
from pages.ui.lessons.languages import NAMES
from pages.ui.modules import joined
from pages.ui.plain import NOTHING, Html
from pages.ui.play import assets
from pages.ui.recordings.takeaway import SCHEME, SHEET
from pages.ui.static.store import Store, wrapped

FOLDER = Path(__file__).parent / "js"
SCRIPT, STYLE, PLOTLY = "parts/edition.js", "parts/edition.css", "parts/plotly.js"
# nothing is loaded from another host; a page from a disk may load what lies beside it
POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline' file:; style-src 'self' 'unsafe-inline' file:"
POLICY += "; img-src 'self' file: data: blob:; connect-src 'self'; font-src data:; base-uri 'none'; form-action 'none'"
PARTS = (("{home}#lessons", "lessons"), ("{home}#demos", "demos"), ("figures.html", "figures"))
SAYS = {
    "en": {
        "skip": "Skip to the content", "parts": "Parts", "lessons": "Lessons", "demos": "Demos", "figures": "Figures",
        "languages": "Languages", "off": "JavaScript is off. Turn it on to play what was recorded.",
    },
    "de": {
        "skip": "Zum Inhalt springen", "parts": "Teile", "lessons": "Lektionen", "demos": "Demos",
        "figures": "Abbildungen", "languages": "Sprachen",
        "off": "JavaScript ist ausgeschaltet. Schalten Sie es ein, um das Aufgezeichnete abzuspielen.",
    },
    "es": {
        "skip": "Saltar al contenido", "parts": "Partes", "lessons": "Lecciones", "demos": "Demos",
        "figures": "Figuras", "languages": "Idiomas",
        "off": "JavaScript está desactivado. Actívelo para reproducir lo grabado.",
    },
}  # fmt: skip


# the hues of the app's dark theme; those of the light one stand in the sheets
HUES = " ".join(
    f"--st-{name}-color: {hue};" for name, hue in zip(("blue", "orange", "green", "violet"), ON_DARK, strict=True)
)


def home_of(language: str) -> str:
    """Return the address of the first page in a language.

    >>> home_of("en"), home_of("de")
    ('index.html', 'index.de.html')
    """
    return "index.html" if language == "en" else f"index.{language}.html"


def ways(language: str, others: Mapping[str, str]) -> Html:
    """Return the links from a page to itself in other languages, by their addresses; "" without any."""
    links = " ".join(
        f'<a href="{html.escape(address)}" hreflang="{html.escape(other)}" lang="{html.escape(other)}" rel="alternate">'
        f"{NAMES[other]}</a>"
        for other, address in others.items()
        if other != language
    )
    return f'<nav class="fl-languages" aria-label="{SAYS[language]["languages"]}">{links}</nav>\n' if links else NOTHING


def page(
    title: str, body: Html, data: dict[str, Any] | None = None, here: str = "", nav: bool = True, language: str = "en"
) -> Html:
    """Return a page of an edition.

    body : of its main part, as HTML. data : what the script needs to know. here : the part to which it belongs, as in
    `PARTS`. nav : whether it leads to the other parts. language : of its texts.
    """
    says = SAYS[language]
    home = home_of(language)
    links = "".join(
        f'<a href="{html.escape(to.format(home=home))}"{" aria-current=page" * (part == here)}>{says[part]}</a>'
        for to, part in PARTS
    )
    links = f'<a href="{html.escape(home)}"><b>Feedback Lab</b></a>{links}'
    told = cast(Html, json.dumps(data or {}, ensure_ascii=False).replace("<", "\\u003c"))  # ends no script
    return f"""<!doctype html>
<html lang="{html.escape(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Feedback Lab">
<title>{html.escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{STYLE}">
<script>{SCHEME.strip()}</script>
</head>
<body>
<a class="fl-skip" href="#main">{says["skip"]}</a>
{f'<header><nav aria-label="{says["parts"]}">{links}</nav></header>' if nav else ""}
<main id="main" tabindex="-1">
{body}
<noscript><p>{says["off"]}</p></noscript>
</main>
<script type="application/json" id="fl-page">{told}</script>
<script>{_start()}</script>
</body>
</html>
"""


@cache
def _start() -> Html:
    """Return the script within each page, which reads the one of all pages, packed as recordings are, and runs it.

    Messages that come before it are kept for it.
    """
    code = cast(Html, joined(assets.FOLDER / "read.js"))
    return f"""globalThis.flEarly = [];
addEventListener('message', message => flEarly.push(message));
(() => {{
{code}
flReadText('{SCRIPT}').then(flRun, error => {{
  const alert = document.createElement('p');
  alert.role = 'alert';
  alert.textContent = `The script of this page could not be read (${{error.message}}).`;
  document.getElementById('main').prepend(alert);
}});
}})();"""


@cache
def style() -> Html:
    """Return the style sheet of all pages, which takes those of the app's parts."""
    own = (FOLDER / "edition.css").read_text("utf-8")
    shared = (HOME / "home.css", component.FOLDER / "sheet.css")
    sheets = "\n".join(
        [SHEET, f":root[data-scheme=dark] {{ {HUES} }}", assets.style(), cards.style(), shelf.style(), handout.STYLE,
         *(path.read_text("utf-8") for path in shared), own]
    )  # fmt: skip
    return cast(Html, sheets)  # files of ours


def write_parts(store: Store, pictures: bool = True) -> None:
    """Write what pages share. pictures : whether any of them draws pictures, for which it needs plotly.js."""
    store.write(SCRIPT, wrapped(gzip.compress(joined(FOLDER / "edition.js").encode(), 9, mtime=0)))
    store.write(STYLE, style())
    if pictures:
        store.write(PLOTLY, wrapped(plotly_js.packed()))
