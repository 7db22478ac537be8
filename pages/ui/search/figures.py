"""Figs. 1 to 3 of [S] §7 beside what simulated people gave, and what noise changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.base import Array
from learners.catalogue import create
from pages.ui.draw.charts import DASHES, Axis, Look, annotation, axis_of, base_layout, parameter_chart, ribbon
from pages.ui.draw.still_charts import Chart
from pages.ui.search.study import BEST, CHOSEN, LEARNERS, OSCILLATES, Course, Study

HEIGHT = 300
FIRST = 10  # update at which the figures begin
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
    courses = [study.course(id) for id in LEARNERS]
    people = f"{study.plan.seeds} crowds of {study.plan.searches:,} searches, noise {study.plan.shown:g}"
    return [
        _figure(
            study, look, "win-ratio", "Wins to losses against the ranker tuned by hand",
            f"{people}. Wins divided by losses so far, of all crowds together, with Wilson's 95 % interval. At 1 the "
            "people prefer neither. The dotted line is what Raman et al. 2013 print in Fig. 1.",
            [course.ratio for course in courses],
            [
                Printed(PRINTED_RATIO, "printed: 3PR ends at 1.9", 1, above=True),
                Printed(1.0, "printed: perceptron little above 1", 0),
            ],
        ),
        _figure(
            study, look, "overlap", "Documents that top tens 100 updates apart share",
            f"{people}. How many of the first ten results are the same as 100 updates before, on 100 queries, as mean "
            "and standard error over the crowds. A ranking that no longer changes scores 10, two unrelated rankings "
            f"{100 / study.plan.documents:.2g}. The dotted line is what Raman et al. 2013 print in Fig. 2.",
            [_band(course.overlap, course.overlap_error) for course in courses],
            [Printed(PRINTED_OVERLAP, "printed: perceptron about 4", 0)], (0.0, 10.4),
        ),
        _figure(
            study, look, "affirmativeness", "Affirmativeness of an update, mean so far",
            f"{people}. By how much the clicks confirmed the order in which the learner believed, as mean and standard "
            "error over the crowds. Raman et al. 2013 print in Fig. 3 that it is positive for 3PR and settles. Its "
            "size depends on the scale of the features.",
            [_band(course.affirmativeness, course.affirmativeness_error) for course in courses],
            [Printed(0.0, "printed: 3PR above 0", 1)],
        ),
        _over_noise(
            study, look, "win-ratio-noise", "Wins to losses at the end, by noise",
            "Wins divided by losses after all searches, as mean and standard error over the crowds. The best linear "
            "ranker has the weights fitted to all grades, which nobody has to learn. Mistaken clicks decide many "
            "comparisons by chance, so even that ranker wins less the more noise there is.", "ratios",
            (1.0, "no difference"), best=True,
        ),
        _over_noise(
            study, look, "overlap-noise", "Shared documents of the top tens at the end, by noise",
            "Mean over the last fifth of the updates, with the standard error over the crowds. Below the line we say "
            "that a learner oscillates.", "final_overlap", (OSCILLATES, "oscillates below"), (0.0, 10.4),
        ),
    ]  # fmt: skip


def table(study: Study) -> list[dict[str, str]]:
    """Return a row for each noise and learner, for a table: what came out, with ± one standard error over the seeds."""
    return [
        {
            "Noise": f"{course.noise:g}",
            "Ranker": titles()[course.learner],
            "Wins to losses": _with_error(course.ratios, ".2f"),
            "Crowds it won": f"{int((course.ratios > 1).sum())} of {len(course.ratios)}",
            "Shared of top tens": _with_error(course.final_overlap, ".1f") if course.learner != BEST else "",
            "Oscillates": ("yes" if course.oscillates else "no") if course.learner != BEST else "",
            "True advantage": _with_error(course.final_advantage, "+.3f"),
        }
        for noise in study.plan.noises
        for course in (study.course(id, noise) for id in titles())
    ]


def verdict(study: Study) -> str:
    """Say in a few paragraphs what came out at the noise that is shown, beside what is printed, and why it differs."""
    perceptron, perturbed, best = (study.course(id) for id in titles())
    quiet, loud = min(study.plan.noises), max(study.plan.noises)
    found = study.oscillating(LEARNERS[0])
    often = f"at noise {', '.join(f'{noise:g}' for noise in found)}" if found else "at no noise that was tried"
    if len(found) == len(study.plan.noises):
        often = f"at every noise that was tried, from {quiet:g} to {loud:g}"
    never = " 3PR never does." if not study.oscillating(LEARNERS[1]) else ""
    losing = [noise for noise in study.plan.noises if study.course(LEARNERS[0], noise).ratio[2][-1] < 1]
    loses = (
        f" From noise {min(losing):g} on the perceptron loses to the ranker from which it started." if losing else ""
    )
    paragraphs = [
        f"With noise {study.plan.shown:g}, 3PR wins {_last(perturbed):.2f} to 1 and the perceptron "
        f"{_last(perceptron):.2f} to 1. The paper prints 1.9 and little more than 1. With noise {quiet:g} they win "
        f"{_last(study.course(LEARNERS[1], quiet)):.2f} and {_last(study.course(LEARNERS[0], quiet)):.2f} to 1.{loses}",
        f"At the end the top tens of the perceptron share {np.mean(perceptron.final_overlap):.1f} documents with those "
        f"of 100 updates before, and those of 3PR {np.mean(perturbed.final_overlap):.1f}. The paper prints about 4 for "
        f"the perceptron. We say that a learner oscillates where fewer than {OSCILLATES:g} of 10 stay. The perceptron "
        f"does so {often}.{never}",
        f"How much is there to win? The best linear ranker, fitted to all grades, wins {_last(best):.2f} to 1 "
        f"with noise {study.plan.shown:g}, and {_last(study.course(BEST, loud)):.2f} to 1 with noise {loud:g}, since "
        "mistaken clicks decide many comparisons by chance. How many clicks were mistakes in the paper’s study, "
        "nobody knows.",
    ]
    if (first := _affirmed(perturbed, study.plan.at, 2)) > 0:
        grows = (
            "settles, here it still grows"
            if _affirmed(perturbed, study.plan.at) > 1.2 * first
            else "settles, as it does here"
        )
        paragraphs.append(f"The affirmativeness of 3PR is positive, as printed. In the paper it {grows}.")
    if _last(perceptron) > 1 and np.mean(perceptron.final_advantage) < 0:
        paragraphs.append(
            "By the grades the perceptron is worse than the ranker tuned by hand, although it wins more clicks. These "
            "people click whatever is a little relevant, and a list of many such results wins against one good result."
        )
    return "\n\n".join([*paragraphs, CHOSEN])


def _last(course: Course) -> float:
    return float(course.ratio[0][-1])


def _affirmed(course: Course, at: Array, part: int = 1) -> float:
    """Return the mean affirmativeness of an update after one `part`-th of the updates, 0 if it is not known."""
    return course.affirmativeness[int(np.searchsorted(at, at[-1] // part))] or 0.0


def _with_error(values: Sequence[float] | Array, form: str) -> str:
    found = np.asarray(values, dtype=float)
    mean = format(found.mean(), form).replace("-", "−")
    if len(found) < 2:
        return mean
    return f"{mean} ± {format(found.std(ddof=1) / np.sqrt(len(found)), form.removeprefix('+'))}"


def _band(mean: Sequence[float | None], error: Sequence[float | None]) -> tuple[Array, Array, Array]:
    """Return a curve and the edges of its band, NaN where nothing is known."""
    middle, half = np.array(mean, dtype=float), np.array(error, dtype=float)
    return middle, middle - half, middle + half


def _figure(
    study: Study, look: Look, id: str, title: str, help: str, curves: Sequence[tuple[Array, Array, Array]],
    printed: Sequence[Printed], y_range: tuple[float, float] | None = None,
) -> Chart:  # fmt: skip
    """Draw the curves of the learners with their bands over the updates, on a logarithmic axis as the paper's."""
    at, traces = study.plan.at, []
    for slot, ((middle, low, high), name) in enumerate(zip(curves, names(), strict=True)):
        color = look.colors[slot]
        traces.append(ribbon(at, low, high, color, y_log=False))
        traces.append({
            "type": "scatter", "mode": "lines", "x": at, "y": middle, "name": name, "showlegend": False,
            "line": {"color": color, "dash": DASHES[slot], "width": 2.2},
            "hovertemplate": f"%{{y:.3g}}<extra>{name}</extra>",
        })  # fmt: skip
    settled = at >= min(30, at[-1])  # the first few comparisons say little, and their bands would fill the picture
    ends = [p.value for p in printed] + [x for curve in curves for x in np.concatenate([c[settled] for c in curve])]
    low, high = np.nanmin(ends), np.nanmax(ends)
    margin = 0.08 * (high - low)
    x = {"type": "log", "range": [float(np.log10(min(FIRST, at[-1] / 10))), float(np.log10(at[-1]))], "dtick": 1}
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
    return annotation(printed.words, 1, printed.value, look.text) | place


def _over_noise(
    study: Study, look: Look, id: str, title: str, help: str, values: str, line: tuple[float, str],
    y_range: tuple[float, float] | None = None, best: bool = False,
) -> Chart:  # fmt: skip
    """Draw a value at the end, one for each seed, against the noise; with `best` also of the best linear ranker."""
    noises = np.array(study.plan.noises)
    series = [
        (name, noises, np.array([getattr(study.course(learner, noise), values) for noise in noises]))
        for learner, name in list(titles().items())[: len(LEARNERS) + best]
    ]
    axis = Axis(title, reference=line, y_range=y_range)
    figure = parameter_chart(series, axis, "noise of the clicks", look=look, height=HEIGHT)
    for words in figure["layout"]["annotations"]:
        words |= {"x": 0.01, "xanchor": "left"}  # where no curve ends
    if best:  # no learner, so that the legend above the charts does not name it
        label, x, ends = series[-1]
        at = {"xref": "x", "yref": "y", "xanchor": "left", "yanchor": "middle", "xshift": 12}
        figure["layout"]["annotations"].append(annotation(label, x[0], ends[0].mean(), look.text) | at)
    return Chart(id, title, help, figure)
