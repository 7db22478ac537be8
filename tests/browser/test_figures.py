"""A journey on the page of the figures: from all of them to one, to a run of it, and back."""

import json
import re

import numpy as np

from pages.ui.figures import catalogue
from pages.ui.figures.result import FOLDER
from tests.pages.figures.files import letor

ID = "C-fig2"


def cards(me):
    return me.page.evaluate("[...document.querySelectorAll('.fl-sheet article')].map(card => card.id)")


def test_from_all_figures_to_one_and_back(visit):
    me = visit("/published?paper=C")  # the former address
    me.wait_until(lambda: "/figures?" in me.url and ID in cards(me))
    known = [figure.id for figure in catalogue.figures().values() if figure.paper == "C"]
    assert cards(me) == known
    assert not me.page.evaluate("!!document.querySelector('.fl-plot')"), "all of them are pictures made on the server"
    me.page.locator(f"a[data-open={ID}]").first.click()
    me.wait_until(lambda: me.url.endswith(f"/figures?figure={ID}")).charts()
    figure = catalogue.figures()[ID]
    names = me.page.evaluate("[...document.querySelector('.fl-plot').data].map(t => t.name).filter(n => n)")
    assert names == [series.name for series in figure.panels[0].series]
    assert figure.statements[0].printed[:30] in me.text
    rules = me.page.locator(".fl-statement details").first
    assert not rules.locator("li").first.is_visible()
    rules.locator("summary").click()
    assert re.search(r"(holds|does not hold)$", rules.locator("li").first.inner_text())
    me.press("Run it now, smaller")
    over = "[...document.querySelector('.fl-plot').data].some(t => t.name?.endsWith(', run now'))"
    me.wait_until(lambda: me.page.evaluate(over))
    me.page.go_back()
    me.wait_until(lambda: "paper=C" in me.url and ID in cards(me))


def test_a_map_shows_all_figures_and_is_used_by_keys(visit):
    me = visit("/figures", width=1280, height=720)
    tile = me.page.locator(".fl-map a[data-told]")
    tile.first.wait_for()
    assert tile.count() == len(catalogue.figures())
    main = me.page.locator("[data-testid=stMain]")
    assert main.evaluate("main => main.scrollHeight") < 2 * 720, "not a wall of pictures"
    assert me.page.locator(".fl-map a[data-told][tabindex='0']").count() == 1, "one stop of the Tab key"
    tile.first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowUp"):
        me.page.keyboard.press(key)
    focused = me.page.locator(":focus")
    figure = catalogue.figures()[focused.get_attribute("data-open")]
    assert list(catalogue.figures()).index(figure.id) == 1
    assert me.page.locator(".fl-told").inner_text() == f"{figure.where} · {figure.title}"
    me.page.keyboard.press("Enter")
    me.page.get_by_role("heading", name=figure.title, level=1).wait_for()
    assert me.settle().url.endswith(f"/figures?figure={figure.id}")
    me.page.go_back()
    tile.first.wait_for()
    me.settle().page.locator(".fl-map h2 a", has_text="[B]").click()
    me.wait_until(lambda: me.url.endswith("/figures?paper=B") and len(cards(me)) == 4)


def test_a_figure_runs_on_a_file_that_is_uploaded_and_opens_the_lab_with_it(visit):
    me = visit(f"/figures?figure={ID}").charts()
    me.press("I have this data")
    text = letor(np.random.default_rng(1), 20)
    me.page.locator("input[type=file]").set_input_files(
        {"name": "mine.txt", "mimeType": "text/plain", "buffer": text.encode()}
    )
    me.wait_until(lambda: "The file has 20 queries" in me.text and "path=upload" in me.url and "own=web" in me.url)
    me.settle().press("Run it on this file, smaller")
    me.wait_until(lambda: "On your file: " in me.text)
    me.wait_until(lambda: me.page.get_by_role("cell", name="your file").count() > 1)
    link = me.page.get_by_role("link", name="Open in the lab").first.get_attribute("href")
    assert "path=upload" in link and "dataset=letor-file" in link
    me.page.reload()
    me.wait_until(lambda: "The file has 20 queries" in me.text)


def test_a_figure_is_taken_away_as_a_picture_and_as_numbers(visit):
    me = visit(f"/figures?figure={ID}").charts()
    me.page.get_by_text("Run it live, export it").click()
    me.settle()
    for kind, first in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with me.page.expect_download() as download:
            me.page.get_by_role("button", name=kind, exact=True).click()
        assert download.value.suggested_filename == f"{ID}.{kind.lower()}"
        assert download.value.path().read_bytes().startswith(first)
    with me.page.expect_download() as download:
        me.page.get_by_role("button", name="Numbers as CSV").click()
    kept = json.loads((FOLDER / f"{ID}.json").read_text("utf-8"))["panels"]
    values = sum(len(row) for panel in kept.values() for series in panel.values() for row in series["y"])
    lines = download.value.path().read_text("utf-8").splitlines()
    printed = sum(len(s.printed) for panel in catalogue.figures()[ID].panels for s in panel.series)
    assert lines[0] == "figure,panel,series,x,seed,value" and len(lines) == 1 + values + printed


def test_on_paper_a_figure_has_pictures_and_rules_and_nothing_to_press(visit):
    me = visit(f"/figures?figure={ID}", dark=True).charts()
    me.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    me.page.emulate_media(media="print", color_scheme="dark")
    main = me.page.locator("[data-testid=stMain]")
    assert main.locator(".fl-print svg").first.bounding_box()["width"] > 150
    assert not main.locator(".fl-plot").first.is_visible() and not main.get_by_role("button").first.is_visible()
    assert main.locator(".fl-statement li").first.is_visible()
    color = me.page.evaluate("getComputedStyle(document.querySelector('.fl-statement p')).color")
    assert color == "rgb(27, 31, 36)", "black on white whatever the theme"
