"""A static edition as people meet it: python -m tests.benchmarks.bench_static FOLDER [what …] [--lessons ID …]

FOLDER is served by `python -m http.server`, or with `--queue` by the command that HOSTING.md gives for a crowd, and no
other host can be reached. Without a `what`, all of these:

lessons : each is finished by right answers, by wrong ones, and by the keyboard alone; the first also from a disk.
axe : what axe-core finds grave on each kind of page, light and dark.
line : bytes until the page is quiet, and seconds to the first frame at 10 Mbit/s with 40 ms of delay, of every lesson
    and of a demo. With --app, the first frame of the same lesson in the app, which is started for it.
visitors : 300 people load the first view of a lesson, within --within 10 seconds, and then at the same moment, which is
    more than the queue of `python -m http.server` holds; median and longest seconds, and errors.
"""

import argparse
import http.client
import json
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from playwright.sync_api import Error, sync_playwright

from tests.browser.conftest import ARGUMENTS, BROWSER, start_server

HOWS = ("right", "wrong", "keys")
CROWD = 300
SECONDS = 60  # that a card, or a page, may take
GRAVE = {"serious", "critical"}
FRAME = "document.querySelector('.fl-player .main-svg, .fl-player svg .scatterlayer, .fl-player .fl-scene *')"
HAND = "document.querySelector('.fl-hand *')"
CARD = "document.querySelector('.fl-lesson [data-do=next], .fl-lesson [data-do=lock]')"


@contextmanager
def served(folder, queue=False):
    """Yield the address of a plain file server of a folder. queue : whether it lets a crowd wait."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["-m", "http.server", str(port), "--bind", "127.0.0.1"]
    if queue:
        code = re.search(r'python -c "(from http.server .*)"', Path("HOSTING.md").read_text("utf-8"))[1]
        command = ["-c", code.replace("('', 8000)", f"('127.0.0.1', {port})")]
    process = subprocess.Popen(
        [sys.executable, *command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/index.html", timeout=1).read()
                break
            except OSError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def told(folder, lesson):
    """Return what the page of a lesson tells its script."""
    text = (folder / f"lesson-{lesson}.html").read_text("utf-8")
    return json.loads(re.search(r'id="fl-page">(.*?)</script>', text, re.S)[1])


# ---- lessons -----------------------------------------------------------------------------------------------


class Student:
    """A person before a lesson. how : "right", "wrong" or "keys" (right, and by the keyboard alone)."""

    def __init__(self, page, lesson, how):
        self.page, self.lesson, self.keys, self.right = page, lesson, how == "keys", how != "wrong"

    def finish(self):
        """Take the lesson to its end."""
        for number, card in enumerate(self.lesson["cards"], 1):
            self.page.locator(f".fl-c-progress:has(> .fl-c-past:nth-child({number}))").wait_for()
            self.page.locator(f".fl-c-progress:not(:has(> .fl-c-past:nth-child({number + 1})))").wait_for()
            if not self.card(card, last=number == len(self.lesson["cards"])):
                raise AssertionError(f"card {number}, {card['id']}, cannot be left")
        return json.loads(self.page.evaluate("id => localStorage.getItem(`fl-lesson:${id}`)", self.lesson["id"]))

    def card(self, card, last):
        """Do what a card asks, and say whether it came to its end."""
        done, end = set(), time.monotonic() + SECONDS
        while time.monotonic() < end:
            if last and self.completed():
                return True
            if not last and self.usable("next"):
                self.press("next")
                return True
            if self.usable("lock", able=False) and "answer" not in done:
                self.answer(card["ask"], card)
                done.add("answer")
            elif self.usable("play") and "play" not in done:
                self.page.evaluate("__feedbackLab.player.setSpeed('max')")
                self.press("play")
                done.add("play")
            elif card["done"].startswith("changed") and "stop" not in done:
                self.page.locator(".fl-stops input").focus()
                self.page.keyboard.press("ArrowLeft" if card["stops"]["at"] else "ArrowRight")
                done = {"stop"}
            elif card["done"] == "event":
                self.page.locator(".fl-lesson h2").focus()
                self.page.keyboard.press("n")
            elif card["done"] == "paused" and "paused" not in done:
                self.page.locator(".fl-lesson h2").focus()
                self.page.keyboard.press("p")
                done.add("paused")
            elif card["hand"]:
                self.click()
            self.page.wait_for_timeout(150)
        return False

    def completed(self):
        kept = self.page.evaluate("id => localStorage.getItem(`fl-lesson:${id}`)", self.lesson["id"])
        return json.loads(kept or "{}").get("completed", False)

    def usable(self, name, able=True):
        button = self.page.locator(f".fl-lesson [data-do={name}]:visible{'[aria-disabled=false]' if able else ''}")
        return button.count() > 0

    def press(self, name, place=".fl-lesson [data-do"):
        button = self.page.locator(f"{place}={name}]:visible").first
        if self.keys:
            button.focus()
            self.page.keyboard.press("Enter")
        else:
            button.click()

    def answer(self, ask, card):
        keyboard = self.page.keyboard
        if ask["kind"] == "choice":
            wanted = (ask["right"] + (not self.right)) % len(ask["options"])
            options = self.page.locator(".fl-lesson input[type=radio]")
            if self.keys:
                options.first.focus()
                for key in ("Space", *["ArrowDown"] * wanted):
                    keyboard.press(key)
            else:
                options.nth(wanted).check()
        elif ask["kind"] == "number":
            field = self.page.locator(".fl-lesson input[type=range]")
            field.focus()
            truth = card["truth"] if card["truth"] is not None else ask["low"]
            far = ask["high"] if truth - ask["low"] < ask["high"] - truth else ask["low"]
            if not self.right:
                keyboard.press("End" if far == ask["high"] else "Home")
                keyboard.press("ArrowLeft" if far == ask["high"] else "ArrowRight")  # a slider that has not moved
            else:  # as a hand would set it
                keyboard.press("ArrowRight")
                field.evaluate(
                    "(f, v) => { f.value = v; f.dispatchEvent(new Event('input', { bubbles: true })); }", truth
                )
        else:
            self.draw()
        self.page.wait_for_timeout(100)
        self.press("lock")

    def draw(self):
        pad = self.page.locator(".fl-pad")
        pad.wait_for()
        if self.keys:
            pad.focus()
            for key in ("Home", "ArrowUp", "ArrowRight", "ArrowUp", "End", "ArrowUp"):
                self.page.keyboard.press(key)
            return
        pad.scroll_into_view_if_needed()
        box, mouse = pad.bounding_box(), self.page.mouse
        at = [(box["x"] + box["width"] * (0.01 + 0.98 * k / 12), box["y"] + box["height"] * 0.5) for k in range(13)]
        mouse.move(*at[0])
        mouse.down()
        for x, y in at:
            mouse.move(x, y + (0 if self.right else box["height"] * 0.4), steps=2)
        mouse.up()

    def click(self):
        first = self.page.locator(".fl-hand [aria-pressed]").first
        if first.count():
            if self.keys:
                first.focus()
                self.page.keyboard.press("Enter")
            else:
                first.click()
        for name in ("next", "then"):
            if self.page.locator(f".fl-hand [data-hand={name}]:visible").count():
                self.press(name, ".fl-hand [data-hand")
                return


def walk(browser, folder, address, lesson, how):
    """Finish a lesson, and print what came of it. Return whether all went well."""
    data, failures, refused = told(folder, lesson)["lesson"], [], []
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.set_default_timeout(SECONDS * 1000)
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
    page.on("request", lambda one: None if one.url.startswith((address, "data:", "blob:")) else refused.append(one.url))
    if address.startswith("http"):
        page.route("**/*", lambda route: route.continue_() if route.request.url.startswith(address) else route.abort())
    began, points, came = time.monotonic(), [], "finished"
    page.goto(f"{address}/lesson-{lesson}.html")
    try:
        kept = Student(page, data, how).finish()
        points = [card["points"] for card in kept["cards"].values() if card["points"] is not None]
    except (AssertionError, Error) as error:
        came = f"NOT FINISHED: {str(error)[:300]}"
    context.close()
    where = "disk" if address.startswith("file") else "server"
    print(
        f"{lesson}, {how}, {where}: {came} in {time.monotonic() - began:.0f} s, points {points}, "
        f"{len(refused)} requests elsewhere, {len(failures)} errors {failures[:2] if failures else ''}",
        flush=True,
    )
    return came == "finished" and not refused and not failures


# ---- axe, bytes and seconds --------------------------------------------------------------------------------


def grave(browser, address, names):
    """Print what axe-core finds grave on some pages, light and dark."""
    from axe_playwright_python.sync_playwright import Axe

    for name in names:
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme=scheme)
            page = context.new_page()
            page.goto(f"{address}/{name}", wait_until="networkidle")
            found = Axe().run(page).response["violations"]
            lines = [f"{one['id']}: {one['nodes'][0]['target']}" for one in found if one["impact"] in GRAVE]
            print(f"axe, {name}, {scheme}: {'; '.join(lines) or 'nothing grave'}", flush=True)
            context.close()


def first_view(browser, address, line=None, ready=f"{CARD} && {FRAME}"):
    """Return seconds to the first frame, bytes until the page is quiet, and the names of the files."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    if line:
        context.new_cdp_session(page).send("Network.emulateNetworkConditions", {"offline": False, **line})
    done = []
    page.on("requestfinished", lambda request: done.append(request))
    began = time.perf_counter()
    page.goto(address, wait_until="commit", timeout=SECONDS * 1000)
    while not seen(page, ready):
        if time.perf_counter() - began > SECONDS:
            raise TimeoutError(f"{address} does not show {ready}")
        page.wait_for_timeout(50)
    seconds = time.perf_counter() - began
    page.wait_for_load_state("networkidle", timeout=SECONDS * 1000)
    page.wait_for_timeout(500)
    sizes = {one.url: one.sizes()["responseBodySize"] for one in done if not one.url.startswith("data:")}
    context.close()
    return seconds, sum(sizes.values()), [url.removeprefix(address.rsplit("/", 1)[0] + "/") for url in sizes]


def seen(page, ready):
    """Return whether something is there, on a page that may be on its way."""
    try:
        return page.evaluate(f"Boolean({ready})")
    except Error:
        return False


# ---- visitors ----------------------------------------------------------------------------------------------


def crowd(address, names, count, within):
    """Let `count` people load some files, one after the other each. Return their seconds and errors."""
    seconds, errors, gate = [], [], threading.Barrier(count)

    def visitor(number):
        gate.wait()
        time.sleep(number * within / count)
        began = time.perf_counter()
        try:
            for name in names:
                with urllib.request.urlopen(f"{address}/{name}", timeout=2 * SECONDS) as answer:
                    answer.read()
            seconds.append(time.perf_counter() - began)
        except (OSError, http.client.HTTPException, urllib.error.URLError) as error:
            errors.append(type(error).__name__ + str(error)[:60])

    people = [threading.Thread(target=visitor, args=(i,)) for i in range(count)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    return seconds, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("what", nargs="*", choices=[[], "lessons", "axe", "line", "visitors"], metavar="what")
    parser.add_argument("--lessons", nargs="+", metavar="ID")
    parser.add_argument("--hows", nargs="+", default=HOWS, choices=HOWS)
    parser.add_argument("--crowd", type=int, default=CROWD)
    parser.add_argument("--within", type=float, default=10)
    parser.add_argument("--app", action="store_true")
    parser.add_argument("--queue", action="store_true")
    given = parser.parse_args()
    folder, what = given.folder.resolve(), given.what or ["lessons", "axe", "line", "visitors"]
    every = sorted(path.stem.removeprefix("lesson-") for path in folder.glob("lesson-*.html"))
    ids = given.lessons or [id for id in every if "." not in id]
    ways, well = {"latency": 40, "downloadThroughput": 1.25e6, "uploadThroughput": 1.25e6}, True  # 10 Mbit/s
    with served(folder, given.queue) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        if "lessons" in what:
            for id in ids:
                well &= all([walk(browser, folder, address, id, how) for how in given.hows])
            well &= walk(browser, folder, folder.as_uri(), ids[0], "keys")
        kinds = [f"lesson-{ids[0]}.html", *(sorted(p.name for p in folder.glob(f"{k}-*.html"))[0] for k in
                                            ("demo", "figure") if any(folder.glob(f"{k}-*.html")))]  # fmt: skip
        if "axe" in what:
            spoken = [f"lesson-{id}.html" for id in every if "." in id][:1]
            maps = ["figures.html"] if (folder / "figures.html").is_file() else []
            grave(browser, address, ["index.html", *kinds, *maps, *spoken])
        if "line" in what:
            for name in [f"lesson-{id}.html" for id in ids] + [k for k in kinds if k.startswith("demo")]:
                ready = FRAME if name.startswith("demo") else f"{CARD} && ({FRAME} || {HAND})"
                seconds, size, files = first_view(browser, f"{address}/{name}", ways, ready)
                print(f"first view, {name}: {seconds:.2f} s at 10 Mbit/s, {size / 1e3:.0f} kB, {len(files)} files")
            if given.app:
                server, app = start_server(tempfile.gettempdir())
                try:
                    for line in (None, None, ways, ways):
                        seconds, size, files = first_view(browser, f"{app}/lessons?lesson={ids[0]}", line)
                        print(f"the app, {ids[0]}: {seconds:.2f} s {'at 10 Mbit/s' if line else 'here'}, "
                              f"{size / 1e3:.0f} kB and its WebSocket, {len(files)} files")  # fmt: skip
                finally:
                    server.terminate()
        if "visitors" in what:
            _, size, files = first_view(browser, f"{address}/lesson-{ids[0]}.html")
        browser.close()
        if "visitors" in what:
            for within in (given.within, 0):
                seconds, errors = crowd(address, files, given.crowd, within)
                came = f"within {within:g} s" if within else "at once"
                print(f"{given.crowd} visitors of {ids[0]} {came}, {len(files)} files of {size / 1e3:.0f} kB: "
                      f"median {np.median(seconds or [np.nan]):.1f} s, longest {max(seconds, default=np.nan):.1f} s, "
                      f"{len(errors)} errors {sorted(set(errors))[:3] if errors else ''}", flush=True)  # fmt: skip
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
