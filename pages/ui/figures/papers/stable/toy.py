"""[S] §4.2 to §6: the toy on which the perceptron oscillates, why perturbing helps, and the bounds."""

from dataclasses import replace
from typing import Any

from pages.ui.figures.computed import toy
from pages.ui.figures.figure import Figure, Panel, Series, Size, Steps
from pages.ui.figures.papers.stable.study import a_step
from pages.ui.figures.statement import Above, Always, Between, Near, Statement, at, least_gap, mean_of

SWAP = Series("PrefP", "preference-perceptron", {"feedback": "swap"})
AVERAGED = Series("Averaged Perceptron", "averaged-perceptron", {"feedback": "swap"})
PERTURBED = Series("3PR", "perturbed-perceptron", {"swap_probability": 0.5})
BINS = Steps(log=False, points=toy.POINTS, title="iterations")
HUNDRED = Size(1000, replicates=10)  # ten runs of each of ten seeds
REPAIR = (
    "The paper puts the chance to correct the ranking from its worst state at 0.2⁹. A user who is right 80 % of the "
    "time passes nine poor documents and clicks the good one with probability 0.8⁹ · 0.8 = 0.107 a step."
)
_toy: dict[str, Any] = {"dataset": "toy-ranking", "data": {"documents": 10}, "user": "cascade", "asks": {"noise": 0.2}}


def _made(id: str, title: str, names: tuple[str, ...], **given: Any) -> Panel:
    series = tuple(replace(SWAP, name=name) for name in names)
    return Panel(id, title, series, **({"page": HUNDRED, "live": Size(500, seeds=4, replicates=5)} | given))


TOY = Figure(
    "S-4.2", "S", 104, "§4.2", "The perceptron loses the good document",
    "Ten documents, of which d₁ alone is good, and a user who misjudges one in five and clicks the first that seems "
    "good. The clicked document is swapped to the top. The learners start with weights that rank d₁ first. The rank at "
    "which d₁ is shown is averaged over 50 iterations. The last three panels come from a second simulation of the toy, "
    "in a few lines of its own.",
    (
        Panel(
            "rank", "Rank of d₁ as shown", (SWAP, AVERAGED, PERTURBED), metric="rank-of-best", x=BINS,
            y_title="rank of d₁ (1 is best)", page=HUNDRED, paper=HUNDRED, live=Size(500, seeds=4, replicates=5),
            **_toy,
        ),
        _made(
            "top-two", "Only the top two are swapped, p = ½", (toy.PREFP, toy.SWAPPED), x_title="iterations",
            y_title="rank of d₁ (1 is best)", computed=toy.ranks,
        ),
        _made(
            "worst", "Iterations with d₁ in the worst position", (toy.PREFP,), x_title="iterations",
            y_title="share of the iterations", computed=toy.worst,
        ),
        _made(
            "repair", "How often d₁ comes back from the worst position", (toy.REPAIRED, toy.BY_CHANCE),
            x_title="noise η of the user", y_title="share of the iterations", computed=toy.repairs,
        ),
    ),
    (
        Statement(
            "The average rank of d₁ within the first 1,000 iterations of the Preference Perceptron is 9.36.",
            "It is {rank:.2f}.",
            Near("rank", 9.36, 0.3), rank=mean_of("rank", "PrefP"), why=REPAIR,
        ),
        Statement(
            "An Averaged Perceptron showed an average rank of 9.37. Averaging does not fix this oscillation problem.",
            "It is {rank:.2f}, {rank - other:.2f} above that of the perceptron.",
            Near("rank", 9.37, 0.3), Between("rank - other", -0.5, 10.0), rank=mean_of("rank", "Averaged Perceptron"),
            other=mean_of("rank", "PrefP"), why=REPAIR,
        ),
        Statement(
            "y⁽¹⁾ is in the worst position for most of the time steps.",
            "It is there in {share:.1%} of the steps.",
            Above("share", 0.5), share=mean_of("worst", "PrefP"),
        ),
        Statement(
            "It takes a low-probability event of 0.2⁹ to correct the ranking.",
            "At a noise of .2, d₁ comes back from the worst position in {share:.1%} of the steps.",
            Between("share", 0.0, 1e-5), share=at("repair", toy.REPAIRED, 0.2), why=REPAIR,
        ),
        Statement(
            "Swapping the top two documents with 50 % probability improves the average rank from 9.36 to 2.08.",
            "With the top two swapped it is {two:.2f} in place of {prefp:.2f}.",
            Near("two", 2.08, 0.3), Above("prefp", "two"), two=mean_of("top-two", toy.SWAPPED),
            prefp=mean_of("top-two", toy.PREFP), where="§5",
            why="A ranking that never flips shows d₁ first or second with probability ½ each, a mean rank of 1.5.",
        ),
        Statement(
            "3PR is stable and does not oscillate.",
            "With 3PR the mean rank is {rank:.2f}, and {end:.2f} in the last 50 iterations.",
            Between("rank", 1.0, 2.0), Between("end", 1.0, 2.0), rank=mean_of("rank", "3PR"), end=at("rank", "3PR"),
            where="§9",
        ),
    ),
    REPAIR + " The flipping itself is as the paper describes it.",
)  # fmt: skip

WRONG = Figure(
    "S-5", "S", 112, "§5", "Why perturbing helps, and when it is slow",
    "The first panel gives the utility that the feedback gains on average where the weights are already w*, exactly. "
    "Below 0 the feedback drives the learner away from w*. In the second the learners start with weights that rank d₁ "
    "last, which the paper does not try.",
    (
        _made(
            "gain", "Gain of the feedback at w*", (toy.SWAPPED, "3PR"), x_title="swap probability p",
            y_title="utility gained", computed=toy.gain, live=Size(1),
        ),
        Panel(
            "wrong", "From the wrong belief: rank of d₁ as predicted", (SWAP, PERTURBED),
            metric="rank-of-best-predicted", x=Steps(title="iterations"), y_title="rank of d₁ (1 is best)",
            page=Size(10_000, replicates=10), live=Size(6000, seeds=2, replicates=5),
            **(_toy | {"data": {"documents": 10, "initial_weights": (-1.0, 1.0)}}),
        ),
    ),
    (
        Statement(
            "Even for the optimal w*, feedback on the perturbed ranking is expected α-informative without slack.",
            "At p = ½ the feedback gains {two:.3f} with the top two swapped and {pairs:.3f} with 3PR.",
            Above("two", 0.0), Above("pairs", 0.0), two=at("gain", toy.SWAPPED, 0.5), pairs=at("gain", "3PR", 0.5),
        ),
        Statement(
            "The user feedback incurs large slack when d₁ is in the top position.",
            "Without perturbation the feedback loses {loss:.3f} where the clicked document is swapped to the top, and "
            "{pairs:.3f} where only pairs are.",
            Above("loss", 0.0), Above("pairs", 0.0), loss=at("gain", toy.SWAPPED, 0.0) * -1.0,
            pairs=at("gain", "3PR", 0.0) * -1.0,
        ),
        Statement(
            "An interesting extension could be the combination of aggressive move-to-top feedback in early iterations "
            "with more conservative 3PR updates later.",
            "From the wrong belief d₁ is at rank {a:.1f} with PrefP and {b:.1f} with 3PR after 1,000 iterations, and "
            "at {c:.1f} and {d:.1f} after 10,000.",
            Above("b", "a"), Above("c", "d"), a=at("wrong", "PrefP", 1000), b=at("wrong", "3PR", 1000),
            c=at("wrong", "PrefP"), d=at("wrong", "3PR"), where="§8.1",
            why="Neighbours at the bottom of the list have nearly equal discounts, so that swapping them teaches "
            "little.",
        ),
    ),
)  # fmt: skip

REGRET, FIRST, SECOND, FIFTH, SIXTH = "average regret", "Theorem 1", "Theorem 2", "Proposition 5", "Proposition 6"
_web: dict[str, Any] = {
    "dataset": "web-search", "data": {"queries": 1000, "documents": 20, "features": 50}, "user": "noisy-grades",
    "asks": {"sigma": 1.0}, "page": Size(5000), "live": Size(1000, seeds=4),
}  # fmt: skip
_bounds: dict[str, Any] = {"metric": "average-regret", "y_title": "average regret", "log_y": True,
                           "x": Steps(points=25, title="iterations")}  # fmt: skip


def _bounded(learner: Series, a_priori: str = "", bound: str = SECOND) -> tuple[Series, ...]:
    """Return the regret of a learner with the bounds on it."""
    found = (replace(learner, name=REGRET), replace(learner, name=bound, metric="bound", reference=True))
    return (*found, replace(learner, name=a_priori, metric="bound-a-priori", reference=True)) if a_priori else found


DYNAMIC = Series("dynamic p", "perturbed-perceptron", {"dynamic": True, "delta": 0.0})
TOP = Series("PrefP[top]", "preference-perceptron", {"feedback": "top"})
_HALF = at("affirmed", "p = ½")
BOUNDS = Figure(
    "S-bounds", "S", 205, "§4 to §6", "The regret bounds",
    "Average regret, and the bounds that theory gives for it from the slack and the affirmativeness measured in the "
    "same run. Propositions 5 and 6 need no affirmativeness. Corollaries 3 and 4 are not drawn; Proposition 5 is "
    "Corollary 4 for 3PR.",
    (
        Panel("top", "PrefP[top] on web search", _bounded(TOP, bound=FIRST), **_web, **_bounds),
        Panel("fixed", "3PR with p = ½ on web search", _bounded(PERTURBED, FIFTH), **_web, **_bounds),
        Panel("dynamic", "3PR with the dynamic p on web search", _bounded(DYNAMIC, SIXTH), **_web, **_bounds),
        Panel(
            "toy", "The toy of §4.2",
            (
                replace(SWAP, name="PrefP, Theorem 1", metric="bound", reference=True), SWAP,
                replace(PERTURBED, name="3PR, Theorem 2", metric="bound", reference=True), PERTURBED,
            ),
            page=HUNDRED, live=Size(500, seeds=4, replicates=5), **_toy, **_bounds,
        ),
        Panel(
            "affirmed", "Average affirmativeness", (replace(PERTURBED, name="p = ½"), DYNAMIC),
            **(_web | _bounds | {
                "metric": "affirmativeness", "drawn": a_step, "y_title": "average affirmativeness", "log_y": False,
            }),
        ),
    ),
    (
        Statement(
            "Theorem 1 bounds the expected average regret of the preference perceptron.",
            "The bound exceeds the regret by at least {gap:.2f} at every point of every run, and the regret at the end "
            "is {share:.0%} of it.",
            Always("gap", 0.0), Always(least_gap("toy", "PrefP, Theorem 1", "PrefP"), 0.0),
            gap=least_gap("top", FIRST, REGRET), share=at("top", REGRET) / at("top", FIRST), where="§4",
        ),
        Statement(
            "Theorem 2 bounds the regret of the perturbed perceptron by its slack and its affirmativeness.",
            "The bound exceeds the regret by at least {gap:.2f} on web search, and the regret at the end is "
            "{share:.0%} of it.",
            Always("gap", 0.0), Always(least_gap("dynamic", SECOND, REGRET), 0.0),
            Always(least_gap("toy", "3PR, Theorem 2", "3PR"), 0.0), gap=least_gap("fixed", SECOND, REGRET),
            share=at("fixed", REGRET) / at("fixed", SECOND), where="§5.2",
        ),
        Statement(
            "The bound of Theorem 2 can be substantially tighter than that of the conventional perceptron, as on the "
            "toy.",
            "On the toy it is {ours:.2f} after 1,000 iterations, that of PrefP {theirs:.2f}.",
            Above("theirs", "ours"), ours=at("toy", "3PR, Theorem 2"), theirs=at("toy", "PrefP, Theorem 1"),
            where="§5.2",
        ),
        Statement(
            "Proposition 5 bounds the regret of 3PR with swap probability p.",
            "The bound is {bound:.1f} at the end, the regret {regret:.2f}.",
            Always(least_gap("fixed", FIFTH, REGRET), 0.0), bound=at("fixed", FIFTH), regret=at("fixed", REGRET),
            where="§6",
        ),
        Statement(
            "Proposition 6 bounds the regret of 3PR with the dynamic swap probability.",
            "The bound is {bound:.2f} at the end, the regret {regret:.2f}, and the bound of Proposition 5 for p = ½ "
            "{fifth:.1f}.",
            Always(least_gap("dynamic", SIXTH, REGRET), 0.0), Above("fifth", "bound"), bound=at("dynamic", SIXTH),
            regret=at("dynamic", REGRET), fifth=at("fixed", FIFTH), where="§6",
        ),
        Statement(
            "With pₜ ≤ max(0, (Δt − Rₜ)/Dₜ) the average affirmativeness is held at Δ.",
            "With Δ = 0 it is {ours:.4f} at the end, with p = ½ it is {half:.3f}.",
            Above(_HALF * 0.1, "ours"), ours=at("affirmed", "dynamic p"), half=_HALF, where="Proposition 6",
            why="“Held at Δ” is read as less than a tenth of what p = ½ gives.",
        ),
    ),
)  # fmt: skip

FIGURES = (TOY, WRONG, BOUNDS)
