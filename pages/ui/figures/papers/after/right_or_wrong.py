"""Right or wrong: the Banditron beside SOBA, Gaptron and the contextual bandits that are used today."""

from pages.ui.figures.figure import Figure, Over, Panel, Params, Series, Size
from pages.ui.figures.statement import Above, Between, Claimed, Expected, Value, at, highest, lowest

OLD, ADAPTS, GRADIENT = "Banditron", "ag3", "EG"
SECOND, GAP, FARTHER = "SOBA", "Gaptron", "Gaptron, step × 100"
GREEDY, INVERSE, SURE, NEWTON = "ε-greedy regression", "SquareCB", "Confidit", "Newtron"
GAMMAS = (0.003, 0.01, 0.03, 0.1, 0.3)
SQUARE = "full"  # SOBA's matrix
WORLDS: dict[str, tuple[str, str, Params, int, str]] = {  # title, data set, its parameters, examples, matrix of SOBA
    "synsep": ("SynSep", "synsep", {"examples": 10_000}, 10_000, "diagonal"),
    "synnonsep": ("SynNonSep", "synnonsep", {"examples": 10_000}, 10_000, "diagonal"),
    "digits": ("Digits, two passes", "digits", {}, 3_594, SQUARE),
    "pendigits": ("Pendigits", "classification-file", {"path": "pendigits/pendigits.tra.gz"}, 7_494, SQUARE),
    "letter": (
        "Points in ten sectors in place of Letter", "separable-points",
        {"classes": 10, "dimensions": 10, "margin": 0.0, "examples": 15_000}, 15_000, SQUARE,
    ),
}  # fmt: skip
WITH_SQUARE = tuple(id for id, world in WORLDS.items() if world[4] == SQUARE)


def series(matrix: str) -> tuple[Series, ...]:
    """Return the learners. matrix : of SOBA, Confidit and Newtron."""
    return (
        Series(OLD, "banditron"), Series(GRADIENT, "exponentiated-gradient"),
        Series(SECOND, "soba", {"matrix": matrix}), Series(GAP, "gaptron"),
        Series(FARTHER, "gaptron", {"scale": 100.0}), Series(GREEDY, "epsilon-greedy"),
        Series(ADAPTS, "adaptive-banditron", {"strategy": "ag3"}, reference=True),
        Series(INVERSE, "inverse-gap", reference=True), Series(SURE, "confidit", {"matrices": matrix}),
        Series(NEWTON, "newtron", {"matrices": matrix}),
    )  # fmt: skip


VARIED = (OLD, GRADIENT, SECOND, GAP, FARTHER, GREEDY, NEWTON)


def _panel(id: str, title: str, dataset: str, data: Params, examples: int, matrix: str) -> Panel:
    return Panel(
        id, title, series(matrix), Size(examples), dataset=dataset, data=data, metric="error-rate",
        x=Over("gamma", GAMMAS, title="γ", log=True, only=VARIED), x_title="γ", y_title="error rate",
        live=Size(min(examples, 2_000), seeds=1), lab="bandit",
        stands_for="Letter, 16 features and 26 letters" if id == "letter" else "",
    )  # fmt: skip


def _less(id: str, fewer: str, more: str = OLD) -> Value:
    """Return by how much the error of a learner at its best γ lies below that of another at its best."""
    values = [at(id, name) if name in (INVERSE, ADAPTS, SURE) else lowest(id, name) for name in (more, fewer)]
    return (values[0] - values[1]).named(f"{more} less {fewer}, each at its best γ, {WORLDS[id][0]}")


BY_GAMMA = Figure(
    "L-right-or-wrong", "L", 11, "Right or wrong", "Multiclass learning from right and wrong, by γ",
    "The error rate over all steps, by the rate of exploration γ. Dotted levels, and that of Confidit, belong to "
    "learners that choose for themselves. SOBA, Confidit and Newtron keep whole matrices where these are small, and "
    "diagonals on SynSep and SynNonSep. Gaptron also takes a hundred times the step of its theory. Both regressions "
    "are ridge regressions, one a class.",
    tuple(_panel(id, *world) for id, world in WORLDS.items()),
    (
        Claimed(
            "SOBA, with a whole matrix, makes fewer mistakes than the Banditron, each at its best γ.",
            "The error of the Banditron less that of SOBA is {digits:+.3f} on digits, {pendigits:+.3f} on pendigits "
            "and {letter:+.3f} on points in sectors.",
            *(Above(id, 0.0) for id in WITH_SQUARE),
            values={id: _less(id, SECOND) for id in WITH_SQUARE}, where="[BOZ17]",
        ),
        Claimed(
            "Confidit, which explores by upper confidence, makes fewer mistakes than the Banditron at its best γ.",
            "The error of the Banditron less that of Confidit is {synsep:+.3f} on SynSep, {synnonsep:+.3f} on "
            "SynNonSep, {digits:+.3f} on digits, {pendigits:+.3f} on pendigits and {letter:+.3f} on points in sectors.",
            *(Above(id, 0.0) for id in WORLDS), values={id: _less(id, SURE) for id in WORLDS},
            where="[CG13]",
        ),
        Claimed(
            "Newtron makes fewer mistakes than the Banditron, each at its best γ.",
            "The error of the Banditron less that of Newtron is {synsep:+.3f} on SynSep, {synnonsep:+.3f} on "
            "SynNonSep, {digits:+.3f} on digits, {pendigits:+.3f} on pendigits and {letter:+.3f} on points in sectors.",
            *(Above(id, 0.0) for id in WORLDS), values={id: _less(id, NEWTON) for id in WORLDS},
            where="[HK11]",
        ),
        Expected(
            "A contextual bandit of today, ε-greedy on a ridge regression, makes fewer mistakes than the "
            "Banditron at its best γ, on every data set.",
            "The error of the Banditron less its own is {synsep:+.3f} on SynSep, {synnonsep:+.3f} on SynNonSep, "
            "{digits:+.3f} on digits, {pendigits:+.3f} on pendigits and {letter:+.3f} on points in sectors.",
            *(Above(id, 0.0) for id in WORLDS), values={id: _less(id, GREEDY) for id in WORLDS},
        ),
        Expected(
            "SquareCB, untuned, is about as good as ε-greedy at its best γ, and better than ag3, untuned.",
            "Its error is {synsep:.3f} on SynSep, {digits:.3f} on digits and {pendigits:.3f} on pendigits, where "
            "ε-greedy has {gs:.3f}, {gd:.3f} and {gp:.3f}, and ag3 {a:.3f}, {ad:.3f} and {ap:.3f}.",
            *(Above(_less(id, INVERSE, GREEDY), -0.05) for id in WORLDS),
            *(Above(_less(id, INVERSE, ADAPTS), 0.0) for id in WORLDS), synsep=at("synsep", INVERSE),
            digits=at("digits", INVERSE), pendigits=at("pendigits", INVERSE), gs=lowest("synsep", GREEDY),
            gd=lowest("digits", GREEDY), gp=lowest("pendigits", GREEDY), a=at("synsep", ADAPTS),
            ad=at("digits", ADAPTS), ap=at("pendigits", ADAPTS),
        ),
        Expected(
            "The step for which Gaptron's guarantee holds is too small for as few steps as these, and a "
            "hundred times the step is better.",
            "On digits it has {d:.3f} with the step of the theory and {f:.3f} with a hundred times as much; the "
            "Banditron has {b:.3f}.",
            *(Above(_less(id, FARTHER, GAP), 0.0) for id in WORLDS), d=lowest("digits", GAP),
            f=lowest("digits", FARTHER), b=lowest("digits", OLD),
        ),
        Expected(
            "Regression depends less on γ than the Banditron.",
            "From its best to its worst γ the error of the Banditron rises by {old_pendigits:.2f} on pendigits and by "
            "{old_synsep:.2f} on SynSep, that of ε-greedy by {greedy_pendigits:.2f} and {greedy_synsep:.2f}.",
            *(Above(f"old_{id}", f"greedy_{id}") for id in WORLDS),
            values={f"{which}_{id}": (highest(id, name) - lowest(id, name)).named(f"span of {name}, {world[0]}")
                for which, name in (("old", OLD), ("greedy", GREEDY)) for id, world in WORLDS.items()},
        ),
    ),
    "Gaptron's and SquareCB's papers have no such experiments. Points in sectors take the place of Letter.",
    "The errors at the default settings had been seen on one data seed, 0, when the learners were written, and the "
    "factor 100 of Gaptron's step was chosen then. Newtron's β and α were chosen on the seed 100, which takes no part.",
)  # fmt: skip

# ---- sets of labels -----------------------------------------------------------------------------------------

FIRST, UCB, THOMPSON = "[G]", "C2UCB", "Thompson sampling"
DENSITIES = (0.1, 0.2, 0.4)


def _ratio(name: str, density: float) -> Value:
    words = f"loss of {name} divided by that of {FIRST} at density {density:g}"
    return (at("density", name, density) / at("density", FIRST, density)).named(words)


SETS = Figure(
    "L-sets", "L", 12, "Sets of labels", "Choosing a set of labels",
    "The mean loss of 3,000 steps over the density of the relevant labels, on the data of [G]. All three keep a ridge "
    "regression of each label, and differ in how they add what is uncertain to it.",
    (
        Panel(
            "density", "Loss after 3,000 steps",
            (Series(FIRST, "multilabel-ucb"), Series(UCB, "set-ucb"), Series(THOMPSON, "set-thompson")),
            Size(3_000, replicates=4), dataset="multilabel-synthetic", metric="loss",
            x=Over("density", DENSITIES, owner="dataset", title="density"), x_title="density of relevant labels",
            y_title="mean loss", live=Size(500, seeds=2), lab="multilabel",
        ),
    ),
    (
        Claimed(
            "On a linear world upper confidence for each label makes about the same loss, by [G] or by C2UCB.",
            "[G] has {g0:.3f}, {g1:.3f} and {g2:.3f}, C2UCB {c0:.3f}, {c1:.3f} and {c2:.3f}.",
            *(Between(_ratio(UCB, d), 0.98, 1.02) for d in DENSITIES),
            values={f"{key}{i}": at("density", name, d) for key, name in (("g", FIRST), ("c", UCB))
                for i, d in enumerate(DENSITIES)},
            where="[QCZ14]",
        ),
        Claimed(
            "Thompson sampling does about as well as upper confidence.",
            "Its loss is {t0:.3f}, {t1:.3f} and {t2:.3f}.",
            *(Between(_ratio(THOMPSON, d), 0.9, 1.05) for d in DENSITIES),
            values={f"t{i}": at("density", THOMPSON, d) for i, d in enumerate(DENSITIES)}, where="[WKA15]",
        ),
    ),
    "", "The settings of both rivals, and the bounds of the rules, were chosen after looking at these data.",
)  # fmt: skip

FIGURES = (BY_GAMMA, SETS)
