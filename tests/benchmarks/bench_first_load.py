"""Bytes and seconds of the first visit, with nothing cached: python -m tests.benchmarks.bench_first_load [--old PATH]

For the home page, the stability lab, all figures and one, in headless Chromium: the bytes that cross the wire for
requests (those of the websocket are not counted), the number of requests, of those that fail, and the seconds until
the page is complete, on this machine and over a line of 10 Mbit/s with 40 ms of delay. `--old` adds another checkout,
visited in turns with this one. The name of the bundle of plotly.js is printed.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS, BROWSER, PATIENCE
from tests.conftest import ROOT

PAGES = {  # address, and what is there once the page is complete
    "home": ("/", "document.body.innerText.includes('Watch a perceptron flip')"),
    "stability lab": ("/stability", "document.querySelectorAll('.js-plotly-plot .main-svg').length >= 3"),
    "all figures": ("/figures", "document.querySelectorAll('.fl-map [data-told]').length > 80"),
    "a figure": ("/figures?figure=C-fig2", "document.querySelectorAll('.js-plotly-plot .main-svg').length >= 2"),
}
LINES = {"this machine": None, "10 Mbit/s": {"latency": 40, "downloadThroughput": 1.25e6, "uploadThroughput": 1.25e6}}
VISITS = 3  # of each page over each line; the median counts


class Server:
    """The app of a checkout, on a port of its own."""

    def __init__(self, folder, port):
        environment = os.environ | {
            "PYTHONPATH": str(folder), "FEEDBACK_LAB_WARM": "no", "FEEDBACK_LAB_DATA": tempfile.mkdtemp(),
        }  # fmt: skip
        self.address = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), "--server.address",
             "127.0.0.1"],
            cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=1)
                return
            except OSError:
                time.sleep(0.25)
        raise RuntimeError(f"the server of {folder} did not start")


def visit(browser, address, path, complete, line):
    """Return seconds, bytes, requests, failed requests and the largest requests of one visit in a fresh profile."""
    context = browser.new_context()
    page = context.new_page()
    if line:
        page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", {"offline": False, **line})
    done, failed = [], []
    page.on("requestfinished", lambda request: done.append(request))
    page.on("requestfailed", lambda request: failed.append(request.url))
    began = time.perf_counter()
    page.goto(address + path, wait_until="commit", timeout=PATIENCE * 1000)
    page.wait_for_function(complete, timeout=PATIENCE * 1000)
    seconds = time.perf_counter() - began
    page.wait_for_timeout(1500)  # what comes after the page is complete
    sizes = {request.url: request.sizes()["responseBodySize"] for request in done}
    failed += [request.url for request in done if request.response().status >= 400]
    context.close()
    return seconds, sizes, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", type=Path, help="another checkout to compare with")
    folders = {"new": ROOT, "old": parser.parse_args().old}
    servers = {name: Server(folder, 8640 + i) for i, (name, folder) in enumerate(folders.items()) if folder}
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
            for server in servers.values():  # a server that has just started is slow, and begins to fetch plotly.js
                for path, complete in PAGES.values():
                    visit(browser, server.address, path, complete, None)
            for title, (path, complete) in PAGES.items():
                for line, limits in LINES.items():
                    seen = {name: [] for name in servers}
                    for _ in range(VISITS):
                        for name, server in servers.items():
                            seen[name].append(visit(browser, server.address, path, complete, limits))
                    for name, visits in seen.items():
                        report(f"{title}, {line}, {name}", visits)
            browser.close()
    finally:
        for server in servers.values():
            server.process.terminate()


def report(what, visits):
    seconds = statistics.median(v[0] for v in visits)
    _, sizes, failed = visits[-1]
    plotly = [url.rsplit("/", 1)[-1] for url in sizes if "/plotly/plotly" in url]
    print(f"{what}: {seconds:.2f} s, {sum(sizes.values()) / 1e6:.2f} MB, {len(sizes)} requests, {len(failed)} failed")
    if "this machine" in what:
        for url in failed:
            print(f"    failed: {url}")
        for url, size in sorted(sizes.items(), key=lambda pair: -pair[1])[:3]:
            print(f"    {size / 1e6:.2f} MB {url.rsplit('/', 1)[-1]}")
        print(f"    plotly.js: {', '.join(plotly) or 'none'}")


if __name__ == "__main__":
    main()
