"""A class of thirty while others attack the channel of classes: python -m tests.benchmarks.bench_follow [minutes]

In one run, on one server, in turns of a minute: thirty people, each with a seed of their own, open the default lab
within five seconds and wait for their curves, again and again; in every second turn `tests.attack.follow` attacks the
server from a process of its own. It prints how long the thirty waited, without and with the attack: the median, what
nine of ten did not exceed, and the longest. All traffic goes to 127.0.0.1.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import psutil

from tests.attack import follow
from tests.attack.tally import FINE
from tests.benchmarks.bench_class import PEOPLE, crowd, warm
from tests.browser.conftest import start_server

TURN = 60.0  # seconds


def turn(address, first, end):
    """Let classes come until the time is over; return the seconds that each person waited."""
    waits = []
    while time.monotonic() < end:
        people, found = asyncio.run(_class(address, first + len(waits)))
        waits += found
        assert all(person.complete for person in people)
    return waits


async def _class(address, first):
    people, waits = await crowd(address, [f"seed={first + number}" for number in range(PEOPLE)])
    for person in people:
        await person.go()
    return people, waits


def attacker(address, pid, seconds):
    """Attack a server that runs already, and print what was counted."""
    server, end = follow.Server(address, pid), time.monotonic() + seconds
    tally = follow.attacked(server, seed=int(time.time()), rounds=10**6, end=end)
    print(json.dumps(tally.row()))
    return int(tally.faults > 0)


def show(name, waits):
    at = np.percentile(waits, [50, 90, 100])
    print(f"  {name}: {len(waits)} people, median {at[0]:.2f} s, 90 % {at[1]:.2f} s, longest {at[2]:.2f} s", flush=True)


def main(minutes=4.0):
    os.environ["FEEDBACK_LAB_OPERATOR"] = follow.KEY
    process, address = start_server(tempfile.gettempdir())
    server, waits, attacks = psutil.Process(process.pid), {False: [], True: []}, []
    try:
        asyncio.run(warm(address))
        began, number = server.memory_info().rss / 1e6, 0
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end or number % 2:  # as many turns with an attack as without
            hostile, stop = bool(number % 2), time.monotonic() + TURN
            if hostile:
                command = [sys.executable, "-m", "tests.benchmarks.bench_follow", "attack", address, str(process.pid)]
                other = subprocess.Popen([*command, str(TURN)], stdout=subprocess.PIPE, text=True)
            waits[hostile] += turn(address, 10_000 + 10_000 * number, stop)
            if hostile:
                attacks.append(json.loads(other.communicate()[0].splitlines()[-1]))
            show(f"turn {number + 1}, {'with' if hostile else 'without'} an attack", waits[hostile])
            number += 1
        for hostile in (False, True):
            if waits[hostile]:
                show(f"in all, {'with' if hostile else 'without'} an attack", waits[hostile])
        cases, fine = (sum(row[name] for row in attacks) for name in ("cases", FINE))
        print(f"  {cases} attacks, {cases - fine} faults; memory {began:.0f} MB, then "
              f"{server.memory_info().rss / 1e6:.0f} MB")  # fmt: skip
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    if sys.argv[1:2] == ["attack"]:
        sys.exit(attacker(sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
    main(*map(float, sys.argv[1:]))
