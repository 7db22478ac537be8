"""The file that is taken away, without a browser: what stands in it and what must not."""

import base64
import gzip
import json
from html.parser import HTMLParser

import numpy as np
import pytest

from pages.ui import modules
from pages.ui.draw import plotly_js
from pages.ui.play import assets
from pages.ui.recordings import takeaway
from pages.ui.recordings.document import Document
from pages.ui.recordings.folding import unfolded
from tests.pages.player import PAYLOAD, STORIES, stand_in

OWN = assets.FOLDER


@pytest.fixture(autouse=True)
def player(tmp_path, monkeypatch):
    folder = stand_in(tmp_path / "js")
    monkeypatch.setattr(assets, "FOLDER", folder)
    assets.style.cache_clear()
    yield folder
    assets.style.cache_clear()


class Parts(HTMLParser):
    """The texts and attributes of the elements of a page, as a browser reads them."""

    def __init__(self, page):
        super().__init__()
        self.found, self.open = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.open.append((tag, dict(attributes), []))
        self.found.append(self.open[-1])

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if self.open:
            self.open[-1][2].append(data)

    def all(self, tag, **attributes):
        return [(a, "".join(t)) for name, a, t in self.found if name == tag and attributes.items() <= a.items()]


def page(payload=PAYLOAD, title="Stability <lab> & more", link="https://example.org/stability?a=1&b=2", **more):
    return takeaway.page(Document.of(title, payload, STORIES, link=link, **more))


def recording(made):
    return unfolded(gzip.decompress(base64.b64decode(Parts(made).all("script", id="fl-recording")[0][1])))


def test_the_recording_comes_out_as_it_went_in():
    found = recording(page())
    assert found["payload"] == PAYLOAD | {"script": ""}
    assert [(s["t"], s["title"]) for s in found["stories"]] == [(7, "Earlier"), (40, "Lost: A"), (40, "Lost: B & <C>")]


def test_arrays_become_lists():
    payload = PAYLOAD | {"ghosts": [{"x": np.array([1.5, np.nan], np.float32)}]}
    assert recording(page(payload))["payload"]["ghosts"] == [{"x": [1.5, None]}]


def test_nothing_in_the_page_names_a_place_from_which_anything_is_loaded():
    parts = Parts(page())
    for tag in ("script", "link", "img", "iframe", "source", "object", "embed", "base"):
        for attributes, _ in parts.all(tag):
            assert (attributes.get("src") or "data:").startswith("data:")
            assert attributes.get("href", "data:,") == "data:,"
    (_, sheet), *_ = parts.all("style")
    assert "@import" not in sheet and "url(" not in "".join(t for _, t in parts.all("style"))
    policy = parts.all("meta", **{"http-equiv": "Content-Security-Policy"})[0][0]["content"]
    assert policy.startswith("default-src 'none'") and "http" not in policy and "connect-src" not in policy


def test_texts_are_escaped_and_cannot_end_a_script():
    made = page(words="1 < 2 & <i>")
    parts = Parts(made)
    assert parts.all("h1")[0][1] == "Stability <lab> & more" and parts.all("title")[0][1] == "Stability <lab> & more"
    assert "<p>1 &lt; 2 &amp; &lt;i&gt;</p>" in made
    scripts = parts.all("script")
    assert len(scripts) == 4 and "<!-- no end" not in made and "alert(1)" not in scripts[-1][1]
    assert made.count("</script>") == 4


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "stability?a=1"])
def test_only_addresses_of_the_web_become_links(link):
    made = page(link=link)
    assert not Parts(made).all("a") and link in made


def test_the_link_and_the_setup_are_told():
    made = page()
    assert Parts(made).all("a")[0][0]["href"] == "https://example.org/stability?a=1&b=2"
    assert "A &lt;b&gt; · B. 20 replicates of 1,000 steps." in made and "Made with Feedback Lab" in made
    assert not Parts(page(link="")).all("a")


def test_plotly_stands_in_it_packed_and_whole():
    packed = Parts(page()).all("script", id="fl-library")[0][1]
    assert gzip.decompress(base64.b64decode(packed)).decode() == plotly_js.source()


def test_it_is_small_with_plotly():
    assert 500_000 < len(page()) < 800_000


def test_the_parts_of_the_player_come_in_order_and_each_end_with_its_own(player):
    host, alone = (modules.files(OWN / f"{end}.js") for end in ("host", "alone"))
    own = {OWN / "scheme.js", OWN / "axes.js", OWN / "stories.js", OWN / "lone.js"}
    assert not own & {*host}
    assert {*host[:-1]} == {*alone[:-1]} - own, "all else is the same"
    assert assets.style().index(".fl-player") < assets.style().index(".fl-curves")
    (player / "scheme.js").unlink()
    modules.joined.cache_clear()
    with pytest.raises(FileNotFoundError, match=r"scheme\.js"):
        assets.script("alone")


def test_every_file_of_the_player_is_part_of_it_and_every_part_has_its_file():
    parts = {path for end in ("host", "alone") for path in modules.files(OWN / f"{end}.js")}
    sheets = {OWN / f"{name}.css" for name in assets.SHEETS}
    reader = {OWN / f"{name}.js" for name in ("read", "later", "unfold", "unpack")}  # of files
    assert reader < {*modules.files(OWN.parents[1] / "static" / "js" / "demo.js")} and not reader & parts
    assert {p for p in OWN.iterdir() if p.suffix != ".toml"} == {p for p in parts if p.parent == OWN} | sheets | reader
    assert {p.name for p in parts if p.parent != OWN} == {"library.js", "terms.js", "texts.js"}, (
        "which charts that stand still use as well"
    )


def test_the_colours_of_the_other_scheme_are_given_for_either():
    for text, made in (("#1B1F24", "light"), ("#E8ECF1", "dark")):
        colors = json.loads(Parts(page(PAYLOAD | {"text": text})).all("script", id="fl-recording")[0][0]["data-colors"])
        assert colors["made"] == made and colors["text"][0][0] == text
        assert ["rgba(0,114,178,", "rgba(86,180,233,"][:: 1 if made == "light" else -1] in colors["curves"]
