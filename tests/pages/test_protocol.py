"""The messages between server and player: the page, its types and those of the player's scripts agree."""

import re

import orjson

from pages.ui.play import player
from pages.ui.play.assets import FOLDER
from pages.ui.play.protocol import Payload, Sent
from tests.pages.test_pages import clean, lab


def named(typedef):
    """The properties that js/protocol.js names of a type."""
    code = (FOLDER / "protocol.js").read_text("utf-8")
    (block,) = re.findall(rf"@typedef \{{object\}} {typedef}\b(.*?)\*/", code, re.DOTALL)
    found = re.findall(r"@property \{.*\} \[?(\w+)", block)
    assert len(found) == block.count("@property") == len({*found})
    return {*found}


def test_a_lab_sends_and_hears_what_the_types_name(monkeypatch):
    sent, heard = [], []

    def show(key, payload, **acts):
        sent.append(orjson.loads(payload))
        heard.append({*acts})

    monkeypatch.setattr(player, "show", show)
    clean(lab())
    assert {*sent[-1]} == Payload.__required_keys__ == {*Payload.__annotations__} == named("Payload")
    assert heard[-1] == {*Sent.__annotations__} == named("Sent")


def test_the_player_sends_by_these_names_alone():
    code = (FOLDER / "host.js").read_text("utf-8")
    assert {*re.findall(r"set(?:State|Trigger)Value\('(\w+)'", code)} == {*Sent.__annotations__}
