"""Messages of a browser may be sent by hand: whatever it is, nobody gets a traceback, and no message counts as none."""

from types import SimpleNamespace
from unittest.mock import patch

import pytest

from pages.ui.answer.cards import positions
from pages.ui.families import labs
from pages.ui.figures.view import component
from pages.ui.home import page as home
from pages.ui.kept.run import kept_of, read_entry
from pages.ui.lessons import hand, shelf, tally
from pages.ui.lessons.lesson import Ask, Hand
from pages.ui.recordings import view
from pages.ui.runs import compare
from pages.ui.runs.page import selected

ODD = [
    None, True, -1, 10**400, float("nan"), float("inf"), "", "²", "9" * 5000, "\ud800", [], [[]], [10**400], {},
    {"a": {}},
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:20])
def test_a_message_that_is_none_ends_nowhere(odd):
    sent = SimpleNamespace(open=odd)
    with patch.object(shelf, "_component", lambda **_: sent):
        shelf.show("a", {}, {})
    with patch.object(home, "_component", lambda **_: sent):
        home.show()
    opened = []
    with patch.object(component, "_sheet", lambda **_: sent):
        component.sheet("", "a", opened=opened.append)
    assert all(isinstance(one, str) for one in opened)
    assert positions(str(odd)) <= {1} and positions(f"1,{odd}") >= {1}
    assert hand.clicked(odd, Hand(2)) == ([], False) and hand.clicked({"lists": odd}, Hand(2))[1] is False
    assert tally.place_of(Ask("number", "", "", low=0, high=12), odd) is None
    got = view._content({"url": odd, "file": odd, "problem": odd, "status": odd})
    assert isinstance(got, bytes) or (got.endswith(".") and len(got) < 500)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:20])
def test_a_kept_run_that_is_none_is_left_out_or_loses_what_is_wrong(odd):
    assert read_entry(odd, labs()["bandit"].ask_run)[0] == kept_of({}, labs()["bandit"].ask_run)
    whole = {
        "page": "bandit", "title": odd, "query": odd, "settings": {"seed": "3"}, "last": odd, "tags": odd,
        "reached": odd,
        "finals": [odd, {"learner": odd, "metric": odd, "title": odd, "value": 0.5, "half": odd}, {"value": odd}],
    }  # fmt: skip
    sweep = {
        "page": "sweep", "settings": {"family": "bandit", "vary-1": "gamma"}, "finals": whole["finals"],
        "curve": {"error-rate": odd, "b": [odd], "c": [[odd, 0.5]]},
    }  # fmt: skip
    found, problems = selected([whole, odd, whole | {"settings": odd}, sweep])
    assert len(found) >= 2 and all(problem.endswith(".") and len(problem) < 500 for problem in problems)
    assert compare.final_table(found).latex().count("0.5") >= 2 and compare.settings_table(found)
    for each in found:
        for title in {final.title for final in each.run.finals}:
            assert compare.values([each], title)
            compare.sweep_curves([each], title, compare.Look())
