"""The messages to a class, their senders, and the limit on classes."""

import pytest

from pages.ui.follow import classes, view
from pages.ui.follow.classes import Classes
from pages.ui.follow.view import TeacherView, code_of, new_secret, problem, tidied

SENT = {"page": "stability", "link": "noise=0.1", "t": 36, "playing": False, "speed": "max", "slow": False,
        "single": None}  # fmt: skip


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def student(found, code):
    """A student of a class, and what the student has heard so far, in one dictionary."""
    heard = {}
    assert not found.join(code, heard.update)
    return heard


def test_a_class_sees_what_its_teacher_shows():
    found, told = Classes(), {}
    code = found.lead("secret", told.update)
    one, two = student(found, code), student(found, code)
    assert told == {"people": 2} and one == {"away": False, "notes": {}}
    found.show(code, TeacherView.read(SENT))
    assert one["view"] == two["view"] == SENT and one["age"] == 0
    found.note("secret", {"stability:replicate": 3})
    assert one["notes"] == {"stability:replicate": 3}
    assert found.now(code) == (TeacherView.read(SENT), {"stability:replicate": 3})


def test_who_comes_late_hears_where_the_class_is_and_since_when():
    clock = Clock()
    found = Classes(clock)
    code = found.lead("secret", lambda message: None)
    found.show(code, TeacherView.read(SENT | {"playing": True}))
    clock.now = 7.5
    late = student(found, code)
    assert late["view"]["playing"] and late["age"] == 7.5


def test_classes_hear_only_of_their_own_teacher():
    found = Classes()
    codes = [found.lead(secret, lambda message: None) for secret in ("one", "two")]
    first, second = (student(found, code) for code in codes)
    found.show(codes[0], TeacherView.read(SENT))
    found.note("another secret", {"stability:who": 1})
    assert "view" in first and "view" not in second and first["notes"] == second["notes"] == {}


def test_the_class_waits_for_a_teacher_who_is_gone_and_ends_when_told():
    found, told = Classes(), {}
    code = found.lead("secret", told.update)
    heard, left = student(found, code), {}
    found.leave(code, told.update)  # another function than the teacher's
    assert not heard["away"]
    teacher = left.update
    found.lead("secret", teacher)  # in another window
    assert told["taken"] and not heard["away"]
    found.leave(code, teacher)
    assert heard["away"]
    found.lead("secret", teacher)
    assert not heard["away"] and left["people"] == 1
    found.end("another secret")
    assert "ended" not in heard and code in found
    found.end("secret")
    assert heard["ended"] and code not in found and "Nobody leads" in found.join(code, heard.update)


def test_a_server_that_knows_nothing_of_a_class_lets_its_teacher_lead_it_again():
    assert Classes().lead("secret", lambda message: None) == Classes().lead("secret", lambda message: None)
    assert "Nobody leads" in Classes().join(code_of("secret"), lambda message: None)


def test_a_class_ends_soon_after_its_teachers_browser_has_gone():
    clock, heard, told = Clock(), {}, {}
    found = Classes(clock)
    teacher = told.update
    code = found.lead("secret", teacher)
    assert not found.join(code, heard.update)
    clock.now = 100 * classes.GRACE
    found.open("another")
    assert code in found, "the teacher's browser is there, however long it has shown nothing"
    found.leave(code, teacher)
    clock.now += classes.GRACE
    found.open("a third")
    assert code in found, "a page is loaded anew, or the network fails for a moment"
    clock.now += 1
    found.open("a fourth")
    assert code not in found and "Nobody leads" in heard["refused"], "the page of the student asks again"
    assert "Nobody leads" in found.join(code, heard.update)
    found.lead("secret", teacher)
    assert not found.join(code, heard.update), "the teacher is back"


def test_classes_without_a_teacher_make_room_for_one_who_comes(monkeypatch):
    monkeypatch.setattr(classes, "CODES", 3)
    found, hears = Classes(), [[].append for _ in range(3)]
    codes = [found.lead(f"secret {n}", hear) for n, hear in enumerate(hears)]
    with pytest.raises(ValueError, match="3 classes are led on this server already"):
        found.lead("new", print)
    for code, hear in zip(codes, hears, strict=True):
        found.leave(code, hear)
    assert not found.join(codes[0], print), "of a class that somebody follows the place is kept"
    found.lead("new", print)
    assert [code in found for code in codes] == [True, False, True]


def test_a_network_leads_so_many_classes_and_the_others_lead_theirs(monkeypatch):
    monkeypatch.setattr(classes, "OWN", 2)
    found = Classes()
    for n in range(2):
        found.lead(f"secret {n}", [].append, "203.0.113.7")
    with pytest.raises(ValueError, match="2 classes are led from your network already"):
        found.lead("secret 3", print, "203.0.113.7")
    assert found.lead("secret 0", print, "203.0.113.7") and found.lead("secret 3", print, "198.51.100.1")


def test_there_are_never_too_many(monkeypatch):
    monkeypatch.setattr(classes, "CODES", 2)
    monkeypatch.setattr(classes, "PEOPLE", 3)
    found = Classes()
    code = found.lead("one", lambda message: None)
    assert found.lead("two", lambda message: None) != code and found.open("one") == code
    with pytest.raises(ValueError, match="2 classes are led on this server already"):
        found.open("three")
    heard = [found.join(code, [].append) for _ in range(4)]
    assert heard == [""] * 3 + [f"The class {code} is full: 3 people follow it."]
    assert found.people(code) == 3 and found.people("nobody") == 0
    found.note("one", {f"key {i}": i for i in range(100)} | {"x" * 100: 1})
    found.show(code, TeacherView())
    assert len(found.now(code)[1]) == classes.NOTES


def test_codes_can_be_read_from_a_wall_and_do_not_tell_their_secret():
    codes = {code_of(new_secret()) for _ in range(20)}
    assert len(codes) == 20
    assert all(len(code) == 6 and not set(code) & set("01OIL") and not problem(code) for code in codes)
    assert problem(tidied(" hhq-fwb ")) == "" and code_of("a secret") == "HHQFWB"


@pytest.mark.parametrize("code", ["", "ABC", "ABCDEFG", "ABCDE0", "<b>abc", "ÄBCDEF", "ABCDEF\n"])
def test_other_codes_are_refused_in_words(code):
    assert problem(code).startswith("The code of a class has 6 letters or digits")


def test_a_view_is_taken_as_it_was_sent():
    assert TeacherView.read(SENT).dict() == SENT
    assert TeacherView.read(SENT | {"t": 3.5, "single": 4, "speed": "250", "page": ""}).t == 3.5


@pytest.mark.parametrize(
    ("name", "value"),
    [("page", "../app"), ("page", "//evil"), ("page", None), ("link", 3), ("link", "x" * 4001), ("link", "a\nb"),
     ("t", -1), ("t", True), ("t", float("nan")), ("t", 1e9), ("t", "3"), ("playing", 1), ("speed", "fast"),
     ("speed", 5), ("slow", None), ("single", -1), ("single", 1.5), ("single", True)],
)  # fmt: skip
def test_a_view_that_says_nonsense_is_refused_in_words(name, value):
    with pytest.raises(ValueError, match=f"wrong: {name}$"):
        TeacherView.read(SENT | {name: value})
    missing = {key: kept for key, kept in SENT.items() if key != name}
    if name != "single":
        with pytest.raises(ValueError, match=f"wrong: {name}$"):
            TeacherView.read(missing)
    for nonsense in (None, [], "view", 3):
        with pytest.raises(ValueError, match="view must be an object"):
            TeacherView.read(nonsense)


def test_the_speeds_of_the_player_are_speeds_of_a_view():
    from pages.ui.play.payload import SPEEDS

    assert all(view.SPEED.fullmatch(speed) for speed in SPEEDS)
