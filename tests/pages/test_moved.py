"""The former addresses of pages lead on, with all that their queries say."""

import pytest
from starlette.applications import Starlette

from pages.ui import moved
from pages.ui.catalogue import page as catalogue
from pages.ui.families import labs
from tests.conftest import ALWAYS_LATER, ROOT
from tests.pages.asgi import get
from tests.pages.test_links import link
from tests.pages.test_pages import clean, open_page, recording


def sent(path, base=""):
    """Where the server sends a browser that asks for a former address."""
    path, _, query = path.partition("?")
    answer = get(Starlette(routes=moved.routes(base)), path, query)
    assert answer.status == 307, "a browser must ask again the next time"
    return answer.headers["location"]


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("/published", "figures?statements=true"),
        ("/published?paper=S&verdict=differs", "figures?statements=true&paper=S&verdict=differs"),
        ("/interleaving?noise=0.3", "stability?mode=interleaved&noise=0.3"),
        ("/lower_bound?horizon=50&k-1=2", "coactive?mode=lower-bound&horizon=50&k-1=2"),
        ("/data/?family=multilabel&follow=ABC", "../catalogue?show=data&family=multilabel&follow=ABC"),
        ("/algorithms", "catalogue"),
        ("/algorithms?learner=x&learner=y&a=%C3%A9+1", "catalogue?learner=x&learner=y&a=%C3%A9+1"),
    ],
)  # fmt: skip
def test_a_former_address_leads_on_with_its_query_as_it_is(path, there):
    assert sent(path) == there


def test_former_addresses_stand_below_the_path_of_the_app():
    assert sent("/lab/algorithms", "lab") == "catalogue", "which the browser looks for beside it"


def test_what_they_lead_to_is_there_and_they_are_not():
    pages = {path.stem for path in (ROOT / "pages").glob("*.py")}
    assert {page for page, _ in moved.FORMER.values()} <= pages and not pages & set(moved.FORMER)
    assert len(pages - labs().keys()) <= 7


@pytest.mark.parametrize(
    "page", [pytest.param(p, marks=ALWAYS_LATER if p == "published" else ()) for p in moved.FORMER]
)
def test_what_they_lead_to_understands_it(page):
    assert not clean(open_page(page)).warning


# ---- a mode of a lab, which was a page


def test_another_mode_of_a_lab_keeps_the_settings_and_has_its_own_charts():
    app = clean(open_page("stability", dataset="digits-search", noise="0.35", user="scan", charts="ndcg", steps="30"))
    app.button_group(key="stability:mode").set_value("interleaved").run()
    both = {"dataset": "digits-search", "noise": "0.35", "steps": "30"}
    now = link(clean(app))
    assert now == both | {"mode": "interleaved", "replicates": "20"} | {
        "learner-1": "preference-perceptron", "learner-2": "perturbed-perceptron",
    }, "as they were, of which some differ from what this mode begins with"  # fmt: skip
    assert [run.setup.comparison is None for run in [recording(app)]] == [False]
    app.button_group(key="stability:mode").set_value("race").run()
    assert link(clean(app)) == both | {"user": "scan"}, "and back, with the charts of the lab"


# ---- the catalogue, which holds two former pages


def test_the_catalogue_is_searched_over_algorithms_and_data():
    app = clean(open_page("catalogue", present="true"))
    (field,) = (field for field in app.selectbox if field.label == "Find")
    assert len(field.options) == len(catalogue.found())
    clean(field.set_value("data news-topics").run())
    assert link(app, "catalogue") == {"show": "data", "dataset": "news-topics", "present": "true"}
    assert app.selectbox(key="catalogue:ranking:dataset").value == "news-topics"
    (field,) = (field for field in app.selectbox if field.label == "Find")
    assert field.value is None
    clean(field.set_value("algorithm banditron").run())
    assert app.subheader[0].value == "Banditron" and link(app, "catalogue") == {
        "learner": "banditron",
        "present": "true",
    }


def test_each_part_of_the_catalogue_keeps_what_was_chosen_in_it():
    app = clean(open_page("catalogue", learner="banditron"))
    app.button_group(key="catalogue:show").set_value("data").run()
    assert link(app, "catalogue") == {"show": "data"}
    app.button_group(key="catalogue:show").set_value("algorithms").run()
    assert clean(app).subheader[0].value == "Banditron"
