"""A class at one server: python -m tests.benchmarks.bench_class [page and settings]

Each of N people has a window open in which a run plays. They are played by a program that speaks the browser's side
of Streamlit's protocol, since N browsers would need more than the server. Printed are frames a second that each
person gets, and CPU and memory of the server; once as the app is (see pages/ui/collector.py), once with
the garbage collected after each run of a script, too, as Streamlit has it.
"""

import asyncio
import sys
import tempfile
import time

import psutil
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import start_server

PEOPLE, SECONDS = (1, 5, 10, 20, 30), 8
PAGE = "stability?steps=20000&speed=50&replicates=2"


class Person:
    """A window on a page whose run plays."""

    def __init__(self, address, page):
        self.address, self.page = address, page
        self.frames, self.play, self.every, self.fragment, self.place = 0, None, None, "", ""

    async def ask(self, press=None, fragment="", auto=False):
        message = BackMsg()
        state = message.rerun_script
        name, _, state.query_string = self.page.partition("?")
        state.page_name, state.page_script_hash = "" if self.place else name, self.place
        state.fragment_id, state.is_auto_rerun = fragment, auto
        if press:
            pressed = state.widget_states.widgets.add()
            pressed.id, pressed.trigger_value = press, True
        await self.line.send(message.SerializeToString())

    async def run(self):
        """Take in what a run of the script sends, to its end."""
        while True:
            message = ForwardMsg.FromString(await asyncio.wait_for(self.line.recv(), 120))
            kind = message.WhichOneof("type")
            if kind == "navigation":
                self.place = message.navigation.page_script_hash
            elif kind == "auto_rerun":
                self.every, self.fragment = message.auto_rerun.interval, message.auto_rerun.fragment_id
            elif kind == "delta" and message.delta.new_element.button.label == "Play":
                self.play, self.fragment = message.delta.new_element.button.id, message.delta.fragment_id
            elif kind == "script_finished":
                return

    async def open(self):
        address = self.address.replace("http", "ws") + "/_stcore/stream"
        self.line = await websockets.connect(address, subprotocols=["streamlit"], max_size=None)
        await self.ask()
        await self.run()
        await self.ask(self.play, self.fragment)
        while self.every is None:  # a run that asks to be run again sends two ends
            await self.run()

    async def watch(self, seconds):
        end, due = time.monotonic() + seconds, time.monotonic()
        while time.monotonic() < end:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            due = time.monotonic() + self.every
            await self.ask(fragment=self.fragment, auto=True)
            await self.run()
            self.frames += 1


async def lesson(address, process, page):
    people = []
    for wanted in PEOPLE:
        while len(people) < wanted:
            people.append(Person(address, page))
            await people[-1].open()
        for person in people:
            person.frames = 0
        before, began = sum(process.cpu_times()[:2]), time.monotonic()
        await asyncio.gather(*(person.watch(SECONDS) for person in people))
        took = time.monotonic() - began
        spent = sum(process.cpu_times()[:2]) - before
        each = [person.frames / took for person in people]
        print(
            f"  {wanted:3} people: {sum(each) / wanted:4.1f} frames a second each (least {min(each):4.1f}),"
            f" {spent / took:4.0%} of a core, {process.memory_info().rss / 1e6:5.0f} MB",
            flush=True,
        )
    for person in people:
        await person.line.close()


def main(page=PAGE):
    for name, after_each_run in (("as the app is", "false"), ("garbage collected after each run", "true")):
        process, address = start_server(tempfile.gettempdir(), "--runner.postScriptGC", after_each_run)
        try:
            print(name, flush=True)
            asyncio.run(lesson(address, psutil.Process(process.pid), page))
        finally:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
