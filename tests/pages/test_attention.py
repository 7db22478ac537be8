"""The step inspector says how likely a user was to look at each place and to click there."""

import html
import re

import numpy as np
import pytest

import datasets
from datasets.spec import Spec as Chosen
from learners import Simulation, create_user
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.families.ranking.inspector import RankingInspector
from pages.ui.race import limits


def table_of(sim, replicate=0):
    """The rows of the table of chances, as texts; none if there is no table."""
    said = RankingInspector(sim, replicate, Look()).feedback()
    rows = re.findall(r"<tr>(.*?)</tr>", said.partition("a matter of chance")[2])
    return [[html.unescape(cell) for cell in re.findall(r"<t[hd]>(.*?)</t[hd]>", row)] for row in rows]


def test_chances_by_hand():
    """The toy of three documents, the best one first: grades 1, 0, 0. A navigational user looks at the first, clicks it
    with .95 and leaves with .95 · .9 = .855; it looks at the second with .145, clicks with .145 · .05 = .00725 and of
    these .2 leave, .00145; it looks at the third with .14355."""
    sim = Simulation("preference-perceptron", datasets.load("toy-ranking", documents=3), "dependent-click")
    sim.advance(steps=1)
    assert table_of(sim) == [
        ["place", "grade", "looks", "clicks", "looks no further"],
        ["1", "1", "100.0 %", "95.0 %", "85.5 %"],
        ["2", "0", "14.5 %", "0.7 %", "0.1 %"],
        ["3", "0", "14.4 %", "0.7 %", "14.4 %"],
    ]
    said = RankingInspector(sim, 0, Look()).feedback()
    assert "On average such a list gets 0.964 clicks." in said


@pytest.mark.parametrize("id", ["position-based", "position-biased"])
def test_who_does_not_go_down_the_list_leaves_nowhere(id):
    sim = Simulation("preference-perceptron", datasets.load("web-search", queries=10), id, replicates=2)
    sim.advance(steps=3)
    for r in range(2):
        head, *rows = table_of(sim, r)
        assert head == ["place", "grade", "looks", "clicks"]
        assert [row[2] for row in rows] == [f"{100 / i:.1f} %" for i in range(1, 11)]
        shown = sim.last.grades[r][sim.last.shown.ranking[r]]
        assert [row[1] for row in rows] == [f"{grade:g}" for grade in shown[:10]]


def test_each_replicate_has_its_own_user():
    user = create_user("position-based", exponent=[0.0, 1.0])
    sim = Simulation("preference-perceptron", datasets.load("web-search", queries=10), user, replicates=2)
    sim.advance(steps=1)
    assert [row[2] for row in table_of(sim, 0)[1:3]] == ["100.0 %", "100.0 %"]
    assert [row[2] for row in table_of(sim, 1)[1:3]] == ["100.0 %", "50.0 %"]


def test_no_chances_are_told_of_a_person_and_of_users_without_a_model():
    data = datasets.load("toy-ranking")
    person = Simulation("preference-perceptron", data, "cascade", answers={1: (0,)})
    for sim in (person, Simulation("preference-perceptron", data, "noisy-grades")):
        sim.advance(steps=1)
        assert table_of(sim) == []
    person.advance(steps=1)
    assert table_of(person)[0][0] == "place"


def test_a_lab_refuses_users_who_cannot_judge_the_data():
    setup = RunSpec((Chosen("preference-perceptron"),), Chosen("movies"), Chosen("dependent-click"), 1, 20, 0)
    data = datasets.load("movies", users=20, movies=30, ratings=20, features=2)
    with pytest.raises(ValueError, match=r"^dependent-click clicks by tables .* movies declares no such scale.*\.$"):
        limits.check_step(setup, data)


def test_chances_are_those_of_many_searches():
    """Measured on the same list: the shares of 4,000 replicates, within four standard errors."""
    data = datasets.load("toy-ranking", documents=5)
    sim = Simulation("preference-perceptron", data, "dynamic-bayesian", replicates=4000)
    sim.advance(steps=1)
    looked = (sim.last.response.judged >= 0).mean(axis=0)
    told = [float(row[2].removesuffix(" %")) / 100 for row in table_of(sim)[1:]]
    np.testing.assert_allclose(looked, told, atol=4 * 0.5 / np.sqrt(4000))
