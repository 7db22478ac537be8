"""Names from files, links and people in the browser: nothing but text comes of them, and no other host is asked."""

from urllib.parse import quote

import pytest

from pages.ui.plain import APART
from tests.attack.browsing import (
    AUDIT,
    AUDITED,
    FEW,
    PAGES,
    PLACES,
    SMALL,
    VALUES,
    full,
    link,
    markdown_page,
    shown,
    windows,
)
from tests.attack.markup import ELSEWHERE, FILE, ICON, NAMES, texts, write_files
from tests.browser.conftest import start_server


@pytest.fixture(scope="module")
def hostile(browser, tmp_path_factory):
    """A server whose data folder is full of names that try to be more than text, and the files by data set."""
    folder = tmp_path_factory.mktemp("hostile")
    found = write_files(folder)
    process, address = start_server(folder)
    yield address, found
    process.terminate()
    process.wait(10)


@pytest.fixture
def victim(browser, hostile):
    """Opens windows on the server with hostile files."""
    with windows(browser, hostile[0]) as window:
        yield window


# ---- what Streamlit makes of an escaped text ---------------------------------------------------------------


@pytest.fixture(scope="module")
def markdown(browser, tmp_path_factory):
    """A function that shows texts on a page of its own, and returns those of which more than text has become."""
    with markdown_page(browser, tmp_path_factory.mktemp("markdown")) as mistaken:
        yield mistaken


def test_markdown_makes_nothing_of_a_text(markdown):
    given = list(texts(350, seed=1))
    assert not markdown(given)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2, 5))
def test_markdown_makes_nothing_of_many_texts(markdown, seed):
    assert not markdown(list(texts(1000, seed=seed)))


# ---- names from files --------------------------------------------------------------------------------------


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
    me = victim("/catalogue?show=data&dataset=letor-file&path=" + quote(f"bad {FILE}.letor"))
    alert = me.page.get_by_test_id("stAlert").last
    alert.wait_for()
    assert f"bad {FILE}.letor, line 1" in alert.inner_text().replace(APART, "")
    me.safe()


def test_an_upload_is_named_as_it_is(victim):
    me = victim("/catalogue?show=data&dataset=letor-file")
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
    me.page.get_by_text("Export: a film").click()
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
    wrong = page.evaluate(AUDIT, AUDITED)
    page.close()
    assert not wrong and not [url for url in asked if url.startswith("http")]


# ---- values in links ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("page, first", [("stability", 0), ("catalogue", 5)])
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
        f"<a href='http://{ELSEWHERE}/'>x</a>", "<a href='javascript:pwned'>x</a>",
        "<a href='mailto:a@b'>x</a>", "<b>pwned</b>",
        "<i onclick='1'>x</i>", "<svg><a>x</a></svg>", "<i>a\u202eb</i>", f"<i>{ICON}</i>",
        "<div style='width:5000px;height:1px'></div>",
    ):  # fmt: skip
        put = "code => document.querySelector('[data-testid=stMain]').insertAdjacentHTML('beforeend', code)"
        me.page.evaluate(put, f"<div class=put>{code}</div>")
        assert me.page.evaluate(AUDIT, AUDITED), code
        me.page.evaluate("document.querySelector('.put').remove()")
    me.safe()
