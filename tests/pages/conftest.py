"""What tests of pages share. Runs that a page leaves behind must not be computed while the next test runs."""

import orjson
import pytest

from pages.ui.play import player
from pages.ui.play.store import STORE


@pytest.fixture(autouse=True)
def _nobody_computes_on():
    """Empty the server's store of runs after each test, and wait until its workers rest."""
    yield
    STORE.clear()


@pytest.fixture
def sent(monkeypatch):
    """The payloads that the player was given, the latest last."""
    found, show = [], player.show

    def note(key, payload, **heard):
        found.append(orjson.loads(payload))
        return show(key, payload, **heard)

    monkeypatch.setattr(player, "show", note)
    return found
