"""Figs. 1 to 3 of [S] §7 beside what simulated people gave, and what noise changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.catalogue import create
from pages.ui.draw.charts import Axis, Look, annotation, axis_of, base_layout, line, ribbon
from pages.ui.draw.parameter_charts import parameter_chart
from pages.ui.draw.still_charts import Chart
from pages.ui.figures.statement import Number
from pages.ui.plain import Markdown, Plotly, for_plotly
from pages.ui.search.study import BEST, CHOSEN, DOCUMENTS, LEARNERS, NOISE, OSCILLATES, Study

HEIGHT = 300
FIRST_UPDATE = 10  # update at which the figures begin
PRINTED_RATIO, PRINTED_OVERLAP = 1.9, 4.0  # [S] Figs. 1 and 2, as their text says


@dataclass(frozen=True)
class Printed:
    """A value that the paper prints, and in words whose it is. slot : the learner whose colour it has.

    above : whether the words stand above the line.
    """

    value: float
    words: str
    slot: int
    above: bool = False


def titles() -> dict[str, str]:
    """Return the short names of the learners and of the best linear ranker, in the order of their colours."""
    return {id: create(id).short or create(id).title for id in LEARNERS} | {BEST: "best linear ranker"}


def names() -> list[str]:
    """Return the short names of the learners, in the order of their colours."""
    return [titles()[id] for id in LEARNERS]


def figures(study: Study, look: Look) -> list[Chart]:
    """Return the charts of a study: Figs. 1 to 3 at the noise that is shown, and the end of each over all noises."""
    people = f"{study.seeds} crowds of {2 * study.updates:,} searches, noise {NOISE:g}"
    return [
        _figure(
            study, look, "ratio", "win-ratio", "Wins to losses against the ranker tuned by hand",
            f"{people}. Wins divided by losses so far, as mean and standard error over the crowds. At 1 the people "
            "prefer neither. The dotted line is what Raman et al. 2013 print in Fig. 1.",
            [
                Printed(PRINTED_RATIO, "printed: 3PR ends at 1.9", 1, above=True),
                Printed(1.0, "printed: perceptron little above 1", 0),
            ],
        ),
        _figure(
            study, look, "overlap", "overlap", "Documents that top tens 100 updates apart share",
            f"{people}. How many of the first ten results are the same as 100 updates before, on 100 queries, as mean "
            "and standard error over the crowds. A ranking that no longer changes scores 10, two unrelated rankings "
            f"{100 / DOCUMENTS:.2g}. The dotted line is what Raman et al. 2013 print in Fig. 2.",
            [Printed(PRINTED_OVERLAP, "printed: perceptron about 4", 0)], (0.0, 10.4),
        ),
        _figure(
            study, look, "affirmativeness", "affirmativeness", "Affirmativeness of an update, mean so far",
            f"{people}. By how much the clicks confirmed the order in which the learner believed, as mean and standard "
            "error over the crowds. Raman et al. 2013 print in Fig. 3 that it is positive for 3PR and settles. Its "
            "size depends on the scale of the features.",
            [Printed(0.0, "printed: 3PR above 0", 1)],
        ),
        _over_noise(
            study, look, "win-ratio-noise", "Wins to losses at the end, by noise",
            "Wins divided by losses after all searches, as mean and standard error over the crowds. The best linear "
            "ranker has the weights fitted to all grades, which nobody has to learn. Mistaken clicks decide many "
            "comparisons by chance, so even that ranker wins less the more noise there is.", "ratio",
            (1.0, "no difference"), best=True,
        ),
        _over_noise(
            study, look, "overlap-noise", "Shared documents of the top tens at the end, by noise",
            "Mean at the end of the searches, with the standard error over the crowds. Below the line we say that a "
            "learner oscillates.", "overlap", (OSCILLATES, "oscillates below"), (0.0, 10.4),
        ),
    ]  # fmt: skip


def table(study: Study) -> list[dict[str, str]]:
    """Return a row for each noise and learner, for a table: what came out, with ± one standard error over the seeds."""
    return [_row(study, noise, learner, name) for noise in study.noises for learner, name in titles().items()]


def _row(study: Study, noise: float, learner: str, name: str) -> dict[str, str]:
    ratios = study.at_noise("ratio", learner, noise)
    shared = study.at_noise("overlap", learner, noise) if learner != BEST else None
    return {
        "Noise": f"{noise:g}",
        "Ranker": name,
        "Wins to losses": f"{Number(ratios):.2f}",
        "Crowds it won": f"{int((ratios > 1).sum())} of {len(ratios)}",
        "Shared of top tens": "" if shared is None else f"{Number(shared):.1f}",
        "Oscillates": "" if shared is None else "yes" if shared.mean() < OSCILLATES else "no",
        "True advantage": f"{Number(study.at_noise('advantage', learner, noise)):+.3f}",
    }


def verdict(study: Study) -> Markdown:
    """Say in a few paragraphs what came out at the noise that is shown, beside what is printed, and why it differs."""
    perceptron, perturbed = LEARNERS
    quiet, loud = min(study.noises), max(study.noises)
    found = study.oscillating(perceptron)
    often = f"at noise {', '.join(f'{noise:g}' for noise in found)}" if found else "at no noise that was tried"
    if len(found) == len(study.noises):
        often = f"at every noise that was tried, from {quiet:g} to {loud:g}"
    never = " 3PR never does." if not study.oscillating(perturbed) else ""
    ends = study.ends("ratio", perceptron)
    losing = [x for x, most in zip(study.noises, ends.mean + 2 * ends.error, strict=True) if most < 1]
    loses = (
        f" From noise {min(losing):g} on the perceptron loses to the ranker from which it started." if losing else ""
    )
    shared = {learner: study.curve("overlap", learner).mean[-1] for learner in LEARNERS}
    paragraphs = [
        f"With noise {NOISE:g}, 3PR wins {_last(study, perturbed):.2f} to 1 and the perceptron "
        f"{_last(study, perceptron):.2f} to 1. The paper prints 1.9 and little more than 1. In shorter runs with noise "
        f"{quiet:g} they win {_end(study, perturbed, quiet):.2f} and {_end(study, perceptron, quiet):.2f} to 1.{loses}",
        f"At the end the top tens of the perceptron share {shared[perceptron]:.1f} documents with those "
        f"of 100 updates before, and those of 3PR {shared[perturbed]:.1f}. The paper prints about 4 for "
        f"the perceptron. We say that a learner oscillates where fewer than {OSCILLATES:g} of 10 stay. The perceptron "
        f"does so {often}.{never}",
        f"How much is there to win? The best linear ranker, fitted to all grades, wins {_end(study, BEST, NOISE):.2f} "
        f"to 1 with noise {NOISE:g}, and {_end(study, BEST, loud):.2f} to 1 with noise {loud:g}, since "
        "mistaken clicks decide many comparisons by chance. How many clicks were mistakes in the paper’s study, "
        "nobody knows.",
    ]
    affirmed = study.curve("affirmativeness", perturbed)
    last, half = affirmed.mean[-1], np.interp(study.updates / 2, affirmed.numbers, affirmed.mean)
    if half > 0:
        grows = "settles, here it still grows" if last > 1.2 * half else "settles, as it does here"
        paragraphs.append(f"The affirmativeness of 3PR is positive, as printed. In the paper it {grows}.")
    if _end(study, perceptron, NOISE) > 1 and study.at_noise("advantage", perceptron, NOISE).mean() < 0:
        paragraphs.append(
            "By the grades the perceptron is worse than the ranker tuned by hand, although it wins more clicks. These "
            "people click whatever is a little relevant, and a list of many such results wins against one good result."
        )
    return Markdown("\n\n".join([*paragraphs, CHOSEN]))


def _last(study: Study, learner: str) -> float:
    return float(study.curve("ratio", learner).mean[-1])


def _end(study: Study, learner: str, noise: float) -> float:
    return float(study.at_noise("ratio", learner, noise).mean())


def _figure(
    study: Study, look: Look, panel: str, id: str, title: str, help: str, printed: Sequence[Printed],
    y_range: tuple[float, float] | None = None,
) -> Chart:  # fmt: skip
    """Draw the curves of the learners with their bands over the updates, on a logarithmic axis."""
    drawn = [study.curve(panel, learner) for learner in LEARNERS]
    curves = [(one.mean, one.mean - one.error, one.mean + one.error) for one in drawn]
    at, traces = drawn[0].numbers, []
    for slot, ((middle, low, high), name) in enumerate(zip(curves, names(), strict=True)):
        color = look.colors[slot]
        traces.append(ribbon(at, low, high, color, y_log=False))
        traces.append(line(at, middle, name, color, look.dashes[slot], hover=Plotly("%{y:.3g}")))
    settled = at >= min(30, at[-1])  # the first few comparisons say little, and their bands would fill the picture
    ends = [p.value for p in printed] + [x for curve in curves for x in np.concatenate([c[settled] for c in curve])]
    low, high = np.nanmin(ends), np.nanmax(ends)
    margin = 0.08 * (high - low)
    x = {"type": "log", "range": [float(np.log10(min(FIRST_UPDATE, at[-1] / 10))), float(np.log10(at[-1]))], "dtick": 1}
    layout = base_layout(
        look, HEIGHT, hovermode="x unified",
        xaxis=axis_of(look, {"title": {"text": "updates, and as many comparisons", "standoff": 4}} | x),
        yaxis=axis_of(look, {"nticks": 6, "range": list(y_range or (low - margin, high + margin))}),
        shapes=[_line(p, look) for p in printed], annotations=[_words(p, look) for p in printed],
    )  # fmt: skip
    return Chart(id, title, help, {"data": traces, "layout": layout})


def _line(printed: Printed, look: Look) -> dict[str, Any]:
    color = look.colors[printed.slot]
    across = {"xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": printed.value, "y1": printed.value}
    return {"type": "line", "layer": "below", "line": {"color": color, "width": 1.4, "dash": "2px,4px"}} | across


def _words(printed: Printed, look: Look) -> dict[str, Any]:
    place = {"yref": "y", "xanchor": "right", "yanchor": "bottom" if printed.above else "top"}
    return annotation(for_plotly(printed.words), 1, printed.value, look.text) | place


def _over_noise(
    study: Study, look: Look, id: str, title: str, help: str, values: str, line: tuple[float, str],
    y_range: tuple[float, float] | None = None, best: bool = False,
) -> Chart:  # fmt: skip
    """Draw a value at the end, one for each seed, against the noise; with `best` also of the best linear ranker."""
    drawn = {name: study.ends(values, learner) for learner, name in list(titles().items())[: len(LEARNERS) + best]}
    series = [(name, np.array(study.noises), one.y.T) for name, one in drawn.items()]
    axis = Axis(title, reference=line, y_range=y_range)
    figure = parameter_chart(series, axis, "noise of the clicks", look=look, height=HEIGHT)
    for words in figure["layout"]["annotations"]:
        words |= {"x": 0.01, "xanchor": "left"}  # where no curve ends
    if best:  # no learner, so that the legend above the charts does not name it
        label, x, ends = series[-1]
        at = {"xref": "x", "yref": "y", "xanchor": "left", "yanchor": "middle", "xshift": 12}
        figure["layout"]["annotations"].append(annotation(for_plotly(label), x[0], ends[0].mean(), look.text) | at)
    return Chart(id, title, help, figure)
