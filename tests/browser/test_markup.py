"""Names from files, links and people in the browser: nothing but text comes of them, and no other host is asked."""

import json
import re
from itertools import count
from urllib.parse import quote, urlencode

import pytest

from pages.ui.plain import APART, visible
from tests.attack.markup import ELSEWHERE, FILE, ICON, MARK, NAMES, PAYLOADS, texts, write_files
from tests.browser.conftest import Visitor, start_server

# What has become of the texts: everything in the document that a payload may have made
AUDIT = """([host, mark, icon]) => {
  const hidden = /[\\u202a-\\u202e\\u2066\\u2067\\u200b\\u200e\\u200f]/;
  const wrong = [], short = node => node.outerHTML?.slice(0, 160) ?? node.data.slice(0, 160);
  if (window.pwned !== undefined) wrong.push('a script ran');
  const roots = [document, ...[...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean)];
  for (const root of roots) for (const node of root.querySelectorAll('*')) {
    for (const { name, value } of node.attributes) {
      const address = ['href', 'src', 'xlink:href', 'action', 'srcdoc', 'poster', 'data', 'formaction'].includes(name);
      const own = address && (value.startsWith('/') || value.startsWith('?') || value.startsWith('data:') ||
        new URL(value, location).host === location.host && !/^javascript:/i.test(value));
      if (address && !own && (value.includes(host) || value.includes(mark) || /javascript:/i.test(value)))
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


@pytest.fixture(scope="module")
def hostile(browser, tmp_path_factory):
    """A server whose data folder is full of names that try to be more than text, and the files by data set."""
    folder = tmp_path_factory.mktemp("hostile")
    found = write_files(folder)
    process, address = start_server(folder)
    yield address, found
    process.terminate()
    process.wait(10)


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
        wrong = self.page.evaluate(AUDIT, [ELSEWHERE, MARK, ICON])
        assert not wrong, "\n".join([self.url, *wrong])
        assert not self.elsewhere, self.elsewhere
        assert "Traceback" not in self.text
        return self


@pytest.fixture
def victim(browser, hostile):
    """Opens windows on the server with hostile files."""
    address, _ = hostile
    opened = []

    def open_window(path, **how):
        opened.append(Victim(browser, address, **how))
        return opened[-1].go(path)

    yield open_window
    for one in opened:
        one.page.close()
        assert not one.failures, one.failures


def link(page, found, dataset, **more):
    return f"/{page}?{urlencode({'dataset': dataset, 'path': found[dataset], **more}, quote_via=quote)}"


# ---- what Streamlit makes of an escaped text ---------------------------------------------------------------

FORMS = """() => [...document.querySelectorAll('[class*=st-key-text-]')].map(place =>
  [...place.querySelectorAll('[data-testid=stMarkdownContainer]')].map(box =>
    [box.textContent, [...new Set([...box.querySelectorAll('*')].map(e => e.tagName))]]))"""
AROUND = {"P", "UL", "LI", "STRONG", "CODE"}  # what the page has written around the texts


def letters(text):
    """What of a text is seen; an emoji at its beginning is the icon of a message."""
    return re.sub(rf"[\s{APART}\u2068\u2069😀]", "", text)


def mistaken(page, folder, given):
    """Show texts by Streamlit's Markdown in several places; return those of which it makes more than text."""
    (folder / "texts.json").write_text(json.dumps(given), "utf-8")
    page.reload()
    page.get_by_text(f"END {len(given)} {sum(map(len, given))}").wait_for()
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_timeout(2000)  # formulas, code and emoji are drawn by scripts that load late
    found = page.evaluate(FORMS)
    assert len(found) == len(given)
    return [
        (text, box)
        for text, boxes in zip(given, found, strict=True)
        for box in boxes
        if letters(box[0]) not in _written(letters(visible(text))) or not set(box[1]) <= AROUND
    ]


def _written(text):
    return text, f"Said{text}here,{text}.{text}"


@pytest.fixture(scope="module")
def markdown(browser, tmp_path_factory):
    """A function that shows texts on a page of its own."""
    folder = tmp_path_factory.mktemp("markdown")
    (folder / "texts.json").write_text("[]")
    process, address = start_server(folder, script="tests/attack/markup_page.py")
    page = browser.profile.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    yield lambda given: mistaken(page, folder, given)
    assert not [url for url in asked if url.startswith("http") and not url.startswith(address)]
    assert page.evaluate("window.pwned") is None
    page.close()
    process.terminate()
    process.wait(10)


def test_markdown_makes_nothing_of_a_text(markdown):
    given = list(texts(350, seed=1))
    assert not markdown(given)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2, 10))
def test_markdown_makes_nothing_of_many_texts(markdown, seed):
    assert not markdown(list(texts(2500, seed=seed)))


# ---- names from files --------------------------------------------------------------------------------------

SMALL = {"steps": 40, "replicates": 3}
FEW = {"features": 10}
PLACES = {
    "classes": ("data", "classification-file", {"family": "classification"}, "Error of the most common class"),
    "labels": ("data", "multilabel-file", {"family": "multilabel"}, "Labels per example"),
    "movies": ("data", "movielens-file", FEW, "Utility w"),
    "rated movies": ("data", "rated-movies-file", {}, "Documents a query"),
    "documents": ("data", "letor-file", {}, "Utility w"),
    "sweep": ("sweep", "classification-file", {"family": "classification"}, "Start"),
    "bandit": ("bandit", "classification-file", SMALL, ""),
    "semi-supervised": ("semi_supervised", "classification-file", {"steps": 5, "replicates": 1}, ""),
    "multilabel": ("multilabel", "multilabel-file", SMALL, ""),
    "stability": ("stability", "movielens-file", SMALL | FEW, ""),
    "coactive": ("coactive", "movielens-file", SMALL | FEW, ""),
    "refinement": ("refinement", "rated-movies-file", {"steps": 5, "replicates": 2}, ""),
    "learning to rank": ("learning_to_rank", "letor-file", {"steps": 5, "replicates": 1}, ""),
    "interleaving": ("interleaving", "letor-file", SMALL, ""),
}


def shown(victim, found, place, **how):
    """Open a place, take two steps where it is a lab, and move over the figures."""
    page, dataset, settings, words = PLACES[place]
    me = victim(link(page, found, dataset, **settings), **how)
    if words:
        me.page.get_by_text(words).first.wait_for()
    else:
        me.at(0).charts().step(2)
    return me.settle().safe().hover().safe()


@pytest.mark.parametrize("place", ["classes", "bandit"])
def test_a_name_from_a_file_stays_text(victim, hostile, place):
    me = shown(victim, hostile[1], place)
    drawn = me.page.evaluate("document.body.textContent")
    assert any(text[:9] in drawn for text in NAMES[:5]), "none of the names is shown"


@pytest.mark.thorough
@pytest.mark.parametrize("width", [1200, 400])
@pytest.mark.parametrize("place", PLACES)
def test_a_name_from_a_file_stays_text_everywhere(victim, hostile, place, width):
    shown(victim, hostile[1], place, width=width, dark=width == 400)


def test_a_movie_that_a_person_judges_stays_text(victim, hostile):
    me = victim(link("coactive", hostile[1], "movielens-file", **SMALL, **FEW)).charts()
    me.press("Be the user")
    me.page.locator(".fl-cards button").first.wait_for()
    me.settle().safe()


def test_a_wrong_file_is_named_as_it_is(victim, hostile):
    me = victim("/data?dataset=letor-file&path=" + quote(f"bad {FILE}.letor"))
    alert = me.page.get_by_test_id("stAlert").last
    alert.wait_for()
    assert f"bad {FILE}.letor, line 1" in alert.inner_text().replace(APART, "")
    me.safe()


def test_an_upload_is_named_as_it_is(victim):
    me = victim("/data?dataset=letor-file")
    name = FILE.replace("%", "")
    file = {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": b"1 qid:1 1:<b>pwned</b>\n0 qid:1 1:2\n"}
    me.page.locator("input[type=file]").set_input_files(file)
    me.wait_until(lambda: "line 1" in me.text)
    me.settle().safe()


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["bandit", "multilabel", "coactive"])
def test_what_is_taken_away_stays_text(victim, hostile, place, tmp_path):
    """The film, opened from the disk."""
    me = shown(victim, hostile[1], place)
    me.page.get_by_text("Take away").first.click()
    me.settle()
    with me.page.expect_download() as saved:
        me.page.get_by_role("button", name="Film as HTML").click()
    file = tmp_path / "film.html"
    saved.value.save_as(file)
    assert saved.value.suggested_filename.isascii()
    asked = []
    page = me.page.context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.locator(".fl-player .fl-plot").first.wait_for()
    page.wait_for_timeout(1500)
    wrong = page.evaluate(AUDIT, [ELSEWHERE, MARK, ICON])
    page.close()
    assert not wrong and not [url for url in asked if url.startswith("http")]


# ---- values in links ---------------------------------------------------------------------------------------

PAGES = ("", "lessons", "stability", "coactive", "interleaving", "search", "lower_bound", "bandit", "multilabel",
         "semi_supervised", "learning_to_rank", "refinement", "sweep", "runs", "figures", "data", "algorithms",
         "published")  # fmt: skip
KEYS = (
    "lock", "hide", "vs", "demo", "follow", "path", "dataset", "family", "learner-1", "noise", "seed", "label", "name",
    "query", "figure", "lesson", "class", "own", "panel", "charts", "user", "answers", "t", "learner", "id", "search",
)  # fmt: skip
VALUES = [text for text in PAYLOADS.values() if len(text) <= 150 and "\0" not in text]


def full(page, first):
    """A link in which every key has another payload, and in which payloads are keys."""
    number = count(first)
    query = {VALUES[next(number) % len(VALUES)]: "x", **{key: VALUES[next(number) % len(VALUES)] for key in KEYS}}
    return f"/{page}?{urlencode(query, quote_via=quote)}"


@pytest.mark.parametrize("page, first", [("stability", 0), ("data", 5)])
def test_a_value_in_a_link_stays_text(victim, page, first):
    me = victim(full(page, first)).safe()
    assert "is not a setting of this page" in me.text


@pytest.mark.thorough
@pytest.mark.parametrize("page", PAGES)
def test_every_value_in_a_link_of_every_page_stays_text(victim, page):
    me = victim(full(page, 0)).safe()
    for first in range(3, len(VALUES), 3):
        me.go(full(page, first)).safe()


def test_the_audit_finds_what_a_text_has_become(victim):
    """Each of these is a text that got through."""
    me = victim("/runs").safe()
    for code in (
        f"<a href='http://{ELSEWHERE}/'>x</a>", "<a href='javascript:pwned'>x</a>", "<b>pwned</b>",
        "<i onclick='1'>x</i>", "<svg><a>x</a></svg>", "<i>a\u202eb</i>", f"<i>{ICON}</i>",
        "<div style='width:5000px;height:1px'></div>",
    ):  # fmt: skip
        put = "code => document.querySelector('[data-testid=stMain]').insertAdjacentHTML('beforeend', code)"
        me.page.evaluate(put, f"<div class=put>{code}</div>")
        assert me.page.evaluate(AUDIT, [ELSEWHERE, MARK, ICON]), code
        me.page.evaluate("document.querySelector('.put').remove()")
    me.safe()
