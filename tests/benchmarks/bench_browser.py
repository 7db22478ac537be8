"""Redraws a second, flicker, memory and the first frame: python -m tests.benchmarks.bench_browser [minutes]

Four learners racing, three charts visible, in headless Chromium without a GPU.
"""

import sys
import tempfile
import time
from pathlib import Path

import psutil
from playwright.sync_api import sync_playwright

from tests.browser.conftest import Visitor, launch, start_server

LINK = (
    "/stability?learner-1=preference-perceptron&learner-2=perturbed-perceptron&learner-3=perturbed-perceptron"
    "&swap_probability-3=0.25&learner-4=averaged-perceptron&charts=average-regret,rank-of-best,swap-probability"
)
WATCH = """() => {
  window.seen = { frames: 0, missing: 0, paths: {}, redraws: [0, 0, 0] };
  const look = () => {
    const plots = [...document.querySelectorAll('.fl-plot')];
    seen.frames += 1;
    const drawn = p => p.__away || p.querySelector('.scatterlayer path.js-line');
    if (plots.length !== 3 || !plots.every(drawn)) seen.missing += 1;
    plots.forEach((p, i) => {
      const now = [...p.querySelectorAll('.scatterlayer path.js-line')].map(x => x.getAttribute('d')).join();
      if (seen.paths[i] !== now) { seen.paths[i] = now; seen.redraws[i] += 1; }
    });
    requestAnimationFrame(look);
  };
  look();
}"""


def first_frame(playwright):
    """Seconds from the start command to the first drawn charts, on a warm installation."""
    began = time.perf_counter()
    process, address = start_server(Path(tempfile.mkdtemp()))
    browser = launch(playwright)
    visitor = Visitor(browser, address)
    visitor.page.goto(address + "/")
    visitor.page.get_by_text("Watch a perceptron flip").wait_for()
    home = time.perf_counter() - began
    visitor.page.goto(address + "/stability")
    visitor.charts()
    return process, browser, visitor, home, time.perf_counter() - began


def main(minutes=5.0):
    with sync_playwright() as playwright:
        process, browser, visitor, home, lab = first_frame(playwright)
        print(f"first frame of the home page {home:.1f} s after the start command (asked: at most 6); lab {lab:.1f} s")
        server = psutil.Process(process.pid)
        for speed in ("max", "50"):
            visitor.go(f"{LINK}&replicates=20&steps=20000&speed={speed}").charts().press("Play")
            visitor.page.wait_for_timeout(3000)
            visitor.page.evaluate(WATCH)
            began = time.perf_counter()
            visitor.page.wait_for_timeout(10_000)
            seen = visitor.page.evaluate("seen")
            seconds = time.perf_counter() - began
            rates = ", ".join(f"{n / seconds:.1f}" for n in seen["redraws"])
            print(f"speed {speed}: redraws a second {rates} (asked: 5, of charts in sight); frames without a chart "
                  f"{seen['missing']} of {seen['frames']}")  # fmt: skip
        if minutes <= 0:
            browser.close()
            process.terminate()
            return
        session = visitor.page.context.new_cdp_session(visitor.page)
        visitor.go(f"{LINK}&replicates=5&steps=100000&speed=100").charts().press("Play")
        visitor.page.wait_for_timeout(20_000)
        for _ in range(int(minutes) + 1):
            session.send("HeapProfiler.collectGarbage")
            heap = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
            nodes = session.send("Memory.getDOMCounters")["nodes"]
            print(
                f"t = {visitor.t:6}: page {heap:.1f} MB, {nodes} nodes; server {server.memory_info().rss / 1e6:.0f} MB"
            )
            visitor.page.wait_for_timeout(60_000)
        browser.close()
        process.terminate()


if __name__ == "__main__":
    main(*(float(a) for a in sys.argv[1:]))
