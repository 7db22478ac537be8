"""The data sets that all sessions share: loaded once, in a stated room."""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest

import datasets
from datasets.spec import Spec
from pages.ui.files import sharing, uploads
from pages.ui.files.sharing import Shared, load_data
from tests.waiting import soon

MB = 1_000_000


def numbers(megabytes):
    return np.zeros(megabytes * MB, np.uint8)


@pytest.fixture
def shared():
    return Shared(lambda: 10.01)


def test_thirty_who_ask_at_once_wait_for_one_loader(shared):
    made = []

    def make():
        made.append(threading.get_ident())
        time.sleep(0.2)
        return numbers(1)

    with ThreadPoolExecutor(30) as pool:
        found = list(pool.map(lambda _: shared.get("one", make), range(30)))
    assert len(made) == 1 and len({id(value) for value in found}) == 1 and not shared._made


def test_those_who_wait_for_a_load_that_fails_hear_the_same_and_the_next_tries_again(shared, monkeypatch):
    tried, waiting = [], []

    class Heard(Future):
        def result(self, timeout=None):
            waiting.append(1)
            return super().result(timeout)

    monkeypatch.setattr(sharing, "Future", Heard)

    def fail():
        tried.append(1)
        soon(lambda: len(waiting) == 4)
        raise ValueError("mine.txt, line 2: no")

    def ask(_):
        with pytest.raises(ValueError, match="line 2"):
            shared.get("bad", fail)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(ask, range(5)))
    assert len(tried) == 1 and shared.get("bad", lambda: numbers(1)).nbytes == MB


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_a_loader_that_is_ended_leaves_nobody_waiting(shared, error):
    with pytest.raises(error):
        shared.get("x", lambda: (_ for _ in ()).throw(error()))
    assert shared.get("x", lambda: numbers(1)).nbytes == MB


def test_the_values_asked_for_longest_ago_make_room(shared):
    for key in "abc":
        shared.get(key, lambda: numbers(3))
    shared.get("a", list)
    shared.get("d", lambda: numbers(3))
    assert list(shared._kept) == ["c", "a", "d"] and shared.bytes // MB == 9
    assert shared.get("b", lambda: numbers(2)).nbytes == 2 * MB, "it was gone, and is made again"


def test_what_is_larger_than_the_room_is_not_kept_but_shared_while_somebody_has_it(shared):
    small = shared.get("small", lambda: numbers(1))
    mine = shared.get("large", lambda: numbers(11))
    assert shared.bytes < 2 * MB and shared.get("large", lambda: numbers(1)) is mine
    del mine
    assert shared.get("large", lambda: numbers(2)).nbytes == 2 * MB
    assert small is shared.get("small", lambda: numbers(1))


def test_the_room_is_that_of_the_environment(monkeypatch):
    monkeypatch.setenv(sharing.DATA_CACHE_MB.name, "3")
    sharing.DATA.clear()
    sharing.DATA.get("a", lambda: numbers(1))
    sharing.DATA.get("b", lambda: numbers(2))
    assert list(sharing.DATA._kept) == ["b"]
    sharing.DATA.clear()


@pytest.mark.long
@pytest.mark.parametrize("id", ["toy-ranking", "digits", "multilabel-synthetic", "movies", "function-search"])
def test_data_of_every_form_can_be_shared(id, monkeypatch):
    choice = Spec(id, tuple(datasets.create(id).params.items()))
    first = load_data(choice)
    assert load_data(choice) is first and sharing.DATA.bytes >= first.size().bytes
    monkeypatch.setenv(sharing.DATA_CACHE_MB.name, "0")
    sharing.DATA.get("another", lambda: numbers(1))
    assert len(sharing.DATA) == 0
    assert load_data(choice) is first, "as long as somebody holds it"


def test_two_people_with_one_link_to_a_file_read_it_once(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "folder", lambda: tmp_path / "uploads")
    text = b"".join(b"%d qid:%d 1:%d 2:%d\n" % (i % 3, i // 5, i % 7, i % 4) for i in range(50))
    id = f"upload/{uploads.keep({'mine.txt': text}, 'me')}/mine.txt"
    read, kind = [], datasets.classes()["letor-file"]
    build = kind.build
    monkeypatch.setattr(kind, "build", lambda self: read.append(1) or time.sleep(0.2) or build(self))
    choice = Spec("letor-file", tuple((kind.make(path="x").params | {"path": id}).items()))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: load_data(choice), range(8)))
    assert len(read) == 1 and all(data is found[0] for data in found)


def test_a_file_whose_data_are_larger_than_the_server_allows_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "folder", lambda: tmp_path / "uploads")
    monkeypatch.setenv("FEEDBACK_LAB_DATA_MB", "1")
    text = b"".join(b"%d qid:%d 1:1 2000:1\n" % (i % 3, i // 5) for i in range(400))
    id = f"upload/{uploads.keep({'wide.txt': text}, 'me')}/wide.txt"
    kind = datasets.classes()["letor-file"]
    choice = Spec("letor-file", tuple((kind.make(path="x").params | {"path": id}).items()))
    with pytest.raises(ValueError, match=r"of memory; this server allows 1 MB|at most|allow"):
        load_data(choice)


def test_only_two_large_data_sets_are_loaded_at_a_time(monkeypatch):
    at_once, most, lock, meeting = [], [], threading.Lock(), threading.Barrier(sharing.AT_ONCE)

    class Slow:
        def size(self):
            return type("Size", (), {"bytes": 60 * MB})

        def build(self):
            with lock:
                at_once.append(1)
                most.append(len(at_once))
            meeting.wait(60)
            time.sleep(0.02)  # in which a third would come
            with lock:
                at_once.pop()
            return self

    monkeypatch.setattr(sharing.datasets, "create", lambda *_, **__: Slow())
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda i: load_data(Spec(f"slow-{i}")), range(6)))
    assert max(most) == sharing.AT_ONCE
    sharing.DATA.clear()
