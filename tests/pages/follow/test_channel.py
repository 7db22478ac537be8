"""The messages between the server and a browser, without a browser."""

import asyncio
import json
from types import SimpleNamespace

import pytest
from starlette.websockets import WebSocketDisconnect

from pages.ui.follow import channel
from pages.ui.follow.channel import LONGEST_SECRET, MESSAGES, Post, routes, talk
from pages.ui.follow.classes import Classes
from pages.ui.follow.limits import BEGUN, TOO_MANY_CLASSES, TOO_MANY_CODES, WRONG, Limits
from pages.ui.follow.view import TeacherView, code_of

CODE = code_of("secret")
SENT = TeacherView("stability", "noise=0.1", 36.0).dict()


class Socket:
    """A browser that says some things and then, once something is heard that it waits for, goes."""

    def __init__(self, code, *says, until=lambda heard: True, origin="http://lab", host="203.0.113.7"):
        self.path_params = {"code": code}
        self.headers = {"host": "lab"} | ({"origin": origin} if origin else {})
        self.client, self.closed, self.accepted = SimpleNamespace(host=host), None, False
        self.says, self.until, self.heard = list(says), until, {}
        self.came = asyncio.Event()

    async def accept(self):
        self.accepted = True

    async def close(self, code):
        self.closed = code

    async def receive_text(self):
        if self.says:
            say = self.says.pop(0)
            return say if isinstance(say, str) else json.dumps(say)
        while not self.until(self.heard):
            await self.came.wait()
            self.came.clear()
        raise WebSocketDisconnect(1001)

    async def send_text(self, text):
        self.heard |= json.loads(text)
        self.came.set()


def said(classes, *sockets, limits=None):
    """Let some browsers talk, each until it goes, and return what the last one heard."""
    limits = Limits() if limits is None else limits

    async def all_of_them():
        async with asyncio.timeout(20):
            await asyncio.gather(*(talk(socket, classes, limits) for socket in sockets))

    asyncio.run(all_of_them())
    return sockets[-1].heard


def test_a_student_hears_what_the_teacher_sends():
    classes = Classes()
    classes.open("secret")

    async def lesson():
        student = Socket(CODE.lower(), {"join": True}, until=lambda heard: "view" in heard)
        follows = asyncio.create_task(talk(student, classes))
        while not classes.people(CODE):
            await asyncio.sleep(0.01)
        teacher = Socket(CODE, {"lead": "secret"}, {"view": SENT}, until=lambda heard: heard.get("people") == 0)
        async with asyncio.timeout(20):
            await asyncio.gather(follows, talk(teacher, classes))
        return student.heard

    assert asyncio.run(lesson())["view"] == SENT
    assert classes.people(CODE) == 0 and CODE in classes, "both have gone, the class waits"


def test_only_who_made_the_code_can_lead():
    classes = Classes()
    for secret in ("another secret", "x" * 200, CODE):
        assert said(classes, Socket(CODE, {"lead": secret}, {"view": SENT})) == {
            "refused": "This code belongs to another teacher."
        }
    assert CODE not in classes
    classes.open("secret")
    said(classes, Socket(CODE, {"join": True}, {"view": SENT}))
    assert classes.now(CODE) is None, "a student shows nothing"


def test_a_code_that_nobody_leads_and_one_that_is_none_are_refused_in_words():
    assert said(Classes(), Socket(CODE, {})) == {"refused": f"Nobody leads a class {CODE} on this server."}
    assert said(Classes(), Socket("<b>", {}))["refused"].startswith("The code of a class has 6 letters or digits")


@pytest.mark.parametrize("origin", ["https://evil.example", "http://lab:9000", "null", "", "http://lab.evil.example"])
def test_only_pages_of_this_server_are_talked_to(origin):
    classes, socket = Classes(), Socket(CODE, {"lead": "secret"}, {"view": SENT}, origin=origin)
    assert said(classes, socket) == {} and socket.closed == 1008 and not socket.accepted and CODE not in classes


def test_a_network_that_tries_one_code_after_another_is_braked_and_its_classes_go_on():
    classes, limits = Classes(), Limits(lambda: 0.0)
    classes.lead("secret", lambda message: None, "203.0.113.7")
    codes = [code_of(f"guess {number}") for number in range(WRONG + 5)]
    heard = [said(classes, Socket(code, {"join": True}), limits=limits)["refused"] for code in codes]
    assert all(words.startswith("Nobody leads") for words in heard[:WRONG]) and set(heard[WRONG:]) == {TOO_MANY_CODES}
    again = said(classes, Socket(codes[0], {"join": True}), limits=limits)
    assert again["refused"].startswith("Nobody leads"), "a student's page that waits for its teacher guesses nothing"
    pupils = [Socket(CODE, {"join": True}) for _ in range(40)]
    assert "refused" not in said(classes, *pupils, limits=limits), "the teacher is in the same network"
    other = said(classes, Socket(codes[-1], {"join": True}, host="198.51.100.1"), limits=limits)
    assert other["refused"].startswith("Nobody leads"), "another network is not braked"


def test_a_network_cannot_have_the_server_hash_secrets_without_end(monkeypatch):
    hashed, limits = [], Limits(lambda: 0.0)
    monkeypatch.setattr(channel, "code_of", lambda secret: hashed.append(secret) or CODE)
    wrong = {"lead": "x" * LONGEST_SECRET}
    heard = [said(Classes(), Socket("ABCDEF", wrong), limits=limits)["refused"] for _ in range(BEGUN + 5)]
    assert heard == ["This code belongs to another teacher."] * BEGUN + [TOO_MANY_CLASSES] * 5 and len(hashed) == BEGUN


def test_who_sends_without_end_is_cut_off():
    classes, flood = Classes(), Socket(CODE, {"lead": "secret"}, *[{"view": SENT}] * (MESSAGES + 50))
    said(classes, flood)
    assert flood.closed == 1008 and flood.says, "before everything was read"


def test_a_full_class_and_one_that_nobody_leads_are_told_apart(monkeypatch):
    monkeypatch.setattr("pages.ui.follow.classes.PEOPLE", 0)
    classes = Classes()
    classes.lead("secret", lambda message: None)
    assert said(classes, Socket(CODE, {"join": True})) == {"refused": f"The class {CODE} is full: 0 people follow it."}


def test_a_network_has_so_many_pages_at_a_time(monkeypatch):
    monkeypatch.setattr("pages.ui.follow.limits.PAGES", 2)
    limits = Limits()
    assert [bool(limits.come("a")) for _ in range(3)] == [False, False, True] and not limits.come("b")
    for _ in range(3):
        limits.go("a")
    assert not limits.come("a") and len(limits) == 2


@pytest.mark.parametrize("says", ["[" * 9_999, "no JSON", "[1]", '{"view": 3}', '{"view": {}}', "x" * 20_000])
def test_nonsense_ends_the_talk_and_changes_nothing(says):
    classes = Classes()
    assert said(classes, Socket(CODE, {"lead": "secret"}, says))["refused"]
    assert classes.now(CODE) is None
    assert said(Classes(), Socket(CODE, says))["refused"]


def test_a_message_that_is_no_text_is_refused():
    class Bytes(Socket):
        async def receive_text(self):
            raise KeyError("text")

    assert said(Classes(), Bytes(CODE))["refused"]


def test_who_says_nothing_for_long_is_taken_for_gone(monkeypatch):
    monkeypatch.setattr(channel, "SILENCE", 0.2)
    monkeypatch.setattr(channel, "PULSE", 0.05)
    classes, heard = Classes(), {}
    classes.open("secret")
    classes.join(CODE, heard.update)
    quiet = Socket(CODE, {"lead": "secret"}, until=lambda heard: False)
    assert said(classes, quiet)["pulse"] and heard["away"]


def test_who_hears_much_is_still_asked_for_a_sign_of_life(monkeypatch):
    """Else a student would be taken for gone while the teacher's run plays."""
    monkeypatch.setattr(channel, "PULSE", 0.1)

    async def chatter():
        socket, post = Socket(CODE), Post(asyncio.get_running_loop())
        delivering = asyncio.create_task(post.deliver(socket))
        for t in range(40):
            post({"view": t})
            await asyncio.sleep(0.01)
        delivering.cancel()
        return socket.heard

    assert asyncio.run(chatter())["pulse"]


def test_of_what_changes_fast_only_the_latest_is_sent():
    post = Post(None)
    for t in range(100):
        post({"view": t})
    post({"people": 3})
    assert post.take() == {"view": 99, "people": 3} and post.take() == {}


def test_the_route_stands_below_the_path_under_which_the_app_is_served():
    assert [route.path for route in routes()] == ["/follow/{code}"]
    assert [route.path for route in routes("lab")] == ["/lab/follow/{code}"]
