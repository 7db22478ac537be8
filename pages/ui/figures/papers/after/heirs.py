"""Figures on successors of [B] and [G]: Gappletron, and the structured bandit, which may hear only a count."""

from pages.ui.figures.figure import Figure, Over, Panel, Series, Size
from pages.ui.figures.papers.after.right_or_wrong import GAMMAS, WORLDS
from pages.ui.figures.statement import Above, Claimed, Expected, Value, at, lowest

OLD, GAP, HEIR = "Banditron", "Gaptron", "Gappletron"
WHICH, NUMBER, FIRST, CHANCE = "hears which", "hears how many", "[G]", "at random"
LABELS = (5, 10, 20, 40)
RIGHT = ("synsep", "synnonsep", "digits")


def _right_or_wrong(id: str) -> Panel:
    title, dataset, data, examples, _ = WORLDS[id]
    return Panel(
        id, title, (Series(OLD, "banditron"), Series(GAP, "gaptron"), Series(HEIR, "gappletron", reference=True)),
        Size(examples), dataset=dataset, data=data, metric="error-rate",
        x=Over("gamma", GAMMAS, title="γ", log=True, only=(OLD, GAP)), x_title="γ", y_title="error rate",
        live=Size(min(examples, 2_000), seeds=1), lab="bandit", stands_for="MNIST" if id == "digits" else "",
    )  # fmt: skip


def _less(id: str, other: str) -> Value:
    return (lowest(id, other) - at(id, HEIR)).named(f"{other} at its best γ less {HEIR}, {WORLDS[id][0]}")


def _more(labels: int) -> Value:
    words = f"loss if it hears how many, over that if it hears which, {labels} labels"
    return (at("labels", NUMBER, labels) / at("labels", WHICH, labels)).named(words)


def _gain(labels: int) -> Value:
    return (at("labels", CHANCE, labels) - at("labels", NUMBER, labels)).named(
        f"{CHANCE} less {NUMBER}, {labels} labels"
    )


FEW, MANY = _more(5), _more(40)
HEIRS = Figure(
    "L-heirs", "L", 15, "Heirs", "What a right answer teaches, and what a number teaches",
    "On top the error rate over all steps, by γ; Gappletron, a level, chooses for itself. Below the mean loss of 3,000 "
    "steps over the number of labels, on the data of [G], if the structured bandit hears which labels shown are right "
    "(inverse weights), or only how many (pseudo-inverse).",
    (
        *(_right_or_wrong(id) for id in RIGHT),
        Panel(
            "labels", "Sets of labels",
            (
                Series(WHICH, "structured-bandit"),
                Series(NUMBER, "structured-bandit", {"estimator": "pseudo-inverse"}),
                Series(FIRST, "multilabel-ucb"), Series(CHANCE, "random-labels", reference=True),
            ),
            Size(3_000), dataset="multilabel-synthetic", data={"density": 0.3}, metric="loss",
            x=Over("labels", LABELS, owner="dataset", title="labels"), x_title="labels", y_title="mean loss",
            live=Size(500, seeds=1), lab="multilabel",
        ),
    ),
    (
        Claimed(
            "Gappletron is competitive with known baselines on synthetic data.",
            "The error of the Banditron at its best γ less that of Gappletron, untuned, is {synsep:+.3f} on SynSep and "
            "{synnonsep:+.3f} on SynNonSep.",
            *(Above(id, -0.02) for id in RIGHT[:2]), values={id: _less(id, OLD) for id in RIGHT[:2]},
            where="[HFC21]",
            why="The Banditron has the best of five γ on each data set, Gappletron one rate for both. On SynSep no "
            "other rate helps: of five, with two radii, its defaults are the best on three data seeds.",
        ),
        Expected(
            "With steps that tune themselves Gappletron makes fewer mistakes than Gaptron with the step of its theory.",
            "Gaptron at its best γ less Gappletron is {synsep:+.3f} on SynSep, {synnonsep:+.3f} on SynNonSep and "
            "{digits:+.3f} on digits.",
            *(Above(id, 0.0) for id in RIGHT), values={id: _less(id, GAP) for id in RIGHT},
        ),
        Expected(
            "Who only hears how many labels are right loses more than who hears which, and less than who guesses.",
            "With 10 labels it loses {n:.3f}, who hears which {w:.3f}, and who guesses {c:.3f}.",
            *(Above(_more(labels), 1.0) for labels in LABELS), *(Above(_gain(labels), 0.0) for labels in LABELS),
            n=at("labels", NUMBER, 10), w=at("labels", WHICH, 10), c=at("labels", CHANCE, 10),
        ),
        Expected(
            "Hearing only how many costs more, the more labels there are.",
            "It multiplies the loss by {few:.3f} with 5 labels and by {many:.3f} with 40.",
            Above((MANY - FEW).named("factor at 40 labels less that at 5"), 0.0), few=FEW, many=MANY,
            why="With 40 labels it is hardly better than guessing, and the factor cannot be larger than that of a "
            "guess. Of what hearing which gains over guessing, a number keeps a third with 5 labels, and a fifteenth "
            "with 40.",
        ),
    ),
    "The study of [STSY25] has MNIST, whose place digits take, and weighs whole sets by the inverse of their chance; "
    "here each label is weighed by its own, since it hears which labels are right. Its bound for the pseudo-inverse "
    "does not grow with the number of sets.",
)  # fmt: skip

FIGURES = (HEIRS,)
