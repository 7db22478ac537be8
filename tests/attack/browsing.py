"""Look in a browser at what has become of texts that try to be more; see tests/browser/test_markup.py."""

import json
import re
from contextlib import contextmanager
from itertools import count
from urllib.parse import quote, urlencode

from pages.ui.plain import APART, visible
from tests.attack.markup import ELSEWHERE, ICON, MARK, PAYLOADS
from tests.browser.conftest import Visitor, start_server

# The traces of the texts: everything in the document that a payload may have made
AUDIT = """([host, mark, icon]) => {
  const hidden = /[\\u202a-\\u202e\\u2066\\u2067\\u200b\\u200e\\u200f]/;
  const wrong = [], short = node => node.outerHTML?.slice(0, 160) ?? node.data.slice(0, 160);
  if (window.pwned !== undefined) wrong.push('a script ran');
  const roots = [document, ...[...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean)];
  for (const root of roots) for (const node of root.querySelectorAll('*')) {
    for (const { name, value } of node.attributes) {
      const address = ['href', 'src', 'xlink:href', 'action', 'srcdoc', 'poster', 'data', 'formaction'].includes(name);
      const url = address && URL.canParse(value, location) ? new URL(value, location) : null;
      if (url !== null && (url.host.includes(host) || ['javascript:', 'mailto:'].includes(url.protocol)))
        wrong.push(`an address: ${short(node)}`);
      if (name.startsWith('on')) wrong.push(`a handler: ${short(node)}`);
      if (name === 'style' && value.includes(host)) wrong.push(`a style: ${short(node)}`);
      if (['title', 'alt', 'aria-label'].includes(name) && hidden.test(value))
        wrong.push(`hidden signs in ${name}: ${JSON.stringify(value.slice(0, 99))}`);
    }
    if (node.namespaceURI.endsWith('svg') && node.localName === 'a') wrong.push(`a link in a figure: ${short(node)}`);
  }
  for (const root of roots) {
    const walk = document.createTreeWalker(root.body ?? root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode, text = node.data.trim();
      if (['SCRIPT', 'STYLE', 'TEXTAREA', 'TITLE'].includes(node.parentElement?.tagName)) continue;
      if (text.startsWith(mark)) wrong.push(`markup was taken: ${short(node.parentElement)}`);
      if (text === "\\u200b") continue;  // of KaTeX
      if (text === icon || text.includes('😄')) wrong.push(`an icon: ${short(node.parentElement)}`);
      if (hidden.test(text)) wrong.push(`hidden signs: ${JSON.stringify(text.slice(0, 99))}`);
    }
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 1) wrong.push(`the page is ${wide} pixels too wide`);
  const main = document.querySelector('[data-testid=stMain]');
  const over = main ? main.scrollWidth - main.clientWidth : 0;
  if (over > 1) wrong.push(`the main part is ${over} pixels too wide`);
  return [...new Set(wrong)];
}"""


AUDITED = [ELSEWHERE, MARK, ICON]


class Victim(Visitor):
    """A visitor whose browser notes every request to another host."""

    def __init__(self, browser, address, **how):
        super().__init__(browser, address, **how)
        self.elsewhere = []
        self.page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url):
        if url.startswith("http") and not url.startswith(self.address):
            self.elsewhere.append(url)

    def hover(self):
        """Move over every figure, so that its labels show."""
        for plot in self.page.locator(".js-plotly-plot .nsewdrag").all()[:6]:
            box = plot.bounding_box()
            if box and box["width"]:
                for share in (0.2, 0.5, 0.8):
                    plot.scroll_into_view_if_needed()
                    box = plot.bounding_box()
                    self.page.mouse.move(box["x"] + share * box["width"], box["y"] + share * box["height"])
                    self.page.wait_for_timeout(60)
                    self.safe()
        return self

    def safe(self):
        wrong = self.page.evaluate(AUDIT, AUDITED)
        assert not wrong, "\n".join([self.url, *wrong])
        assert not self.elsewhere, self.elsewhere
        assert "Traceback" not in self.text
        return self


@contextmanager
def windows(browser, address):
    """Yield a function that opens a page in a window; no window may have had an error of JavaScript."""
    opened = []

    def window(path, **how):
        opened.append(Victim(browser, address, **how))
        return opened[-1].go(path)

    yield window
    for one in opened:
        one.page.close()
        assert not one.failures, one.failures


# ---- what Streamlit makes of an escaped text ---------------------------------------------------------------

FORMS = """() => [...document.querySelectorAll('[class*=st-key-text-]')].map(place =>
  [...place.querySelectorAll('[data-testid=stMarkdownContainer]')].map(box =>
    [box.textContent, [...new Set([...box.querySelectorAll('*')].map(e => e.tagName))]]))"""
AROUND = {"P", "UL", "LI", "STRONG", "CODE"}  # what the page has written around the texts


def letters(text):
    """The visible part of a text; an emoji at its beginning is the icon of a message."""
    return re.sub(rf"[\s{APART}\u2068\u2069😀]", "", text)


@contextmanager
def markdown_page(browser, folder):
    """Yield a function that shows texts by Streamlit's Markdown in several places.

    It returns those of which more than text has become, each with what has. folder : where the texts are put.
    """
    (folder / "texts.json").write_text("[]")
    process, address = start_server(folder, script="tests/attack/markup_page.py")
    page = browser.profile.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)

    def mistaken(given):
        (folder / "texts.json").write_text(json.dumps(given), "utf-8")
        page.reload()
        page.get_by_text(f"END {len(given)} {sum(map(len, given))}").wait_for()
        page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
        page.wait_for_timeout(2000)  # formulas, code and emoji are drawn by scripts that load late
        found = page.evaluate(FORMS)
        assert len(found) == len(given)
        assert not [url for url in asked if url.startswith("http") and not url.startswith(address)]
        assert page.evaluate("window.pwned") is None
        return [
            (text, box)
            for text, boxes in zip(given, found, strict=True)
            for box in boxes
            if letters(box[0]) not in _written(letters(visible(text))) or not set(box[1]) <= AROUND
        ]

    try:
        yield mistaken
    finally:
        page.close()
        process.terminate()
        process.wait(10)


def _written(text):
    return text, f"Said{text}here,{text}.{text}"


# ---- names from files --------------------------------------------------------------------------------------


def link(page, found, dataset, **more):
    return f"/{page}?{urlencode({'dataset': dataset, 'path': found[dataset], **more}, quote_via=quote)}"


SMALL = {"steps": 40, "replicates": 3}
FEW = {"features": 10}
DATA = {"show": "data"}
PLACES = {
    "classes": (
        "catalogue", "classification-file", DATA | {"family": "classification"}, "Error of the most common class",
    ),
    "labels": ("catalogue", "multilabel-file", DATA | {"family": "multilabel"}, "Labels per example"),
    "movies": ("catalogue", "movielens-file", DATA | FEW, "Utility w"),
    "rated movies": ("catalogue", "rated-movies-file", DATA, "Documents per query"),
    "documents": ("catalogue", "letor-file", DATA, "Utility w"),
    "sweep": ("sweep", "classification-file", {"family": "classification"}, "Start"),
    "bandit": ("bandit", "classification-file", SMALL, ""),
    "semi-supervised": ("semi_supervised", "classification-file", {"steps": 5, "replicates": 1}, ""),
    "multilabel": ("multilabel", "multilabel-file", SMALL, ""),
    "stability": ("stability", "movielens-file", SMALL | FEW, ""),
    "coactive": ("coactive", "movielens-file", SMALL | FEW, ""),
    "refinement": ("refinement", "rated-movies-file", {"steps": 5, "replicates": 2}, ""),
    "learning to rank": ("learning_to_rank", "letor-file", {"steps": 5, "replicates": 1}, ""),
    "interleaving": ("stability", "letor-file", SMALL | {"mode": "interleaved"}, ""),
}  # fmt: skip


def shown(window, found, place, **how):
    """Open a place, take two steps where it is a lab, and move over the figures."""
    page, dataset, settings, words = PLACES[place]
    me = window(link(page, found, dataset, **settings), **how)
    if words:
        me.page.get_by_text(words).first.wait_for()
    else:
        me.at(0).charts().step(2)
    return me.settle().safe().hover().safe()


# ---- values in links ---------------------------------------------------------------------------------------

PAGES = ("", "lessons", "stability", "coactive", "search", "bandit", "multilabel",
         "semi_supervised", "learning_to_rank", "refinement", "sweep", "runs", "figures", "catalogue")  # fmt: skip
KEYS = (
    "answer", "answers", "band", "charts", "class", "dataset", "demo", "family", "figure", "find", "fixed",
    "fold", "follow", "hide", "id", "label", "lang", "learner", "learner-1", "lesson", "lock", "method", "metric",
    "mode", "name", "noise", "own", "panel", "paper", "path", "q", "ranking", "seed", "sees", "show", "size", "speed",
    "t", "topic", "user", "vary-1", "vary-2", "verdict", "vs",
)  # fmt: skip
VALUES = [text for text in PAYLOADS.values() if len(text) <= 150 and "\0" not in text]


def full(page, first):
    """A link in which every key has another payload, and in which payloads are keys."""
    number = count(first)
    query = {VALUES[next(number) % len(VALUES)]: "x", **{key: VALUES[next(number) % len(VALUES)] for key in KEYS}}
    return f"/{page}?{urlencode(query, quote_via=quote)}"
