"""Frames a second of the playhead while pictures play, in headless Chromium with software rendering.

    python -m tests.benchmarks.bench_pictures

For each lab with many pictures: the empty animation loop, the same loop with pictures that follow the playhead, the
draws a second, and how long a draw takes. A frame is the playhead moved and every picture asked; at least 15 a second
are wanted, which the page reaches because drawing takes at most a third of the time.
"""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from datasets.spec import Spec
from pages.ui.families.classification import pictures as bandit
from pages.ui.families.semi_supervised import pictures as semi_supervised
from tests.browser.picture_page import page, record, setup

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SECONDS = 8
BANDITS = ("perceptron", "banditron", "adaptive-banditron", "exponentiated-gradient")
BOOSTERS = ("mcssb", "assemble", "single-tree", "nearest-neighbour")
LABS = {
    "bandit, confusion and weights": (BANDITS, Spec("digits"), 10, 9000, ("confusion", "weight-maps"), bandit),
    "bandit, regions": (BANDITS, Spec("separable-points"), 5, 2000, ("regions",), bandit),
    "semi-supervised, regions": (BOOSTERS, Spec("moons"), 5, 50, ("regions",), semi_supervised),
}
LOOP = """([seconds, steps, playing]) => new Promise(done => {
  const head = document.createElement('div'), gaps = [], before = drawn.length, began = performance.now();
  head.style.cssText = 'position:fixed;top:0;left:0;width:2px;height:100vh;background:red;will-change:transform';
  document.body.append(head);
  let last = began;
  const tick = () => {
    const now = performance.now(), share = (now - began) / 1000 / seconds;
    gaps.push(now - last);
    last = now;
    head.style.transform = `translateX(${share * innerWidth}px)`;
    if (playing) seek(share * steps, true);
    if (share < 1) { requestAnimationFrame(tick); return; }
    const times = drawn.slice(before).sort((a, b) => a - b);
    head.remove();
    done({ frames: gaps.length / seconds, longest: Math.max(...gaps), draws: times.length / seconds,
      median: times[times.length >> 1] ?? 0 });
  };
  tick();
})"""


def main():
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        found = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        for name, (learners, dataset, replicates, steps, ids, module) in LABS.items():
            race = setup(learners, dataset, replicates=replicates, steps=steps)
            file = Path(folder) / "page.html"
            file.write_text(page(record(race, [spec for spec in module.PICTURES if spec.id in ids])), "utf-8")
            opened = browser.new_page(viewport={"width": 1280, "height": 900})
            opened.goto(file.as_uri())
            opened.evaluate("ready")
            empty = opened.evaluate(LOOP, [SECONDS, steps, False])
            plays = opened.evaluate(LOOP, [SECONDS, steps, True])
            print(
                f"{name}: {plays['frames']:.1f} frames a second of {empty['frames']:.1f}; {plays['draws']:.1f} figures "
                f"drawn a second, {plays['median']:.0f} ms each; longest gap {plays['longest']:.0f} ms"
            )
            opened.close()
        browser.close()


if __name__ == "__main__":
    main()
