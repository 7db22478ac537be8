"""Runs of River and of Vowpal Wabbit, recorded and read again."""

import pytest

from pages.ui.recordings.document import read


def test_bandits_of_river_are_recorded():
    pytest.importorskip("river")
    from tests.examples.river_bandit import recorded

    made = read(recorded(steps=300).document().packed())
    assert [chart["id"] for chart in made.payload["charts"]] == ["regret", "best"] and made.payload["steps"] == 300
    assert made.link == "https://riverml.xyz" and made.spec is None and made.payload["events"]["list"]


def test_vowpal_wabbit_is_recorded():
    pytest.importorskip("vowpalwabbit")
    from tests.examples.vowpal_wabbit import recorded

    made = read(recorded(steps=300).document().packed())
    (chart,) = made.payload["charts"]
    ends = [chart["data"][line["trace"]]["y"][-1] for line in chart["lines"]]
    assert 0 < ends[0] < ends[1] < 1, "who hears the class errs less than who hears right or wrong"
