"""The multilabel lab, in which learners show a set of labels and learn which of these are correct."""

from dataclasses import replace

from pages.ui.families.multilabel.face import FACE
from pages.ui.lab.lab import Lab
from pages.ui.lab.tries import Try
from pages.ui.race.knob import Knob
from pages.ui.race.world import REPLICATES, STEPS

LAB = Lab(
    id="multilabel",
    title="Multilabel lab",
    lead="Learners hear which **of the labels shown** are correct. What do they lose?",
    family="multilabel",
    speed="250",
    race=("multilabel-ucb", "online-binary-relevance", "random-labels"),
    face=FACE,
    regret="loss",
    bounded=False,
    steps=replace(STEPS, default=3000, step=500),
    replicates=replace(REPLICATES, default=5),
    knobs=(
        Knob("width", "learner", (0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 2), "Width of exploration"),
        Knob("size", "learner", (1, 2, 3, 5, 7, 10, 15, 20), "Most labels shown"),
        Knob("density", "dataset", (0.02, 0.05, 0.1, 0.2, 0.3, 0.5), "Share of correct labels"),
    ),
    tries=(
        Try("Switch exploration off (width 0). How many labels does the learner still dare to show?", "width-1", "0"),
        Try("Leave room for three labels. Which kind of error becomes rarer, and which more frequent?", "size-1", "3"),
        Try("Make three labels in ten correct instead of one. How close do the learners come now?", "density", "0.3"),
    ),
)
