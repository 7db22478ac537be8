"""The dissertation [V], chapter 5: its classification data, Figs. 5.1 and 5.2, and the misprint of Eq. 5.4."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.ui.figures.computed import bandit_updates
from pages.ui.figures.figure import Figure, Over, Own, Panel, Params, Series, Size, Steps
from pages.ui.figures.statement import Above, Between, Statement, Value, at, highest, lowest

FULL, EXP, B, POS = "Online, full feedback", "Exp", "Banditron", "Banditron_Pos"
LEARNERS = {EXP: "exponentiated-gradient", B: "banditron", POS: "banditron-positive"}
GAMMAS = (0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)
GAP = 0.05  # a significant gap of two error rates


@dataclass(frozen=True)
class PaperData:
    """A data set of the dissertation, or what stands for it.

    examples : of one pass here. paper : of the dissertation. best : γ with the lowest final error in Fig. 5.2, by
    learner, and worst, that of the Banditron with the highest. printed : the Banditron's best γ, which §6.1 prints.
    """

    id: str
    title: str
    dataset: str
    data: Params
    examples: int
    paper: int
    own: Own
    best: dict[str, float]
    printed: float
    worst: float = 0.01
    stands_for: str = ""
    real: bool = field(default=False)

    @property
    def name(self) -> str:
        """The name within a sentence."""
        return self.title.split(" in place of")[0]

    def panel(self, series: tuple[Series, ...], x: Steps | Over, repeats: int, **given: Any) -> Panel:
        """Return the panel of this world. repeats : runs of the paper; here ten data seeds share them."""
        page = Size(self.examples, seeds=10, replicates=repeats // 10)
        return Panel(
            self.id, self.title, series, page, dataset=self.dataset, data=self.data, metric="error-rate", x=x,
            y_title="error rate", paper=Size(self.paper, seeds=repeats), live=Size(self.examples, seeds=2),
            stands_for=self.stands_for, own=self.own, **given,
        )  # fmt: skip


def _own(which: str, *files: str, **params: Any) -> Own:
    return Own("classification-file", which, params, files)


_LAST = "as the UCI repository gives it; its last column is the digit"
WORLDS = (
    PaperData(
        "protein", "Made news in place of Protein", "four-topics", {"examples": 17_766, "words": 357}, 17_766, 17_766,
        _own("protein of the LIBSVM page, unpacked", "protein/protein", "protein/protein.txt"),
        {EXP: 0.05, B: 0.05, POS: 0.05}, 0.1, worst=0.45, stands_for="Protein, 357 features and three classes",
    ),
    PaperData(
        "pendigits", "Pendigits", "classification-file", {"path": "pendigits/pendigits.tra.gz"}, 7_494, 7_495,
        _own(f"pendigits.tra, {_LAST}", "pendigits/pendigits.tra.gz", "pendigits/pendigits.tra"),
        {EXP: 0.2, B: 0.2, POS: 0.15}, 0.25, real=True,
    ),
    PaperData(
        "isolet", "SynNonSep in place of Isolet", "synnonsep", {"examples": 7_797}, 7_797, 7_797,
        _own("isolet1+2+3+4.data, as the UCI repository gives it", "isolet/isolet1+2+3+4.data"),
        {EXP: 0.1, B: 0.1, POS: 0.1}, 0.2, stands_for="Isolet, 617 features and 26 letters that are spoken",
    ),
    PaperData(
        "nursery", "Nursery", "classification-file",
        {"path": "nursery/nursery.arff.gz", "least": 3, "words": "numbers"}, 12_958, 12_960,
        _own(
            "nursery.arff, in which the values of each attribute are in order", "nursery/nursery.arff.gz",
            "nursery/nursery.arff", least=3, words="numbers",
        ),
        {EXP: 0.05, B: 0.05, POS: 0.05}, 0.15, worst=0.45, real=True,
    ),
    PaperData(
        "optdigits", "Optdigits", "classification-file", {"path": "optdigits/optdigits.tra.gz"}, 3_823, 3_823,
        _own(f"optdigits.tra, {_LAST}", "optdigits/optdigits.tra.gz", "optdigits/optdigits.tra"),
        {EXP: 0.2, B: 0.2, POS: 0.3}, 0.25, real=True,
    ),
    PaperData(
        "letter", "Points in ten sectors in place of Letter", "separable-points",
        {"classes": 10, "dimensions": 10, "margin": 0.0, "examples": 15_000}, 15_000, 15_000,
        _own("letter-recognition.data of the UCI repository", "letter/letter-recognition.data", label="first"),
        {EXP: 0.15, B: 0.15, POS: 0.15}, 0.35, stands_for="Letter, 16 features and 26 letters",
    ),
    PaperData(
        "mnist", "scikit-learn's digits in place of Mnist", "digits", {}, 1_797, 60_000,
        _own("mnist of the LIBSVM page, unpacked", "mnist/mnist", "mnist/mnist.scale"),
        {EXP: 0.2, B: 0.3, POS: 0.3}, 0.15, stands_for="Mnist, 60,000 digits of 28 × 28 pixels",
    ),
)  # fmt: skip
REAL = tuple(world for world in WORLDS if world.real)
# The dissertation counts eight features for the nursery, so that each of its words must be a number. The lab usually
# makes a feature of 0 and 1 of each word.
CODED = PaperData(
    "nursery-01", "Nursery, features of 0 and 1", "classification-file",
    {"path": "nursery/nursery.arff.gz", "least": 3}, 12_958, 12_960,
    _own("nursery.arff or nursery.data", "nursery/nursery.arff.gz", "nursery/nursery.arff", least=3),
    {EXP: 0.05, B: 0.1, POS: 0.1}, 0.15, worst=0.45, real=True,
)  # fmt: skip


def listed(
    parts: Mapping[str, tuple[Value, ...]], form: str, between: str = " against "
) -> tuple[str, dict[str, Value]]:
    """Return a template that tells the values of each data set, and its fields.

    >>> listed({"Pendigits": (at("p", "a"), at("p", "b")), "Nursery": (at("n", "a"), at("n", "b"))}, ".2f")[0]
    '{v0:.2f} against {v1:.2f} on Pendigits and {v2:.2f} against {v3:.2f} on Nursery'
    """
    fields: dict[str, Value] = {}
    words = []
    for name, values in parts.items():
        first = len(fields)
        fields |= {f"v{first + i}": value for i, value in enumerate(values)}
        words.append(between.join(f"{{v{first + i}:{form}}}" for i in range(len(values))) + f" on {name}")
    return ", ".join(words[:-1]) + " and " + words[-1], fields


# ---- Figs. 5.2 and 5.1 --------------------------------------------------------------------------------------

LOST = "The figure itself is not in the text; the order of the panels is that of §6.1."
STAND_INS = "Four of its seven data sets are not here, and others stand for them."
READING = (
    "The words of the nursery are numbers here, since the dissertation counts eight features. This was decided after "
    "the 27 features of 0 and 1, in the last panel, had been looked at."
)


def _gap(world: PaperData) -> Value:
    return (lowest(world.id, EXP) - at(world.id, FULL)).named(f"gap of {EXP} to full feedback on {world.name}")


def _gaps() -> Statement:
    template, fields = listed({world.name: (_gap(world),) for world in (*WORLDS, CODED)}, ".3f")
    return Statement(
        "“For all data sets except for ‘Nursery’ data set, we observe a significant gap between online learning with "
        "full feedback and online learning with partial feedback.”",
        f"At its best γ, exponentiated gradient errs more often than with full feedback, by {template}.",
        *(Between(f"v{i}", *((-1, GAP) if world.id == "nursery" else (GAP, 1))) for i, world in enumerate(WORLDS)),
        values=fields,
        where="§5.4.1",
        why=(
            "The rule counts a gap from 0.05 on. On the nursery it depends on how words become features. As eight "
            "numbers they can hardly be separated even with full feedback."
        ),
    )


def _exp_better() -> Statement:
    rates = {
        world.name: tuple(lowest(world.id, name).named(f"{name} on {world.name}") for name in (EXP, B))
        for world in (*REAL, CODED)
    }
    template, fields = listed(rates, ".3f")
    return Statement(
        "“The proposed algorithm performs significantly better than the Banditron algorithm for three data sets "
        "‘OptDigits’, ‘Pendgitis’, and ‘Nursery’.”",
        f"The lowest error rates over γ, of exponentiated gradient against the Banditron, are {template}.",
        *(Above(f"v{2 * i + 1}", f"v{2 * i}") for i in range(len(REAL))),
        values=fields,
        where="§5.4.1",
    )


def _comparable() -> Statement:
    more = {
        world.name: (lowest(world.id, EXP) - lowest(world.id, B)).named(f"{EXP} less {B} on {world.name}")
        for world in WORLDS
        if not world.real
    }
    template, fields = listed({name: (value,) for name, value in more.items()}, "+.3f")
    return Statement(
        "“The exponential gradient algorithm shows comparable performance compared with the original Banditron” on the "
        "other data sets.",
        f"On the data that stand for them, its lowest error rate less that of the Banditron is {template}.",
        *(Between(value, -1, GAP) for value in more.values()),
        values=fields,
        where="§5.4.1",
        why=(
            "With its tiny steps exponentiated gradient is close to a Banditron whose examples have mean 0 over their "
            "features. Of ten features that takes away one direction in ten, which may be why it loses on the points "
            "in ten sectors."
        ),
    )


_FIG52 = Figure(
    "V-fig5.2", "V", 1553, "Fig. 5.2", "Final error rates over γ",
    caption=(
        "The error rate after one pass over the data, by the share γ of exploring steps, for exponentiated gradient "
        "(Exp), the Banditron, and the Banditron with weights that stay positive. The dashed line is the perceptron, "
        f"which is told the true label. {LOST}"
    ),
    panels=tuple(
        world.panel(
            (Series(FULL, "perceptron", reference=True), *(Series(name, id) for name, id in LEARNERS.items())),
            Over("gamma", GAMMAS, title="γ", only=tuple(LEARNERS)), 10, x_title="γ",
        )
        for world in (*WORLDS, CODED)
    ),
    statements=(_exp_better(), _comparable(), _gaps()),
    why=STAND_INS, chosen=READING,
)  # fmt: skip


def _ahead(world: PaperData, share: float) -> Above:
    x = round(share * world.examples)
    return Above(at(world.id, POS, x).named(f"{POS} after {x:,} of {world.name}"), at(world.id, EXP, x).named(EXP))


def _rate() -> Statement:
    half = {world.name: tuple(at(world.id, name, world.examples // 2) for name in (EXP, POS)) for world in REAL}
    template, fields = listed(half, ".3f")
    return Statement(
        "“The proposed algorithm overall exhibits a significantly better learning rate than the Banditron_Pos "
        "algorithm …, for most data sets and most part of the online learning process.”",
        f"Half way through, the error rates of the two are {template}.",
        *(_ahead(world, share) for world in WORLDS for share in (0.25, 0.5, 1.0)),
        values=fields,
        where="§5.4.1",
        why="A quarter of a pass over scikit-learn's digits is a few hundred examples, too few for a clear difference.",
    )


_FIG51 = Figure(
    "V-fig5.1", "V", 1550, "Fig. 5.1", "Error rates over trials with the best γ",
    caption=(
        "The error rate over the steps so far, for exponentiated gradient (Exp), the Banditron, and the Banditron with "
        f"weights that stay positive, each with the γ that is best at the end. {LOST}"
    ),
    panels=tuple(
        world.panel(
            (Series(FULL, "perceptron", reference=True),
             *(Series(name, id, {"gamma": world.best[name]}) for name, id in LEARNERS.items())),
            Steps(log=False, points=16), 10, x_title="trials",
        )
        for world in (*WORLDS, CODED)
    ),
    statements=(_rate(),),
    why=STAND_INS,
    chosen=f"As in the dissertation, the best γ is that with the lowest final error in Fig. 5.2. {READING}",
)  # fmt: skip


# ---- what is claimed ----------------------------------------------------------------------------------------

_EQ54 = Figure(
    "V-5.3", "V", 1395, "Eq. 5.4", "The probability by which a right answer is divided",
    caption=(
        "How far the expected update is from the perceptron's, if a right answer is divided by the probability of the "
        "label played, as in Algorithm 10, or of the label predicted, as in Eqs. 5.4 and 5.14. The largest distance "
        "over 50 drawn examples, in units of the example's length."
    ),
    panels=(
        Panel(
            "update", "Distance to the perceptron's update",
            (Series(bandit_updates.PLAYED, "banditron"), Series(bandit_updates.PREDICTED, "")), Size(1),
            x=Over("gamma", bandit_updates.GAMMAS, log=True), x_title="γ", y_title="distance",
            computed=bandit_updates.unbiased,
        ),
    ),
    statements=(
        Statement(
            "δ divides by the probability of the predicted label, p_ŷ, and the algorithm includes the Banditron, whose "
            "expected update is the perceptron's.",
            "Divided by p_ŷ, the expected update is off by {off:.2f} of the example's length at γ = 0.05.",
            Between("off", 0, 1e-12), off=at("update", bandit_updates.PREDICTED, 0.05),
            why="It is a misprint. Algorithm 10 and the Banditron paper divide by the probability of the label played.",
        ),
        Statement(
            "δ divides by the probability of the label played, p_ỹ.",
            "The largest distance is {gap:.0e}, which is rounding.",
            Between("gap", 0, 1e-12), gap=highest("update", bandit_updates.PLAYED), where="Algorithm 10",
        ),
    ),
)  # fmt: skip

FIGURES: tuple[Figure, ...] = (_EQ54, _FIG51, _FIG52)
