"""A class and a course at one server: python -m tests.benchmarks.bench_load [players] [arrivals] [--key value …]

People are played by a program that speaks the browser's side of Streamlit's protocol, as in `bench_class`.

players : --people 30 play for --minutes 10. Each opens a lab, changes its setting every --every 20 seconds, and rests
    at a step in between.
arrivals : --crowd 100 people come within --within 60 seconds, each with a run of their own.

Both print seconds from the press of a key, or from the visit, to the first curve and to the complete ones (median, 95th
of 100, longest), the memory and the use of cores by the server while they are there, and how many waited in the queue.
"""

import argparse
import asyncio
import json
import time
import urllib.request

import numpy as np

from tests.benchmarks.bench_class import Person, started

REST = 0.25  # seconds between two questions of a page that waits


class Player(Person):
    """A person who changes settings; `waits` has (seconds to the first curve, to all of them) of each change."""

    def __init__(self, address, seed):
        super().__init__(address, f"seed={seed}")
        self.seed, self.waits = seed, []

    async def change(self):
        """Take another seed, and wait for the curves."""
        self.seed += 1
        self.query, self.complete, self.reached = f"seed={self.seed}", False, 0
        began, first = time.monotonic(), None
        await self.ask()
        await self.run()
        while True:
            if first is None and self.reached:
                first = time.monotonic() - began
            if self.complete:
                break
            await asyncio.sleep(REST)
            await self.ask(self.fragment)
            await self.run()
        self.waits.append((first if first is not None else time.monotonic() - began, time.monotonic() - began))

    async def enter(self):
        import websockets

        address = self.address.replace("http", "ws") + "/_stcore/stream"
        self.line = await websockets.connect(address, subprotocols=["streamlit"], max_size=None)
        await self.change()

    async def play(self, until, every):
        """Change the setting again and again; half way between, the playhead comes to rest, which asks the page."""
        while time.monotonic() < until:
            for _ in range(2):
                await asyncio.sleep(every / 2)
                await self.ask(self.fragment)
                await self.run()
            await self.change()


class Server:
    """Its memory and its use of cores, looked at every second; and what it says of itself."""

    def __init__(self, process, address):
        self.process, self.address = process, address
        self.memory, self.line = [], 0

    def asked(self):
        with urllib.request.urlopen(f"{self.address}/health", timeout=60) as answer:
            return json.load(answer)

    def spent(self):
        return sum(self.process.cpu_times()[:2])

    async def watch(self, everyone):
        """Wait for everyone, and note what the server does meanwhile."""
        before, began = self.spent(), time.monotonic()
        ends = asyncio.ensure_future(everyone)
        while not ends.done():
            await asyncio.wait([ends], timeout=1)
            self.memory.append(self.process.memory_info().rss / 1e6)
            found = await asyncio.to_thread(self.asked)
            self.line = max(self.line, found["runs_in_labs"]["waiting"])
        await ends
        seconds = time.monotonic() - began
        tenth = max(1, len(self.memory) // 10)
        first, last = np.median(self.memory[tenth : 2 * tenth] or self.memory), np.median(self.memory[-tenth:])
        print(
            f"  server: {(self.spent() - before) / seconds:.0%} of a core over {seconds:.0f} s; memory {first:.0f} MB "
            f"after a tenth of it, {last:.0f} MB at the end, at most {max(self.memory):.0f} MB; at most {self.line} "
            "runs waited",
            flush=True,
        )


def show(what, waits):
    for name, seconds in zip(("first curve", "all curves"), np.transpose(waits), strict=True):
        middle, high = np.percentile(seconds, [50, 95])
        print(
            f"  {what} to {name}: p50 {middle:.2f} s, p95 {high:.2f} s, longest {max(seconds):.2f} s ({len(seconds)})"
        )


async def players(server, args):
    people = [Player(server.address, 100_000 * (i + 1)) for i in range(args.people)]
    until = time.monotonic() + 60 * args.minutes

    async def one(number, person):
        await asyncio.sleep(args.every * number / len(people))
        await person.enter()
        await person.play(until, args.every)

    await server.watch(asyncio.gather(*(one(i, person) for i, person in enumerate(people))))
    show("press", [wait for person in people for wait in person.waits[1:]])
    for person in people:
        await person.go()


async def arrivals(server, args):
    people = [Player(server.address, 10_000_000 + 100 * i) for i in range(args.crowd)]

    async def one(number, person):
        await asyncio.sleep(args.within * number / len(people))
        await person.enter()

    await server.watch(asyncio.gather(*(one(i, person) for i, person in enumerate(people))))
    show("visit", [wait for person in people for wait in person.waits])
    for person in people:
        await person.go()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help="players, arrivals; both by default")
    for name, default in (("people", 30), ("minutes", 10.0), ("every", 20.0), ("crowd", 100), ("within", 60.0)):
        parser.add_argument(f"--{name}", type=type(default), default=default)
    args = parser.parse_args()
    process, address = started()
    try:
        for part in args.parts or ("players", "arrivals"):
            print(part, flush=True)
            asyncio.run({"players": players, "arrivals": arrivals}[part](Server(process, address), args))
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
