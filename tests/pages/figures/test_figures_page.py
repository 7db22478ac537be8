"""The page of the figures: what is listed, what a link chooses, one figure alone, and what can be taken away."""

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from pages.ui.draw import svg
from pages.ui.draw.charts import Look
from pages.ui.figures import draw, result
from pages.ui.figures.catalogue import figures
from pages.ui.figures.result import Drawn
from pages.ui.figures.view import cards, files, table, words
from tests.pages.figures.shown import CURVES, MISSING, STEPS, TABLE, curves, results, shown
from tests.pages.test_pages import clean, open_page

assert shown  # the fixture


def sheets(app):
    """The HTML of all parts of the page that show figures."""
    found = [json.loads(part.proto.json) for part in app.get("bidi_component") if "html" in (part.proto.json or "")]
    return [data["html"] for data in found if "html" in data]


def listed(app):
    """The ids of the tiles or cards, in order."""
    return re.findall(r'<(?:article|a) id="([^"]+)"', "".join(sheets(app)))


def counts(app):
    return next(c.value for c in app.caption if "statement" in c.value)


def address(app):
    """The queries that the page writes into its address."""
    return next(json.loads(p.proto.json) for p in app.get("bidi_component") if '"link"' in (p.proto.json or ""))["link"]


# ---- all figures ---------------------------------------------------------------------------------------------


def test_all_figures_are_tiles_of_a_map_by_paper_with_the_sign_of_their_verdict(shown):
    app = clean(open_page("figures"))
    assert listed(app) == ["S-fig1", "B-fig1", "V-tab1.2"]
    assert counts(app) == (
        "3 figures with 3 panels and 4 statements, of which 2 agree, 1 differs and 1 was not run. "
        "One processor computes them in 60 seconds."
    )
    text = "".join(sheets(app))
    assert "<svg" not in text and "<article" not in text and "3PR is better." not in text
    assert re.findall('figures\\?paper=(.)"', text) == ["S", "B", "V"]
    assert 'data-verdict="agrees in part"' in text and ">◐ Fig. 1</a>" in text and ">– Fig. 1</a>" in text
    assert "✓ agrees</span> 1<" in text and "◐ agrees in part</span> 1<" in text and "✕ differs" not in text
    assert "<b>bands</b>" not in text and 'aria-label="Fig. 1, Curves &amp; &lt;b&gt;bands&lt;/b&gt;, agrees' in text
    assert text.count("<a id=") == 3 == text.count('data-open="S-fig1"') * 3, "each tile opens its figure"


def test_what_is_looked_for_is_shown_with_title_and_picture_and_no_statement(shown):
    text = "".join(sheets(clean(open_page("figures", find="fig 1"))))
    assert text.count('class="fl-thumb"') == 2 and 'class="fl-panels"' not in text and "fl-map" not in text
    assert "3PR is better." not in text and "– not run" in text and "◐ agrees in part" in text
    assert "Chosen after looking" not in text, "number, verdict, title and one panel each"
    assert "<b>bands</b>" not in text and "Curves &amp; &lt;b&gt;bands&lt;/b&gt;" in text


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ({"paper": "V"}, ["V-tab1.2"]),
        ({"verdict": "differs"}, ["S-fig1"]),
        ({"verdict": "agrees"}, ["S-fig1", "V-tab1.2"]),
        ({"verdict": "not run"}, ["B-fig1"]),
        ({"learner": "adarank"}, ["V-tab1.2"]),
        ({"learner": "perturbed-perceptron", "paper": "B"}, ["B-fig1"]),
        ({"paper": "C"}, []),
        ({"find": "V tab. 1"}, ["V-tab1.2"]),
        ({"find": "fig 1"}, ["S-fig1", "B-fig1"]),
        ({"find": "curv"}, ["S-fig1"]),
        ({"find": "fig 11"}, []),
    ],
)
def test_a_link_filters(shown, query, ids):
    app = clean(open_page("figures", **query))
    assert listed(app) == ids and not app.warning
    assert bool(app.info) == (not ids)


def test_wrong_values_of_a_link_are_said_in_a_sentence(shown):
    app = clean(open_page("figures", paper="X", learner="nobody"))
    (said,) = app.warning
    assert "paper must be one of" in said.value and "learner must be one of" in said.value
    assert len(listed(app)) == 3


def test_statements_stand_beside_what_came_out_with_their_rules(shown):
    text = "".join(sheets(clean(open_page("figures", paper="S", statements="true"))))
    assert "<b>Printed.</b> 3PR is better." in text and "<b>Here.</b> 3PR ends at 0.21 ± 0.01." in text
    assert "perceptron above 3PR by more than 2 standard errors <i>holds</i>" in text
    assert "perceptron within 0.01 of 0.9 <i>does not hold</i>" in text
    assert "The users &lt;i&gt;differ&lt;/i&gt;." in text and "Chosen after looking: The noise." in text
    assert "10 data seeds, 100 steps (50 queries). The paper ran 1,000 steps." in text


def test_a_verdict_in_the_link_shows_only_statements_of_it(shown):
    text = "".join(sheets(clean(open_page("figures", verdict="differs", statements="true"))))
    assert "It ends at 0.52" in text and "3PR is better." not in text and "1 more of other verdicts." in text


def test_a_result_that_was_computed_with_another_setup_says_so(shown):
    result.write("S-fig1", replace(results()["S-fig1"], setup="another"), shown)
    app = clean(open_page("figures", statements="true"))
    assert "1 result is older than the setup." in counts(app)
    assert "Older than its setup.</b> The setup has changed since this was computed." in "".join(sheets(app))


def test_a_result_without_a_series_that_a_statement_needs_counts_as_not_run(shown):
    kept = results()["S-fig1"]
    less = {"web": {"3PR": kept.panels["web"]["3PR"]}}
    result.write("S-fig1", replace(kept, panels=less, setup="another"), shown)
    app = clean(open_page("figures", paper="S", statements="true"))
    assert "2 statements, of which 2 were not run" in counts(app)
    assert "This was not run yet." in "".join(sheets(app))


def test_a_new_result_is_read_at_the_next_look(shown):
    assert cards.find(CURVES).verdicts == ("agrees", "differs")
    kept = results()["S-fig1"]
    better = {**kept.panels["web"], "perceptron": curves(0.9, 0.905, 0.895)}
    (shown / "S-fig1.json").unlink()
    assert cards.find(CURVES).verdict == "not run"
    result.write("S-fig1", replace(kept, panels={"web": better}), shown)
    assert cards.find(CURVES).verdicts == ("agrees", "agrees")


# ---- one figure ----------------------------------------------------------------------------------------------


def test_a_link_shows_one_figure_alone_with_a_chart_that_reacts(shown):
    app = clean(open_page("figures", figure="S-fig1"))
    assert app.title[0].value == "Curves & <b>bands</b>"
    assert address(app) == "figure=S-fig1" and not listed(app)
    text = "".join(sheets(app))
    assert "3PR ends at 0.21 ± 0.01." in text and "<b>Fig. 1</b>" in text
    assert {b.label for b in app.button} >= {"Run it now, smaller", "Share & teach"}
    links = {link.proto.label for link in app.get("page_link")}
    assert links == {"[B] Fig. 1", "All figures"}, "it is the first, so that there is no way back"


def test_a_figure_that_was_never_computed_says_so(shown):
    app = clean(open_page("figures", figure="B-fig1"))
    assert "This was not run yet." in "".join(sheets(app)) and "– not run" in "".join(sheets(app))


def test_a_figure_that_nobody_knows_is_named_in_one_sentence_and_all_are_shown(shown):
    app = clean(open_page("figures", figure="X-fig9*"))
    assert [w.value for w in app.warning] == ["There is no figure “X-fig9\\*”. All that there are stand below."]
    assert len(listed(app)) == 3 and "figure=" not in address(app)


def test_a_table_has_the_printed_number_below_ours(shown):
    text = "".join(sheets(clean(open_page("figures", figure="V-tab1.2"))))
    assert "0.50 ± 0.01<small>printed 0.5</small>" in text and "0.6<small></small>" in text
    assert "<svg" not in text.split("fl-statement")[0]


def test_the_page_published_leads_here_with_its_query(shown):
    app = clean(open_page("published", paper="S", verdict="differs"))
    assert app.title[0].value == "Figures" and listed(app) == ["S-fig1"]
    assert set(address(app).split("&")) == {"paper=S", "verdict=differs", "statements=true"}
    assert "It ends at 0.52" in "".join(sheets(app)) and not app.warning


def test_taking_it_away_names_the_command_and_links_the_setup(shown):
    app = open_page("figures", figure="S-fig1")
    assert not app.code
    app.session_state["figures:away:S-fig1"] = True
    clean(app.run())
    assert any(c.value == "python -m pages.figures S-fig1" for c in app.code)
    assert any("3PR" in link.proto.label for link in app.get("page_link"))


# ---- what is drawn -------------------------------------------------------------------------------------------


def drawn(figure=CURVES):
    return results()[figure.id].panels[figure.panels[0].id]


def test_a_panel_has_the_papers_order_bands_and_printed_points():
    made = draw.panel(CURVES, CURVES.panels[0], drawn())
    lines = [t for t in made["data"] if t.get("name")]
    assert [t["name"] for t in lines] == ["3PR", "perceptron", "best", "3PR, printed"]
    assert made["layout"]["xaxis"]["type"] == "log" and "type" not in made["layout"]["yaxis"]
    band = next(t for t in made["data"] if t.get("fill"))
    error = np.std([0.2, 0.22, 0.21], ddof=1) / np.sqrt(3)
    assert max(band["y"][:3]) == pytest.approx(1) and band["y"][2] == pytest.approx(0.21 + error)
    assert (lines[3]["x"].tolist(), lines[3]["y"].tolist()) == ([100], [0.3])
    assert lines[2]["line"]["color"] == Look().text, "a reference has no learner's colour"


def test_what_is_run_now_is_drawn_over_pale_stored_curves_also_where_values_are_missing():
    over = {"3PR": Drawn(STEPS, np.array([[0.9, 0.8, np.nan], [1.0, np.nan, np.nan]]))}
    made = draw.panel(CURVES, CURVES.panels[0], drawn(), over, "your file")
    by_name = {t["name"]: t for t in made["data"] if t.get("name")}
    assert by_name["3PR"]["opacity"] == by_name["perceptron"]["opacity"] == draw.PALE
    assert by_name["3PR, your file"]["opacity"] == 1
    np.testing.assert_allclose(by_name["3PR, your file"]["y"], [0.95, 0.8, np.nan])
    assert "text" in draw.panel(CURVES, CURVES.panels[0], {})["layout"]["annotations"][0]


def test_a_curve_begins_at_its_first_value_and_its_axis_with_it():
    late = {"3PR": Drawn(STEPS, np.array([[np.nan, 0.8, np.nan], [np.nan, 0.6, 0.5]]))}
    band, line = draw.panel(CURVES, replace(CURVES.panels[0], series=CURVES.panels[0].series[:1]), late)["data"][:2]
    assert tuple(line["x"]) == STEPS[1:] and set(band["x"]) <= set(STEPS[1:])
    np.testing.assert_allclose(line["y"], [0.7, 0.5])


def test_twelve_series_are_told_apart_by_colour_and_dash():
    series = tuple(replace(CURVES.panels[0].series[0], name=str(i)) for i in range(12))
    figure = replace(CURVES, panels=(replace(CURVES.panels[0], series=series),))
    found = draw.styles(figure)
    assert list(found) == [str(i) for i in range(12)] and len({(s.slot, s.dash) for s in found.values()}) == 12


def test_a_small_picture_places_curves_and_printed_points_on_its_axes():
    text = draw.picture(CURVES, CURVES.panels[0], drawn())
    assert ">1<" in text and ">10<" in text and ">100<" in text
    line = re.search(r'd="(M[^"]+)" stroke="var\(--f0\)" stroke-width="4.5"', text)[1]
    assert line.startswith(f"M{svg.LEFT} "), "the first step stands at the left end"
    across, down = svg.axes(*draw.small(CURVES, CURVES.panels[0], drawn()))
    x, y = across.at([100])[0], down.at([0.3])[0]
    assert f"M{x - 11:.0f} {y:.0f}l11-11" in text and x == svg.WIDE - svg.RIGHT
    assert down.at([1.0])[0] < down.at([0.2])[0], "large values stand on top"


def test_a_logarithmic_axis_leaves_out_what_it_cannot_show():
    panel = replace(CURVES.panels[0], log_y=True)
    zero = {"3PR": Drawn(STEPS, np.array([[1.0, 0.1, 0.0]]))}
    text = draw.picture(replace(CURVES, panels=(panel,)), panel, zero)
    assert "nan" not in text and ">0.1<" in text
    assert svg.path(np.array([80.0]), np.array([40.0])) == "M80 40h0"


def test_files_hold_all_numbers(shown):
    kept = results()["S-fig1"]
    rows = list(csv.DictReader(io.StringIO(files.to_csv(CURVES, kept))))
    assert len(rows) == 3 * 3 * 3 + 1
    values = [float(r["value"]) for r in rows if r["series"] == "3PR" and r["x"] == "100" and r["seed"] != "printed"]
    assert values == [0.2, 0.22, 0.21]
    assert [r["value"] for r in rows if r["seed"] == "printed"] == ["0.3"]
    picture = files.to_svg(CURVES, kept)
    assert "var(" not in picture and "Fig. 1" in picture and "Curves &amp; &lt;b&gt;" in picture
    page = files.to_html(CURVES, kept)
    assert "Plotly.newPlot" in page and "<b>bands</b>" not in page and "3PR ends at 0.21" in page
    assert "<table>" in files.to_html(TABLE, results()["V-tab1.2"]) and "newPlot" not in files.to_html(
        TABLE, results()["V-tab1.2"]
    )


def test_a_table_without_a_result_shows_what_is_printed():
    text = table.table(TABLE.panels[0], {})
    assert "–<small>printed 0.5</small>" in text and text.count("<th ") == 5
    assert "not run yet" in draw.picture(MISSING, MISSING.panels[0], {})


def test_a_size_that_is_not_printed_is_not_said_to_be_the_papers():
    web, movies = words.sizes(figures()["C-fig2"])
    assert "The text does not print how much the paper ran; it may be 28,000 steps" in web and "28,000 queries" in web
    assert "it may be 500 steps" in movies and "The paper ran" not in web + movies
