"""Holds lessons against the labs that play them. A teacher runs `python -m pages.ui.lessons.check [file …]`."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from learners.spec import RunSpec
from pages.ui.answer.cards import judgeable
from pages.ui.families import labs
from pages.ui.form.form import Form
from pages.ui.kept import run as kept
from pages.ui.lab.lab import MODE, SCENE, Filled, Lab, T
from pages.ui.lessons import facts, numbers
from pages.ui.lessons.facts import Runs
from pages.ui.lessons.lesson import Card, Lesson, Measure
from pages.ui.lessons.library import clash, files, named, read_file, translations
from pages.ui.lessons.series import CardSeries, SeriesRun, places
from pages.ui.play.payload import SPEEDS
from pages.ui.race import limits


def problems(lesson: Lesson, runs: Runs | None = None) -> list[str]:
    """Return a sentence for everything in a lesson that does not hold: settings, highlights, links, and facts.

    runs : where the simulations are kept; the same for several lessons spares time.
    """
    runs = Runs() if runs is None else runs
    found = []
    for card in lesson.cards:
        place = f"In card {card.id} of lesson {lesson.id},"
        found += [f"{place} {problem}." for problem in dict.fromkeys(_card(card, runs))]
    if not found:  # then every card has its run
        found += [
            f"In card {card.id} of lesson {lesson.id}, {problem}."
            for card, problem in numbers.unfounded(lesson, {card.id: _known(card, runs) for card in lesson.cards})
        ]
    for number, following in enumerate(lesson.next, 1):
        place = f"In next {number} of lesson {lesson.id},"
        found += [f"{place} {problem}." for problem in _link(following.page, following.settings)]
    return found


def _known(card: Card, runs: Runs) -> set[Decimal]:
    """Return the numbers with which the run of a card is made."""
    setup = facts.setup_of(places()[card.lab], card.settings)
    return numbers.parameters(setup, runs.data(setup))


def _link(page: str, settings: dict[str, str]) -> list[str]:
    """Return what is wrong with a link into a lab."""
    return _of_a_place(labs(), page, settings)


def _of_a_place(among: Mapping[str, Lab | CardSeries], name: str, settings: dict[str, str]) -> list[str]:
    if name not in among:
        return [f"the lab must be one of {', '.join(among)}, got {name[:60]}"]
    return read_problems(among[name], settings)


def read_problems(lab: Lab | CardSeries, settings: dict[str, str]) -> list[str]:
    """Return what is wrong with the settings of a lab or a series, in sentences without capital and full stop."""
    reader = Form(settings)
    filled = lab.ask(reader)
    found = [words or f"{key[:60]} is no setting of the {lab.title}" for key, words in reader.faults().items()]
    if not isinstance(filled, Filled | SeriesRun):  # a mode without runs
        return found
    shown = list(filled.lab.charts if isinstance(filled, Filled) else lab.charts)
    if unknown := [id for id in filled.charts if id and id not in shown]:
        found.append(f"charts must be among {', '.join(shown)}, got {', '.join(unknown)[:60]}")
    if isinstance(lab, CardSeries) or isinstance(filled, SeriesRun):
        return found
    found += [words.rstrip(".") for words in kept.read(settings.get(kept.VS.name, ""), lab.ask_run)[1]]
    if not found:
        try:
            limits.check(filled.run)
        except ValueError as error:
            found.append(str(error).rstrip("."))
    return found


def _card(card: Card, runs: Runs) -> Iterator[str]:
    """Yield what is wrong with a card."""
    if wrong := _of_a_place(places(), card.lab, card.settings):
        yield from wrong
        return
    reader, lab = Form(card.settings), places()[card.lab]
    filled = lab.ask(reader)
    if not isinstance(filled, Filled | SeriesRun):
        yield f"{MODE} must be one with runs, got {card.settings[MODE]}"
        return
    setup = filled.run if isinstance(filled, Filled) else filled
    for key in (T.name, "speed", SCENE.name):
        if key in card.settings:
            yield f"{key} is no setting of a card; a card has t, and play = {{ speed = … }}"
    for key in card.controls:
        if key not in reader.known or key in reader.hidden:
            yield f"controls must be settings with a field in the {lab.title}, got {key[:60]}"
    steps = setup.steps
    to = card.play.to if card.play is not None and card.play.to is not None else 0
    for name, t in (("t", card.t or 0), ("to of play", to)):
        if t > steps:
            yield f"{name} must be a step of the run, which has {steps:,}, got {t:,}"
    if card.play is not None and card.play.speed and card.play.speed not in SPEEDS:
        yield f"speed of play must be one of {', '.join(SPEEDS)}, got {card.play.speed[:60]}"
    try:
        data = runs.data(setup)
        if isinstance(filled, Filled):
            limits.check_step(filled.run, data)
            drawn = filled.lab.drawn(filled.charts, filled.run, data)
            yield from _on_the_page(
                card, {c.id: c.metric is not None for c in drawn}, filled.lab.face.scene, setup, runs
            )
        else:
            yield from _on_the_page(card, dict.fromkeys(filled.charts, True), None, setup, runs)
        yield from _measured(card, lab, setup, runs)
        if card.hand is not None:
            yield from _by_hand(card, setup, data)
    except ValueError as error:
        yield str(error).rstrip(".")


def _on_the_page(
    card: Card, shown: Mapping[str, bool], scene: object, setup: RunSpec | SeriesRun, runs: Runs
) -> Iterator[str]:
    """Yield what is pointed at, waited for or drawn into, but is not on the page.

    shown : ids of the charts, each with whether it has curves. scene : what stands there, or the chart that does.
    """
    kind, _, id = card.point.partition(":")
    known = f"those of the card are {', '.join(shown) or 'none'}"
    if kind == "chart" and id not in shown:
        yield f"point is {card.point}, but the chart is not shown; {known}"
    picture = scene if isinstance(scene, str) else ""
    if kind == "scene" and (not scene or (picture and picture not in shown)):
        yield (
            f"point is scene, but nothing stands there; {known}" if picture else "point is scene, but the lab has none"
        )
    if kind == "event" or card.done == "event":
        learners = range(1, len(setup.learners) + 1)
        happened = {event for slot in learners for event, _ in runs.events(setup, slot, 1)}
        if kind == "event" and id not in happened:
            yield f"point is {card.point}, but in this run happens only {', '.join(sorted(happened)) or 'nothing'}"
        if not happened:
            yield "done is event, but nothing in this run is marked"
    if card.ask is not None and card.ask.kind == "curve":
        if card.ask.chart not in shown:
            yield f"the chart {card.ask.chart[:60]}, into which the person draws, is not shown; {known}"
        elif not shown[card.ask.chart]:
            yield f"nobody can draw a curve into {card.ask.chart}, which has none"
        yield from _learner(card.ask.learner, setup)


def _learner(number: int, setup: RunSpec | SeriesRun) -> list[str]:
    most = len(setup.learners)
    return [] if number <= most else [f"learner must be from 1 to {most}, which the card has, got {number}"]


def _measured(card: Card, lab: Lab | CardSeries, setup: RunSpec | SeriesRun, runs: Runs) -> Iterator[str]:
    """Yield the facts that are none, and questions whose answer is out of reach."""
    for fact in card.facts:
        settings = card.settings | fact.settings
        seeds = [{"data_seed": str(seed)} for seed in range(fact.data_seeds)] if fact.data_seeds > 1 else [{}]
        if wrong := read_problems(lab, settings | seeds[-1]):
            yield from wrong
            continue
        own = [facts.setup_of(lab, settings | seed) for seed in seeds]
        if wrong := [*_of_the_run(fact.measure, own[0])]:
            yield from wrong
            continue
        try:
            if problem := facts.check(fact, own, runs):
                yield problem
        except ValueError as error:
            yield str(error)
    if card.found is not None:
        yield from _of_the_run(card.found.measure, setup)
    truth = card.ask.truth if card.ask is not None else None
    if card.ask is not None and truth is not None:
        if wrong := [*_of_the_run(truth, setup)]:
            yield from wrong
            return
        value = facts.measured(runs.simulation(setup, truth.learner, truth.t), truth)
        if not card.ask.low <= value <= card.ask.high:
            yield f"the answer of the run, {value:.4g}, must be from low to high, {card.ask.low:g} to {card.ask.high:g}"


def _of_the_run(measure: Measure, setup: RunSpec | SeriesRun) -> Iterator[str]:
    """Yield what a measure asks of a run that it does not have."""
    yield from _learner(measure.learner, setup)
    if measure.t > setup.steps:
        yield f"t must be a step of the run, which has {setup.steps:,}, got {measure.t:,}"
    if measure.replicate > setup.replicates:
        yield f"replicate must be from 1 to {setup.replicates}, got {measure.replicate}"


def _by_hand(card: Card, setup: RunSpec | SeriesRun, data: object) -> Iterator[str]:
    """Yield why a person cannot take the place of the user."""
    assert card.hand is not None
    if isinstance(setup, SeriesRun):
        yield "a hand needs a user that clicks, and a series has none"
        return
    if wrong := _learner(card.hand.learner, setup):
        yield from wrong
        return
    user = setup.made_user()
    if setup.comparison is not None or user is None or getattr(user, "gives", "") != "clicks":
        yield "a hand needs a user that clicks, in a lab without comparison"
    chosen = setup.made()[card.hand.learner - 1]
    if getattr(chosen, "hears", "") != "user":
        yield f"a hand needs a learner that listens to the user, got {chosen.id}"
    if not judgeable(data):
        yield "a hand needs documents that a person can judge, images or titles"


def check_files(paths: Sequence[Path]) -> dict[Path, list[str]]:
    """Return for each file a sentence for everything that is wrong with its lesson."""
    runs, found = Runs(), {}
    taken: dict[int, str] = {}
    asked = {path.resolve() for path in paths}
    for path in (*(path for path in files() if path.resolve() not in asked), *paths):
        try:
            lesson = read_file(path)
        except ValueError as error:
            if path in paths:
                found[path] = str(error).splitlines()
            continue
        if path in paths:
            found[path] = [*problems(lesson, runs), *filter(None, [clash(lesson, taken)])]
        taken.setdefault(lesson.number, lesson.id)
    return found


def main(arguments: Sequence[str]) -> int:
    """Check the files named, or all of the library, print what is wrong, and return 1 if anything is."""
    paths = [named(argument) for argument in arguments] or [*files(), *translations()]
    found = check_files(paths)
    for path, sentences in found.items():
        print(f"{path.name}: {'everything holds' if not sentences else f'{len(sentences)} to mend'}")
        for sentence in sentences:
            print(f"  {sentence}")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
