"""Figures on playing a recording back: python -m tests.benchmarks.bench_playback frames [rounds]

frames : frames a second in headless Chromium without a GPU while four charts of four learners with bands (300 points)
are uncovered, beside an empty animation loop and `Plotly.react` of the same charts for every frame, by turns.
"""

import statistics
import sys

import numpy as np
import orjson
from playwright.sync_api import sync_playwright
from plotly.offline import get_plotlyjs

from pages.ui.draw.charts import COLORS, POINTS, Axis, Curve, line_chart
from pages.ui.modules import joined
from pages.ui.play.assets import FOLDER
from tests.browser.conftest import launch

ASKED = 0.7  # of the frame rate of an empty loop
SECONDS = 3
PAGE = """<!doctype html><meta charset="utf-8"><style>%s
.grid { display: grid; gap: .4rem 1.2rem; grid-template-columns: 1fr 1fr } [hidden] { display: none }</style>
<div class="grid" id="played"></div><div class="grid" id="redrawn"></div><script>%s
const player = { t: 0, playing: false };
let charts, plots, steps;
const cells = id => Array.from({ length: 4 }, () => document.getElementById(id).appendChild(
  Object.assign(document.createElement('div'), { className: 'fl-plot', style: 'height: 260px' })));
const cut = (chart, t) => chart.data.map(trace => (
  { ...trace, x: trace.x.filter(x => x <= t), y: trace.y.filter((_, i) => trace.x[i] <= t) }));
async function begin(payload) {
  player.library = Plotly;
  steps = payload.steps;
  plots = cells('redrawn');
  charts = cells('played').map(plot => new CurveChart(plot, player));
  for (const [i, chart] of payload.charts.entries()) {
    await charts[i].update(chart, payload);
    await Plotly.newPlot(plots[i], cut(chart, steps), chart.layout, { displayModeBar: false });
  }
  player.playing = true;
  globalThis.payload = payload;
}
const frame = {
  empty: () => {},
  reveal: t => { player.t = t; charts.forEach(chart => chart.reveal(t)); },
  react: t => plots.forEach((plot, i) => Plotly.react(plot, cut(payload.charts[i], t), payload.charts[i].layout)),
};
// Frames a second while a run is played in four seconds; of each way only its own charts are seen.
async function measure(way, seconds) {
  played.hidden = way === 'react';
  redrawn.hidden = way !== 'react';
  const next = () => new Promise(done => requestAnimationFrame(done));
  let frames = 0, now = await next();
  const begun = now;
  while (now - begun < 1000 * seconds) {
    frame[way](((now - begun) / 4000 * steps) %% steps);
    now = await next();
    frames += 1;
  }
  return frames * 1000 / (now - begun);
}
</script>"""


def payload(steps=1000, learners=4, charts=4):
    """Return four charts of four learners as the server sends them."""
    x = np.unique(np.linspace(1, steps, POINTS).astype(int))
    rng = np.random.default_rng(0)
    names = [f"learner {i + 1}" for i in range(learners)]
    made = []
    for number in range(charts):
        values = rng.normal(0.02, 0.1, (learners, len(x), 20)).cumsum(axis=1) + 4
        curves = [Curve(name, slot, x, values[slot]) for slot, name in enumerate(names)]
        lines = [
            {"trace": 2 * slot + 1, "slot": slot, "name": name, "faint": False, "bound": 0, "band": 2 * slot}
            for slot, name in enumerate(names)
        ]
        figure = line_chart(curves, Axis("regret", x_max=steps))
        made.append({"id": str(number), "title": "Regret", "kind": "curves", "format": ".3g", "lines": lines, **figure})
    told = {
        "run": "a", "revision": "a", "script": "", "steps": steps, "reached": steps, "unit": "step", "text": "#1B1F24",
        "learners": [{"label": n, "short": n, "color": COLORS[i], "dash": ""} for i, n in enumerate(names)],
        "charts": made, "ghosts": [], "futures": [],
    }  # fmt: skip
    return orjson.loads(orjson.dumps(told, option=orjson.OPT_SERIALIZE_NUMPY))


def frames(rounds=4):
    """Print the frames a second of each way, one round after the other, their medians and ratios."""
    measured = {"empty": [], "reveal": [], "react": []}
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.profile.new_page()
        page.set_viewport_size({"width": 1440, "height": 900})
        page.set_content(PAGE % ((FOLDER / "curves.css").read_text("utf-8"), joined(FOLDER / "curves.js")))
        page.add_script_tag(content=get_plotlyjs())
        page.evaluate("payload => begin(payload)", payload())
        for _ in range(rounds):
            for way, rates in measured.items():
                rates.append(page.evaluate("([way, seconds]) => measure(way, seconds)", [way, SECONDS]))
        browser.close()
    middle = {way: statistics.median(rates) for way, rates in measured.items()}
    for way, rates in measured.items():
        print(f"{way:7} {middle[way]:5.1f} frames a second ({', '.join(f'{rate:.1f}' for rate in rates)})")
    share = middle["reveal"] / middle["empty"]
    print(f"reveal / empty loop {share:.2f} (asked: at least {ASKED}); reveal / react "
          f"{middle['reveal'] / middle['react']:.1f}")  # fmt: skip
    return share


PARTS = {"frames": frames}


if __name__ == "__main__":
    PARTS[sys.argv[1]](*(int(a) for a in sys.argv[2:]))
