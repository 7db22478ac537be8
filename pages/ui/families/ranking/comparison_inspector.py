"""The step inspector of the interleaving lab."""

from typing import Any

import numpy as np

from learners import Simulation
from learners.base import Line
from learners.ranking.interleave import credit
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import card, note, reason, strip
from pages.ui.families.ranking.inspector import RankingInspector
from pages.ui.plain import Html, for_html
from pages.ui.race.inspector import Inspector, Part
from pages.ui.race.words import count, joined, listed, sentence

MOST_DOCUMENTS = 20  # documents of a list that are drawn


class Teaching(RankingInspector):
    """The account of the search of a step from which the learner learns."""

    @staticmethod
    def latest(simulation: Simulation) -> Any:
        return None if simulation.last is None else simulation.last.learning


class ComparisonInspector(Inspector):
    """The account of one step: a comparison, with its interleaved list and the clicks, and what taught the learner."""

    def __init__(self, simulation: Simulation, replicate: int, look: Look) -> None:
        super().__init__(simulation, replicate, look)
        trial, r = self.step, replicate
        n = int(trial.lengths[r])
        self.shown, self.learners = trial.mixed.ranking[r][:n], trial.mixed.teams[r][:n]
        self.clicks, self.grades = trial.response.clicks[r][:n], trial.grades[r]
        self.credited = tuple(int(side[r]) for side in credit(trial.mixed, trial.response.clicks))

    def lines(self) -> tuple[Line, ...]:
        return ()  # nobody learns from a comparison

    def parts(self) -> list[Part]:
        """Return what happened in both searches, and below it the list compared and how the learner was taught."""
        taught = Teaching(self.simulation, self.r, self.look)
        return [
            Part(reason(f"<b>One search compared.</b> {self.told()}")),
            Part(reason(f"<b>One search taught the learner.</b> {taught.told()}")),
            Part(self.outcome()),
            Part(note("<b>The search that taught the learner:</b>")),
            *taught.parts()[1:],
        ]

    def _side(self, learner: bool) -> Html:
        """Return where the clicks on the documents of one side stood and what grades they had, as a clause."""
        places = [i for i in np.flatnonzero(self.clicks) if bool(self.learners[i]) == learner]
        names = (f"d{int(self.shown[i]) + 1} at place {i + 1} (grade {self.grades[self.shown[i]]:g})" for i in places)
        return Html(listed(names)) if places else Html("none")

    def why(self) -> str:
        mine, other = self.credited
        own, fixed = int(self.learners[:10].sum()), int((~self.learners[:10]).sum())
        top = f"of the first {own + fixed} documents the learner put {own} and the fixed ranker {fixed}"
        said = [sentence(f"two rankings were mixed into one list; {top}")]
        if not self.clicks.any():
            return joined([*said, "The user clicked nothing, so it is a tie."])
        clicked = f"The user clicked {self._side(True)} of the learner's and {self._side(False)} of the fixed ranker's."
        both = ", some for both" if mine + other > self.clicks.sum() else ""
        counts = f"{count(mine, 'click')} count{'s' * (mine == 1)} for the learner and {other or 'none'} for the other"
        end = {1: "the learner wins this comparison", -1: "the fixed ranker wins it", 0: "it is a tie"}
        return joined([*said, clicked, sentence(f"{counts}{both}, so {end[int(self.step.outcome[self.r])]}")])

    def outcome(self) -> Html:
        """Return the list, with the ranker that put each document there."""
        top = max(float(self.grades.max()), 1.0)
        cards = [
            card(
                f"<b>d{int(document) + 1}</b>", f"{i + 1}",
                ("learner" if self.learners[i] else "fixed") + ", clicked" * bool(self.clicks[i]),
                green=max(float(self.grades[document]), 0.0) / top,
                line=self.look.colors[0] if self.learners[i] else self.look.colors[1],
            )
            for i, document in enumerate(self.shown[:MOST_DOCUMENTS])
        ]  # fmt: skip
        name = for_html(self.data.query_name(int(self.step.query[self.r])))
        return note(
            f"Step {self.step.t:,} mixes the two rankings of query {name} into one list. Below each document stands "
            "the ranker that put it there. The greener a document, the higher its grade."
        ) + strip(cards)
