"""The step inspectors know every phase of every algorithm they are shown."""

from dataclasses import replace

import pytest

from learners import Simulation, catalogue, create
from learners.base import Line
from learners.catalogue import families
from pages.ui.draw.charts import Look
from pages.ui.families import labs
from pages.ui.families.semi_supervised.inspector import SemiSupervisedInspector
from tests.learners.run.problems import simulation

INSPECTORS = {id: labs()[family.page].face.inspector for id, family in families().items()}


def test_a_line_of_an_unknown_phase_is_refused_where_it_is_written():
    with pytest.raises(ValueError, match=r"phase must be one of start, observe, .*, got 'pertrub'"):
        Line("pertrub", "$p$")
    with pytest.raises(ValueError, match="got ''"):
        replace(Line("start", "$w_1 = 0$"), phase="")


@pytest.mark.parametrize("info", catalogue(), ids=lambda info: info.id)
def test_the_inspector_of_its_family_knows_every_phase_of_a_learner(info):
    assert info.lines and {line.phase for line in info.lines} <= set(INSPECTORS[info.family].phases())


@pytest.mark.parametrize("info", catalogue(), ids=lambda info: info.id)
def test_every_line_of_an_algorithm_is_told(info):
    run = simulation(info.id, replicates=3)
    run.advance(steps=1)
    parts = INSPECTORS[info.family](run, 2, Look()).parts()
    lines = [(number, run.learner.words(line), line.text) for number, line in enumerate(run.learner.lines, start=1)]
    assert [(part.number, part.words, part.line) for part in parts if part.number] == lines


def test_a_phase_that_an_inspector_does_not_know_is_refused_not_skipped():
    """Semi-supervised learners show nothing, so nothing can be perturbed."""
    learner = create("single-tree")
    learner.lines = (Line("perturb", "Swap each pair with probability $p$."),)
    run = Simulation(learner, "moons")
    run.advance(steps=1)
    with pytest.raises(ValueError, match=r"phase of line 1 must be one of start, observe, .*, got perturb"):
        SemiSupervisedInspector.show(run, 0, Look())
