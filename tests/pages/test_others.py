"""The words of the home page where others than the one at this machine may be here."""

import pytest

from pages.ui.files import uploads
from pages.ui.home import others
from pages.ui.server import exposure
from tests.pages.test_pages import clean, open_page

TITLE = "What everybody can do here"


def expander(app):
    return [e for e in app.expander if e.label == TITLE]


def test_at_this_machine_nothing_is_said():
    assert not expander(clean(open_page("home")))


def test_visitors_and_the_owner_read_what_everybody_can_do(monkeypatch, tmp_path):
    monkeypatch.setattr(exposure, "is_public", lambda: True)
    monkeypatch.setenv(uploads.PERSON_MB.name, "12")
    monkeypatch.setenv("FEEDBACK_LAB_PERSON_MINUTES", "7")
    monkeypatch.delenv("FEEDBACK_LAB_DATA", raising=False)
    said = " ".join(m.value for m in expander(clean(open_page("home")))[0].markdown)
    for words in ("12 MB in one visit", "7 minutes of a core", "100 MB", "Nobody can make this server **download**",
                  "Nobody can run **code**", "No files of this server can be read"):  # fmt: skip
        assert words in said, words
    monkeypatch.setenv("FEEDBACK_LAB_FETCH", "yes")
    monkeypatch.setenv("FEEDBACK_LAB_DASK", "yes")
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(tmp_path))
    said = " ".join(m.value for m in expander(clean(open_page("home")))[0].markdown)
    for words in (
        "**Download public data**",
        "can run any code on this server",
        "**Read the files in the server's data",
    ):
        assert words in said, words


@pytest.mark.parametrize("allowed", ["auto", "no"])
def test_visitors_cannot_make_the_server_download(allowed, monkeypatch, tmp_path):
    monkeypatch.setattr(exposure, "is_public", lambda: True)
    monkeypatch.setenv("FEEDBACK_LAB_FETCH", allowed)
    monkeypatch.setenv("FEEDBACK_LAB_DOWNLOADS", str(tmp_path))
    app = clean(open_page("catalogue", show="data", family="classification", dataset="reuters4"))
    assert not [b for b in app.button if b.key == "download"]
    assert any("visitors cannot download them" in info.value for info in app.info)


def test_the_limits_are_those_of_the_declarations():
    assert f"{uploads.ALL_MB.value:,} MB of all people" in " ".join(others.can())
