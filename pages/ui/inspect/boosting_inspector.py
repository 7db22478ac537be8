"""The round inspectors of the boosting labs: one round, told line by line of the learner's algorithm."""

from __future__ import annotations

import html
from typing import Any

import numpy as np
from pages.ui.draw.planes import color_of

from learners import Simulation
from learners.boosting.environment import Step
from pages.ui.draw import pictures
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import bars, inspector, note

MOST = 12  # rows that are listed
_WORDS = {
    "A_u": "against, unlabelled Aᵤ",
    "A_l": "against, labels Aₗ",
    "B_u": "for, unlabelled Bᵤ",
    "B_l": "for, labels Bₗ",
}
_PAIRS = {
    "mu": "pairs put in order μ", "nu": "pairs put out of order ν", "eta": "η",
    "right": "pairs put in order α₁", "wrong": "pairs put out of order α₂",
}  # fmt: skip


def _sentence(text: str) -> str:
    """A reason as a sentence, safe in HTML."""
    return html.escape(text[:1].upper() + text[1:].rstrip(".") + ".")


class _Teller:
    """HTML for each phase of a round; what is common to all families. `words` are what of `told` is shown."""

    words = _WORDS

    def __init__(self, simulation: Simulation, step: Step, r: int, look: Look) -> None:
        self.simulation, self.world, self.data = simulation, simulation.environment, simulation.dataset
        self.step, self.r, self.look = step, r, look
        self.round = step.rounds[r]
        self.told = self.round.told

    def observe(self) -> str:
        return ""

    def predict(self) -> str:
        return ""

    def feedback(self) -> str:
        if self.round.stopped:
            return note(f"<b>Nothing is added.</b> {_sentence(self.round.stopped)}")
        parts = [f"step size α = <b>{self.round.step:.4g}</b>"]
        if not np.isnan(self.round.error):
            what = "ε = A / (A + B)" if "A_u" in self.told else "weighted error ε"
            parts.insert(0, f"{what} = <b>{self.round.error:.4g}</b>")
        parts += [
            f"{words} = {self.told[name]:.4g}"
            for name, words in self.words.items()
            if isinstance(self.told.get(name), (int, float))
        ]
        return note(" · ".join(parts))

    def update(self) -> str:
        words = {"objective": "objective", "surrogate": "surrogate M", "bound": "its bound"}
        found = [f"{words[name]} {self.round.values[name]:.5g}" for name in words if name in self.round.values]
        return note(" · ".join(found)) if found else ""

    def value(self, metric: str) -> float:
        """A metric of this replicate after the round."""
        return float(self.simulation.history[metric][-1, self.r])

    def outcome(self) -> str:
        return ""

    def told_outcome(self, parts: list[str]) -> str:
        """What the round has brought; why the learner has stopped, if it has."""
        end = f" The learner has stopped: {_sentence(self.round.stopped)}" if self.round.stopped else ""
        return f'<p class="fl-note"><b>After round {self.step.t}:</b> {" · ".join(parts)}.{end}</p>'


class _Classes(_Teller):
    """A round of a semi-supervised learner."""

    def __init__(self, simulation: Simulation, step: Step, r: int, look: Look) -> None:
        super().__init__(simulation, step, r, look)
        self.labels = self.world.problems[r].labels
        self.names = self.data.names

    def observe(self) -> str:
        weights, targets = self.round.weights, self.round.targets
        known = int((self.labels >= 0).sum())
        words = f"{known} examples have a label, {len(self.labels) - known} have none."
        if weights is None or targets is None or not np.any(weights > 0):
            return note(words)
        total = float(weights.sum())
        rows = []
        for k, name in enumerate(self.names[:MOST]):
            mine = targets == k
            pseudo = int((mine & (self.labels < 0)).sum())
            share = float(weights[mine].sum()) / total
            rows.append((name, share, f"{share:.1%} of the weight, {pseudo} pseudo-labels", False))
        top = np.argsort(-weights, kind="stable")[: min(MOST, int((weights > 0).sum()))]
        return bars(rows, self.look.text) + self._examples(top) + note(
            f"{words} Above: how the weight is shared by the classes, and the {len(top)} heaviest examples, coloured by label "
            "(◆) or pseudo-label."
        )  # fmt: skip

    def _examples(self, rows: Any) -> str:
        cards = []
        for i in rows:
            k = int(self.round.targets[i])
            name = html.escape(self.names[k]) if k >= 0 else "none"
            mark = "◆ " if self.labels[i] >= 0 else ""
            picture = ""
            if self.data.image_shape:
                pixels = np.maximum(self.data.features[self.world.rows[self.r][i]], 0).reshape(self.data.image_shape)
                picture = f'<img alt="" src="{pictures.ink(pixels)}">'
            cards.append(
                f'<div class="fl-doc" style="border-bottom:4px solid {color_of(k)}">{picture}<b>{mark}{name}</b>'
                f"<small>w {self.round.weights[i]:.3g}</small></div>"
            )
        return f'<div class="fl-strip" style="margin:.5rem 0">{"".join(cards)}</div>'

    def predict(self) -> str:
        answers, targets, weights = self.round.answers, self.round.targets, self.round.weights
        if answers is None:
            return note("No weak classifier was trained.")
        used = sorted(set(answers.tolist()))
        names = ", ".join(html.escape(self.names[k]) for k in used[:MOST]) + (" …" if len(used) > MOST else "")
        words = f"It names {len(used)} of {len(self.names)} classes: {names}."
        if targets is not None and weights is not None and weights.sum() > 0:
            agree = float(weights[answers == targets].sum() / weights.sum())
            words += f" It agrees with {agree:.1%} of the weight."
        known = self.labels >= 0
        right = int((answers[known] == self.labels[known]).sum())
        return note(f"{words} Alone it is right on {right} of the {int(known.sum())} labelled examples.")

    def outcome(self) -> str:
        """How often it is right now."""
        parts = [
            f"{words} {self.value(metric):.1%}"
            for metric, words in (
                ("accuracy-train", "right on labelled"), ("accuracy-unlabelled", "on unlabelled"), ("accuracy-test", "on test examples"),
            )
            if not np.isnan(self.value(metric))
        ]  # fmt: skip
        return self.told_outcome(parts)


class _Rankings(_Teller):
    """A round of a learner of rankings from graded queries."""

    words = _PAIRS

    @property
    def signed(self) -> Any:
        """Weights of the documents, positive where they should be lifted; None where there are none."""
        weights, targets = self.round.weights, self.round.targets
        return weights if weights is None or targets is None else weights * targets

    def observe(self) -> str:
        weights = self.signed
        if weights is None:
            return ""
        up, down = weights > 0, weights < 0
        if not down.any():  # weights of whole queries
            return note(f"Weights of {len(weights):,} documents, from {weights.min():.3g} to {weights.max():.3g}.")
        problem = self.world.problems[self.r]
        grades = sorted(set(problem.grades.tolist()), reverse=True)[:MOST]
        rows = [
            (f"grade {g:g}", abs(w), f"{w:+.3g} in all, {int((problem.grades == g).sum()):,} documents", w > 0)
            for g in grades
            for w in [float(weights[problem.grades == g].sum())]
        ]
        return bars(rows, self.look.text) + note(
            f"{int(up.sum()):,} documents should be lifted, {int(down.sum()):,} lowered. Above: the sum of the weights of each "
            "grade, upwards in bold. Within a query the weights add up to 0."
        )

    def predict(self) -> str:
        if "rule" in self.told:
            rule, some = html.escape(str(self.told["rule"])), self.round.answers
            return note(f"It lifts the documents of <b>{rule}</b>: {int((some > 0).sum())} of {len(some)}.")
        j = self.told.get("feature")
        if j is None:
            return note("No single feature to name.") if self.round.answers is not None else ""
        threshold = self.told.get("threshold")
        if threshold is None:
            first = "largest" if self.told.get("above", True) else "smallest"
            return note(f"It ranks by feature <b>{j + 1}</b>, the {first} values first.")
        side = "above" if self.told.get("above", True) else "at most"
        some = self.round.answers
        lifted = "" if some is None else f" These are {int((some > 0).sum()):,} of {len(some):,} training documents."
        return note(f"It lifts documents whose feature <b>{j + 1}</b> is {side} {threshold:.4g}.{lifted}")

    def outcome(self) -> str:
        """NDCG now."""
        parts = [f"NDCG@5 {self.value(f'ndcg@5{s}'):.3f} {w}" for s, w in (
            ("-train", "on training"), ("-validation", "on validation"), ("", "on test queries"),
        )]  # fmt: skip
        return self.told_outcome([*parts, f"MAP {self.value('map'):.3f} on test queries"])


class _Refinement(_Rankings):
    """A round of a learner that refines a ranking."""

    def observe(self) -> str:
        weights, problem = self.signed, self.world.problems[self.r]
        said = f"{len(problem.judged)} of {len(problem.base)} documents were judged; base ranker: {html.escape(self.world.base_name)}."
        if weights is None or not np.any(weights):
            return note(said)
        top = np.argsort(-np.abs(weights), kind="stable")[:MOST]
        judged = dict(zip(problem.judged.tolist(), problem.grades.tolist(), strict=True))
        rows = [
            (self._name(int(i)), float(abs(weights[i])), f"{weights[i]:+.3g}"
             + (f", judged {judged[int(i)]:g}" if int(i) in judged else ""), weights[i] > 0)
            for i in top
        ]  # fmt: skip
        return bars(rows, self.look.text) + note(
            f"{said} Above: the {len(top)} heaviest documents; those that should be lifted are bold."
        )

    def _name(self, document: int) -> str:
        row = int(self.world.documents[self.r][document])
        names = self.data.document_names
        return names[row][:48] if names else f"document {document + 1}"

    def outcome(self) -> str:
        """The ranking now beside the base ranker's."""
        problem = self.world.problems[self.r]
        now, before = self.world.ranking(self.r), self.world.base_ranking(self.r)
        was = np.empty(len(before), dtype=int)
        was[before] = np.arange(1, len(before) + 1)
        judged = set(problem.judged.tolist())
        grades = self.world.grades[self.r]
        top = float(grades.max()) or 1.0
        cards = []
        for rank, i in enumerate(now[:25], start=1):
            moved = int(was[i]) - rank
            arrow = f"▲{moved}" if moved > 0 else f"▼{-moved}" if moved < 0 else "="
            row = int(self.world.documents[self.r][i])
            picture = ""
            if self.data.image_shape:
                pixels = np.maximum(self.data.features[row], 0).reshape(self.data.image_shape)
                picture = f'<img alt="" src="{pictures.ink(pixels)}">'
            name = html.escape(self._name(int(i))) if self.data.document_names else f"{i + 1}"
            css = "fl-doc relevant" + (" moved" if int(i) in judged else "")
            cards.append(
                f'<div class="{css}" style="--share:{55 * grades[i] / top:.0f}%;max-width:10rem"><small>{rank} {arrow}</small>'
                f"{picture}<b>{name}</b><small>grade {grades[i]:g}</small></div>"
            )
        legend = note(
            "The first documents now: rank, how far each has moved, and its true grade (the greener the better). Outlined: judged."
        )
        gains = [f"{words} {self.value(metric):+.3f}" for metric, words in (
            ("gain", "gain in NDCG of the whole list"), ("gain-unjudged", "of the unjudged documents"),
        ) if not np.isnan(self.value(metric))]  # fmt: skip
        return f'<div class="fl-strip">{"".join(cards)}</div>{legend}' + self.told_outcome(gains)


inspect_classes = inspector(_Classes)
inspect_rankings = inspector(_Rankings)
inspect_refinement = inspector(_Refinement)
