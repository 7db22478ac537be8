"""The words of the inspectors on a step: true sentences for every learner, and the numbers of steps by hand."""

import html
import re
from xml.etree import ElementTree

import numpy as np
import pytest

import datasets
from datasets.classification import ClassificationData
from datasets.multilabel import MultilabelData
from datasets.ranking import RankingData
from learners import Simulation, catalogue, create, create_user
from learners.catalogue import families, users_of
from learners.interleaving import Comparison
from learners.ranking.users.base import Response, User
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import formula_line, formulas
from pages.ui.families.ranking.comparison_inspector import ComparisonInspector
from pages.ui.families.ranking.inspector import RankingInspector
from tests.pages.test_inspectors import INSPECTORS

REPRS = re.compile(r"\bnan\b|\binf\b|array\(|np\.|float64|\bTrue\b|\bFalse\b|[\[\]{}]|\bNone[^ ]|<|&|  |\.\.")


def check(text):
    """Assert that a text is sentences for people."""
    assert text.endswith("."), text
    assert not REPRS.search(text.replace("None of", "")), f"{REPRS.search(text)} in {text}"
    said = re.findall(r"[^.]+\.(?= |$)", re.sub(r"(?<=\d)\.(?=\d)", ",", text))
    assert 2 <= len(said) <= 5, text


def why(inspector, simulation, replicate):
    return inspector(simulation, replicate, Look()).why()


@pytest.mark.long
@pytest.mark.parametrize("info", catalogue(), ids=lambda info: info.id)
def test_every_learner_gets_sentences_on_all_forms_of_data_and_with_all_users(info):
    family, inspector = families()[info.family], INSPECTORS[info.family]
    first, *forms = (datasets.load(spec.id, **spec.values) for spec in (family.smallest, *family.forms))
    for data, user in [(first, user) for user in users_of(family) or (None,)] + [(data, None) for data in forms]:
        try:
            simulation = Simulation(info.id, data, user, replicates=2, seed=3)
        except ValueError as error:  # LightGBM is not installed, or there are too many hypotheses
            needs = info.learner.fixed_list and ("one fixed list" in str(error) or "learns from clicks" in str(error))
            assert "LightGBM" in str(error) or (info.id == "halving" and data.id == "synsep") or needs
            continue
        for t in (1, 2, 7, 13):
            simulation.advance(steps=t - simulation.t)
            for r in range(2):
                account = inspector(simulation, r, Look())
                check(account.why())
                told = html.unescape(re.sub("<[^>]*>", "", account.html())).replace("\xa0", " ")
                assert told.startswith(account.why())


@pytest.mark.parametrize("params", [{"dynamic": True}, {"swap_probability": 1.0}, {"swap_probability": 0.0}], ids=str)
def test_swapped_pairs_are_told_as_they_were(params):
    """Each pair named as swapped is in the record, and the number of pairs exchanged is that of the record."""
    simulation = Simulation(create("perturbed-perceptron", **params), "web-search", "scan", seed=2)
    for _ in range(30):
        simulation.advance(steps=1)
        step, text = simulation.last, why(RankingInspector, simulation, 0)
        check(text)
        swapped, partner, shown = step.shown.pairs.swapped[0], step.shown.pairs.partner[0], step.shown.ranking[0]
        pairs = [(i, int(partner[i])) for i in range(len(shown)) if partner[i] > i]
        count = sum(bool(swapped[i]) for i, _ in pairs)
        assert text.startswith(f"{count} of {len(pairs)} pairs w" if count else f"None of the {len(pairs)} pairs was")
        if count:
            i, j = next(pair for pair in pairs if swapped[pair[0]])
            assert f"(d{shown[i] + 1} with d{shown[j] + 1}" in text
        clicks = step.response.clicks[0]
        exchanged = sum(bool(clicks[j]) and not clicks[i] for i, j in pairs)
        assert ("The learner exchanges" in text) == (exchanged > 0) == bool((step.before != step.after).any())


TWO = RankingData("two", {}, np.eye(2), np.array([0, 2]), np.array([[1.0, 0.0]]))
THREE = RankingData(
    "three", {}, np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), np.array([0, 3]), np.array([[1.0, 0.0, 0.0]]),
    initial_weights=np.array([0.3, 0.1]),
)  # fmt: skip


def clicked(learner, data, places, user="cascade", seed=0, **noise):
    """The words on the first step, in which the user clicks these places."""
    simulation = Simulation(learner, data, create_user(user, **noise or {"noise": 0.0}), seed=seed)
    simulation.advance(steps=1)
    clicks = np.isin(np.arange(1, data.longest + 1), places)
    fork = simulation.fork(at=1, change={"clicks": clicks})
    fork.advance(steps=1)
    return why(RankingInspector, fork, 0)


def test_a_wrong_click_is_followed_to_the_new_order():
    """Scores are .3, .1, 0. d2 moves to the top of d1, d2, d3: Δ = (1 − .6309)(x₂ − x₁) = .3691 · [−1, 1], of length
    .522. Then w = [−.069, .469], and the order is d2 (.469), d3 (0), d1 (−.069)."""
    assert clicked("preference-perceptron", THREE, [2]) == (
        "It showed d1 first, the best document. The user clicked d2 at place 2 by mistake; d1, above it, was not "
        "clicked. The learner moves d2 to the top; w moves by 0.522 in favour of d2 over d1, so d1 falls from place 1 "
        "to 3 and d2 rises from place 2 to 1."
    )


def test_the_click_on_the_right_document_is_no_mistake_and_changes_nothing():
    assert clicked("preference-perceptron", THREE, [1]) == (
        "It showed d1 first, the best document. The user clicked d1 at place 1. What was clicked stood on top already, "
        "so there is nothing to learn, and w stays as it was."
    )
    assert clicked("preference-perceptron", THREE, []).endswith(
        "The user clicked nothing. Without a click there is nothing to learn, and w stays as it was."
    )


def test_reading_a_click_as_a_swap():
    """d3 at place 3 is exchanged with d1: Δ = (1 − ½)(x₃ − x₁) = [−.5, 0], w = [−.2, .1]: d2, d3, d1."""
    assert clicked(create("preference-perceptron", feedback="swap"), THREE, [3]).endswith(
        "The user clicked d3 at place 3 by mistake; d1, above it, was not clicked. The learner exchanges d3 with d1, "
        "which stood first; w moves by 0.5 in favour of d3 over d1, so d1 falls from place 1 to 3 and d3 rises from "
        "place 3 to 2."
    )


def perturbed(places, p):
    """The words on a first step of 3PR on two documents that form a pair."""
    for seed in range(20):  # half of the seeds leave both documents alone
        text = clicked(create("perturbed-perceptron", swap_probability=p), TWO, places, seed=seed)
        if "pair" in text.split(".")[0] and not text.startswith("None of the 0"):
            return text
    raise AssertionError("no seed forms the pair")


def test_a_swapped_pair_and_a_click_on_its_lower_document_confirm_the_prediction():
    """w = 0 ranks d1, d2, which are shown as d2, d1. d1 is clicked: Δ = .3691 · (x₁ − x₂), of length .522; d1 stays
    first by the new weights."""
    assert perturbed([2], p=1.0) == (
        "1 of 1 pair was swapped (d2 with d1), which put d2 first and the best document, d1, at place 2. The user "
        "clicked d1 at place 2. The learner exchanges d1 with d2 above it; the pair was swapped, so this confirms the "
        "predicted order; w moves by 0.522 in favour of d1 over d2, too little to change the order of these documents."
    )


def test_a_pair_that_was_not_swapped_contradicts_the_prediction():
    """d1, d2 are shown as predicted and d2 is clicked: w = .3691 · (x₂ − x₁) ranks d2, d1."""
    assert perturbed([2], p=0.0).endswith(
        "the pair was not swapped, so this contradicts the predicted order; w moves by 0.522 in favour of d2 over d1, "
        "so in the ranking by w d1 falls from place 1 to 2 and d2 rises from place 2 to 1."
    )


def test_a_click_on_the_upper_document_of_a_pair_teaches_nothing():
    assert perturbed([1], p=1.0).endswith(
        "The user clicked d2 at place 1 by mistake. No pair is exchanged, because d2 is the upper document of its "
        "pair, and to stand higher earns nothing, and w stays as it was."
    )


@pytest.mark.parametrize("id", ["preference-perceptron", "convex-perceptron", "ranking-svm", "dueling-bandit"])
def test_places_and_clicks_are_those_of_the_record(id):
    """Places by the weights before and after are found once more here, document by document; so are the clicks."""
    simulation = Simulation(id, "web-search", "noisy-grades", seed=5)
    data, moved = simulation.dataset, 0
    for _ in range(25):
        simulation.advance(steps=1)
        step, text = simulation.last, why(RankingInspector, simulation, 0)
        x = data.features[step.documents[0]].astype(float)
        places = []
        for w in (step.before[0], step.after[0]):
            scores = [float(sum(row * w)) for row in x]
            places.append(sorted(range(len(x)), key=lambda i: (-scores[i], i)))
        for name, way, old, new in re.findall(r"d(\d+) (rises|falls) from place (\d+) to (\d+)", text):
            document = int(name) - 1
            assert [ranking.index(document) + 1 for ranking in places] == [int(old), int(new)]
            assert (way == "rises") == (int(new) < int(old))
            moved += 1
        shown = step.shown.ranking[0].tolist()
        clicked = [f"d{shown[i] + 1}" for i in np.flatnonzero(step.response.clicks[0])]
        assert f"clicked {', '.join(clicked[:-1])} and {clicked[-1]} at places" in text
        if length := re.search(r"w moves by ([\d.]+)", text):
            change = np.linalg.norm(step.after[0] - step.before[0])
            assert float(length[1]) == pytest.approx(change, rel=0.01)
    assert moved > 5


def test_no_click_of_a_user_without_noise_is_called_a_mistake():
    for user, noise in [("cascade", {"noise": 0.0}), ("scan", {"noise": 0.0}), ("noisy-grades", {"sigma": 0.0})]:
        simulation = Simulation("random-ranking", "web-search", create_user(user, **noise), replicates=3, seed=1)
        for _ in range(10):
            simulation.advance(steps=1)
            assert not any("mistake" in why(RankingInspector, simulation, r) for r in range(3))


@pytest.mark.parametrize("user, mistakes", [("cascade", [0, 1, 1, 0]), ("scan", [0, 1, 1, 0])])
def test_a_user_who_judges_each_document_errs_against_the_least_relevant_grade(user, mistakes):
    """Of grades 2, 0, 2, 1 and relevance from grade 1, the user clicks the first two and passes over the third."""
    response = Response(clicks=np.array([[True, True, False, False]]), judged=np.array([[1, 1, 0, -1]]))
    found = create_user(user).mistaken(np.array([[2.0, 0.0, 2.0, 1.0]]), response)
    assert found.astype(int).tolist() == [mistakes]


def test_other_users_err_where_a_better_document_was_passed_over():
    """Grades 1, 3, 2, 0, of which the first and the last are clicked. The two highest grades are 3 and 2, so that
    neither should have been, and the 3 was passed over by mistake; for the 2 a tie with others could excuse it."""
    grades = np.array([[1.0, 3.0, 2.0, 0.0]])
    response = Response(clicks=np.array([[True, False, False, True]]), judged=np.array([[1, 0, 0, 1]]))
    assert create_user("noisy-grades").mistaken(grades, response).tolist() == [[True, True, False, True]]
    assert User().mistaken(grades, response).tolist() == [[False, False, False, True]]
    with pytest.raises(ValueError, match="did not click"):
        User().mistaken(grades, Response(ranking=np.array([[0, 1, 2, 3]])))


def test_documents_with_names_are_called_by_them_and_escaped():
    names = ("Toy <b>Story</b> & Co", "Heat", "Big")
    data = RankingData(
        "films", {}, THREE.features, THREE.starts, THREE.grades, initial_weights=THREE.initial_weights,
        document_names=names,
    )  # fmt: skip
    simulation = Simulation("preference-perceptron", data, "cascade", seed=0)
    simulation.advance(steps=1)
    account = RankingInspector(simulation, 0, Look())
    assert "“Toy <b>Story</b> & Co” first, the best document" in account.why()
    assert "Toy &lt;b&gt;Story&lt;/b&gt; &amp; Co" in account.told() and "Story</b>" not in account.html()


def test_images_are_told_by_their_picture():
    simulation = Simulation("preference-perceptron", "digits-search", "scan", seed=0)
    simulation.advance(steps=1)
    account = RankingInspector(simulation, 0, Look())
    named = re.findall(r"\bd\d+\b", account.why())
    pictures = re.findall(r'<img alt="document (\d+)" src="data:image/png;base64,[^"]*">(d\d+)', account.told())
    assert [name for _, name in pictures] == named and all(name == f"d{i}" for i, name in pictures)


ONE = ClassificationData("one", {}, np.array([[3.0, 4.0]]), np.array([1]), ("cat", "dog"))


def test_the_perceptron_tells_what_it_added():
    """x = [3, 4] of length 5. All scores are 0, so “cat”, the first, is played; row “dog” gains x, and scores 25."""
    simulation = Simulation("perceptron", ONE)
    simulation.advance(steps=1)
    assert why(INSPECTORS["classification"], simulation, 0) == (
        "It played “cat”, the first of several with the best score. That was wrong, and it is told the true class, "
        "“dog”. It adds x (length 5) to the vector of “dog” and subtracts x (length 5) from the vector of “cat”. On "
        "this example, the true class “dog” now scores 25 after 0 and rises from place 2 to 1 of 2."
    )
    simulation.advance(steps=1)
    assert why(INSPECTORS["classification"], simulation, 0).endswith("That was right. So it has nothing to change.")


def test_the_banditron_tells_what_a_right_answer_counts():
    """γ = ½ and K = 2. “dog” is drawn against the prediction “cat” with P = ¼ and is right: it gains 4 x, of length 20,
    and scores 4 · 25 = 100; “cat” loses x. Where “cat” is played, only row “cat” loses x."""
    explored = 0
    for seed in range(20):
        simulation = Simulation(create("banditron", gamma=0.5), ONE, seed=seed)
        simulation.advance(steps=1)
        text = why(INSPECTORS["classification"], simulation, 0)
        if simulation.last.shown.label[0] == 1:
            explored += 1
            assert text == (
                "It explored: in place of “cat”, the first of several with the best score, it played “dog”, drawn at "
                "random. That was right, and it is told so. A right answer with the chance 0.25 counts 4 times, so it "
                "adds 4 · x (length 20) to the vector of “dog” and subtracts x (length 5) from the vector of “cat”. On "
                "this example, the true class “dog” now scores 100 after 0 and rises from place 2 to 1 of 2."
            )
        else:
            assert "it is told so, but not that “dog” is right. It subtracts x (length 5) from the vector of" in text
            assert text.endswith("“dog” still scores 0 and rises from place 2 to 1 of 2.")
    assert 0 < explored < 20


def test_the_upper_confidence_learner_tells_what_it_tried():
    """x = [1], one of two labels shown: both margins are raised by √.3 = .548, so p̂ = (1 + .548)/2 = .774, and after
    the step A = 2, so x·A⁻¹x = ½. A right label shown first of one costs nothing, and no other is right."""
    data = MultilabelData("one", {}, np.array([[1.0]]), np.array([[True, False]]), ("sun", "rain"))
    simulation = Simulation(create("multilabel-ucb", size=1), data)
    simulation.advance(steps=1)
    assert why(INSPECTORS["multilabel"], simulation, 0) == (
        "It showed “sun”, the set that promises the least loss. “sun” was right; no right label was missed, so the "
        "step costs 0. On such examples it now scores it higher. Of these it knew least about “sun”: the width "
        "ε = 0.548 raised its probability from 0.5 to 0.774, and the uncertainty x·A⁻¹x falls from 1 to 0.5."
    )


def test_a_booster_tells_its_error_its_step_and_what_gains_weight():
    """The step is ½ ln((1 − ε)/ε), and just the examples that the tree got wrong gain weight."""
    simulation = Simulation(create("adaboost", depth=4), "digits", seed=1)
    for _ in range(3):
        simulation.advance(steps=1)
        done, text = simulation.last.rounds[0], why(INSPECTORS["semi-supervised"], simulation, 0)
        assert done.step == pytest.approx(0.5 * np.log((1 - done.error) / done.error))
        assert f"It is wrong on {done.error:.1%} of the weight, so it votes with α = {done.step:.3g}." in text
        wrong = int(((done.answers != done.targets) & (done.targets >= 0)).sum())
        assert f"For the next round, {wrong} example{'s' * (wrong > 1)} gain{'s' * (wrong == 1)} weight" in text


def test_a_booster_that_has_stopped_tells_why():
    simulation = Simulation("adarank", "web-search", replicates=2, seed=1)
    simulation.advance(steps=2)
    assert simulation.last.rounds[1].stopped == "the same feature is best again, so nothing would change any more"
    assert why(INSPECTORS["learning-to-rank"], simulation, 1) == (
        "Nothing was added in round 2, and what it predicts stays as it was. The reason: The same feature is best "
        "again, so nothing would change any more."
    )


def test_the_weights_of_the_next_round_are_those_it_begins_with():
    for id, data in [("adaboost", "digits"), ("assemble", "digits"), ("mcssb", "digits"), ("adarank", "web-search"),
                     ("ndcg-boost", "web-search"), ("ranking-refinement", "web-search")]:  # fmt: skip
        params = {"depth": 5} if id in ("adaboost", "assemble") else {"weak": "stumps"} if id == "adarank" else {}
        simulation = Simulation(create(id, **params), data, seed=1)
        simulation.advance(steps=1)
        expected = simulation.environment.learners[0].next_weights().copy()
        simulation.advance(steps=1)
        assert not simulation.last.rounds[0].stopped
        np.testing.assert_array_equal(simulation.last.rounds[0].weights, expected)


@pytest.mark.parametrize("method", ["team-draft", "balanced"])
def test_a_comparison_tells_who_won_by_the_clicks(method):
    simulation = Comparison("perturbed-perceptron", "web-search", "scan", method=method, seed=1)
    for _ in range(30):
        simulation.advance(steps=1)
        trial, text = simulation.last, why(ComparisonInspector, simulation, 0)
        check(text)
        outcome, clicks, teams = int(trial.outcome[0]), trial.response.clicks[0], trial.mixed.teams[0]
        assert {1: "so the learner wins", -1: "so the fixed ranker wins", 0: "so it is a tie"}[outcome] in text
        if method == "team-draft" and clicks.any():
            mine, other = int((clicks & teams).sum()), int((clicks & ~teams).sum())
            assert f"{mine or 'No'} click" in text and f"for the learner and {other or 'none'} for the other" in text
    assert why(ComparisonInspector, simulation.fork(at=31), 0) == text


def test_an_account_needs_a_step():
    simulation = Simulation("preference-perceptron", "toy-ranking")
    with pytest.raises(ValueError, match="needs a simulation that has taken a step"):
        RankingInspector(simulation, 0, Look())


def test_a_fork_is_told_as_the_step_was():
    """The account of step t from a fork with t steps is that of the run itself when it stood there."""
    simulation = Simulation("perturbed-perceptron", "web-search", "scan", replicates=2, seed=4)
    told = []
    for _ in range(8):
        simulation.advance(steps=1)
        told.append(RankingInspector(simulation, 1, Look()).html())
    for t in (1, 5, 8):
        assert RankingInspector(simulation.fork(at=t + 1), 1, Look()).html() == told[t - 1]


@pytest.mark.parametrize("info", catalogue(), ids=lambda info: info.id)
def test_all_lines_of_an_algorithm_become_mathml(info):
    """No command of LaTeX is left, and what comes out is well-formed. Plain words come first."""
    for number, line in enumerate(info.lines, start=1):
        words = info.learner.words(line)
        found = formula_line(number, words, line.text)
        tree = ElementTree.fromstring(f"<div>{found}</div>")
        assert tree[0].find("small").tail == words and tree[0].find("small").text == f"line {number}"
        assert "\\" not in found and "$" not in found
        formula = "{http://www.w3.org/1998/Math/MathML}math"
        assert len(list(tree.iter(formula))) == line.text.count("$") // 2


@pytest.mark.parametrize("info", catalogue(), ids=lambda info: info.id)
def test_each_line_is_said_in_plain_words(info):
    """In whole sentences, without LaTeX, and no two lines of an algorithm say the same."""
    words = [info.learner.words(line) for line in info.lines]
    assert len(set(words)) == len(words)
    for said in words:
        assert said[0].isupper() or said[0] in "αγδεηθλμνδ" or said.startswith("w")
        assert said.endswith(".") and not re.search(r"[$\\{}]", said)
        assert all(len(sentence) <= 170 for sentence in said.split(". "))


def test_a_dollar_sign_without_a_partner_is_refused():
    with pytest.raises(ValueError, match="each \\$ needs a partner"):
        formulas("costs $5")


def test_an_account_needs_no_network():
    simulation = Simulation("banditron", "digits")
    simulation.advance(steps=1)
    found = INSPECTORS["classification"](simulation, 0, Look()).html()
    assert set(re.findall(r'(?:src|href)="(\w+):', found)) == {"data"} and "<script" not in found
    assert found.count("<small>line ") == len(simulation.learner.lines)


def test_an_estimate_beyond_1_turns_back_although_the_label_is_right():
    """x = [1], w = 3 and A = 2 from before: the estimate is (1 + 3)/2 = 2. The label is right, yet w falls, to
    3 + (1 − 3)/3 = 7/3."""
    data = MultilabelData("one", {}, np.array([[1.0]]), np.array([[True, False]]), ("sun", "rain"))
    for id, drew in (("set-ucb", ""), ("set-thompson", " by the probabilities that it drew")):
        simulation = Simulation(create(id, size=1, **{create(id).explores: 0.0}), data)
        simulation.learner.w[0] = [[3.0], [0.0]]
        simulation.learner.Ainv[0] = 0.5
        simulation.advance(steps=1)
        assert simulation.learner.w[0, 0, 0] == pytest.approx(7 / 3)
        account = INSPECTORS["multilabel"](simulation, 0, Look())
        assert account.why().startswith(
            f"It showed “sun”, the set that promises the least loss{drew}. “sun” was right; no right label was missed, "
            "so the step costs 0. On such examples it now scores “sun” lower, since the estimate of “sun” lay beyond "
            "the answer."
        )
        assert "0 are now scored higher" in account.update() and "clips neither" in account.predict()


@pytest.mark.parametrize("id", ["pairwise-differentiable", "pairwise-greedy", "informative-pair"])
def test_a_list_of_one_place_has_no_pair_to_learn_from(id):
    """With 60 movies, one at a time: the sentence stands in place of the preferences, and w stays as it was."""
    movies = datasets.load("movies", users=40, movies=60, ratings=25, features=3)
    simulation = Simulation(id, movies, "item-best", seed=0)
    simulation.advance(steps=20)
    told = RankingInspector(simulation, 0, Look()).why()
    assert "The list has one place, and this learner learns from pairs of documents on a page" in told
    assert (simulation.history["weight-change"] == 0).all()


@pytest.mark.parametrize("id", ["feel-good-thompson", "informative-pair", "double-thompson", "versatile-duel"])
def test_a_duel_tells_who_won(id):
    """By the record: the one of the two documents on top that was clicked."""
    simulation = Simulation(id, "toy-ranking", "bradley-terry", seed=1)
    simulation.advance(steps=5)
    step, told = simulation.last, RankingInspector(simulation, 0, Look()).why()
    clicks, (first, second) = step.response.clicks[0], (f"d{i + 1}" for i in step.shown.ranking[0, :2])
    won, lost = (first, second) if clicks[0] else (second, first)
    assert f"takes {won} to be better than {lost}." in told
