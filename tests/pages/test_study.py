"""The study of [S] §7 on the page of the search: what is read from results, charts, table and words."""

import numpy as np
import pytest

from pages.ui.draw.charts import Look
from pages.ui.figures.result import Drawn, Result
from pages.ui.search import figures, study
from pages.ui.search.study import BEST, LEARNERS, Study

PREFP, PERTURBED, MADE = "PrefP[top]", "3PR", "best linear ranker"
AT, NOISES = (1, 10, 100, 1000), ("0.05", "0.4")


def over(x, *rows):
    return Drawn(x, np.array(rows, dtype=float))


@pytest.fixture
def done():
    """Two crowds: 3PR ends at 1.6 and 1.8 wins to a loss, the perceptron at .9 and 1.1."""
    unknown = float("nan")
    curves = {
        "S-fig1": {"ratio": {PERTURBED: over(AT, [unknown, 1, 1.5, 1.6], [2, 1, 1.5, 1.8]),
                             PREFP: over(AT, [unknown, 1, 1, 0.9], [1, 1, 1, 1.1])}},
        "S-fig2": {"overlap": {PERTURBED: over(AT, [unknown, unknown, 9, 9.5], [unknown, unknown, 9, 9.7]),
                               PREFP: over(AT, [unknown, unknown, 6, 5], [unknown, unknown, 6, 4])}},
        "S-fig3": {"affirmativeness": {PERTURBED: over(AT, [0, 0, 1, 2], [0, 0, 1, 2]),
                                       PREFP: over(AT, [0, 0, -1, -1], [0, 0, -1, -1])}},
        "S-7": {
            "ratio-noise": {PERTURBED: over(NOISES, [1.6, 1.2], [1.8, 1.2]),
                            PREFP: over(NOISES, [1.2, 0.5], [1.1, 0.5])},
            "best": {MADE: over(NOISES, [2.1, 1.4], [2.3, 1.4])},
            "overlap-noise": {PERTURBED: over(NOISES, [9, 9], [9, 9]), PREFP: over(NOISES, [5, 7.9], [4, 8.3])},
            "advantage-noise": {PERTURBED: over(NOISES, [0.3, 0.2], [0.5, 0.2]), PREFP: over(NOISES, [-1, 0], [-2, 0])},
            "best-advantage": {MADE: over(NOISES, [0.7, 0.7], [0.9, 0.7])},
        },
    }  # fmt: skip
    return Study({id: Result(panels) for id, panels in curves.items()})


def test_what_is_read_are_the_panels_of_the_figures(done):
    assert (done.noises, done.seeds, done.updates) == ((0.05, 0.4), 2, 1000)
    assert done.at_noise("advantage", BEST, 0.05).tolist() == [0.7, 0.9]
    assert done.at_noise("ratio", LEARNERS[0], 0.4).tolist() == [0.5, 0.5]
    assert done.oscillating(LEARNERS[0]) == [0.05] and done.oscillating(LEARNERS[1]) == []  # 8.1 is not below 8


def test_without_one_of_the_figures_there_is_no_study(monkeypatch, done):
    monkeypatch.setattr(study.result, "read", lambda id: done.results[id])
    assert study.read().results == done.results
    monkeypatch.setattr(study.result, "read", lambda id: done.results[id] if id != "S-fig2" else None)
    assert study.read() is None


def test_figures_show_curves_bands_and_what_is_printed(done):
    charts = {chart.id: chart for chart in figures.figures(done, Look())}
    assert list(charts) == ["win-ratio", "overlap", "affirmativeness", "win-ratio-noise", "overlap-noise"]
    for id, mean in (("win-ratio", [1, 1.5, 1.7]), ("overlap", [np.nan, 9, 9.6])):
        layout, data = charts[id].figure["layout"], charts[id].figure["data"]
        assert layout["xaxis"]["type"] == "log" and "printed" in layout["annotations"][0]["text"]
        (curve,) = (trace for trace in data if trace.get("name") == "3PR")
        np.testing.assert_array_equal(curve["x"], AT)
        np.testing.assert_allclose(curve["y"][1:], mean)
        assert sum("fill" in trace for trace in data) == 2  # a band for each learner
    printed = [shape["y0"] for id in charts for shape in charts[id].figure["layout"].get("shapes", ())]
    assert printed == [1.9, 1.0, 4.0, 0.0, 1.0, 8.0]
    low, high = charts["win-ratio"].figure["layout"]["yaxis"]["range"]
    assert low < 1 and high > 1.9
    (ends,) = (t["y"] for t in charts["overlap-noise"].figure["data"] if t.get("name") == "Perceptron")
    np.testing.assert_allclose(ends, [4.5, 8.1])
    assert any("best" in note["text"] for note in charts["win-ratio-noise"].figure["layout"]["annotations"])


def test_the_table_has_a_row_for_each_noise_and_learner(done):
    rows = figures.table(done)
    assert [(row["Noise"], row["Ranker"]) for row in rows] == [
        (noise, ranker) for noise in ("0.05", "0.4") for ranker in ("Perceptron", "3PR", "best linear ranker")
    ]
    assert rows[0]["Wins to losses"] == "1.15 ± 0.05" and rows[0]["Crowds it won"] == "2 of 2"
    assert [row["Oscillates"] for row in rows] == ["yes", "no", "", "no", "no", ""]
    assert rows[0]["True advantage"] == "−1.500 ± 0.500" and rows[1]["True advantage"] == "+0.400 ± 0.100"


def test_the_verdict_names_what_came_out_and_what_is_printed(done):
    said = figures.verdict(done)
    for words in (
        "With noise 0.05, 3PR wins 1.70 to 1 and the perceptron 1.00 to 1. The paper prints 1.9",
        "From noise 0.4 on the perceptron loses",
        "share 4.5 documents with those of 100 updates before, and those of 3PR 9.6",
        "does so at noise 0.05. 3PR never does.",
        "wins 2.20 to 1 with noise 0.05, and 1.40 to 1 with noise 0.4",
        "here it still grows",  # from 1.6 at half of the updates to 2
        "By the grades the perceptron is worse",
    ):
        assert words in said


def test_the_study_of_the_repository_can_be_shown():
    """Its settings are those of the figures, and its texts have no field without a value."""
    kept = study.read()
    assert kept is not None and kept.seeds == 10
    assert "nan" not in figures.verdict(kept) and len(figures.table(kept)) == 3 * len(kept.noises)
