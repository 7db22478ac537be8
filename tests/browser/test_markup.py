"""Names from files, links and people in the browser: nothing but text comes of them, and no other host is asked."""

from urllib.parse import quote, urlencode

import pytest

from tests.attack.markup import ELSEWHERE, FILE, ICON, MARK, PAYLOADS, WORST, write_files
from tests.browser.conftest import Visitor, start_server

# What has become of the texts: everything in the document that a payload may have made
AUDIT = """([host, mark, icon]) => {
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
      if (['title', 'alt', 'aria-label'].includes(name) && /[\\u202a-\\u202e\\u2066\\u2067\\u200b\\u200e\\u200f]/.test(value))
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
      if (/[\\u202a-\\u202e\\u2066\\u2067\\u200b\\u200e\\u200f]/.test(text)) wrong.push(`hidden signs: ${JSON.stringify(text.slice(0, 99))}`);
    }
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 1) wrong.push(`the page is ${wide} pixels too wide`);
  const main = document.querySelector('[data-testid=stMain]');
  if (main && main.scrollWidth > main.clientWidth + 1) wrong.push(`the main part is ${main.scrollWidth - main.clientWidth} pixels too wide`);
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


def shows(me, *names):
    """Wait until the page shows a part of each payload as it is."""
    for name in names:
        me.wait_until(lambda name=name: PAYLOADS[name][:9] in me.text.replace("\u2060", ""))
    return me


def test_names_of_classes(victim, hostile):
    me = victim(link("data", hostile[1], "classification-file", family="classification"))
    me.page.get_by_text("Error of the most common class").wait_for()
    me.settle().hover().safe()
