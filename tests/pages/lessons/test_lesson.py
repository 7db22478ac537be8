"""The declaration of a lesson: what is read from a file, and the sentence for everything that is wrong in one."""

import os
import re
import textwrap
from dataclasses import replace
from decimal import Decimal

import pytest

from pages.ui.lessons import check, handout, languages, library, numbers
from pages.ui.lessons.facts import Runs
from pages.ui.lessons.lesson import LEVELS, Fact, Measure, Play, read
from pages.ui.lessons.library import files, translations
from tests.conftest import ROOT
from tests.pages.lessons.sample import SAMPLE, changed


def sentences(text: str) -> list[str]:
    """Return what is wrong with the form of a lesson."""
    with pytest.raises(ValueError) as error:
        read(text, "flipping")
    return str(error.value).splitlines()


def test_a_lesson_is_read_with_everything_in_it():
    lesson = read(SAMPLE, "flipping")
    assert (lesson.id, lesson.number, lesson.minutes, lesson.level) == ("flipping", 90, 5, "first steps")
    meet, guess, why, _, yourself = lesson.cards
    assert meet.play == Play(57, "25") and meet.done == "reached" and meet.t is None
    assert meet.facts[0] == Fact(Measure("rank-of-best-predicted", 1, 20, 1), "is", Decimal(10))
    assert meet.facts[1] == Fact(Measure("", 1, 20, 1), "event", event="best-lost")
    assert guess.done == "answered" and guess.ask.truth == Measure("flips", 1, 200, 1) and guess.ask.high == 50.0
    assert why.ask.options[why.ask.right] == "the second" and why.ask.wrong == {
        "0": "It is tempting, since it moves fast."
    }
    assert yourself.hand.searches == 2 and yourself.hand.then == 50
    assert [each.page for each in lesson.next] == ["stability", "coactive"]


def test_settings_stay_for_later_cards_and_end_with_the_lab():
    cards = read(SAMPLE, "flipping").cards
    assert cards[0].settings["steps"] == "200" and cards[0].settings["replicates"] == "1"
    assert "noise" not in cards[2].settings and cards[3].settings["noise"] == "0.1"
    assert cards[4].settings["noise"] == "0.2" and cards[4].settings["feedback-1"] == "swap"
    moved = read(changed(('id = "noise"', 'id = "noise"\nlab = "coactive"')), "flipping").cards
    assert moved[3].settings == {"noise": "0.1"} and moved[4].lab == "coactive"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("minutes = 5", "minutes = 5\ncolour = 1", "In lesson flipping, colour is not known; known are "),
        ("minutes = 5", "minutes = 0", "In lesson flipping, minutes must be a whole number from 1 to 60, got 0."),
        ("minutes = 5", "", "In lesson flipping, minutes must be a whole number from 1 to 60, got nothing."),
        ('level = "first steps"', 'level = "easy"', "level must be one of first steps, further, "),
        ('papers = ["S"]', 'papers = ["X"]', "papers must be among C, S, B, G, V, "),
        ('title = "Meet the user"', "", "In card meet, title must be a text that is not empty, got nothing."),
        ('id = "guess"', 'id = "meet"', "In lesson flipping, two cards have the id meet; each needs one of its own."),
        (" Press Play & watch the *rank* of the good document, which is $1$ at best.", "",
         "In card meet, text must have 30 to 90 words, got 29."),
        ("*rank*", "**rank*", "In card meet, each ** needs a partner, got "),
        ("$1$", "$1", "In card meet, each $ needs a partner, got "),
        ('done = "reached"', 'done = "seen"', "In card meet, done must be read, answered, "),
        ('done = "reached"', 'done = "answered"', 'In card meet, done is "answered", but the card asks nothing.'),
        ('done = "reached"', 'done = "clicked"', 'a card with a hand must have done = '),
        ('point = "chart:rank-of-best"', 'point = "chart"', "In card meet, point must be scene, "),
        ('to = 57', 'to = 0', "In play of card meet, to must be a whole number of at least 1, got 0."),
        ("high = 50", "high = 0", "In ask of card guess, low must be below high, got 0 and 0."),
        ("step = 1", "step = 60", "In ask of card guess, step must be above 0 and at most high − low, got 60."),
        ("right = 1", "right = 3", "In ask of card why, right must be a whole number from 0 to 2, got 3."),
        ('wrong = { 0 =', "wrong = { 1 =", "In wrong of ask of card why, 1 is not known; known are 0, 2."),
        ('"neither"', '"the first"', "In ask of card why, options must be 2 to 6 texts that differ"),
        ('kind = "choice"', 'kind = "essay"', "In ask of card why, kind must be one of choice, "),
        ('controls = ["noise"]', "", "point is setting:noise, but the setting is not among controls"),
        ("is = 10", "is = 10\nabove = 3", "a fact must have exactly one of is, above and below."),
        ("replicate = 1\nis", "is", "replicate must be a whole number of at least 1, got "),
        ("is = 10", 'is = "ten"', "facts 1 of card meet, is must be a number, got ten."),
        ("hand = { queries = 2, then = 50 }", "hand = { queries = 99 }", 
         "queries must be a whole number from 1 to 10, got 99."),
        ("hand = { queries = 2, then = 50 }", "hand = { queries = 2 }\nt = 3", 
         "a card with a hand has no play, point,"),
        ('[[next]]\ntext = "More', '[[next]]\ntext = "Wait"\npage = "coactive"\n\n[[next]]\ntext = "More',
         "at most 2 things to try, [[next]], got 3."),
        ('done = "changed:noise"', 'done = "read"\nfound = { text = "{}", metric = "flips", t = 9, replicate = 1 }',
         "found tells what the person has found, so that done must be changed:KEY."),
        ('done = "changed:noise"', 'done = "changed:noise"\nfound = { text = "It fell.", metric = "flips", t = 9 }',
         "text must have {} once, where the number of the run stands."),
        ("settings = { noise = 0.4 }", "settings = { noise = [1] }", 
         "settings must give noise a text, a number, true or"),
    ],
)  # fmt: skip
def test_everything_wrong_in_a_file_ends_in_a_sentence(old, new, words):
    text = changed((old, new))
    found = sentences(text)
    assert any(words in sentence for sentence in found), found
    assert all(re.fullmatch(r"(In|Lesson) .*\.", sentence) for sentence in found)


def test_a_lesson_must_ask_and_have_enough_cards():
    cards = SAMPLE.split("[[cards]]\n")
    found = sentences("[[cards]]\n".join(cards[:2]))
    assert "In lesson flipping, there must be 2 to 8 cards, got 1." in found
    assert any("no card asks" in sentence for sentence in found)


def test_two_cards_and_nothing_to_try_are_a_lesson(runs):
    short = "[[cards]]\n".join(SAMPLE.split("[[cards]]\n")[:3])
    lesson = read(short, "warm-up")
    assert len(lesson.cards) == 2 and lesson.next == ()
    assert check.problems(lesson, runs) == []


@pytest.mark.parametrize("deep", ["a = " + "[" * 5000, "a = " + "{a=" * 5000, ".".join("a" * 5000) + " = 1"])
def test_what_is_nested_too_deep_is_said_in_a_sentence(deep):
    [sentence, *_] = sentences(deep)
    assert sentence == "flipping.toml is nested too deep." or sentence.startswith("In lesson flipping, "), sentence


def test_what_is_no_toml_and_a_wrong_name_are_said():
    assert sentences("title = ")[0].startswith("flipping.toml is not valid TOML.")
    with pytest.raises(ValueError, match="the name of the file must be small letters, digits and hyphens"):
        read(SAMPLE, "My lesson")


# ---- held against the lab and its runs


@pytest.fixture(scope="module")
def runs():
    return Runs()


def test_the_sample_holds(runs):
    assert check.problems(read(SAMPLE, "flipping"), runs) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('lab = "stability"', 'lab = "stable"', "the lab must be one of bandit, coactive, "),
        ("steps = 200", "stepps = 200", "stepps is no setting of the Stability lab."),
        ("steps = 200", "steps = 3", "steps must be a whole number in [10, 100000], got 3."),
        ("rank-of-best,average-regret", "rank-of-worst", "charts must be among "),
        ('"chart:rank-of-best"', '"chart:ndcg"',
         "point is chart:ndcg, but the chart is not shown; those of the card are rank-of-best, average-regret."),
        ('"chart:rank-of-best"', '"event:retraining"', "but in this run happens only best-lost, best-regained, "),
        ("to = 57", "to = 201", "to of play must be a step of the run, which has 200, got 201."),
        ('speed = "25"', 'speed = "26"', "speed of play must be one of 1, 2, 5, 10, 25,"),
        ("is = 10", "is = 9",
         "rank-of-best-predicted of learner 1 after step 20, replicate 1, must be 9, but the run gives 10."),
        ("is = 10", "below = 10", "must be below 10, but the run gives 10."),
        ("t = 20\nreplicate = 1\nis", "t = 201\nreplicate = 1\nis",
         "t must be a step of the run, which has 200, got 201."),
        ("replicate = 1\nis", "replicate = 2\nis", "replicate must be from 1 to 1, got 2."),
        ("learner = 1\nt = 20", "learner = 3\nt = 20", "learner must be from 1 to 2, which the card has, got 3."),
        ('metric = "rank-of-best-predicted"', 'metric = "rank"', "metric must be one of "),
        ("replicate = 1\nt = 20", "replicate = 1\nt = 21", 
         "event best-lost must happen in step 21 of learner 1, but it happens at 20, "),
        ("high = 50", "high = 2", "must be from low to high, 0 to 2."),
        ('controls = ["noise"]', 'controls = ["noise", "charts"]', 
         "controls must be settings with a field in the Stability lab, got charts."),
        ('topic = "3", ', 't = 3, topic = "3", ', "t is no setting of a card; a card has t, and play"),
        ('settings = { dataset = "digits-search", topic = "3", user = "scan", noise = 0.2,',
         'lab = "stability"\nsettings = { dataset = "digits-search", topic = "3", user = "strict-alpha",',
         "a hand needs a user that clicks, in a lab without comparison."),
        ('dataset = "digits-search", topic = "3"', 'dataset = "web-search"', "a hand needs documents "),
        ('page = "coactive"', 'page = "home"', "In next 2 of lesson flipping, the lab must be one of"),
        ("noise = 0.4", "noise = 4", "In next 1 of lesson flipping, noise must be in [0, "),
        ("two hundred steps it will", "two hundred steps it will 29 times", 
         "In card guess of lesson flipping, the text says 29, for which no fact, step or setting vouches; add a "),
        ("It flips again and again", "It flips 0.123 and again", "the text says 0.123, for which"),
        ("It is tempting, since", "It is 0.77, since", "In card why of lesson flipping, the text says 0.77, for which"),
        ('id = "why"', 'id = "why"\ntold = { "29" = "counted" }',
         "In card why of lesson flipping, told explains the number 29, which no text of the card has."),
        ("is = 10", 'is = 10\nsettings = { seed = "x" }', "In card meet of lesson flipping, seed must be "),
    ],
)  # fmt: skip
def test_what_does_not_hold_ends_in_a_sentence(old, new, words, runs):
    found = check.problems(read(changed((old, new)), "flipping"), runs)
    assert found and any(words in sentence for sentence in found), found


def test_a_mean_over_steps_and_replicates_is_that_of_the_history(runs):
    several = SAMPLE.replace("replicates = 1", "replicates = 3").replace("steps = 200", "steps = 120")
    fact = 't = 100\nreplicate = "mean"\nover = 40\nis = 0.00'
    text = several.replace("t = 20\nreplicate = 1\nis = 10", fact, 1).replace(
        "t = 200, replicate", "t = 100, replicate"
    )
    [found] = [s for s in check.problems(read(text, "flipping"), runs) if "rank-of-best-predicted" in s]
    setup = check.facts.setup_of(check.labs()["stability"], read(text, "flipping").cards[0].settings)
    values = setup.simulation(0, runs.data(setup))
    values.advance(steps=100)
    expected = values.history["rank-of-best-predicted"][60:100].mean()
    assert f"the mean of the replicates, must be 0.00, but the run gives {expected:.6g}." in found


def test_what_a_text_says_is_vouched_for_by_facts_steps_settings_and_reasons(runs):
    """10 is a fact, 57 where the card plays to, 0.1 a setting, 2,000 stands for nothing but has a reason."""
    says = "10 at 57 with 0.1, d1, 3PR, NDCG@7, `77`, $0.8^{77}$, in 2018 and 20 %; 2,000 have a reason."
    card = (
        ("Press Play & watch", f"{says} Press Play & watch"),
        ('"meet"\n', '"meet"\ntold = { "2,000" = "counted" }\n'),
    )
    assert check.problems(read(changed(*card), "flipping"), runs) == []


def test_a_fact_may_be_of_a_run_with_other_settings(runs):
    other = "replicate = 1\nsettings = { seed = 3 }\nis"
    [found] = check.problems(read(changed(("replicate = 1\nis = 10", f"{other} = 11")), "flipping"), runs)
    setup = check.facts.setup_of(check.labs()["stability"], read(SAMPLE, "flipping").cards[0].settings)
    sim = replace(setup, seed=3).simulation(0, runs.data(setup))
    sim.advance(steps=20)
    assert found.endswith(f"must be 11, but the run gives {sim.history['rank-of-best-predicted'][-1, 0]:g}.")


def test_a_number_of_another_lesson_is_refused(shelf, capsys):
    assert check.main(["flipping"]) == check.main(["flipping.toml"]) == 0, "a file of the library by its name"
    (shelf / "new.toml").write_text(SAMPLE, encoding="utf-8")
    os.utime(shelf / "flipping.toml", ns=(1, 1))
    assert check.main(["new.toml"]) == 1
    assert "Lesson new has the number 90, as flipping has; 1 is free." in capsys.readouterr().out
    assert list(library.lessons()) == ["flipping"], "the older one stays"
    assert library.mistakes() == ["Lesson new has the number 90, as flipping has; 1 is free."]


def test_the_command_says_what_to_mend(tmp_path, capsys):
    (tmp_path / "good.toml").write_text(SAMPLE, encoding="utf-8")
    (tmp_path / "bad.toml").write_text(changed(("is = 10", "is = 9")), encoding="utf-8")
    assert check.main([str(tmp_path / "good.toml")]) == 0
    assert check.main([str(tmp_path / "good.toml"), str(tmp_path / "bad.toml"), str(tmp_path / "none.toml")]) == 1
    said = capsys.readouterr().out
    assert "good.toml: everything holds" in said and "bad.toml: 2 to mend" in said
    assert (
        "Lesson bad has the number 90, as good has; 16 is free." in said and "There is no file none.toml here." in said
    )


@pytest.mark.long
@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_every_lesson_of_the_library_holds_in_all_its_languages(path):
    own = [path, *(each for each in translations() if each.name.startswith(f"{path.stem}."))]
    assert check.check_files(own) == {each: [] for each in own}


def test_the_lessons_of_the_library_are_numbered_without_doubles():
    numbers = [read(path.read_text("utf-8"), path.stem).number for path in files()]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))


def test_the_lessons_are_there_in_every_language():
    assert {id: library.spoken(id) for id in library.lessons()} == dict.fromkeys(
        library.lessons(), tuple(languages.NAMES)
    )


def test_every_language_says_what_stands_around_the_cards():
    for said in (languages.LEVELS, languages.SAYS):
        assert {*said} == {*languages.NAMES}
        assert all(said[language].keys() == said["en"].keys() and all(said[language].values()) for language in said)
    assert {*languages.LEVELS["en"]} == {*LEVELS}


def test_a_translation_has_every_text_and_nothing_that_is_played():
    english = (library.FOLDER / "flip.toml").read_text("utf-8")
    german = (library.FOLDER / "flip.de.toml").read_text("utf-8")
    lesson, told = read(english, "flip"), read(english, "flip", german, "de")
    assert told.language == "de" and told.title == "Warum ein Perzeptron kippt"
    assert [(card.settings, card.facts, card.play) for card in told.cards] == [
        (card.settings, card.facts, card.play) for card in lesson.cards
    ]
    wrongs = [
        ("[card.noise]", "[card.nose]", "card noise has no texts"),
        ('question = "Wo wird', 'frage = "Wo wird', "question must be a text"),
        ("[card.meet]", "[card.meet]\nt = 3", "t is not known"),
        ('0 = "Es klingt', '2 = "Es klingt', "0 must be a text"),
    ]
    for old, new, words in wrongs:
        assert old in german
        with pytest.raises(ValueError, match=words):
            read(english, "flip", german.replace(old, new, 1), "de")
    with pytest.raises(ValueError, match=r"The language of flip\.xx\.toml must be one of en, de, es, got xx"):
        read(english, "flip", german, "xx")


def test_numbers_of_a_translation_are_held_against_the_runs():
    english = (library.FOLDER / "flip.toml").read_text("utf-8")
    german = (library.FOLDER / "flip.de.toml").read_text("utf-8").replace("29-mal", "31-mal")
    known = {card.id: set() for card in read(english, "flip").cards}
    said = [problem for _, problem in numbers.unfounded(read(english, "flip", german, "de"), known)]
    assert any("the text says 31" in problem for problem in said)


@pytest.mark.parametrize("language", languages.NAMES)
def test_a_handout_has_the_questions_and_then_the_answers_for_the_teacher(language):
    lesson = library.lessons(language)["flip"]
    said = handout.markup(lesson)
    before, teacher = said.split("fl-h-teacher")
    ask = lesson.cards[1].ask
    assert f"lang={language}" in before and all(option in before for option in ask.options)
    assert "29" not in before.split(lesson.cards[2].title)[0] and "29" in teacher
    assert all(question[:20] in teacher for question in lesson.teacher.exam)


def test_every_lesson_has_a_note_for_its_teacher():
    assert [id for id, lesson in library.lessons().items() if lesson.teacher is None] == []


def pieces() -> list[str]:
    """Return the pieces of TOML in CONTRIBUTING's section on lessons, with a text of enough words."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## A lesson")[1].split("\n## ")[0]
    found = [textwrap.dedent(piece) for piece in re.findall(r"```toml\n(.*?)```", section, re.S)]
    return [piece.replace('"""…"""', '"""' + "word " * 30 + '"""') for piece in found]


def test_the_pieces_in_contributing_make_a_lesson_that_holds(runs):
    head, meet, ask, hand, facts, following, teacher = pieces()
    plain = meet.split("settings")[0]
    digits = 'lab = "stability"\nsettings = { dataset = "digits-search", user = "scan" }\n'
    cards = [
        meet + facts, plain.replace('"meet"', '"ask"') + ask, plain.replace('"meet"', '"second"'),
        plain.replace('"meet"', '"third"'), plain.replace('"meet"', '"hand"') + digits + hand,
    ]  # fmt: skip
    lesson = read("\n".join([head, *cards, following, following, teacher]), "my-lesson")
    assert check.problems(lesson, runs) == [] and lesson.teacher is not None and len(lesson.teacher.exam) == 3
