"""The section "Is the difference real?": what it runs, its answer and its diagram."""

import base64
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from learners.compare import compared
from pages.ui.draw.charts import Look
from pages.ui.draw.ranks import diagram, shown
from pages.ui.figures import result
from pages.ui.figures.catalogue import figures
from pages.ui.figures.view import difference as of_figure
from tests.pages import difference_page


def test_the_diagram_joins_what_cannot_be_told_apart_and_nothing_else():
    steps = np.arange(12.0)
    apart = compared({"A & B": steps, "<b>": steps + 1 + steps / 10, "C": steps * 3 + 9}, "lower")
    svg = ElementTree.fromstring(diagram(apart))
    paths = [element.get("stroke-width") for element in svg.iter() if element.tag.endswith("path")]
    assert paths == ["2.5"], "no bar"
    texts = [element.text for element in svg.iter() if element.tag.endswith("text")]
    assert texts[0] == "mean rank over 12 seeds; 1 is best" and {"A & B 1.00", "<b> 2.00", "C 3.00"} <= set(texts)
    rng = np.random.default_rng(0)
    noise = compared({name: rng.normal(size=12) for name in "abcd"}, "lower")
    (bar,) = re.findall(r'd="([^"]+)" stroke="[^"]+" stroke-width="8"', diagram(noise))
    assert bar.count("M") == 1, "one bar over all: nothing is ranked"
    a = np.arange(10.0)
    crossed = compared({"a": a, "b": a + 1, "c": a + np.where(a < 7, 6, -7)}, "lower")
    assert crossed.groups == (("a", "c"), ("b", "c"))
    (dots,) = re.findall(r'd="([^"]+)" stroke="[^"]+" stroke-width="14"', diagram(crossed))
    assert dots.count("M") == 2, "a bar over b, which is not one of the two that it joins"
    few = compared({name: np.arange(3.0) * i for i, name in enumerate("abc")}, "lower")
    assert 'stroke-width="8"' in diagram(few)
    ElementTree.fromstring(diagram(compared({name: np.empty(0) for name in "abc"}, "lower")))


@pytest.mark.parametrize("name", ["A", "Ranking SVM (batch), C = 0.01"])
def test_the_letters_of_the_diagram_stay_readable_and_lie_within_it(name):
    found = compared({f"{name}{i}": np.arange(12.0) * (i + 1) for i in range(3)}, "lower")
    made, picture = diagram(found), shown(found, Look())
    assert base64.b64decode(re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', picture)[1]).decode() == made
    assert "<svg" not in picture, "Streamlit drops an SVG from HTML"
    wide, narrow = int(re.search(r'viewBox="0 0 (\d+)', made)[1]), int(re.search(r"min-width: (\d+)", picture)[1])
    assert 24 * narrow / wide > 10.9, "pixels of a letter"
    for x, anchor, said in re.findall(r'<text x="(\d+)" y="\d+"(?: text-anchor="(\w+)")?>([^<]+ \d\.\d\d)<', made):
        room = int(x) if anchor == "end" else wide - int(x)
        assert room >= 12 * len(said)


def test_one_action_runs_the_seeds_through_the_queue_and_answers_in_words():
    page = AppTest.from_function(difference_page.page, default_timeout=60).run()
    assert not page.exception
    texts = " ".join(element.value for element in page.markdown)
    assert "One run can be luck." in texts and "Each seed draws the data anew" in texts
    page.selectbox(key="test-compare-seeds").set_value(10).run()
    page.button(key="test-compare-start").click().run()
    difference_page.wait(page)
    assert not page.exception
    said = [element.value for element in page.markdown]
    assert any("Yes: Perceptron is better." in text.replace("\\", "") for text in said), said
    assert any("On 10 of 10 data seeds" in text for text in said)


def test_what_cannot_be_compared_is_said():
    page = AppTest.from_function(difference_page.alone, default_timeout=60).run()
    assert not page.exception and "2 to 12 learners" in page.info[0].value and not page.button


def test_every_figure_says_where_it_can_be_compared():
    able = {
        figure.id
        for figure in figures().values()
        for panel in figure.panels
        if of_figure.places(panel, result.read(figure.id).panels.get(panel.id, {}))
    }
    assert {"C-fig2", "S-fig4"} <= able < figures().keys()


@pytest.mark.parametrize("figure", list(figures().values())[::8], ids=lambda figure: figure.id)
def test_figures_are_compared_over_their_own_data_seeds(figure):
    found = result.read(figure.id)
    for panel in figure.panels:
        drawn = found.panels.get(panel.id, {})
        for x in of_figure.places(panel, drawn)[:1]:
            made = of_figure.of_panel(panel, drawn, x)
            if made is None:
                continue
            assert made.seeds + made.left_out == len(next(iter(drawn.values())).y), "seeds count, and not steps"
            means = dict(zip(made.names, made.means, strict=True))
            for pair in made.pairs:
                assert pair.difference == pytest.approx(means[pair.better] - means[pair.other])
                assert 0 <= pair.wilcoxon <= pair.wilcoxon_holm <= 1 and pair.wins + pair.ties <= pair.seeds
