"""A real server and a real browser; skipped where there is no Chromium, except in CI."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright

from tests.conftest import ROOT

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
             "--disable-dev-shm-usage", "--disable-sync", "--no-first-run",
             "--force-prefers-reduced-motion"]  # fmt: skip
# the headless shell is the same browser without its windows, and does half the work for a page
BROWSER = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))), None
)

PATIENCE = int(os.environ.get("FEEDBACK_LAB_PATIENCE", "240"))  # seconds that a busy machine may take for what is there
# at once on a quiet one; nobody waits for their end

# how many runs of the script have ended in this window; one that ends at once may go unseen on a busy machine
COUNT = """
globalThis.runs = 0;
new MutationObserver(changes => {
  runs += changes.filter(change => change.oldValue === 'running').length;
}).observe(document, { subtree: true, attributeFilter: ['data-test-script-state'], attributeOldValue: true });
"""


def start_server(folder, *options, port=0, script="app.py"):
    """A server of the app, with a folder of data files and options of Streamlit; returns its process and address."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        port = probe.getsockname()[1]
    environment = os.environ | {"FEEDBACK_LAB_DATA": str(folder), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port), "--server.address",
         "127.0.0.1", *options],
        cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    for _ in range(4 * PATIENCE):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
            return process, address
        except OSError:
            time.sleep(0.25)
    process.kill()
    raise RuntimeError(f"the server did not start within {PATIENCE} seconds")


def launch(playwright):
    """A browser with one profile for all windows, so that the scripts of the page are fetched and compiled once."""
    browser = playwright.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
    browser.windows = {}  # those of `Window` that are free
    browser.profile = browser.new_context()
    browser.profile.set_default_timeout(PATIENCE * 1000)
    browser.profile.add_init_script(COUNT)
    return browser


@pytest.fixture(scope="package")
def browser():
    if BROWSER is None:
        if os.environ.get("CI"):
            pytest.fail("CI must have a browser: install Debian's package chromium")
        pytest.skip("no Chromium found; install it to run the tests in a browser")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(browser, tmp_path_factory):
    process, address = start_server(tmp_path_factory.mktemp("data"))
    yield address
    process.terminate()
    process.wait(10)


class Visitor:
    """A person with a browser window of their own."""

    def __init__(self, browser, address, width=1200, height=760, dark=False):
        self.page = browser.profile.new_page()
        self.page.emulate_media(color_scheme="dark" if dark else "light")
        self.page.set_viewport_size({"width": width, "height": height})
        self.address = address
        self.failures = []
        self.page.on("pageerror", lambda error: self.failures.append(str(error)))

    def go(self, path):
        """Open a page; it has a title, and its script has run."""
        self.page.goto(self.address + path)
        self.page.locator("[data-testid=stMain] h1").first.wait_for()
        return self._ran(0)

    def ended(self):
        """Wait for the end of the run of the script that is under way."""
        self.page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
        return self

    def settle(self):
        """Wait until the script does not run, and has not begun anew a moment later."""
        for pause in (150, 50):
            self.ended().page.wait_for_timeout(pause)
        return self

    def _ran(self, before):
        """Wait a moment for the end of a run of the script after `before` others."""
        with suppress(PlaywrightTimeout):
            self.page.wait_for_function("before => runs > before", arg=before, timeout=3000)
        return self.settle()

    def charts(self):
        """Wait until the charts are drawn."""
        self.page.wait_for_function("+(document.querySelector('.fl-grid')?.dataset.frames ?? 0) > 0")
        return self

    def press(self, name):
        """Press a button, and wait for the run of the script that it begins."""
        before = self.page.evaluate("runs")
        self.page.get_by_test_id("stMain").get_by_role("button", name=name).first.click()
        return self._ran(before)

    def follow(self, name, which="first"):
        """Go to another page by a link, and wait for its script."""
        before = self.page.evaluate("runs")
        getattr(self.page.get_by_role("link", name=name), which).click()
        return self._ran(before)

    def key(self, key):
        before = self.page.evaluate("document.activeElement?.blur(), runs")
        self.page.keyboard.press(key)
        return self._ran(before)

    @property
    def text(self):
        return self.page.locator("[data-testid=stMain]").inner_text()

    @property
    def t(self):
        """The step at which the playhead stands; -1 where there is no player."""
        shown = self.page.evaluate("document.querySelector('.fl-player')?.dataset.t ?? '-1'")
        return int(shown)

    @property
    def state(self):
        """Actions of the player: ready, playing, paused, computing, finished or failed."""
        return self.page.evaluate("document.querySelector('.fl-player')?.dataset.state ?? ''")

    @property
    def run(self):
        """The run that the player shows; another setting is another run."""
        return self.page.locator(".fl-player").first.get_attribute("data-run")

    def do(self, what):
        """Press a button of the player."""
        self.page.locator(f".fl-player [data-do={what}]").first.click()
        return self

    def at(self, step):
        """Wait until the playhead stands at a step."""
        self.wait_until(lambda: self.t == step)
        return self

    def computed(self, steps):
        """Wait until the run is computed up to a step."""
        self.wait_until(lambda: int(self.page.locator(".fl-player").first.get_attribute("data-reached") or 0) >= steps)
        return self

    def step(self, times=1):
        """Press Step, again and again, and wait until the page tells what happened in that step."""
        for _ in range(times):
            self.computed(self.t + 1)
            before = self.t
            self.do("step").at(before + 1)
        return self.told()

    def told(self):
        """Wait until the table below the charts is that of the step at which the playhead rests."""
        self.wait_until(lambda: re.search(rf"Table of the values after \w+ {self.t:,}\b", self.text))
        return self.settle()

    def play(self):
        return self.do("play")

    def pause(self):
        """Pause a run that plays."""
        self.do("play")
        self.wait_until(lambda: self.state in ("paused", "finished"))
        return self

    def stands_still(self):
        """Look at the playhead for a second; however busy the machine, it must not go on."""
        stopped = self.t
        self.page.wait_for_timeout(1000)
        assert self.t == stopped
        return self

    @property
    def url(self):
        return self.page.evaluate("location.href")

    def curves(self):
        """The paths of all curves drawn."""
        return self.page.evaluate(
            "[...document.querySelectorAll('.fl-plot .scatterlayer path.js-line')].map(p => p.getAttribute('d'))"
        )

    def heat_maps(self):
        """The number of heat maps drawn."""
        return self.page.evaluate(
            "[...document.querySelectorAll('.js-plotly-plot')].flatMap(p => p.data ?? [])"
            ".filter(trace => trace.type === 'heatmap').length"
        )

    def wait_until(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"it did not happen in time; the page says:\n{self.text}"
            self.page.wait_for_timeout(100)
        return self


@pytest.fixture
def visit(browser, server):
    """Opens windows; every one of them must have run without an error of JavaScript."""
    visitors = []

    def open_window(path, **how):
        visitors.append(Visitor(browser, server, **how))
        return visitors[-1].go(path)

    yield open_window
    for visitor in visitors:
        with suppress(PlaywrightError):  # what a page remembers, such as an open sidebar, is not for the next visitor
            visitor.page.evaluate("localStorage.clear()")
        visitor.page.close()
        assert not visitor.failures, visitor.failures


@pytest.fixture
def view(browser):
    """Opens the player alone, without a server; it must have run without an error of JavaScript."""
    from tests.browser.player import Viewer

    viewers = []

    def open_window(payload, *arguments, **how):
        viewers.append(Viewer(browser, payload, *arguments, **how))
        return viewers[-1]

    yield open_window
    for viewer in viewers:
        viewer.close()
        assert not viewer.failures, viewer.failures
