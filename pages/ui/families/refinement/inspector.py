"""The round inspector of the relevance-feedback lab."""

import numpy as np

from learners.boosting.refinement.metrics import GAIN, GAIN_UNJUDGED
from pages.ui.draw.markup import bars, card, image, note, strip
from pages.ui.families.learning_to_rank.inspector import LearningToRankInspector
from pages.ui.plain import Html, for_html
from pages.ui.race.rounds import MOST_ROWS
from pages.ui.race.words import short

TOP = 25  # documents of the ranking that are drawn


class RefinementInspector(LearningToRankInspector):
    """The account of one round of a learner that refines a ranking."""

    def row(self, i: int) -> str:
        return short(self._name(i)) if self.data.document_names else self._name(i)

    def tag(self, i: int) -> str:
        return self.row(i).replace("document ", "d")

    def brought(self) -> str:
        now, base = self.world.ranking(self.r), self.world.base_ranking(self.r)
        places = np.empty((2, len(base)), dtype=int)
        for row, ranking in zip(places, (base, now), strict=True):
            row[ranking] = np.arange(1, len(base) + 1)
        rise = places[0] - places[1]
        i = int(rise.argmax())
        gain = self.compared(GAIN, "The gain in NDCG over the base ranker", "+.3f")
        if not rise[i]:
            return f"The ranking is that of the base ranker. {gain}"
        moved = f"from place {places[0, i]} to {places[1, i]}"
        return f"Against the base ranking {self.row(i)} has risen most, {moved}. {gain}"

    def observe(self) -> Html:
        """Return the judgements and the heaviest documents."""
        weights, problem = self.signed, self.problem
        base = for_html(self.world.base_name)
        text = f"{len(problem.judged)} of {len(problem.base)} documents were judged. The base ranker is {base}."
        if weights is None or not np.any(weights):
            return note(text)
        judged = dict(zip(problem.judged.tolist(), problem.grades.tolist(), strict=True))
        heaviest = np.argsort(-np.abs(weights), kind="stable")[:MOST_ROWS].tolist()
        rows = []
        for i in heaviest:
            grade = f", judged {judged[i]:g}" if i in judged else ""
            rows.append((self._name(i), float(abs(weights[i])), f"{weights[i]:+.3g}{grade}", bool(weights[i] > 0)))
        return note(
            f"{text} The bars show the {len(heaviest)} heaviest documents, in bold those that should rise."
        ) + bars(rows, self.look.text)

    def _name(self, document: int) -> str:
        row = int(self.world.documents[self.r][document])
        names = self.data.document_names
        return names[row][:48] if names else f"document {document + 1}"

    def _document(self, document: int, rank: int, before: int, judged: bool) -> Html:
        grades = self.world.grades[self.r]
        moved = f"up {before - rank}" if before > rank else f"down {rank - before}" if before < rank else "unmoved"
        picture = ""
        if self.data.image_shape:
            picture = image(self.data.features[self.world.documents[self.r][document]], self.data.image_shape)
        name = for_html(self._name(document)) if self.data.document_names else f"{document + 1}"
        green = float(grades[document]) / (float(grades.max()) or 1.0)
        below = f"grade {grades[document]:g}"
        return card(f"{picture}<b>{name}</b>", f"{rank} · {moved}", below, green=green, outlined=judged)

    def outcome(self) -> Html:
        """Return the ranking after the round beside the base ranker's, and the gain in NDCG."""
        now, base = self.world.ranking(self.r), self.world.base_ranking(self.r)
        before = np.empty(len(base), dtype=int)
        before[base] = np.arange(1, len(base) + 1)
        judged = set(self.problem.judged.tolist())
        cards = [
            self._document(i, rank, int(before[i]), i in judged) for rank, i in enumerate(now[:TOP].tolist(), start=1)
        ]
        values = {
            "gain in NDCG on all documents": self.value(GAIN),
            "on the unjudged documents": self.value(GAIN_UNJUDGED),
        }
        return (
            note(
                "These documents now come first. Each shows its rank, how far it has moved and its true grade; the "
                "greener, the higher. Judged documents are outlined."
            )
            + strip(cards)
            + self.after_round(f"{title} {value:+.3f}" for title, value in values.items() if not np.isnan(value))
        )
