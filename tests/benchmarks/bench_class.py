"""A class at one server: python -m tests.benchmarks.bench_class [crowd] [knobs] [frames] [sessions]

Most people are played by a program that speaks the browser's side of Streamlit's protocol, since thirty browsers would
need more than the server.

crowd : thirty people open the default lab within five seconds, each with a seed of their own; seconds until each has
    the complete curves, beside one person alone, and the CPU of the server while all watch. The same on one link.
knobs : the same thirty, each with a hand at the first knob from when its curves are there: seconds until all values of
    the knob are there, and the CPU of the server for all of it, beside that without hands.
sessions : memory of the server before and after 200 people have come, had their curves and gone, once the time after
    which runs and sessions are dropped has passed.
frames : frames a second in one real browser in which a run plays, alone and while 29 others come.
"""

import asyncio
import json
import os
import sys
import tempfile
import time

import orjson
import psutil
import websockets
from playwright.sync_api import sync_playwright
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import launch, start_server

PEOPLE, WITHIN = 30, 5.0  # people, and seconds within which they come
PAGE = "stability"
KEEP = 20  # seconds after which the server of `sessions` drops a run; 300 by default


class Person:
    """A window on a lab; `complete` once all its curves have come."""

    def __init__(self, address, query=""):
        self.address, self.query = address, query
        self.fragment, self.place, self.complete, self.reached, self.bytes = "", "", False, 0, 0
        self.component, self.payload = "", {}

    async def ask(self, fragment="", **sent):
        message = BackMsg()
        state = message.rerun_script
        state.query_string = self.query
        state.page_name, state.page_script_hash = "" if self.place else PAGE, self.place
        state.fragment_id = fragment
        if sent:  # by the player
            events = [{"event": name, "value": value} for name, value in sent.items()]
            widget = state.widget_states.widgets.add()
            widget.id, widget.json_trigger_value = _make_trigger_id(self.component, "events"), json.dumps(events)
        await self.line.send(message.SerializeToString())

    async def run(self):
        """Take in what a run of the script sends, to its end."""
        while True:
            raw = await asyncio.wait_for(self.line.recv(), 300)
            message = ForwardMsg.FromString(raw)
            self.bytes += len(raw)
            kind = message.WhichOneof("type")
            if kind == "navigation":
                self.place = message.navigation.page_script_hash
            elif kind == "delta" and message.delta.new_element.bidi_component.component_name.endswith("player"):
                payload = orjson.loads(message.delta.new_element.bidi_component.bytes)
                self.fragment = message.delta.fragment_id
                self.complete, self.reached = payload["complete"], payload["reached"]
                self.component, self.payload = message.delta.new_element.bidi_component.id, payload
            elif kind == "script_finished":
                return

    async def come(self):
        """Open the page and ask on until the curves are complete; return the seconds that took."""
        began = time.monotonic()
        address = self.address.replace("http", "ws") + "/_stcore/stream"
        patient = {"max_size": None, "open_timeout": 300, "ping_interval": None}  # as browsers are, which do not ping
        self.line = await websockets.connect(address, subprotocols=["streamlit"], **patient)
        await self.ask()
        await self.run()
        while not self.complete:
            await asyncio.sleep(0.25)
            await self.ask(self.fragment)
            await self.run()
        return time.monotonic() - began

    async def turn(self):
        """Bring a hand to the first knob and ask on until all its values are here; return the seconds that took."""
        began, key = time.monotonic(), self.payload["knobs"][0]["key"]
        await self.ask(self.fragment, knob={"run": self.payload["run"], "key": key})
        await self.run()
        while not (self.payload["turned"] or {}).get("complete"):
            await asyncio.sleep(0.25)
            await self.ask(self.fragment)
            await self.run()
        return time.monotonic() - began

    async def go(self):
        await self.line.close()


async def crowd(address, queries):
    """Have a person come for each query; return them, and the seconds each had to wait."""
    people = [Person(address, query) for query in queries]

    async def one(number, person):
        await asyncio.sleep(WITHIN * number / len(people))
        return await person.come()

    return people, await asyncio.gather(*(one(i, person) for i, person in enumerate(people)))


def started(**environment):
    os.environ.update(environment)
    process, address = start_server(tempfile.gettempdir(), "--server.disconnectedSessionTTL", str(KEEP))
    asyncio.run(warm(address))
    return psutil.Process(process.pid), address


async def warm(address):
    """Have everything loaded and compiled."""
    person = Person(address, "seed=999983")
    await person.come()
    await person.go()


def show(name, waits):
    ordered = sorted(waits)
    print(f"  {name}: median {ordered[len(ordered) // 2]:.2f} s, longest {ordered[-1]:.2f} s", flush=True)


def crowds(process, address):
    alone = [asyncio.run(once(address, f"seed={1000 + i}")) for i in range(5)]
    show("one person alone", alone)

    async def together():
        people, waits = await crowd(address, [f"seed={2000 + i}" for i in range(PEOPLE)])
        show(f"{PEOPLE} people, each with a seed of their own", waits)
        await watch(process)
        same, waits = await crowd(address, ["seed=3000"] * PEOPLE)
        show(f"{PEOPLE} people on one link", waits)
        for person in (*people, *same):
            await person.go()

    asyncio.run(together())


def knobs(process, address):
    def spent():
        return sum(process.cpu_times()[:2])

    async def hands():
        before = spent()
        people, waits = await crowd(address, [f"seed={8000 + i}" for i in range(PEOPLE)])
        without = spent() - before
        show(f"{PEOPLE} people, to their curves", waits)
        show("from a hand at the first knob to all its values", await asyncio.gather(*(p.turn() for p in people)))
        print(f"  CPU of the server: {without:.1f} s to the curves, {spent() - before - without:.1f} s for the knobs")
        for person in people:
            await person.go()

    asyncio.run(hands())


async def once(address, query):
    person = Person(address, query)
    wait = await person.come()
    await person.go()
    return wait


async def watch(process, seconds=30):
    before = sum(process.cpu_times()[:2])
    await asyncio.sleep(seconds)
    spent = sum(process.cpu_times()[:2]) - before
    print(f"  while {PEOPLE} watch: {spent / seconds:.1%} of a core (asked: under 5 %)", flush=True)


def sessions(process, address, many=200):
    def memory():
        time.sleep(3 * KEEP)
        asyncio.run(warm(address))  # a run that comes drops those that have gone
        return process.memory_info().rss / 1e6

    async def visits(numbers):
        for first in numbers[::20]:
            people, _ = await crowd(address, [f"seed={first + i}" for i in range(20)])
            for person in people:
                await person.go()

    asyncio.run(visits(range(4000, 4040)))  # what is loaded once and stays
    before = memory()
    asyncio.run(visits(range(5000, 5000 + many)))
    at_once, after = process.memory_info().rss / 1e6, memory()
    print(
        f"  memory {before:.0f} MB, right after {many} sessions {at_once:.0f} MB, {3 * KEEP} s later {after:.0f} MB "
        f"({after / before - 1:+.0%}; asked: within 10 %)"
    )


COUNT = """() => {
  window.frames = 0;
  const mine = window.counting = {}, count = () => { frames += 1; counting === mine && requestAnimationFrame(count); };
  count();
}"""


def frames(address):
    """Frames a second of a browser, alone and beside others who come, and of an animation of nothing in both cases."""
    with sync_playwright() as playwright:
        page = launch(playwright).profile.new_page()
        page.goto(f"{address}/{PAGE}?speed=25&seed=6000")
        page.wait_for_function("document.querySelector('.fl-player')?.dataset.reached === '1000'")

        def measure(seconds, meanwhile=None):
            page.locator("[data-do=reset]").first.click()
            page.locator("[data-do=play]").first.click()
            page.evaluate(COUNT)
            began = time.monotonic()
            if meanwhile:
                meanwhile()
            page.wait_for_timeout(max(0, 1000 * (seconds - time.monotonic() + began)))
            return page.evaluate("frames") / (time.monotonic() - began)

        alone = measure(10)
        script = [sys.executable, "-m", "tests.benchmarks.bench_class", "others", address]

        def others():
            import subprocess

            subprocess.run(script, check=True, stdout=subprocess.DEVNULL)

        beside = measure(10, others)
        print(f"  {alone:.1f} frames a second alone, {beside:.1f} while 29 others come ({beside / alone:.2f} ×)")


def main(*parts):
    if parts[:1] == ("others",):
        asyncio.run(crowd(parts[1], [f"seed={7000 + i}" for i in range(PEOPLE - 1)]))
        return
    process, address = started(FEEDBACK_LAB_KEEP_SECONDS=str(KEEP) if "sessions" in parts else "300")
    try:
        for part in parts or ("crowd", "frames"):
            print(part, flush=True)
            if part == "frames":
                frames(address)
            else:
                {"crowd": crowds, "knobs": knobs, "sessions": sessions}[part](process, address)
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
