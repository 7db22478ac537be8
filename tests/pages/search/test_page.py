"""The page of the search engine in Streamlit's AppTest, with a small index and what the browser would send."""

import re

import numpy as np
import pytest
from scipy.special import bdtr
from streamlit.testing.v1 import AppTest

from datasets.functions.tuned import tuned_weights
from datasets.ranking import RankingData
from learners.interleaving.crowd import crowd
from learners.interleaving.verdict import sign_test
from pages.ui.search import below, page, results, study, transfer, words
from pages.ui.search.person import IDEAS, LEARNERS
from tests.pages.search.conftest import small
from tests.pages.test_pages import clean, open_page


def power(share, decided, level=0.05):
    """How likely the sign test finds a difference when a learner wins this share of decided comparisons."""
    wins = np.arange(decided + 1)
    telling = wins[sign_test(wins, decided - wins) < level]
    fewer = int(np.max(telling[telling < decided / 2], initial=-1))  # so few wins tell that the learner is worse
    return float(bdtr(fewer, decided, share) + bdtr(fewer, decided, 1 - share)) if fewer >= 0 else 0.0


@pytest.fixture(autouse=True)
def _made(monkeypatch):
    monkeypatch.setattr(page, "_index", small)


@pytest.fixture
def given(monkeypatch):
    """The data that the browser was given for the search on the page, the latest last."""
    found = []

    def note(key, data, sent):
        if key == page.LISTS:
            found.append(data | {"sent": sent})

    monkeypatch.setattr(results, "show", note)
    return found


@pytest.fixture
def send(given, monkeypatch):
    """Function that sends something from the lists on the page, as the browser does, and runs the page again."""

    def sent(app: AppTest, **what) -> AppTest:
        heard = {"id": given[-1]["id"], "query": "", "marked": []} | what
        monkeypatch.setattr(results, "heard", lambda key: heard)
        given[-1]["sent"]()
        return clean(app.run())

    return sent


def texts(app: AppTest) -> str:
    kinds = ("markdown", "caption", "warning", "error", "info", "html", "success", "subheader")
    return " ".join(e.value for kind in kinds for e in app.get(kind))


def ask(app: AppTest, query: str) -> AppTest:
    app.text_input(key=page.FIELD).set_value(query)
    return app.button(key="search:go").click().run()


def person(app: AppTest):
    return app.session_state[page.PERSON]


def test_it_opens_with_queries_to_begin_with(given):
    app = clean(open_page("search"))
    assert app.title[0].value == "Search" and "Two learners hear the same clicks" in texts(app)
    assert "Search 1: both learn." in texts(app) and "Every other search" in texts(app) and not given
    assert [b.label for b in app.button if b.label in IDEAS] == list(IDEAS[:6])


def test_a_search_teaches_and_shows_what_moved(given, send):
    app = clean(ask(open_page("search"), "sort table"))
    lists = given[-1]
    assert lists["open"] and [c["title"] for c in lists["columns"]] == ["Perceptron", "3PR"]
    assert lists["columns"][0]["said"] == "The order it believes best." and "coins" in lists["columns"][1]["said"]
    shown = lists["columns"][0]["stages"][0]
    assert len(shown) == 10 and len({*shown}) == 10
    face = lists["rows"][str(shown[0])]
    assert (face["name"], face["where"]) == ("sort_table", "numpy · function")
    assert face["text"] == [("Sort", True), (" the rows of a ", False), ("table", True), (".", False)]
    app = send(app, do="done", marked=[shown[6], shown[8]])
    after = given[-1]
    assert not after["open"] and after["id"] != lists["id"] and after["marked"] == sorted([shown[6], shown[8]])
    first = after["columns"][0]
    lesson = person(app).live.lessons["preference-perceptron"]
    assert first["stages"][0] == shown and first["stages"][-1] == lesson.after[:10].tolist() != shown
    old, new = lesson.moved[shown[6]]
    assert old == 7 > new and first["changes"][str(shown[6])][:2] == ("up", f"▲ {7 - new}")
    assert {int(i) for i in first["changes"]} == {*lesson.moved} & {*first["stages"][-1]}
    assert "Search 1: both have learned." in texts(app) and "What they have learned" in texts(app)
    assert after["next"][0] == (IDEAS[0], f"Next search: {IDEAS[0]}") and after["next"][1][0] == "sort table"


def test_the_next_search_is_blind_until_it_is_clicked(given, send):
    app = ask(open_page("search"), "sort table")
    app = send(app, do="done", marked=[given[-1]["columns"][0]["stages"][0][5]])
    app = send(app, do="search", query="sort table")
    lists = given[-1]
    assert len(lists["columns"]) == 1 and "Search 2: a blind test." in texts(app)
    assert not {"Perceptron’s list", "3PR’s list", "Hand-tuned list"} & {c["title"] for c in lists["columns"]}
    assert lists["columns"][0]["slot"] == "" and set(lists["columns"][0]) <= {
        "title", "slot", "stages", "note", "aside",
    }  # fmt: skip
    app = send(app, do="done", marked=lists["columns"][0]["stages"][0][:1])
    told = given[-1]
    assert [c["title"] for c in told["columns"]] == ["Perceptron’s list", "What you saw", "Hand-tuned list"]
    verdict = person(app).live.verdict(next(iter(LEARNERS)))
    assert verdict.wins + verdict.losses + verdict.ties == 1
    wins = {1: "Perceptron wins.", -1: "The hand-tuned ranker wins.", 0: "It is a tie."}
    assert told["verdict"].startswith(wins[person(app).live.trial.outcome])
    assert f"Perceptron {verdict.wins} : {verdict.losses}" in texts(app)


def test_marks_are_kept_and_used_when_another_query_comes(given, send):
    app = ask(open_page("search"), "sort table")
    app = send(app, do="marked", marked=[2, 3])
    assert given[-1]["marked"] == [2, 3] and given[-1]["open"]
    ask(app, "merge array")
    assert person(app).log[0].kind == "teach" and len(person(app).log[0].clicked) == 2


@pytest.mark.parametrize(
    "what",
    [
        {"do": "done", "id": "9-teach-open", "marked": [1]},  # of lists that are gone
        {"do": "done", "marked": [77, -3]},
        {"do": "search", "query": "anything else"},
        {"do": "burn", "marked": [1]},
    ],
)
def test_what_nobody_can_send_does_nothing(given, send, what):
    app = ask(open_page("search"), "sort table")
    before = given[-1]["id"]
    app = send(app, **what)
    assert given[-1]["id"] == before and person(app).log == [] and person(app).number == 1


def test_the_address_keeps_the_query(given):
    app = clean(open_page("search", q="merge array", utm_source="mail"))
    assert app.text_input(key=page.FIELD).value == "merge array" and person(app).found.query == "merge array"
    app.run()
    assert person(app).number == 1 and len(given) == 2 and given[0]["id"] == given[1]["id"]


def test_markup_in_a_query_and_in_texts_stays_text(given):
    query = "<script>alert(1)</script> [x](javascript:1) sort tree"
    app = clean(ask(open_page("search"), query))
    assert person(app).found.query == query
    pieces = [piece for face in given[-1]["rows"].values() for piece, _ in face["text"]]
    assert "<b>" in "".join(pieces), "sent as text; the browser puts it in as text"
    assert "<script>alert" not in texts(app)
    app = clean(ask(app, "<img src=x onerror=alert(1)>"))
    assert "<img src=x" not in texts(app).replace("\\<img", "")


@pytest.mark.parametrize("query", ["zzzzzz", "   ", "!!!"])
def test_a_query_without_results_says_so(given, query):
    app = clean(ask(open_page("search"), query))
    if query.strip():
        assert app.info and not given
    assert clean(ask(app, "sort table")) and not app.info and given[-1]["open"]


def test_ten_thousand_letters(given):
    app = clean(ask(open_page("search"), "sort table " * 1000))
    assert "first 200 letters" in app.info[0].value and given[-1]["open"]


def test_wrong_settings_in_the_address_are_sentences(given):
    app = open_page("search", people="7", colour="red")
    assert "people must be" in app.warning[0].value and "'colour' is not a setting of this page" in app.warning[0].value


def test_one_query_and_three_rankers_stand_below(given, send, monkeypatch):
    shown = []
    app = ask(open_page("search"), "sort table")
    monkeypatch.setattr(results, "show", lambda key, data, sent: shown.append((key, data)))
    live = person(app)
    live.done([live.live.lessons["preference-perceptron"].shown[7]])
    app = clean(app.run())
    key, data = shown[-1]
    assert key == "search:now" and [c["title"] for c in data["columns"]] == ["Hand-tuned", "Perceptron", "3PR"]
    assert data["columns"][1]["changes"] and not data["columns"][0]["changes"] and not data["open"]


def test_begin_anew_forgets_everything(given, send):
    app = ask(open_page("search"), "sort table")
    app = send(app, do="done", marked=[1])
    assert not app.button(key="search:anew").disabled
    app = clean(app.button(key="search:anew").click().run())
    assert person(app).log == [] and not person(app).changed and person(app).live.seed == 1
    assert app.text_input(key=page.FIELD).value == "" and app.button(key="search:anew").disabled


def test_a_crowd_goes_on_from_the_persons_weights(given, send, monkeypatch):
    from learners.interleaving.crowd import crowding

    monkeypatch.setattr(below, "load_data", lambda choice: few())
    asked = []
    monkeypatch.setattr(below, "crowding", lambda *given: asked.append(given) or crowding(*given))
    app = ask(open_page("search", people="200", noise="0.1"), "sort table")
    app = send(app, do="done", marked=[3, 4])
    own = {id: person(app).live.weights(id).tolist() for id in LEARNERS}
    app = clean(app.button(key="search:crowd:go").click().run())
    _, weights, people, noise, bias, _, _ = asked[0]
    assert {id: w.tolist() for id, w in weights.items()} == own
    assert (people, noise, bias) == (200, 0.1, study.BIAS)
    assert all(person(app).live.weights(id).tolist() != own[id] for id in LEARNERS)
    verdicts = app.session_state[below.CROWD]["verdicts"]
    assert [v.wins + v.losses + v.ties for v in verdicts] == [100, 100]
    top, board = (html.value for html in app.get("html") if re.search('class="fl-(score|side)"', html.value))
    for shown in (top, board):  # both tell of the crowd, in one way
        assert all(f"{v.wins} : {v.losses}" in shown and ">The crowd" in shown for v in verdicts)
    assert all(words.wins(v).capitalize() in board for v in verdicts) and board.count("Not compared yet") == 2
    app = clean(app.button(key="search:crowd:undo").click().run())
    assert {id: person(app).live.weights(id).tolist() for id in LEARNERS} == own and len(person(app).log) == 1


@pytest.mark.long
def test_the_default_crowd_is_enough_to_tell():
    """Over ten seeds the sign test has a power of .9 for both learners, and too little with half the people."""
    data = below.load_data(below.CROWD_DATA)
    weights = {id: tuned_weights() for id in LEARNERS}
    powers = {}
    for people in (below.PEOPLE.default, below.PEOPLE.default // 2):
        ran = [crowd(data, weights, people, study.NOISE, study.BIAS, seed, study.RELEVANT_FROM) for seed in range(10)]
        for id in LEARNERS:
            wins, losses = (sum(getattr(one[id].verdict(), of) for one in ran) for of in ("wins", "losses"))
            powers[people, id] = power(wins / (wins + losses), (wins + losses) // len(ran))
            print(f"{people} people, {id}: {wins / (wins + losses):.3f} won, power {powers[people, id]:.2f}")
    assert min(powers[below.PEOPLE.default, id] for id in LEARNERS) >= 0.9
    assert min(powers[below.PEOPLE.default // 2, id] for id in LEARNERS) < 0.9


def few():
    """Return data of the form of function-search that are made at once."""
    rng, tuned = np.random.default_rng(0), tuned_weights()
    features = rng.normal(size=(200, len(tuned))) / 30
    starts = np.arange(0, 201, 10)
    return RankingData("few", {}, features, starts, rng.integers(0, 5, 200)[None].astype(float), tuned=tuned)


def test_an_engine_is_saved_and_taken_over(given, send, monkeypatch):
    app = ask(open_page("search"), "sort table")
    app = send(app, do="done", marked=[3, 4])
    content = transfer.export(person(app), {"numpy": "1"}).encode()
    other = open_page("search")
    other.file_uploader(key=below.FILE).upload("engine.json", content, "application/json")
    clean(other.run())
    assert person(other).live.state() == person(app).live.state()
    assert "You go on after 1 search." in texts(other) and "numpy was 1 and is" in texts(other)
    other = open_page("search")
    other.file_uploader(key=below.FILE).upload("engine.json", b"{}", "application/json")
    other.run()
    assert "its format is not" in other.error[0].value and person(other).log == []


def test_the_study_stands_below_where_it_has_been_run(given):
    app = clean(open_page("search"))
    assert ("The study of Raman et al., repeated" in texts(app)) == (study.read() is not None)


def test_on_a_projector_the_lists_are_larger(given):
    clean(ask(open_page("search", present="true"), "sort table"))
    assert given[-1]["large"] is True
