"""Garbage is collected now and then, and what modules made is left alone."""

import gc
import types
import weakref

import pytest

from pages.ui import collector


class Knot:
    """Refers to itself, so that it goes with the garbage only."""

    def __init__(self):
        self.me = self


@pytest.fixture(autouse=True)
def _no_garbage_on_its_own():
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


def dropped():
    return weakref.ref(Knot())


def test_garbage_goes_when_it_was_not_collected_for_long(monkeypatch):
    collector.collect_garbage()
    gone = dropped()
    collector.collect_garbage()
    assert gone() is not None, "it was done a moment ago"
    monkeypatch.setattr(collector, "_last", collector._last - collector.EVERY - 1)
    frozen = gc.get_freeze_count()
    collector.collect_garbage()
    assert gone() is None
    assert gc.get_freeze_count() <= frozen, "nothing was frozen anew (what was frozen may end on its own)"


def test_what_new_modules_made_is_left_alone_and_garbage_is_not_kept_with_it(monkeypatch):
    collector.collect_garbage()
    gone, frozen = dropped(), gc.get_freeze_count()
    made = [[] for _ in range(1000)]
    for n in range(collector.MANY_MODULES):
        monkeypatch.setitem(collector.sys.modules, f"made_up_{n}", types.ModuleType(f"made_up_{n}"))
    collector.collect_garbage()
    assert gone() is None and gc.get_freeze_count() >= frozen + len(made)
