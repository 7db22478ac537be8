"""The declaration of a lesson, read from a TOML file and checked as far as its form goes.

`check.py` holds a lesson against the lab that plays it and against what its runs give.
"""

import re
import tomllib
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from learners.catalogue import works
from pages.ui import moved
from pages.ui.lessons.languages import NAMES, translated
from pages.ui.lessons.table import TomlTable
from pages.ui.lessons.words import count, to_html

LEVELS = ("first steps", "further", "for researchers")
CARDS, WORDS, OPTIONS, NEXT = (2, 8), (30, 90), (2, 6), 2  # fewest and most of each; most things to try at the end
MINUTES, SEARCHES, EXAM, MOST_SEEDS = 60, 10, 3, 30
LONGER = 1.3  # how much longer a text may be in another language
POINTS, DONE = (
    ("scene", "timeline", "inspector", "table"),
    ("read", "answered", "reached", "paused", "event", "clicked"),
)
WAYS = ("choice", "number", "curve")


@dataclass(frozen=True)
class Measure:
    """A number that a run gives: a metric of a learner (from 1) after step t.

    replicate : from 1, or 0 for the mean over all of them. over : the mean over so many steps up to t.
    """

    metric: str
    learner: int
    t: int
    replicate: int = 0
    over: int = 1


@dataclass(frozen=True)
class Fact:
    """Something that a card states and the run must give: a measure, or an event of a learner in step t.

    holds : "is" (rounded as `value` is written), "above", "below" or "event". settings : in which its run differs from
    that of the card, such as another seed. data_seeds : over how many data sets, drawn with the seeds from 0 on, it
    holds: the mean of all "is" the value, and each is "above" or "below" it.
    """

    measure: Measure
    holds: str
    value: Decimal = Decimal(0)
    event: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    data_seeds: int = 1


@dataclass(frozen=True)
class Ask:
    """A prediction, which is locked before anything plays. See CONTRIBUTING for the fields of each kind."""

    kind: str
    question: str
    after: str
    options: tuple[str, ...] = ()
    right: int = 0
    wrong: dict[str, str] = field(default_factory=dict)
    low: float = 0.0
    high: float = 1.0
    step: float = 0.1
    unit: str = ""
    truth: Measure | None = None
    chart: str = ""
    learner: int = 1


@dataclass(frozen=True)
class Play:
    """The target of Play: a step, or the end of the run if None, at a speed ("" for that of the lab)."""

    to: int | None = None
    speed: str = ""


@dataclass(frozen=True)
class Finding:
    """A sentence on the run as the person has set it: a text in which "{}" stands for the value that the run gives."""

    text: str
    measure: Measure


@dataclass(frozen=True)
class Hand:
    """The person is the user of a learner for some searches, and then the simulated user is for `then` steps."""

    searches: int
    learner: int = 1
    then: int = 1000


@dataclass(frozen=True)
class Card:
    """One card. lab, settings : those in force, with what earlier cards have set.

    told : where numbers of its texts come from that no run of the lesson gives, by the number as it is written.
    """

    id: str
    title: str
    text: str
    lab: str
    settings: dict[str, str]
    t: int | None = None
    play: Play | None = None
    point: str = ""
    controls: tuple[str, ...] = ()
    done: str = "read"
    ask: Ask | None = None
    hand: Hand | None = None
    found: Finding | None = None
    facts: tuple[Fact, ...] = ()
    told: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Next:
    """Something to try in the free lab: a sentence, and the page with its settings."""

    text: str
    page: str
    settings: dict[str, str]


@dataclass(frozen=True)
class Note:
    """The notes on a lesson for a teacher.

    aim : what one can do afterwards. before : what one must know. wrong : typical wrong answers, each with what it
    reveals. exam : questions for the exam.
    """

    aim: str
    before: str
    wrong: tuple[tuple[str, str], ...]
    exam: tuple[str, ...]


@dataclass(frozen=True)
class Lesson:
    """A lesson. language : of its texts."""

    id: str
    title: str
    number: int
    minutes: int
    level: str
    lead: str
    papers: tuple[str, ...]
    lab: str
    settings: dict[str, str]
    cards: tuple[Card, ...]
    next: tuple[Next, ...]
    teacher: Note | None = None
    language: str = "en"


def read(text: str, id: str, words: str = "", language: str = "en") -> Lesson:
    """Return the lesson that a TOML text declares. id : the name of its file without the ending.

    words : a TOML text with its texts in another language, which take the place of those in English.

    Raises
    ------
    ValueError : with a sentence on each line for everything that is wrong.
    """
    problems: list[str] = []
    values, name = _parsed(text, id), id
    lesson = _lesson(TomlTable(f"lesson {id}", values, problems), id, language)
    if language != "en" and not problems:
        name = f"{id}.{language}"
        if language not in NAMES:
            raise ValueError(f"The language of {name}.toml must be one of {', '.join(NAMES)}, got {language}.")
        values = translated(values, TomlTable(f"lesson {name}", _parsed(words, name), problems))
        lesson = lesson if problems else _lesson(TomlTable(f"lesson {name}", values, problems), id, language)
    if problems:
        raise ValueError("\n".join(problems))
    return lesson


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}.toml is not valid TOML. {error}.") from None
    except RecursionError:
        raise ValueError(f"{name}.toml is nested too deep.") from None


def _lesson(table: TomlTable, id: str, language: str) -> Lesson:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id):
        table.say("the name of the file must be small letters, digits and hyphens")
    title, lead = table.text("title"), table.text("lead")
    _written(table, lead)
    number, minutes = table.whole("number", 1), table.whole("minutes", 1, MINUTES)
    level, papers = table.choice("level", LEVELS), table.texts("papers")
    for paper in papers:
        if paper not in works():
            table.say(f"papers must be among {', '.join(works())}, got {paper[:60]}")
    lab, settings = moved.now(table.text("lab"), table.settings())
    cards: list[Card] = []
    now = lab, settings
    for each in table.tables("cards"):
        cards.append(_card(each, *now, WORDS[1] if language == "en" else int(LONGER * WORDS[1])))
        now = cards[-1].lab, cards[-1].settings
    ids = [card.id for card in cards]
    for double in sorted({id for id in ids if id and ids.count(id) > 1}):
        table.say(f"two cards have the id {double}; each needs one of its own")
    if not CARDS[0] <= len(cards) <= CARDS[1]:
        table.say(f"there must be {CARDS[0]} to {CARDS[1]} cards, got {len(cards)}")
    if cards and not any(card.ask for card in cards):
        table.say("no card asks; at least one must ask for a prediction before it shows what happens")
    following = table.parts("next", _next)
    if len(following) > NEXT:
        table.say(f"there must be at most {NEXT} things to try, [[next]], got {len(following)}")
    note = table.part("teacher", _note)
    table.end()
    return Lesson(
        id, title, number, minutes, level, lead, papers, lab, settings, tuple(cards), following, note, language
    )


def _note(table: TomlTable) -> Note:
    aim, before, exam = table.text("aim"), table.text("before"), table.texts("exam", EXAM, EXAM)
    wrong = table.parts("wrong", lambda each: (each.text("says"), each.text("reveals")))
    if not wrong:
        table.say("wrong must name at least one typical wrong answer, as says and reveals")
    _written(table, aim, before, *exam, *(text for pair in wrong for text in pair))
    return Note(aim, before, wrong, exam)


def _card(table: TomlTable, lab: str, settings: dict[str, str], most: int) -> Card:
    id = table.text("id")
    table.where = f"card {id[:60]}" if id else table.where
    title, text = table.text("title"), table.text("text")
    _written(table, title, text)
    if text and not WORDS[0] <= (words := count(text)) <= most:
        table.say(f"text must have {WORDS[0]} to {most} words, got {words}")
    own = table.text("lab", "")
    # a card that names its lab, also the same, begins anew: the settings of earlier cards end there
    own, given = moved.now(own, table.settings())
    settings = ({} if own else settings) | given
    t = table.whole("t", 0) if "t" in table else None
    table.known.add("t")
    play = table.part("play", _play)
    point, controls, done = (
        table.text("point", ""),
        table.texts("controls"),
        table.text("done", "answered" if "ask" in table else "read"),
    )
    kind, _, rest = point.partition(":")
    if point and point not in POINTS and not (kind in ("chart", "event", "setting") and rest):
        table.refuse("point", f"{', '.join(POINTS)}, chart:ID, event:ID or setting:KEY")
    if done not in DONE and not (done.startswith("changed:") and done != "changed:"):
        table.refuse("done", f"{', '.join(DONE)} or changed:KEY")
    facts = table.parts("facts", _fact)
    told = table.part("told", lambda reasons: {number: reasons.text(number) for number in reasons.values})
    card = Card(
        id, title, text, own or lab, settings, t, play, point, controls, done, table.part("ask", _ask),
        table.part("hand", _hand), table.part("found", _found), facts, told or {},
    )  # fmt: skip
    _together(table, card)
    table.end()
    return card


def _play(table: TomlTable) -> Play:
    table.known.add("to")
    return Play(table.whole("to", 1) if "to" in table else None, table.text("speed", ""))


def _together(table: TomlTable, card: Card) -> None:
    """Check that the parts of a card fit one another."""
    if card.done == "answered" and card.ask is None:
        table.say('done is "answered", but the card asks nothing')
    if (card.done == "clicked") != (card.hand is not None):
        table.say('a card with a hand must have done = "clicked", and no other card may')
    if card.found is not None and not card.done.startswith("changed:"):
        table.say("found tells what the person has found, so that done must be changed:KEY")
    if card.done == "reached" and card.play is None:
        table.say('done is "reached", but the card has no play')
    if card.done.startswith("changed:") and card.done.removeprefix("changed:") not in card.controls:
        table.say(f"done is {card.done}, but the setting is not among controls")
    if card.point.startswith("setting:") and card.point.removeprefix("setting:") not in card.controls:
        table.say(f"point is {card.point}, but the setting is not among controls, so that it is not on the page")
    if card.hand is not None and (card.play or card.point or card.controls or card.t or card.ask):
        table.say(
            "a card with a hand has no play, point, controls, t or ask, since its lists stand in place of the lab"
        )
    if card.ask is not None and card.controls:
        table.say("a card that asks has no controls, since they would change what is true")
    if card.play is not None and card.play.to is not None and card.play.to <= (card.t or 0):
        table.say(f"play must go to a step after t = {card.t or 0}, got {card.play.to}")


def _ask(table: TomlTable) -> Ask:
    kind, question, after = table.choice("kind", WAYS), table.text("question"), table.text("after")
    _written(table, question, after)
    options: tuple[str, ...] = ()
    right, wrong, low, high, step = 0, {}, Decimal(0), Decimal(1), Decimal(1)
    truth, unit, chart, learner = None, "", "", 1
    if kind == "choice":
        options = table.texts("options", *OPTIONS)
        right = table.whole("right", 0, max(len(options) - 1, 0))
        others = [str(i) for i in range(len(options)) if i != right]
        if (told := table.table("wrong")) is not None:
            wrong = {key: told.text(key) for key in told.values if key in others}
            told.known |= set(others)
            told.end()
        _written(table, *options, *wrong.values())
    elif kind == "number":
        low, high, step = table.number("low"), table.number("high"), table.number("step")
        if low >= high:
            table.say(f"low must be below high, got {low} and {high}")
        elif not 0 < step <= high - low:
            table.say(f"step must be above 0 and at most high − low, got {step}")
        unit = table.text("unit", "")
        truth = table.part("truth", _measure)
        if truth is None:
            table.say("truth is missing; it names the metric, learner, t and replicate that give the right number")
    elif kind == "curve":
        chart, learner = table.text("chart"), table.whole("learner", 1, default=1)
    numbers = float(low), float(high), float(step)
    return Ask(kind, question, after, options, right, wrong, *numbers, unit, truth, chart, learner)


def _hand(table: TomlTable) -> Hand:
    return Hand(
        table.whole("queries", 1, SEARCHES), table.whole("learner", 1, default=1), table.whole("then", 1, default=1000)
    )


def _found(table: TomlTable) -> Finding:
    found = Finding(table.text("text"), _measure(table))
    _written(table, found.text)
    if found.text.count("{}") != 1:
        table.say("text must have {} once, where the number of the run stands")
    return found


def _measure(table: TomlTable, metric: str | None = None) -> Measure:
    """Return a measure. metric : what stands in place of the metric, for events."""
    name = table.text("metric") if metric is None else metric
    learner, t = table.whole("learner", 1, default=1), table.whole("t", 1)
    over = table.whole("over", 1, max(t, 1), default=1) if metric is None else 1
    replicate = 0
    if table.values.get("replicate") != "mean":
        replicate = table.whole("replicate", 1)
    table.known.add("replicate")
    return Measure(name, learner, t, replicate, over)


def _fact(table: TomlTable) -> Fact:
    if "event" in table:
        event = table.text("event")
        fact = Fact(_measure(table, ""), "event", event=event, settings=table.settings())
        if fact.measure.replicate == 0:
            table.say("an event needs the number of a replicate, since each replicate has its own events")
    else:
        measure = _measure(table)
        given = [name for name in ("is", "above", "below") if name in table]
        if len(given) != 1:
            table.say("a fact must have exactly one of is, above and below")
        value = table.number(given[0]) if given else Decimal(0)
        seeds = table.whole("data_seeds", 1, MOST_SEEDS, default=1)
        fact = Fact(measure, given[0] if given else "is", value, settings=table.settings(), data_seeds=seeds)
        table.known |= {"is", "above", "below", "event"}
    return fact


def _next(table: TomlTable) -> Next:
    found = Next(table.text("text"), *moved.now(table.text("page"), table.settings()))
    _written(table, found.text)
    return found


def _written(table: TomlTable, *texts: str) -> None:
    """Check that texts can be set."""
    for text in texts:
        try:
            to_html(text)
        except ValueError as error:
            table.say(str(error))
