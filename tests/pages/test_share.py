"""Links, frames and QR codes for others, and pages without navigation and settings."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np
import pytest
import streamlit as st
import zxingcpp
from streamlit.testing.v1 import AppTest

from pages.ui.draw.qr import LONGEST_LINK, qr
from pages.ui.families import labs
from pages.ui.form.links import read_link
from pages.ui.share import dialog, sheet
from pages.ui.share.address import moved, nearby, own_only, snippet
from tests.pages.test_pages import clean, open_page

pytestmark = pytest.mark.usefixtures("unestimated")

# ---- QR codes ------------------------------------------------------------------------------------------------


def read(svg):
    """The text of a QR code: its dark modules are runs of a path, from which the picture is drawn again."""
    size = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])
    picture = np.full((size, size), 255, np.uint8)
    x = y = 0.0
    for command, numbers in re.findall(r"([Mmh])([^Mmhz]+)", re.search(r'stroke="#000" d="([^"]+)"', svg)[1]):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        if command == "h":
            picture[int(y), int(x) : int(x + values[0])] = 0
            x += values[0]
        else:
            x, y = (values[0], values[1]) if command == "M" else (x + values[0], y + values[1])
    (found,) = zxingcpp.read_barcodes(np.kron(picture, np.ones((4, 4), np.uint8)))
    return found.text


@pytest.mark.parametrize(
    "link",
    ["http://192.168.1.20:8501/stability", "https://schule.example/lab/stability?noise=0.1&lock=noise,world&t=412",
     "http://x/?q=" + "ü" * 30, "http://x/" + "a" * (LONGEST_LINK - 9)],
    ids=["plain", "settings", "letters", "long"],
)  # fmt: skip
def test_a_qr_code_holds_the_link(link):
    assert read(qr(link)) == link


@pytest.mark.parametrize(
    "text", ["", "x" * (LONGEST_LINK + 1), "ü" * LONGEST_LINK * 2], ids=["empty", "long", "letters"]
)
def test_a_link_without_a_code_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match="link"):
        qr(text)


def test_a_code_is_dark_on_white_with_room_around_whatever_the_theme():
    svg = qr("http://x/y")
    size = re.search(r'viewBox="0 0 (\d+)', svg)[1]
    assert f'fill="#fff" d="M0 0h{size}v{size}' in svg and 'stroke="#000" d="M4 4.5' in svg  # four modules of white


# ---- addresses -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["localhost:8501", "lab.localhost", "127.0.0.1:8501", "127.9.9.9", "[::1]:80", "0.0.0.0"]
)
def test_addresses_that_nobody_else_can_open(host):
    assert own_only(f"http://{host}/stability?t=3")


@pytest.mark.parametrize(
    "host", ["192.168.1.20:8501", "10.0.0.3", "school.example", "localhost.example", "[fe80::2]", ""]
)
def test_addresses_that_others_may_open(host):
    assert not own_only(f"http://{host}/stability")


@pytest.mark.parametrize(
    ("server", "link"),
    [
        ("http://192.168.1.20:8501", "http://192.168.1.20:8501/lab/stability?a=1"),
        (" 192.168.1.20:8501/ ", "http://192.168.1.20:8501/lab/stability?a=1"),
        ("https://school.example/teach/", "https://school.example/teach/stability?a=1"),
    ],
)
def test_a_page_is_the_same_at_another_server(server, link):
    assert moved("http://localhost:8501/lab/stability?a=1", server) == link


@pytest.mark.parametrize(
    "server",
    ["ftp://x", "http://", "two words", "http://x:99999", "http://x:0", "http://x/?q=1", "http://x/#a", "http://me@x",
     '"><b>', "javascript:alert(1)", "http://[::1", "//"],
)  # fmt: skip
def test_what_is_no_server_is_refused_in_a_sentence(server):
    with pytest.raises(ValueError, match=r"is no address of a server\. It begins with http"):
        moved("http://localhost:8501/stability", server)


def test_the_address_in_the_local_network_is_not_the_computers_own():
    found = nearby("http://localhost:8750/stability")
    assert not found or (not own_only(found) and found.endswith(":8750"))


def test_a_frame_cannot_be_broken_out_of():
    made = snippet('http://x/?q="><script>', 'A "title" <b>')
    assert made.count("<") == 2 and made.count('"') == 14 and "&quot;&gt;&lt;script&gt;" in made


# ---- the dialog ----------------------------------------------------------------------------------------------


def script():
    from pages.ui.families import labs
    from pages.ui.form.settings import Settings
    from pages.ui.share import dialog

    lab = labs()["stability"]
    settings = Settings("stability", lab.ask, played=("t", "speed", "scene"))
    with settings.sidebar():
        lab.ask(settings)
    for part in ("inspector", "table"):
        settings.hides(part)
    settings.write()
    dialog.draw(settings, lab.title, dict(settings.link))


@pytest.fixture
def share(monkeypatch):
    """Opens what the dialog holds on a server with this address, and returns it with what it draws last."""
    drawn = {}

    def open_dialog(server="http://lab.example", told=(), **query):
        monkeypatch.setattr(sheet, "where", lambda played: dict(told))
        monkeypatch.setattr(sheet, "show", lambda texts, code, words: drawn.update(texts=texts, code=code))

        def address(link, **more):
            return f"{server}/stability?{urlencode({k: v for k, v in {**link, **more}.items() if v})}"

        monkeypatch.setattr(dialog.links, "address", address)
        app = AppTest.from_function(script, default_timeout=60)
        for key, value in query.items():
            app.query_params[key] = value
        return clean(app.run()), drawn

    return open_dialog


def query_of(drawn):
    ((_, link),) = drawn["texts"]
    assert read(drawn["code"]) == link
    return dict(parse_qsl(urlsplit(link).query))


def test_the_link_opens_at_the_step_under_the_playhead(share):
    app, drawn = share(told={"t": "37", "speed": "25", "nonsense": "1"}, noise="0.1")
    assert app.toggle(key="share-step").label == "Open at step 37"
    assert query_of(drawn) == {"noise": "0.1", "t": "37", "speed": "25"}
    clean(app.toggle(key="share-step").set_value(False).run())
    assert query_of(drawn) == {"noise": "0.1", "speed": "25"}


def test_without_a_step_nobody_is_asked_for_one(share):
    app, drawn = share(told={"t": "0"})
    assert not [toggle for toggle in app.toggle if toggle.key == "share-step"] and query_of(drawn) == {}


@pytest.mark.parametrize("text", ["-1", "many", "1e9", "<b>"])
def test_a_step_that_is_none_is_left_out(share, text):
    _, drawn = share(told={"t": text})
    assert query_of(drawn) == {}


def test_the_link_locks_and_hides_what_is_chosen(share):
    app, drawn = share()
    app.multiselect(key="share-lock").set_value(["noise", "run"])
    clean(app.multiselect(key="share-hide").set_value(["inspector", "seed"]).run())
    assert query_of(drawn) == {"lock": "noise,run", "hide": "inspector,seed"}


def test_what_the_page_locks_and_hides_is_chosen_already(share):
    app, drawn = share(lock="noise,all", hide="table")
    assert app.multiselect(key="share-lock").value == ["all"]
    assert query_of(drawn) == {"lock": "all", "hide": "table"}
    clean(app.multiselect(key="share-lock").set_value([]).run())
    assert query_of(drawn) == {"hide": "table"}


def test_whatever_can_be_chosen_is_understood_by_the_page(share):
    app, _ = share()
    ask = labs()["stability"].ask
    for key in ("lock", "hide"):
        box = app.multiselect(key=f"share-{key}")
        names = [name for name in dialog.links.GROUPS if name in ("race", "world", "run", "charts")] + ["all"]
        assert len(box.options) > 15 and {"Every setting", "The learners"} <= {*box.options}
        box.set_value(names)
        clean(app.run())
        assert read_link({key: ",".join(names)}, ask)[1] == []


def test_whoever_locks_everything_gets_one_word(share, monkeypatch):
    known, lockable = {}, dialog.links.lockable
    monkeypatch.setattr(dialog.links, "lockable", lambda settings: known.update(lockable(settings)) or dict(known))
    app, drawn = share()
    assert len(known) > 10
    app.multiselect(key="share-lock").set_value(list(known))
    app.multiselect(key="share-hide").set_value(["table", *known])
    clean(app.run())
    assert query_of(drawn) == {"lock": "all", "hide": "table,all"}
    assert app.multiselect(key="share-lock").value == ["all"], "the box holds one word as well"


def test_on_a_projector_and_inside_another_page(share):
    app, drawn = share(present="true", noise="0.1")
    assert app.segmented_control(key="share-way").value == dialog.PROJECTOR
    assert query_of(drawn) == {"noise": "0.1", "present": "true"}
    clean(app.segmented_control(key="share-way").set_value(dialog.PAGE).run())
    assert query_of(drawn) == {"noise": "0.1"}
    clean(app.segmented_control(key="share-way").set_value(dialog.FRAME).run())
    ((label, text),) = drawn["texts"]
    assert (label, drawn["code"]) == ("Frame", "")
    assert text.startswith('<iframe src="http://lab.example/stability?noise=0.1&amp;embed=true"')


def test_a_computers_own_address_is_asked_for_another(share):
    app, drawn = share("http://localhost:8501")
    if not app.text_input(key="share-server").value:  # a computer without a network
        assert "“localhost” works on this computer only" in app.warning[0].value
    clean(app.text_input(key="share-server").set_value("http://10.1.2.3:8501").run())
    assert not app.warning, "it was entered"
    assert drawn["texts"] == [("Link", "http://10.1.2.3:8501/stability")]
    drawn.clear()
    app.text_input(key="share-server").set_value("nonsense words").run()
    assert "is no address of a server" in app.error[0].value and not drawn


def test_a_link_too_long_for_a_code_is_said_and_can_still_be_copied(share):
    app, drawn = share("http://" + "a" * LONGEST_LINK)
    assert "too long for a QR code" in " ".join(c.value for c in app.caption)
    assert drawn["code"] == "" and drawn["texts"]


# ---- the button ----------------------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch):
    """The arguments with which the dialog was opened."""
    found = []
    monkeypatch.setattr(dialog, "_dialog", lambda settings, title, link, count: found.append((title, link)))
    return found


@pytest.mark.parametrize(
    ("page", "query", "title"),
    [
        ("stability", {"steps": "50", "noise": "0.1"}, "Stability lab"),
        ("sweep", {"steps": "500", "vary-1": "gamma"}, "Sweep"),
        ("catalogue", {"learner": "banditron"}, "Catalogue"),
        ("coactive", {"mode": "lower-bound", "horizon": "50"}, "Coactive lab"),
        ("figures", {"paper": "S"}, "Figures"),
        ("catalogue", {"show": "data", "family": "classification"}, "Catalogue"),
        ("lessons", {"lesson": "flip", "class": "room-12"}, "Why a perceptron flips"),
        ("lessons", {"class": "room-12"}, "Lessons"),
    ],
)
def test_every_page_with_settings_is_shared_as_it_is(opened, page, query, title):
    app = clean(open_page(page, **query))
    clean(app.button(key="share").click().run())
    ((named, link),) = opened
    assert named == title and link == query


def test_pupils_do_not_get_the_teachers_counts(opened):
    app = clean(open_page("lessons", lesson="flip", tally="true", **{"class": "room-12"}))
    clean(app.button(key="share").click().run())
    assert opened == [("Why a perceptron flips", {"lesson": "flip", "class": "room-12"})]


# ---- pages without navigation and settings ---------------------------------------------------------------------


def hidden(app):
    """Whether navigation and sidebar are hidden."""
    return any(
        "[data-testid=stSidebar], .fl-to-settings, .st-key-settings-bar) {\n  display: none" in html.proto.body
        for html in app.get("html")
    )


def keys(app):
    return {button.key for button in app.button}


@pytest.mark.parametrize("page", ["stability", "lessons", "sweep", "catalogue"])
def test_a_page_on_a_projector_has_no_settings_until_they_are_asked_for(page):
    app = clean(open_page(page, present="true"))
    assert hidden(app) and app.button(key="quiet-back").label == "Settings"
    clean(app.button(key="quiet-back").click().run())
    assert not hidden(app) and app.button(key="quiet-back").label == "Hide settings"
    clean(app.button(key="quiet-back").click().run())
    assert hidden(app)


def test_a_page_as_it_is_hides_nothing():
    app = clean(open_page("stability", steps="50"))
    assert not hidden(app) and "share" in keys(app) and "quiet-back" not in keys(app)


def test_a_frame_has_no_settings_and_a_link_to_the_page(monkeypatch):
    monkeypatch.setattr(type(st.context), "is_embedded", property(lambda self: True))
    app = clean(open_page("stability", steps="50"))
    assert hidden(app) and "share" not in keys(app) and "quiet-back" in keys(app)
    app = clean(open_page("stability", steps="50", hide="sidebar"))
    assert hidden(app) and "quiet-back" not in keys(app)
