"""What knobs cost: python -m tests.benchmarks.bench_knobs [LAB ...]

For each lab with its default settings, in one process and without a browser: the seconds of CPU of the run itself, and
for each knob those until its first two neighbours are there and until all stops are, also as multiples of the run, and
the bytes that travel to the browser, plain and compressed. A person pays for the knobs that a hand stays at, one at a
time, behind everything that anybody waits for; runs that differ in nothing but the knob share its stops.
"""

import sys
import time
import zlib

import datasets
from pages.ui.draw.charts import Look
from pages.ui.families import labs
from pages.ui.form.form import Form
from pages.ui.play.grid import KnobGrid
from pages.ui.play.payload import encoded
from pages.ui.play.recording import Recording
from pages.ui.race.charts import ChartView
from pages.ui.race.knob import knobs_of


def load(spec):
    return datasets.load(spec.id, **spec.values)


def recorded(run, data):
    """A complete recording of a run, and the seconds of CPU that it took."""
    recording, began = Recording("run", run, data), time.process_time()
    while not recording.complete:
        recording.advance(10)
    return recording, time.process_time() - began


def measure(lab):
    run = lab.ask_run(Form({}))
    data = load(run.dataset)
    recorded(run, data)  # compiles
    recording, alone = recorded(run, data)
    print(f"{lab.id}: the run takes {alone:.2f} s", flush=True)
    shown = [lab.charts[id] for id in lab._shown]
    slots = tuple(range(1, len(run.learners) + 1))
    for knob in knobs_of(run, lab.knobs, slots, lab.family):
        for _ in range(2):  # the first time compiles
            job, began, first = KnobGrid(recording, knob, shown, ChartView(), Look(), load), time.process_time(), None
            while not job.complete:
                job.advance(0.02)
                if first is None and len(job.found) >= 3:
                    first = time.process_time() - began
            whole = time.process_time() - began
        sent = encoded({"stops": job.found})
        sent = sent if isinstance(sent, bytes) else sent.encode()
        print(
            f"  {knob.key:20} {len(job.found):2} of {len(knob.values):2} stops: neighbours {first or whole:5.2f} s, all"
            f" {whole:5.2f} s = {whole / alone:4.1f} runs; {len(sent) / 1e3:4.0f} kB,"
            f" {len(zlib.compress(sent)) / 1e3:3.0f} compressed", flush=True,
        )  # fmt: skip


if __name__ == "__main__":
    for lab in [labs()[id] for id in sys.argv[1:]] or labs().values():
        measure(lab)
