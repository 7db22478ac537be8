"""Frames a second of the scene above the charts: python -m tests.benchmarks.bench_scene [rounds]

Four learners' lists of ten documents follow a run of 2,000 steps in headless Chromium without a GPU, at 10 and at 1,000
steps a second, beside an empty animation loop, by turns. In "moving" every document stands elsewhere in each step; in
"queries" each step is another query, so that every text changes.
"""

import json
import statistics
import sys

import numpy as np
from playwright.sync_api import sync_playwright

from pages.ui.draw.charts import COLORS
from pages.ui.modules import joined
from pages.ui.play import assets
from pages.ui.play.frames import plain
from tests.benchmarks.bench_playback import SECONDS
from tests.browser.conftest import launch

STEPS = 2000
ASKED = 50  # frames a second where an empty loop has 60
PAGE = """<!doctype html><meta charset="utf-8"><style>%s</style>
<div class="fl-player"><div class="fl-scene"></div></div><script>%s
const player = { t: 0, playing: true, held: false, speed: '100', calm: { matches: false },
  places: { scene: document.querySelector('.fl-scene') } };
const scenes = {};
function begin(payloads) {
  for (const [name, payload] of Object.entries(payloads)) {
    const place = player.places.scene = document.querySelector('.fl-player').appendChild(flElement('div.fl-scene'));
    player.payload = payload;
    scenes[name] = new Scene(player);
    scenes[name].update(payload);
    place.hidden = true;
  }
}
// Frames a second, and the milliseconds that a call takes on average.
async function measure(name, speed, seconds) {
  player.speed = String(speed);
  for (const [id, scene] of Object.entries(scenes)) scene.element.hidden = id !== name;
  const next = () => new Promise(done => requestAnimationFrame(done));
  let frames = 0, busy = 0, now = await next();
  const begun = now;
  while (now - begun < 1000 * seconds) {
    const before = performance.now();
    scenes[name]?.reveal(1 + ((now - begun) / 1000 * speed) %% 1999, true);
    busy += performance.now() - before;
    now = await next();
    frames += 1;
  }
  return [frames * 1000 / (now - begun), busy / frames];
}
</script>"""


def payload(one_query, learners=4, places=10):
    """Lists in which every document moves in every step, of one query or of another one in each step."""
    rng = np.random.default_rng(0)
    slots = []
    for _ in range(learners):
        doc = rng.permuted(np.tile(np.arange(places), (STEPS, 1)), axis=1)
        slots.append({
            "query": np.zeros(STEPS) if one_query else np.arange(STEPS), "doc": doc,
            "predicted": rng.permuted(doc, axis=1), "returned": np.full_like(doc, -1),
            "green": rng.integers(0, 101, doc.shape), "mark": rng.integers(0, 4, doc.shape),
            "pair": np.tile([1, 2], (STEPS, places // 2)), "best": doc[:, 0],
        })  # fmt: skip
    scene = {
        "kind": "ranking", "name": "a", "replicate": 0, "complete": True, "title": "The list", "help": "", "first": 0,
        "faces": {"queries": 1 if one_query else STEPS}, "at": np.arange(1, STEPS + 1), "slots": slots,
    }  # fmt: skip
    named = [{"label": f"learner {i}", "color": color, "dash": ""} for i, color in enumerate(COLORS[:learners])]
    return {"scene": plain(scene), "learners": named, "unit": "step", "replicates": 1, "text": "#1B1F24"}


def measured(rounds=3):
    """Print the frames a second of each way, one round after the other, their medians, and the time of a call."""
    code, style = joined(assets.FOLDER / "scene.js"), assets.style()
    ways = [("empty", 100), *((name, speed) for name in ("moving", "queries") for speed in (10, 1000))]
    found = {way: [] for way in ways}
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.profile.new_page()
        page.emulate_media(reduced_motion="no-preference")
        page.set_viewport_size({"width": 1000, "height": 700})
        page.set_content(PAGE % (style, code))
        page.evaluate("all => begin(all)", json.loads(json.dumps({"moving": payload(True), "queries": payload(False)})))
        for _ in range(rounds):
            for way, rates in found.items():
                rates.append(page.evaluate("([name, speed, s]) => measure(name, speed, s)", [*way, SECONDS]))
        browser.close()
    for (name, speed), rates in found.items():
        rate, busy = (statistics.median(values) for values in zip(*rates, strict=True))
        print(f"{name:8} {speed:5} steps/s: {rate:5.1f} frames a second (asked: {ASKED}), {busy:.2f} ms a call")


if __name__ == "__main__":
    measured(*(int(a) for a in sys.argv[1:]))
