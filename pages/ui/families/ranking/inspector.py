"""The step inspector of the ranking labs."""

from collections.abc import Sequence
from functools import cached_property
from typing import cast

import numpy as np

from learners import Simulation
from learners.base import Array
from learners.ranking.searches import measures as metrics
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import card, figures, image, note, strip, summary, weight_map
from pages.ui.families.ranking.preferences import PAIRS, comparison, pairs_of
from pages.ui.families.ranking.story import RankingStory
from pages.ui.plain import NOTHING, Html, for_html
from pages.ui.race.inspector import Inspector
from pages.ui.race.words import count, listed, number, short

MOST_DOCUMENTS = 24  # documents of a ranking that are drawn
PLACES = 10  # whose chances to be looked at are told
JUDGED = {-1: "not seen", 0: "passed over", 1: "liked"}
COLOURS = "Red pixels speak for a document and blue ones against it."


class RankingInspector(Inspector):
    """The account of one step of a learner that shows a ranking."""

    def __init__(self, simulation: Simulation, replicate: int, look: Look) -> None:
        super().__init__(simulation, replicate, look)
        step, r = self.step, replicate
        self.n = int(step.lengths[r])  # candidate documents
        self.slots = min(self.data.on_page, self.n)  # documents that are presented
        self.grades = step.grades[r]
        self.shown, self.predicted = step.shown.ranking[r][: self.n], step.shown.predicted[r][: self.n]
        self.improved = step.feedback_ranking[r][: self.n]
        self.user, self.mixed = simulation.user, getattr(step.shown, "mixed", None)

    @cached_property
    def features(self) -> Array:
        """(n, d) of the documents of the query, 0 for those not offered."""
        offered = self.grades >= 0
        rows = self.data.features[self.step.documents[self.r][offered]]
        found = np.zeros((len(self.grades), self.data.dimension))
        found[offered] = rows.toarray() if self.data.sparse else rows
        return found

    def why(self) -> str:
        return RankingStory(self, self.name).text()

    def told(self) -> Html:
        return cast(Html, RankingStory(self, self._inline).text())  # all but the names is plain text without < or &

    def name(self, document: int) -> str:
        """Return what a document is called in plain text."""
        names = self.data.document_names
        return short(names[self.step.documents[self.r][document]]) if names else f"d{document + 1}"

    def _inline(self, document: int) -> Html:
        if self.data.document_names or not self.data.image_shape:
            return for_html(self.name(document))
        return f'<span class="fl-named">{self._picture(document)}{for_html(self.name(document))}</span>'

    def start(self) -> Html:
        """Return the weights at which the data set has learners start, if it says so."""
        first = self.data.initial_weights
        if first is None:
            return NOTHING
        return note(f"On this data set it starts at w₁ = [{', '.join(number(w) for w in first)}].")

    def observe(self) -> Html:
        """Return the query."""
        task = for_html(self.data.task_names[self.r % self.data.tasks])
        user = f" This user looks for <b>{task}</b>." if self.data.tasks > 1 else ""
        name = for_html(self.data.query_name(int(self.step.query[self.r])))
        query = f" takes query {name} of {self.data.queries:,} with" if self.data.queries > 1 else " offers"
        return note(
            f"Step {self.step.t:,}{query} {count(self.n, 'document')}.{user} The greener a document, the higher its "
            "relevance grade, which the learner does not see."
        )

    def predict(self) -> Html:
        """Return the predicted ranking with its scores."""
        if self.learner.fixed_list:
            return note("It has no weights. By its numbers of the documents it believes this order the best.") + (
                self._strip(self.predicted)
            )
        if self.learner.weights is None and self.learner.hears != "nothing":
            return note("It ranks by scores of its own, which are no weighted sum of the features.") + (
                self._strip(self.predicted)
            )
        if self.learner.weights is None:
            return note("It has no weights and puts the documents in random order.") + self._strip(self.shown)
        scores = self.step.shown.scores
        below = () if scores is None else [number(scores[self.r][d]) for d in self.predicted]
        said = "Documents are ranked by the score w · x below each of them."
        if self.slots == 1:
            said = "The document with the highest score w · x, which stands below it, comes first."
        return note(said) + self._strip(self.predicted, below)

    def perturb(self) -> Html:
        """Return the presented ranking, and how it came from the predicted one."""
        if self.mixed is not None:  # two rankings drafted into one list
            below = ["w" if own else "w + γu" for own in self.mixed.teams[self.r][: self.n]]
            return note("Below each document stands the ranker that picked it.") + self._strip(self.shown, below)
        if self.learner.listing:
            return note(f"{for_html(self.learner.listing)} as written below each document.") + self._strip(
                self.shown, self._sources()
            )
        if self.step.shown.pairs is None:
            explores = self.learner.fixed_list
            return note("To learn more, it showed this order.") + self._strip(self.shown) if explores else NOTHING
        swapped, partner = (getattr(self.step.shown.pairs, name)[self.r][: self.n] for name in ("swapped", "partner"))
        below = ["swapped" if s else "alone" if partner[i] == i else "kept" for i, s in enumerate(swapped)]
        p = float(np.broadcast_to(self.step.shown.swap_probability, len(self.step.query))[self.r])
        pairs = int(swapped.sum()) // 2
        were = "was" if pairs == 1 else "were"
        return note(
            f"{count(pairs, 'pair').capitalize()} {were} swapped, each with probability p = {p:.3g}, so that the user "
            "may see first what it puts second."
        ) + self._strip(self.shown, below, swapped)

    def feedback(self) -> Html:
        """Return what the user did, and the feedback ranking made of it."""
        response = self.step.response
        if self.learner.hears == "optimal":
            text = note("An expert gives the best ranking, whatever the simulated user did.")
        elif response.clicks is None:
            text = note("This user does not click but returns an improved ranking, which becomes ȳ.")
        else:
            clicked = int(response.clicks[self.r][: self.n].sum())
            pairs = self.step.shown.pairs is not None
            text = note(
                f"{'You' if self.by_hand else 'The user'} saw this ranking and clicked {count(clicked, 'document')}."
                + " Brackets join the pairs." * pairs
            ) + self._strip(self.shown, self._responses())
            text += "" if self.by_hand else self._attention()
        if self.learner.reading in PAIRS:
            told = [f"{self._inline(i)} to {self._inline(j)}" for i, j in pairs_of(self)]
            read = (
                f"It prefers {listed(told, MOST_DOCUMENTS)}." if told else "It prefers no document to one passed over."
            )
            return text + note(read)
        if self.learner.compares:
            return text + note(comparison(self, self._inline))
        if self.learner.tries or self.learner.fixed_list:  # it makes no feedback ranking of the clicks
            return text
        moved = self.improved != self.shown
        gain = self.utility_of(self.improved) - self.utility_of(self.shown)
        result = "The feedback ranking ȳ is the ranking shown, so there is nothing to learn."
        if moved.any():
            same = "and has the same true utility" if abs(gain) < 1e-9 else f"and changes true utility by {gain:+.3g}"
            result = f"The feedback ranking ȳ moves the outlined documents {same}."
        return text + note(result) + self._strip(self.improved, (), moved)

    def _attention(self) -> Html:
        """Return how likely the user was to look at each place and to click there, if its model says so."""
        grades = np.take_along_axis(self.step.grades, self.step.shown.ranking, axis=1)
        chances = self.user.attention(grades, self.data.top_grade)
        if chances is None:
            return NOTHING
        looked, clicked = chances.looked[self.r], chances.clicked[self.r]
        ended = None if chances.ended is None else chances.ended[self.r]
        names = ["place", "grade", "looks", "clicks"] + ["looks no further"] * (ended is not None)
        rows = []
        for i in range(min(self.slots, PLACES)):
            shares = [looked[i], clicked[i]] + ([] if ended is None else [ended[i]])
            cells = (f"{i + 1}", f"{grades[self.r, i]:g}", *(f"{100 * share:.1f} %" for share in shares))
            rows.append("".join(f"<td>{cell}</td>" for cell in cells))
        head, body = "".join(f"<th>{name}</th>" for name in names), "".join(f"<tr>{row}</tr>" for row in rows)
        clicks = number(float(clicked[: self.slots].sum()))
        told = note(
            "What this user does is a matter of chance. The table says how often it looks at each place, and clicks "
            f"there, with these grades in this order. On average such a list gets {clicks} clicks."
        )
        return f'{told}<table class="fl-table"><tr>{head}</tr>{body}</table>'

    def _sources(self) -> list[str]:
        """Return for each place why its document stands there."""
        shown, r = self.step.shown, self.r
        if self.learner.tries:
            return ["w" if team == 0 else f"u{team}" for team in shown.teams[r][: self.n]]
        if getattr(shown, "at_random", None) is not None:
            return ["random" if chance else "best left" for chance in shown.at_random[r][: self.n]]
        place = {int(document): i + 1 for i, document in enumerate(self.predicted)}
        by = "learned: place" if self.learner.fixed_list else "by score"
        return [f"{by} {place[int(document)]}" for document in self.shown]

    def _responses(self) -> list[str]:
        """Return what the user did with each document, with brackets around the pairs of a perturbing learner."""
        clicks, judged, pairs = self.step.response.clicks, self.step.response.judged, self.step.shown.pairs
        texts = []
        for i in range(self.n):
            seen = "" if judged is None else JUDGED[int(judged[self.r][i])]
            partner = i if pairs is None else int(pairs.partner[self.r][i])
            text = "clicked" if clicks[self.r][i] else seen
            texts.append(text if partner == i else f"[ {text}" if partner > i else f"{text} ]")
        return texts

    def update(self) -> Html:
        """Return how the weights moved."""
        before, after = self.step.before, self.step.after
        if before is None or after is None:
            remark = self.learner.remark(self.r)
            return note(for_html(remark)) if remark else NOTHING
        old, new, text, shape = before[self.r], after[self.r], "", self.data.image_shape
        remark, moved = self.learner.remark(self.r), float(np.linalg.norm(new - old))
        if not moved:
            taught = np.any(self.improved != self.shown)
            return note(for_html((taught and remark) or "The weights stay as they were."))
        text = note(for_html(f"{remark} w moves by {number(moved)}.".strip()))
        if shape:
            true = self.data.weights[self.r % self.data.tasks]
            maps = {"w before": old, "change": new - old, "w after": new, "w*, the true weights": true}
            text += note(
                f"{COLOURS} w* is the least-squares fit of the grades. It may give large weights to pixels that almost "
                "never hold ink, so that it looks less like the digit."
            )
            return text + figures(weight_map(w, shape, name, f"{name} as a picture") for name, w in maps.items())
        return text + _weights_table(old, new)

    def outcome(self) -> Html:
        """Return what the step has cost."""
        best = self.utility_of(np.argsort(-self.step.utility[self.r], kind="stable")[: self.n])
        now = self.utility_of(self.shown)
        order, places = self.grades[self.shown], int(min(5, self.slots, self.data.slots or self.n))
        ideal = metrics.dcg(np.sort(self.grades)[::-1], places)
        return summary(
            "Outcome",
            [
                Html(f"utility of the ranking shown, U(y) = {number(now)}"),
                Html(f"of the best one, U(y*) = {number(best)}"),
                Html(f"regret of this step {number(max(best - now, 0.0))}"),
                Html(f"NDCG@{places} {float(metrics.ndcg(order, np.asarray(ideal), places)):.3f}"),
                Html(f"best document at rank {int(metrics.rank_of_best(order))}"),
            ],
        )

    def utility_of(self, ranking: Array) -> float:
        """Return the true utility of a ranking of the query's documents."""
        return float(self.step.utility[self.r][ranking[: self.slots]] @ self.data.gamma[: self.slots])

    def _strip(self, ranking: Array, below: Sequence[str] = (), outlined: Array | None = None) -> Html:
        top = max(float(self.grades.max()), 1.0)
        cards = []
        for i, document in enumerate(ranking[: min(self.slots, MOST_DOCUMENTS)]):
            grade = float(self.grades[document])
            cards.append(
                card(
                    self._face(int(document)), f"{i + 1}", below[i] if below else "", green=grade / top,
                    outlined=outlined is not None and bool(outlined[i]), title=f"grade {grade:g}",
                )
            )  # fmt: skip
        return strip(cards, self.slots - MOST_DOCUMENTS)

    def _face(self, document: int) -> Html:
        if self.data.document_names:
            return f"<b>{for_html(self.data.document_names[self.step.documents[self.r][document]])}</b>"
        picture = self._picture(document) if self.data.image_shape else ""
        return f"{picture}<b>d{document + 1}</b>"

    def _picture(self, document: int) -> Html:
        row = self.step.documents[self.r][document]
        return image(self.data.features[row], self.data.image_shape, f"document {document + 1}")


def _weights_table(old: Array, new: Array, most: int = 10) -> Html:
    """Return the weights that changed most, before and after."""
    change = new - old
    chosen = np.sort(np.argsort(-np.abs(change), kind="stable")[:most])
    cells = [(f"{int(j) + 1}", f"{old[j] + 0.0:.4f}", f"{change[j] + 0.0:+.4f}", f"{new[j] + 0.0:.4f}") for j in chosen]
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells)
    head = "".join(f"<th>{name}</th>" for name in ("feature", "w before", "change", "w after"))
    some = note(f"These are the {most} of {len(new)} features that changed most.") if len(new) > most else ""
    return f'<table class="fl-table"><tr>{head}</tr>{rows}</table>{some}'
