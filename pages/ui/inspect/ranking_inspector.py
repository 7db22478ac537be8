"""The step inspector of the ranking labs: one step, told line by line of the learner's algorithm."""

from __future__ import annotations

import html
from typing import Any

import numpy as np
import streamlit as st

from learners import Simulation
from learners.ranking.world import measures as metrics
from learners.ranking.world.environment import Step
from pages.ui.draw import pictures
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import STYLE, inspector, note
from pages.ui.lab.race import Race

MOST = 24  # documents of a ranking that are drawn


def weights_at_a_glance(race: Race) -> None:
    """Where documents are images: the weights of every learner as pictures, for the first replicate."""
    assert race.setup is not None
    shape = race.simulations[0].dataset.image_shape
    if shape is None or not race.t:
        return
    task = race.simulations[0].dataset.task_names[0]
    figures = "".join(
        f'<figure><img alt="weights as a picture" src="{pictures.signed(s.learner.weights[0].reshape(shape))}">'
        f"{html.escape(label)}</figure>"
        for label, s in zip(race.setup.labels(), race.simulations, strict=True)
        if s.learner.weights is not None
    )
    st.html(
        f'{STYLE}<p class="fl-note">The weights of each learner as a picture, in the run whose user looks for '
        f"<b>{html.escape(task)}</b>: red pixels speak for a document, blue ones against it.</p>"
        f'<div class="fl-maps">{figures}</div>'
    )


class _Teller:
    """HTML for each phase of a step."""

    def __init__(self, simulation: Simulation, step: Step, r: int, look: Look) -> None:
        self.simulation, self.step, self.r = simulation, step, r
        self.data = simulation.dataset
        self.n = int(step.lengths[r])  # documents that are offered
        self.slots = min(self.data.slots or self.n, self.n)  # those that are shown count
        self.grades = step.grades[r]
        self.shown = step.shown.ranking[r][: self.n]
        self.predicted = step.shown.predicted[r][: self.n]
        self.improved = step.feedback_ranking[r][: self.n]
        self.perturbs = step.shown.pairs is not None

    def start(self) -> str:
        first = self.data.initial_weights
        return (
            ""
            if first is None
            else note(f"Here the data set has it start at w₁ = [{', '.join(f'{x:g}' for x in first)}].")
        )

    def observe(self) -> str:
        task = self.data.task_names[self.r % self.data.tasks]
        who = f" This user looks for <b>{html.escape(task)}</b>." if self.data.tasks > 1 else ""
        name = html.escape(self.data.query_name(int(self.step.query[self.r])))
        return note(
            f"Step {self.step.t}: query {name} of {self.data.queries:,}, with {self.n} documents.{who} "
            "The greener a document, the higher its relevance grade; the learner does not see it."
        )

    def predict(self) -> str:
        if self.simulation.learner.weights is None:
            return self._strip(self.shown, [""] * self.n)
        scores = self.step.shown.scores
        under = [""] * self.n if scores is None else [f"{scores[self.r][d] + 0.0:.3g}" for d in self.predicted]
        return self._strip(self.predicted, under) + note(
            "Under each document: its score w · x, by which they are ranked."
        )

    def perturb(self) -> str:
        mixed = getattr(self.step.shown, "mixed", None)
        if mixed is not None:  # two rankings drafted into one list
            teams = mixed.teams[self.r][: self.n]
            under = ["w" if own else "w + γu" for own in teams]
            return self._strip(self.shown, under) + note("Below each document whose it is.")
        pairs = self.step.shown.pairs
        if pairs is None:
            return ""
        swapped = pairs.swapped[self.r][: self.n]
        partner = pairs.partner[self.r][: self.n]
        under = ["⇄ swapped" if s else ("alone" if partner[i] == i else "kept") for i, s in enumerate(swapped)]
        p = float(np.broadcast_to(self.step.shown.swap_probability, len(self.step.query))[self.r])
        return self._strip(self.shown, under, swapped) + note(
            f"Swap probability p = {p:.3g}; {int(swapped.sum()) // 2} pair(s) swapped."
        )

    def feedback(self) -> str:
        response = self.step.response
        told = ""
        if self.simulation.learner.hears == "optimal":
            told = note("The expert's answer, whatever the simulated user did:")
        elif response.clicks is not None:
            clicks = response.clicks[self.r][: self.n]
            judged = None if response.judged is None else response.judged[self.r][: self.n]
            under = [_answer(bool(c), None if judged is None else int(judged[i])) for i, c in enumerate(clicks)]
            if self.perturbs:
                under = [f"{pair} {words}" for pair, words in zip(self._pairs(), under, strict=True)]
            count = int(clicks.sum())
            told = self._strip(self.shown, under) + note(
                f"The user saw this ranking and clicked {count or 'no'} document{'s' * (count != 1)}. "
                f"{'Brackets join the pairs. ' * self.perturbs}The feedback ranking ȳ made of it:"
            )
        else:
            told = note("This user does not click but hands back an improved ranking, which is taken as ȳ:")
        moved = self.improved != self.shown
        gain = self._utility(self.improved) - self._utility(self.shown)
        words = "No document moved: nothing to learn."
        if moved.any():
            words = "No gain in true utility." if abs(gain) < 1e-9 else f"Gain in true utility: {gain:+.3g}."
        return told + self._strip(self.improved, [""] * self.n, moved) + note(words)

    def update(self) -> str:
        before, after = self.step.before, self.step.after
        if before is None or after is None:
            return ""
        old, new = before[self.r], after[self.r]
        told = self._retrained()
        if told is not None and not np.any(new != old):
            return told
        if told:
            return told + _weights_table(old, new)
        if self.data.image_shape:
            true = self.data.weights[self.r % self.data.tasks]
            maps = [("w before", old), ("change", new - old), ("w after", new), ("w*, the true weights", true)]
            figures = "".join(
                f'<figure><img alt="{name} as a picture" src="{pictures.signed(w.reshape(self.data.image_shape))}">'
                f"{name}</figure>"
                for name, w in maps
            )
            return f'<div class="fl-maps">{figures}</div>' + note(
                "Red pixels speak for a document, blue ones against it. w* is the least-squares fit of the grades: pixels "
                "that are almost never inked may get large weights there, so that it looks less like the digit."
            )
        return _weights_table(old, new)

    def _retrained(self) -> str | None:
        """Of a learner that is retrained now and then: whether it was in this step; None of all others."""
        learner = self.simulation.learner
        if not hasattr(learner, "retrained"):
            return None
        if learner.retrained[self.r]:
            return note(f"Retrained on {int(learner.trained_on[self.r]):,} pairs, with C = {learner.C[self.r]:g}.")
        return note(
            f"Not retrained in this step; the weights are those learned from {int(learner.trained_on[self.r]):,} pairs."
        )

    def outcome(self) -> str:
        """What the step cost, in numbers."""
        best = self._utility(np.argsort(-self.step.utility[self.r], kind="stable")[: self.n])
        now = self._utility(self.shown)
        order = self.grades[self.shown]
        places = min(5, self.slots)
        ideal = metrics.dcg(np.sort(self.grades)[::-1], places)
        parts = [
            f"U(y) = {now:.4g}", f"U(y*) = {best:.4g}", f"regret of this step {max(best - now, 0.0):.4g}",
            f"NDCG@{places} {float(metrics.ndcg(order, np.asarray(ideal), places)):.3f}",
            f"best document at rank {int(metrics.rank_of_best(order))}",
        ]  # fmt: skip
        return f'<p class="fl-note"><b>Outcome:</b> {" · ".join(parts)}</p>'

    def _pairs(self) -> list[str]:
        """A bracket for each position: ┌ the upper of a pair, └ the lower, nothing where it stands alone."""
        pairs = self.step.shown.pairs
        assert pairs is not None
        partner = pairs.partner[self.r][: self.n]
        return ["" if p == i else "┌" if p > i else "└" for i, p in enumerate(partner)]

    # ---- pieces -----------------------------------------------------------------------------------

    def _utility(self, ranking: Any) -> float:
        return float(self.step.utility[self.r][ranking[: self.slots]] @ self.data.gamma[: self.slots])

    def _strip(self, ranking: Any, under: list[str], marked: Any = None) -> str:
        top = max(float(self.grades.max()), 1.0)
        cards = []
        ranking = ranking[: self.slots]
        for i, document in enumerate(ranking[:MOST]):
            grade = float(self.grades[document])
            css = "relevant " * (grade > 0) + "moved" * bool(marked is not None and marked[i])
            cards.append(
                f'<div class="fl-doc {css}" style="--share:{round(55 * grade / top)}%" title="grade {grade:g}">'
                f"<small>{i + 1}</small>{self._face(int(document))}<small>{html.escape(under[i])}</small></div>"
            )
        more = f'<div class="fl-doc">+{len(ranking) - MOST}<small>more</small></div>' if len(ranking) > MOST else ""
        return f'<div class="fl-strip">{"".join(cards)}{more}</div>'

    def _face(self, document: int) -> str:
        if self.data.document_names:
            return f"<b>{html.escape(self.data.document_names[self.step.documents[self.r][document]])}</b>"
        if not self.data.image_shape:
            return f"<b>d{document + 1}</b>"
        row = self.step.documents[self.r][document]
        picture = pictures.ink(self.data.features[row].reshape(self.data.image_shape))
        return f'<img alt="document {document + 1}" src="{picture}">'


inspect = inspector(_Teller)


def _answer(clicked: bool, judged: int | None) -> str:
    if clicked:
        return "👆 click"
    return {None: "", -1: "not seen", 0: "passed", 1: "liked"}[judged]


def _weights_table(old: Any, new: Any, most: int = 10) -> str:
    """The weights that changed most, before and after."""
    change = new - old
    chosen = np.sort(np.argsort(-np.abs(change), kind="stable")[:most])
    rows = "".join(
        f"<tr><td>{j + 1}</td><td>{old[j] + 0.0:.4f}</td><td>{change[j] + 0.0:+.4f}</td><td>{new[j] + 0.0:.4f}</td></tr>"
        for j in chosen
    )
    some = f" (the {most} of {len(new)} features that changed most)" if len(new) > most else ""
    return (
        '<table class="fl-table"><tr><th>feature</th><th>w before</th><th>change</th><th>w after</th></tr>'
        f"{rows}</table>" + (note(some) if some else "")
    )
