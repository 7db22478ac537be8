"""What a person waits for, in a real browser: python -m tests.benchmarks.bench_waiting

play : from the click on Play at full speed to the complete curves, in a lab just opened with a seed of its own.
slider : from a key that moves the noise slider, with the playhead at step 1,000, to the complete new curves.
Beside each the time that the bare library needs for the same numbers in a process of its own, in the same minute.
"""

import statistics
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

from tests.browser.conftest import launch, start_server

MOVES = 20
LIBRARY = """
import time
from datasets import load
from learners import Simulation, create, create_user
data = load("toy-ranking")
for seed in range(3):
    began = time.perf_counter()
    for id in ("preference-perceptron", "perturbed-perceptron"):
        Simulation(id, data, create_user("cascade", noise=0.2), replicates=20, seed=seed, recorded=20_000,
                   megabytes=24).advance(steps=1000)
    took = time.perf_counter() - began
print(took)
"""
# the moment at which every chart has been drawn with a run that is complete, by the clock of the page
DRAWN = """before => {
  const player = document.querySelector('.fl-player'), grid = document.querySelector('.fl-grid');
  return player && grid && player.dataset.run !== before && player.dataset.reached === '1000'
    && +grid.dataset.frames > 0 && player.dataset.t === '1000' && performance.now();
}"""


def library():
    """Seconds that the bare library needs for the default run of the lab."""
    return float(subprocess.run([sys.executable, "-c", LIBRARY], capture_output=True, text=True, check=True).stdout)


def play(page, address, seed):
    """Seconds from the click on Play at full speed to the complete curves, and from opening the page."""
    opened = time.perf_counter()
    page.goto(f"{address}/stability?speed=max&seed={seed}")
    page.wait_for_selector(".fl-player[data-state] [data-do=play]")
    page.wait_for_function("+(document.querySelector('.fl-grid')?.dataset.frames ?? 0) > 0")
    clicked = page.evaluate("document.querySelector('[data-do=play]').click(), performance.now()")
    page.wait_for_function(DRAWN, arg="", polling="raf")
    done = page.evaluate("performance.now()")
    return (done - clicked) / 1000, time.perf_counter() - opened


def move(page):
    """Seconds from a key on the slider to the complete new curves."""
    before = page.locator(".fl-player").first.get_attribute("data-run")
    page.get_by_role("slider", name="Noise η").focus()
    pressed = page.evaluate("performance.now()")
    page.keyboard.press("ArrowRight")
    done = page.wait_for_function(DRAWN, arg=before, polling="raf").json_value()
    return (done - pressed) / 1000


def main():
    process, address = start_server(tempfile.gettempdir())
    try:
        with sync_playwright() as playwright:
            page = launch(playwright).profile.new_page()
            play(page, address, 1)  # loads and compiles
            plays, opens = zip(*(play(page, address, 100 + i) for i in range(5)), strict=True)
            bare = statistics.median(library() for _ in range(3))
            print(f"bare library {bare:.2f} s")
            print(
                f"play at full speed: median {statistics.median(plays):.2f} s after the click, {max(plays):.2f} at most"
            )
            print(f"  from opening the page {statistics.median(opens):.2f} s")
            page.goto(f"{address}/stability?t=1000&steps=1000&noise=0&seed=7")
            page.wait_for_function(DRAWN, arg="", polling="raf")
            page.wait_for_timeout(2000)
            waits = []
            for _ in range(MOVES):
                waits.append(move(page))
                page.wait_for_timeout(500)
            again = statistics.median(library() for _ in range(3))
            over = statistics.median(waits) - (bare + again) / 2
            print(
                f"slider: median of {MOVES} moves {statistics.median(waits):.2f} s, {max(waits):.2f} at most; "
                f"{over:.2f} s more than the bare library ({again:.2f} s; asked: at most .40 more)"
            )
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
