"""The waits of a person, in a real browser: python -m tests.benchmarks.bench_waiting [PAGE ...]

For each lab, with its default settings and the playhead at the end of the run:

play : from the click on Play at full speed to the complete curves, with a seed of its own.
knob : from a key on the first knob that makes another value the setting, to the complete curves of the new run.
setting : the same for a setting that is no knob, the seed.
drag : from the pointer to the painted curves of 50 moves of the first knob, once its values are here; and the seconds
    from the hand that comes near to the first neighbours and to all values.
open : from asking for the address to the first curves, beside a bare page of Streamlit with four charts.

For the pages home, lessons and figures, `open` alone: to the end of the script, beside that of the bare page.

Beside each stands the time that the bare library needs for the same numbers, in a process of its own in the same
minute. Every number is a median; the second is the largest.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import launch, start_server

MOVES, OPENED, DRAGGED = 5, 3, 50
PAGES = ("home", "lessons", "figures")
LABS = (
    "stability", "coactive", "bandit", "multilabel", "refinement", "learning_to_rank",
    "semi_supervised",
)  # fmt: skip
LIBRARY = """
import sys, time
from pages.ui.families import labs
from pages.ui.form.form import Form
from pages.ui.race.limits import lab_simulation
lab = labs()[sys.argv[1]]
for seed in ("1", "2", "3"):
    run = lab.ask_run(Form({"seed": seed}))
    data = run.load()
    began = time.perf_counter()
    for number in range(len(run.learners)):
        lab_simulation(run, number, data).advance(run.steps)
    took = time.perf_counter() - began
print(took, run.steps)
"""
BARE = """
import numpy as np, plotly.graph_objects as go, streamlit as st
st.title("Four charts")
columns = st.columns(2)
for i in range(4):
    lines = [go.Scatter(y=np.random.default_rng(i).normal(size=300).cumsum()) for _ in range(2)]
    columns[i % 2].plotly_chart(go.Figure(lines), key=str(i))
"""
# notes of each move of a knob the ms from the pointer until its curves are painted, and those of the script
NOTE = """slider => {
  let moved = 0;
  globalThis.painted = [];
  document.addEventListener('pointermove', event => { moved = event.timeStamp; }, true);
  slider.addEventListener('input', () => {
    const from = moved, worked = performance.now() - from, channel = new MessageChannel();
    channel.port1.onmessage = () => painted.push([performance.now() - from, worked]);
    requestAnimationFrame(() => channel.port2.postMessage(0));
  });
}"""
KNOBS = "document.querySelector('.fl-player').player.knobs"
# the moment at which the curves of another run than `before` have been drawn, whole, by the clock of the page
DRAWN = """before => {
  const player = document.querySelector('.fl-player')?.player, payload = player?.payload;
  return payload?.complete && payload.run !== before && player.grid.curved === payload && player.t >= payload.steps
    && !player.knobs.turning && performance.now();
}"""


def library(lab):
    """Seconds that the bare library needs for the default run of a lab, and the steps of the run."""
    took, steps = subprocess.run(
        [sys.executable, "-c", LIBRARY, lab], capture_output=True, text=True, check=True
    ).stdout.split()
    return float(took), int(steps)


def drawn(page, before=""):
    return page.wait_for_function(DRAWN, arg=before, polling="raf", timeout=120_000).json_value()


def run_of(page):
    return page.locator(".fl-player").first.get_attribute("data-run")


def play(page, address, lab, seed):
    page.goto(f"{address}/{lab}?speed=max&seed={seed}")
    page.wait_for_selector(".fl-player[data-state] [data-do=play]")
    page.wait_for_function("+(document.querySelector('.fl-grid')?.dataset.frames ?? 0) > 0")
    clicked = page.evaluate("document.querySelector('[data-do=play]').click(), performance.now()")
    return (drawn(page) - clicked) / 1000


def turn(page, back):
    """Move the first knob by one stop with a key."""
    before = run_of(page)
    page.locator("[data-knob] input:enabled").first.focus()
    pressed = page.evaluate("performance.now()")
    page.keyboard.press("ArrowLeft" if back else "ArrowRight")
    return (drawn(page, before) - pressed) / 1000


def reseed(page, seed):
    """Enter another seed; the popover that holds it is open."""
    before, field = run_of(page), page.get_by_role("spinbutton", name="Seed")
    field.fill(str(seed))
    pressed = page.evaluate("performance.now()")
    field.press("Enter")
    return (drawn(page, before) - pressed) / 1000


def drag(page):
    """Drag the first knob. Return ms from pointer to curves of each move, and seconds to its neighbours and to all."""
    page.mouse.move(5, 5)
    slider = page.locator("[data-knob] input:enabled").first
    slider.evaluate(NOTE)
    box, last = slider.bounding_box(), int(slider.get_attribute("max"))
    begin = float(slider.input_value())

    def to(stop, steps=1):
        page.mouse.move(box["x"] + 10 + (box["width"] - 20) * stop / last, box["y"] + box["height"] / 2, steps=steps)

    to(begin)
    near = time.perf_counter()
    page.wait_for_function(f"{KNOBS}.stops.size >= {min(3, last + 1)}", polling="raf")
    first = time.perf_counter() - near
    page.wait_for_function(f"{KNOBS}.near && {KNOBS}.whole", polling="raf", timeout=120_000)
    whole = time.perf_counter() - near
    page.mouse.down()
    for i in range(DRAGGED):
        to((begin + i + 1) % (last + 1))
        page.wait_for_timeout(40)
    to(begin)
    page.mouse.up()
    page.wait_for_timeout(500)
    return page.evaluate("painted"), first, whole


SHOWN = ".main-svg .trace, .fl-player .main-svg"
ENDED = "[data-testid=stApp][data-test-script-state=notRunning] [data-testid=stMain] h1"


def opening(page, address, until=SHOWN):
    """Seconds from asking for an address to the first chart, or to the end of the script."""
    began = time.perf_counter()
    page.goto(address)
    page.wait_for_selector(until, state="attached", timeout=120_000)
    return time.perf_counter() - began


def opened(page, name, address, bare_page, until):
    took, bare = [], []
    for _ in range(OPENED):
        bare.append(opening(page, bare_page, until))
        took.append(opening(page, address, until))  # last, since it stays open
    first, plain = statistics.median(took), statistics.median(bare)
    print(f"  {name:8} {first:5.2f} s, {first / plain:.1f} times the bare page of {plain:.2f} s", flush=True)


def told(name, took, bare):
    middle = statistics.median(took)
    print(f"  {name:8} {middle:5.2f} s, {max(took):5.2f} at most; {middle - bare:+.2f} s to the library", flush=True)


def measure(page, address, bare_page, lab):
    before, steps = library(lab)
    play(page, address, lab, 1)  # loads and compiles
    plays = [play(page, address, lab, 100 + i) for i in range(OPENED)]
    page.goto(f"{address}/{lab}?t={steps}&seed=7")
    drawn(page)
    page.wait_for_timeout(3000)
    knobs = []
    for i in range(MOVES):
        knobs.append(turn(page, back=i % 2 == 1))
        page.wait_for_timeout(1000)
    page.locator(".st-key-settings-bar button", has_text="Run").first.click()
    seeds = []
    for i in range(MOVES):
        seeds.append(reseed(page, 1000 + i))
        page.wait_for_timeout(500)
    bare = (before + library(lab)[0]) / 2
    print(f"{lab}: bare library {bare:.2f} s")
    told("play", plays, bare)
    told("knob", knobs, bare)
    told("setting", seeds, bare)
    opened(page, "open", f"{address}/{lab}?t={steps}&seed=7", bare_page, SHOWN)
    drawn(page)
    page.wait_for_timeout(2000)
    moves, first, whole = drag(page)
    took, worked = zip(*moves, strict=True)
    print(
        f"  drag     {statistics.median(took):.0f} ms from pointer to curves, {max(took):.0f} at most, of which the "
        f"script has {statistics.median(worked):.1f} and {max(worked):.1f} ({len(moves)} moves); neighbours "
        f"{first:.2f} s, all values {whole:.2f} s", flush=True,
    )  # fmt: skip


def main():
    folder = tempfile.mkdtemp()
    Path(folder, "bare.py").write_text(BARE)
    server, address = start_server(folder)
    bare_port = 8699
    bare = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", f"{folder}/bare.py", "--server.headless=true",
         f"--server.port={bare_port}", "--browser.gatherUsageStats=false"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        with sync_playwright() as playwright:
            page = launch(playwright).profile.new_page()
            page.set_viewport_size({"width": 1280, "height": 720})
            time.sleep(3)
            opening(page, f"http://localhost:{bare_port}")
            for name in sys.argv[1:] or (*PAGES, *LABS):
                if name in PAGES:
                    place = "" if name == "home" else name
                    opened(page, name, f"{address}/{place}", f"http://localhost:{bare_port}", ENDED)
                else:
                    measure(page, address, f"http://localhost:{bare_port}", name)
    finally:
        for process in (server, bare):
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
