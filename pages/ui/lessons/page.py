"""The page of the lessons: the list of all, or the one in the address, with its card beside the lab's player."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import streamlit as st

from datasets.parameters import Parameter
from learners import Simulation
from pages.ui import exports, follow
from pages.ui.component import heard
from pages.ui.draw.markup import STYLE, bars
from pages.ui.draw.theme import look, title
from pages.ui.files.sharing import load_data
from pages.ui.form.controls import Controls
from pages.ui.form.form import Form, each, known
from pages.ui.form.links import PRESENT, choice_of
from pages.ui.form.settings import Settings
from pages.ui.lab.lab import SCENE, T
from pages.ui.lessons import cards, document, hand, handout, replay, shelf, tally
from pages.ui.lessons.languages import NAMES, SAYS
from pages.ui.lessons.lesson import Card, Lesson
from pages.ui.lessons.library import lessons, mistakes, spoken
from pages.ui.lessons.series import SeriesLineRun, SeriesRun, places
from pages.ui.lessons.tally import TALLY
from pages.ui.plain import plain
from pages.ui.play.payload import SPEEDS
from pages.ui.share import dialog, presentation

ID = "lessons"  # of the page and its stage, in keys
LESSON = Parameter("lesson", "text", "", help="The id of the lesson that is open.")
CLASS = Parameter("class", "text", "", help="The code of a class whose answers are counted.")
TEACHER = Parameter("tally", "flag", False, help="Whether the counts of the class are shown before one has answered.")
LANGUAGE = choice_of("lang", "en", list(NAMES), "The language of lessons that are translated.")
ON_PAPER = Parameter("handout", "flag", False, help="Whether the lesson is shown as it is printed.")
CARDS, HAND = f"{ID}:cards", f"{ID}:clicked"  # keys of the browser's part, and of what it sent of a card by hand
AGAIN = 3.0  # seconds between two looks at the counts of a class


def ask(form: Form) -> None:
    """Ask for everything that may stand in the address."""
    lesson = lessons().get(form.get(LESSON))
    each(CLASS, TEACHER, PRESENT, LANGUAGE, ON_PAPER, _card_of(lesson), T, SCENE, _speed_of(""))(form)


def _controls(query: Mapping[str, str]) -> set[str]:
    """Return the settings of the labs in which a lesson plays, which a link may lock and hide."""
    lesson = lessons().get(query.get(LESSON.name, ""))
    return {key for card in lesson.cards for key in known(places()[card.lab].ask, card.settings)} if lesson else set()


def _card_of(lesson: Lesson | None) -> Parameter:
    return Parameter("card", "integer", 1, 1, len(lesson.cards) if lesson else 1, help="The card, from 1.")


def _speed_of(default: str) -> Parameter:
    return choice_of("speed", default or SPEEDS[-1], list(SPEEDS))


def run() -> None:
    """Draw the page."""
    settings = Settings(ID, ask, played=("card", T.name, SCENE.name, "speed"), controls=_controls)
    if not settings.query:  # the bare address is the list, also for those who come back
        settings.values.clear()
    id, code = settings.get(LESSON), settings.get(CLASS)
    settings.get(TEACHER)
    language, on_paper = settings.get(LANGUAGE), settings.get(ON_PAPER)
    settings.write()
    lesson = lessons(language).get(id)
    if id and lesson is None:
        settings.problems[:] = [f"There is no lesson “{id[:60]}”. All that there are stand below."]
    if wrong := tally.problem(code):
        settings.problems[:] = [*settings.problems, wrong]
    if lesson is None:
        _list(settings)
    elif on_paper:
        with title(lesson.title):
            _ways(settings, lesson, {})
        handout.show(lesson)
    else:
        _play(settings, lesson, "" if wrong else code)


# ---- the list ------------------------------------------------------------------------------------------


def _list(settings: Settings) -> None:
    place = title(
        "Lessons",
        "Each lesson is a few cards beside a lab. A card asks what you expect, then the lab plays, and you see whether "
        "it happens.",
    )
    presentation.frame(settings, place)
    settings.show_problems()
    for mistake in mistakes():
        st.error(plain(mistake), icon=":material/rule:")
    language = settings.get(LANGUAGE)
    speaks = {LANGUAGE.name: language} if language != "en" else {}
    shelf.show(f"{ID}:list", lessons(language), _class(settings.get(CLASS)) | speaks | settings.sticky_query)
    dialog.offer(settings, place, "Lessons", without=(TEACHER.name,), count=partial(_count, settings))


def _count(settings: Settings) -> None:
    """Draw, in the dialog that shares the page, whether the predictions of a class are counted."""
    code = str(settings.get(CLASS, noted=False))
    words = f" in the class {plain(code)}" if code else ""
    wanted = st.toggle(
        f"Count the predictions of those who open the link and join{words}", bool(code), key="share-count",
        help="Your page then shows how often each answer was given. There are no names, and the counts stay in the "
        "memory of this server for some hours only.",
    )  # fmt: skip
    if wanted != bool(code):
        settings.set(CLASS, tally.new_code() if wanted else "")
        settings.set(TEACHER, wanted)
        follow.stay_open()


def _class(code: str) -> dict[str, str]:
    return {CLASS.name: code} if code else {}


# ---- a lesson ------------------------------------------------------------------------------------------


def _play(settings: Settings, lesson: Lesson, code: str) -> None:
    place = _card_of(lesson)
    number = min(settings.get(place, noted=False), len(lesson.cards)) - 1
    card = lesson.cards[number]
    beside = title(lesson.title)
    presentation.frame(settings, beside)
    with beside:
        _ways(settings, lesson, _class(code))
    settings.show_problems()
    if settings.present:
        st.html("<style>.fl-card { font-size: clamp(1rem, 2.4vh, 1.35rem); }</style>")
    left, right = st.columns([2, 3], gap="medium")
    with left:
        shown, below, counted = st.container(), st.container(), st.container(key=f"{ID}-counts")
    name = f"{ID}:{lesson.id}:{card.id}"
    projected = {PRESENT.name: "true"} if settings.present else {}
    reader = Controls(card.settings | projected, card.controls, name, settings)
    with below, st.container(border=True) if card.controls else nullcontext():
        filled = places()[card.lab].ask(reader)
        settings.show_locks()
    data: dict[str, Any] = {"run": None, "truths": {}, "hand": None}
    draw: Callable[[], Any] | None = None
    with right:
        if isinstance(filled, SeriesRun):
            made = replay.made(filled, look())
            data |= {"run": made["run"], "truths": _truths(card, filled.simulations)}
            speed = settings.get(_speed_of("100"), noted=False)
            draw = partial(replay.show, ID, made, speed, settings.present)
        elif card.hand is not None:
            specs = filled.lab.drawn(filled.charts, filled.run, load_data(filled.run.dataset))
            data["hand"] = hand.show(name, card.hand, filled.run, specs, filled.view, _clicks(name))
            st.html('<div class="fl-hand"></div>')  # in which the cards draw the lists
        elif (stage := filled.lab.prepare(filled, ID)) is not None:
            recording = stage.open()
            data |= {"run": recording.name, "truths": _truths(card, recording.simulations)}
            filled.lab.let_play(stage, settings)
            stage.hidden |= {"preview"}  # it would tell what a card asks
            draw = stage.show
    counts = tally.of_lesson(TALLY, code, lesson) if code else None
    data |= {
        "lesson": document.of(lesson, settings.sticky_query), "card": number, "changed": sorted(reader.changed),
        "tally": counts, "code": code,
    }  # fmt: skip
    with shown:
        cards.show(CARDS, data, card=partial(_turned, settings, lesson), answer=partial(_answered, lesson, code),
                   hand=partial(_clicked, name))  # fmt: skip
    with right:
        if draw is not None:
            draw()
    if code and settings.get(TEACHER):
        with counted:  # below the question, so that it covers no chart
            _counts(lesson, number, code)
            exports.button(SAYS[lesson.language]["csv"], partial(tally.to_csv, TALLY, code, lesson),
                           f"{lesson.id}-{code}.csv", "text/csv", "table")  # fmt: skip
    dialog.offer(settings, beside, lesson.title, without=(TEACHER.name,), count=partial(_count, settings))


def _turned(settings: Settings, lesson: Lesson) -> None:
    """Open the card that the browser has turned to. The same card again asks for what was not computed yet."""
    number = heard(CARDS, "card")
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(lesson.cards):
        settings.set(_card_of(lesson), number + 1)


def _truths(card: Card, simulations: Sequence[Simulation | SeriesLineRun]) -> dict[str, float]:
    """Return what came out, if the card asks for a number or tells one, and the run has come as far."""
    found = document.truth(card, simulations)
    return {} if found is None else {card.id: found}


def _clicked(name: str) -> None:
    """Note what a person has clicked in the lists of a card by hand."""
    st.session_state[HAND] = name, heard(CARDS, "hand")


def _clicks(name: str) -> Any:
    whose, sent = st.session_state.get(HAND, ("", None))
    return sent if whose == name else None


def _ways(settings: Settings, lesson: Lesson, code: Mapping[str, str]) -> None:
    """Draw the links to all lessons, to the other languages of this one, and to its handout or back."""
    page, now, says = "pages/lessons.py", lesson.language, SAYS[lesson.language]
    stays = dict(code) | settings.sticky_query
    speaks = {LANGUAGE.name: now} if now != "en" else {}
    here = stays | {LESSON.name: lesson.id} | speaks
    with st.container(horizontal=True, width="content", key=f"{ID}-ways"):
        st.page_link(page, label=says["all"], icon=":material/school:", query_params=stays | speaks)
        if settings.get(ON_PAPER, noted=False):
            st.page_link(page, label=says["lesson"], icon=":material/arrow_back:", query_params=here)
        else:
            given = here | {ON_PAPER.name: "true"}
            st.page_link(page, label=says["handout"], icon=":material/print:", query_params=given)
        for language in spoken(lesson.id):
            if language != now:
                wanted = stays | {LESSON.name: lesson.id, LANGUAGE.name: language}
                st.page_link(page, label=NAMES[language], icon=":material/language:", query_params=wanted)


# ---- the class -----------------------------------------------------------------------------------------


def _answered(lesson: Lesson, code: str) -> None:
    """Count a prediction, once for each card. The browser sends only those of a person who has joined."""
    sent = heard(CARDS, "answer")
    if not code or not isinstance(sent, dict):
        return
    asked = {card.id: card.ask for card in lesson.cards}
    card = sent.get("card")
    ask = asked.get(card) if isinstance(card, str) else None
    counted: set[Any] = st.session_state.setdefault(f"{ID}:counted", set())
    if ask is None or (code, lesson.id, card) in counted:
        return
    if TALLY.add(code, lesson.id, str(card), ask, sent.get("value")):
        counted.add((code, lesson.id, card))


def _counts(lesson: Lesson, number: int, code: str) -> None:
    """Show the counts of the card's question, or of the latest one before it, and look again every few seconds."""
    asking = [card for card in lesson.cards[: number + 1] if card.ask is not None and card.ask.kind != "curve"]
    if not asking:
        st.caption(SAYS[lesson.language]["later"])
        return
    card = asking[-1]
    ask = card.ask
    assert ask is not None

    @st.fragment(run_every=AGAIN)
    def draw() -> None:
        counts = TALLY.counts(code, lesson.id, card.id, ask)
        people = sum(counts)
        words = SAYS[lesson.language]["expects"]
        st.caption(words.format(code=plain(code), title=plain(card.title), people=people))
        rows = tally.rows(ask, counts, lesson.language)
        st.html(STYLE + bars([(label, n, str(n), False) for label, n in rows], look().colors[0]))

    draw()
