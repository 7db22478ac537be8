"""A lesson as a document: plain JSON, which one runner (js/lesson.js) plays in the app and from files.

Texts have been turned into HTML in which everything else is escaped, except where "plain" is said. Steps count from 1,
0 is before the first one; cards, options and learners of the browser count as they do in the TOML file.

lesson : `format`, `version`, `id`, `lang`, `number`, `title` (plain), `minutes`, `level`, `lead`, `lab` (the id of a
    page), `papers` (`tag`, `title`; plain), `cards`, `next` (`text`, `page`: plain, `href`) and `free`, the address
    of the lab with the settings of the last card. Addresses of labs are relative to the app: "stability?noise=0.1".
card : `id`, `title` (plain), `text`, `lab`, `t` (the step at which the playhead begins, or null), `play` (`to`: a step,
    null for the end of the run; `speed`: steps a second as a text, or "max", "" for that of the player; or null),
    `point` (what is pointed at), `controls` (keys of settings that the person may change), `done` (what the card waits
    for), `found` (a text in which "{}" stands for what came out, or ""), `href` (address of the lab with its settings),
    `ask` and `hand`, each null where there is none.
ask : `kind` ("choice", "number" or "curve"), `question`, `after`, `options`, `right` (from 0), `wrong` (a text for some
    options, by their numbers), `low`, `high`, `step` and `unit` (plain) of a number, `chart` and `learner` (from 1) of
    a curve, `t` (the step whose value is asked for, or null).
hand : `queries` (how many lists the person answers), `learner` (from 1), `then` (searches that the simulated user then
    answers), `href` (address of the card on the page of lessons).

From files, a card also has what a server would be asked for:

`run` : address of the file with its recording, relative to the page, null for a card by hand. `truth` : the number that
    came out, of its question or of `found`, or null.
`stops` : null, or the recorded values of its control: `key`, `label` and `help` (plain), `texts` (plain), `runs` and
    `truths` (one each for every value), `at` (the number of the value with which the card begins).
`tree` : null, or the recorded searches of a card by hand (tree.py), or the address of a file with them. Without it the
    card is read, and leads to the app if there is one.

The runner tells a page `{kind: "answered", card, ask, question, value, response, right, points}` once for each answer
that was compared with what came out, with 0 to 1 points (a choice or a number 0 or 1; a curve .5 if it is near), and
`{kind: "completed", points, of}` at the end of the last card, with as many points as there are questions at most. It
keeps `{place, completed, cards: {id: {value, points, played, done, clicks}}}`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from datasets.parameters import Parameter
from learners import Simulation
from learners.catalogue import works
from pages.ui import glossary
from pages.ui.families import labs
from pages.ui.form.form import Form
from pages.ui.lessons import facts, tree
from pages.ui.lessons.lesson import Ask, Card, Lesson
from pages.ui.lessons.series import CardSeries, SeriesLineRun, SeriesRun, places
from pages.ui.lessons.words import line_to_html, to_html
from pages.ui.race.knob import knobs_of

FORMAT, VERSION = "feedback-lab lesson", 1
STOPS = 5  # values of a control that is no knob of the lab


def link(page: str, settings: Mapping[str, str]) -> str:
    """Return the address of a page with some settings, seen from a page of the app."""
    return f"{page}?{urlencode(settings)}" if settings else page


def _lab_link(card: Card, stays: Mapping[str, str]) -> str:
    """Return the address at which the free lab has what a card plays."""
    lab = places()[card.lab]
    page, query = lab.link(card.settings) if isinstance(lab, CardSeries) else (card.lab, card.settings)
    return link(page, {**query, **stays})


def of(lesson: Lesson, stays: Mapping[str, str] = {}) -> dict[str, Any]:
    """Return the document of a lesson as the app plays it. stays : part of every link."""
    last = lesson.cards[-1]
    return {
        "format": FORMAT, "version": VERSION,
        "id": lesson.id, "lang": lesson.language, "number": lesson.number, "title": lesson.title,
        "minutes": lesson.minutes, "level": lesson.level, "lead": to_html(lesson.lead), "lab": lesson.lab,
        "papers": [{"tag": tag, "title": works()[tag]} for tag in lesson.papers],
        "cards": [_card(lesson, number, stays) for number in range(len(lesson.cards))],
        "next": [
            {
                "text": line_to_html(each.text), "page": labs()[each.page].title,
                "href": link(each.page, {**each.settings, **stays}),
            }
            for each in lesson.next
        ],
        "free": _lab_link(last, stays),
    }  # fmt: skip


def _card(lesson: Lesson, number: int, stays: Mapping[str, str]) -> dict[str, Any]:
    card, known = lesson.cards[number], set[str]()  # terms that are marked already

    def text(written: str) -> str:
        return glossary.marked(to_html(written), known, lesson.id)

    made_by_hand = None
    if (hand := card.hand) is not None:
        spoken = {} if lesson.language == "en" else {"lang": lesson.language}
        here = link("lessons", {"lesson": lesson.id, "card": str(number + 1), **spoken, **stays})
        made_by_hand = {"queries": hand.searches, "learner": hand.learner, "then": hand.then, "href": here}
    return {
        "id": card.id, "title": card.title, "text": text(card.text), "lab": card.lab, "t": card.t,
        "play": {"to": card.play.to, "speed": card.play.speed} if card.play is not None else None,
        "point": card.point, "controls": list(card.controls), "done": card.done,
        "ask": _ask(card.ask, text) if card.ask is not None else None,
        "hand": made_by_hand,
        "found": text(card.found.text) if card.found is not None else "",
        "href": _lab_link(card, stays),
    }  # fmt: skip


def _ask(ask: Ask, text: Callable[[str], str]) -> dict[str, Any]:
    return {
        "kind": ask.kind, "question": to_html(ask.question), "after": text(ask.after),
        "options": [line_to_html(option) for option in ask.options], "right": ask.right,
        "wrong": {key: to_html(text) for key, text in ask.wrong.items()}, "low": ask.low, "high": ask.high,
        "step": ask.step, "unit": ask.unit, "chart": ask.chart, "learner": ask.learner,
        "t": ask.truth.t if ask.truth is not None else None,
    }  # fmt: skip


# ---- from files --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CardRun:
    """A card played from a file: the address of its recording, and the simulations that ran to their ends."""

    address: str
    simulations: Sequence[Simulation | SeriesLineRun]


def for_files(lesson: Lesson, play: Callable[[str, Mapping[str, str]], CardRun], trees: bool = True) -> dict[str, Any]:
    """Return the document of a lesson that needs no server.

    play : function from the id of a lab and its settings to what is played with them; the same settings may come again.
    trees : whether cards by hand are recorded; else they are read.
    """
    made = of(lesson)
    for card, written in zip(lesson.cards, made["cards"], strict=True):
        written |= {"run": None, "truth": None, "stops": None, "tree": None}
        if card.hand is not None:
            written["tree"] = tree.grow(card) if trees else None
            if not trees:
                written["done"] = "read"
            continue
        played = play(card.lab, card.settings)
        written |= {"run": played.address, "truth": truth(card, played.simulations)}
        if card.controls:
            written["stops"] = _stops(card, play)
    return made


def truth(card: Card, simulations: Sequence[Simulation | SeriesLineRun]) -> float | None:
    """Return the number that the card asks for or tells, None if there is none, or the runs have not come as far."""
    measure = card.ask.truth if card.ask is not None else card.found.measure if card.found is not None else None
    if measure is None or simulations[measure.learner - 1].t < measure.t:
        return None
    try:
        return facts.measured(simulations[measure.learner - 1], measure)
    except ValueError:  # it broke off before; the player says so
        return None


def _stops(card: Card, play: Callable[[str, Mapping[str, str]], CardRun]) -> dict[str, Any]:
    """Return the values of the card's first control with what each plays."""
    key = card.controls[0]
    form = Form(card.settings)
    lab = places()[card.lab]
    setup = lab.ask_run(form)
    slots, knob = tuple(range(1, len(setup.learners) + 1)), None
    if not isinstance(lab, CardSeries) and not isinstance(setup, SeriesRun):
        knob = next((k for k in knobs_of(setup, lab.knobs, slots, lab.family) if k.key == key), None)
    parameter, label = form.asked[key]
    now = form.value(parameter, key)
    values = knob.values if knob is not None else _values(parameter, now)
    texts, names = [parameter.format(value) for value in values], lab.names if isinstance(lab, CardSeries) else {}
    played = [play(card.lab, {**card.settings, key: text}) for text in texts]
    return {
        "key": key, "label": knob.label if knob is not None else label, "help": parameter.help,
        "texts": [names.get(text, text) for text in texts], "runs": [each.address for each in played],
        "truths": [truth(card, each.simulations) for each in played], "at": list(values).index(now),
    }  # fmt: skip


def _values(parameter: Parameter, now: Any) -> tuple[Any, ...]:
    """Return some values of a parameter in order, with the present one: doubled and halved where it is a number."""
    if parameter.kind == "choice":
        return tuple(parameter.choices)
    near = {now} | {parameter.check(type(now)(now * 2.0**by)) for by in range(-2, 3) if _fits(parameter, now * 2.0**by)}
    return tuple(sorted(near))[: STOPS + 1]


def _fits(parameter: Parameter, value: float) -> bool:
    return bool(parameter.low <= value <= parameter.high) and (parameter.kind != "integer" or value == int(value))
