"""The glossary: each term is one sentence that stands nowhere else, and its lesson teaches it."""

import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from learners import Simulation
from learners.catalogue import families
from pages.ui import glossary
from pages.ui.draw.charts import Look
from pages.ui.families import labs
from pages.ui.lessons import document
from pages.ui.lessons.library import lessons
from tests.conftest import ROOT

TERMS = glossary.terms()
NAMES = [name for term in TERMS.values() for name in term.names]


class Buttons(HTMLParser):
    """The words that are buttons, with their data, and all text."""

    def __init__(self, text):
        super().__init__()
        self.found, self.text, self.open = [], "", None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        assert not (tag == "button" and self.open is not None)
        self.open = dict(attributes) if tag == "button" else self.open

    def handle_endtag(self, tag):
        self.open = None if tag == "button" else self.open

    def handle_data(self, data):
        self.text += data
        if self.open is not None:
            self.found.append((data, self.open))


@pytest.mark.parametrize("term", TERMS.values(), ids=TERMS)
def test_a_term_is_one_sentence_with_names_of_its_own(term):
    assert len(glossary.sentences(term.sentence)) == 1 and term.sentence.endswith(".") and term.sentence[0].isupper()
    assert len(term.sentence) <= 160
    assert term.names
    assert max(Counter(name.casefold() for name in NAMES).values()) == 1


@pytest.mark.parametrize("term", [term for term in TERMS.values() if term.lesson], ids=lambda term: term.id)
def test_the_lesson_of_a_term_says_it(term):
    lesson = lessons()[term.lesson]
    written = " ".join(card.text + (card.ask.after if card.ask else "") for card in lesson.cards).casefold()
    assert any(name.casefold() in written for name in term.names) or term.symbol in written


def test_no_term_is_explained_again_in_its_own_words_elsewhere():
    """A help text that says what a term means takes the sentence from the glossary, or the glossary takes it there."""
    defined = re.compile(
        rf"\b(?:an?|the) (?:{'|'.join(map(re.escape, NAMES))}) (?:is|are|means)\b(?! (?:drawn|also|the thin))", re.I
    )
    helps = [chart.help for lab in labs().values() for chart in lab.charts.values()]
    helps += [lab.face.scene.help for lab in labs().values() if hasattr(lab.face.scene, "help")]
    helps += [
        parameter.help for lab in labs().values() for parameter in (lab.steps, lab.replicates, lab.which) if parameter
    ]
    own = [term.sentence for term in TERMS.values()]
    taken = {chart.help for lab in labs().values() for chart in lab.charts.values()}
    for text in helps:
        rest = text
        for sentence in own:
            rest = rest.replace(sentence, "")
        assert not defined.search(rest), text
    written = [path.read_text("utf-8") for path in (ROOT / "pages").rglob("*.py")]
    for term in TERMS.values():
        said = sum(term.sentence in code for code in written)
        assert not said or any(term.sentence in text for text in taken), f"{term.id} is explained in code as well"


def test_the_names_that_help_texts_ask_for_are_there():
    asked = {
        id
        for path in (ROOT / "pages").rglob("*.py")
        for id in re.findall(r"says\(['\"]([\w-]+)", path.read_text("utf-8"))
    }
    assert len(asked) >= 4 and asked <= TERMS.keys()


def test_terms_that_come_from_a_metric_say_what_its_help_says():
    metrics = {metric.id: metric for family in families().values() for metric in family.metrics}
    assert glossary.says("flip") in metrics["flips"].help
    assert "(" not in glossary.says("affirmativeness").replace("(x, ȳ)", "").replace("(x, y)", "")


def test_titles_of_charts_name_their_terms():
    words = [term["word"] for chart in labs()["stability"].charts.values() for term in glossary.found(chart.title)]
    assert {"Average regret", "Flips", "Swap probability", "affirmativeness", "Ranking stability"} <= {*words}
    assert glossary.found("The boundary of a noiseless w") == []
    assert [term["word"] for term in glossary.found("w* and flip-flops, but a flip")] == ["w*", "flip"]


def test_only_text_is_marked_and_each_term_once():
    made = Buttons(glossary.marked("<p alt='noise'>Noise, noise <code>flip</code> &amp; <b>flips</b></p>", here="flip"))
    assert [word for word, _ in made.found] == ["Noise", "flips"]
    assert (
        made.found[0][1]["data-lesson"] == "flip"
        if TERMS["noise"].lesson != "flip"
        else "data-lesson" not in made.found[0][1]
    )
    assert "data-lesson" not in made.found[1][1], "a lesson needs no link to itself"
    assert made.text == "Noise, noise flip & flips"
    known = set()
    assert "button" in glossary.marked("regret", known) and "button" not in glossary.marked("average regret", known)


def test_an_account_explains_its_words_and_says_the_same():
    sim = Simulation("banditron", "digits", replicates=1, seed=0)
    inspector = labs()["bandit"].face.inspector
    for _ in range(200):
        sim.advance(steps=1)
        if sim.last.shown.explored[0]:
            break
    account = inspector(sim, 0, Look()).html()
    assert ("explored", glossary.says("exploration")) in [(w, b.get("data-says")) for w, b in Buttons(account).found]


@pytest.mark.parametrize("lesson", lessons().values(), ids=lessons())
def test_cards_of_lessons_explain_their_words(lesson):
    made = document.of(lesson)
    found = [
        Buttons(card["text"] + (card["ask"]["after"] if card["ask"] else "") + card["found"]).found
        for card in made["cards"]
    ]
    assert any(found)
    for buttons in found:
        assert all(button["data-lesson"] != lesson.id for _, button in buttons if "data-lesson" in button)
        assert len({button["data-says"] for _, button in buttons}) == len(buttons), "once a card"
