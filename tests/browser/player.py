"""A page with the player alone, without a server; charts that note what they are told stand in for the real ones."""

import json

from playwright.sync_api import Error as PlaywrightError

from pages.ui.play import assets
from tests import scripts
from tests.browser.conftest import PATIENCE

SHEETS = ("player", "scene", "projector")
ADDRESS = "http://player.test/"

# Charts that note what they are told; their values are read from the payload.
CHARTS = """
globalThis.Plotly = { react() {} };
globalThis.made = 0;
class CurveChart {
  constructor(plot, player) { Object.assign(this, { plot, player, updates: 0, shown: [], number: made++ }); }
  async update(chart) {
    this.chart = chart;
    this.updates += 1;
    if (chart.broken) throw new Error('broken on purpose');
    await new Promise(next => setTimeout(next, 20));
  }
  reveal(t) { this.shown.push(t); }
  read(t) {
    return this.chart.lines.map(line => ({ ...line, step: t, value: this.chart.data[line.trace].y[t] }));
  }
  destroy() { this.destroyed = true; }
}
"""
INSTEAD = {
    "curves.js": CHARTS,
    "pictures.js": """
class FigurePicture extends CurveChart { get read() { return undefined; } }
class HtmlPicture extends FigurePicture {}
""",
    "film.js": "class Film { update() {} reveal() {} }",
}

HARNESS = """
globalThis.flPace = flPace;
globalThis.told = [];
globalThis.note = name => value => told.push({ name, value, now: performance.now() });
globalThis.root = document.querySelector('.fl-player');
globalThis.player = new Player(root, {
  rest: note('rest'), more: note('more'), speed: note('speed'), film: note('film'),
});
"""


def build(script, payload=None):
    """A page with all files of the player."""
    sheets = (assets.SHARED / "charts.css", *(assets.FOLDER / f"{name}.css" for name in SHEETS))
    style = "".join(path.read_text("utf-8") for path in sheets)
    data = json.dumps(payload).replace("<", "\\u003c")
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Player</title>
<meta name="viewport" content="width=device-width"><style>{style}
.fl-plot {{ height: 200px }}</style></head>
<body><p style="height: 150px">Above <input id="other"> <select id="choice"><option>a<option>b</select></p>
<script>globalThis.flRecording = {data};</script>
<div class="fl-player"></div><p style="height: 2000px">Below</p>
<script type="module">{scripts.script(scripts.PLAYER, INSTEAD)}{script}</script></body></html>"""


def curve(id, title="", steps=1000, slots=2, **more):
    """A chart whose value of learner i at step t is t + i / 10."""
    return {
        "id": id, "title": title or f"Chart {id}", "help": "What it shows.", "wide": False, "kind": "curves",
        "format": ".5g",
        "data": [{"x": list(range(steps + 1)), "y": [t + i / 10 for t in range(steps + 1)]} for i in range(slots)],
        "layout": {"height": 200},
        "lines": [{"trace": i, "slot": i, "name": f"learner {i}", "faint": False, "bound": 0, "band": None}
                  for i in range(slots)],
    }  # fmt: skip


def event(t, kind="lost", slot=0):
    return {"t": t, "kind": kind, "slot": slot, "text": "d1 falls from place 1 to 10"}


def recording(reached=None, run="a", steps=1000, charts=None, events=(), **more):
    reached = steps if reached is None else reached
    kinds = [{"id": "lost", "title": "best document lost", "sign": "down", "help": "It falls."},
             {"id": "regained", "title": "best document regained", "sign": "up", "help": "It is back."}]  # fmt: skip
    return {
        "run": run, "drawn": run, "revision": "r", "script": "plotly.js", "page": "stability", "title": "Stability lab",
        "steps": steps, "reached": reached, "complete": reached == steps, "pending": reached != steps,
        "failed": "", "waiting": "", "unit": "step",
        "replicates": 20, "t": None, "speed": "1000", "usual_speed": "1000",
        "speeds": ["1", "10", "100", "1000", "max"],
        "text": "#1B1F24", "grid": "#E3E7EC",
        "learners": [{"label": f"learner {i}", "color": c, "dash": ""} for i, c in enumerate(("#0072B2", "#D55E00"))],
        "legend": [], "charts": charts or [curve("regret", steps=steps), curve("rank", steps=steps)],
        "events": {"kinds": kinds, "list": list(events)}, "ghosts": [], "futures": [], "film": None, **more,
    }  # fmt: skip


class Window:
    """A window for pages that need no server. Tests use it in turn, since a new one takes the browser twice as long."""

    def __init__(self, browser, **how):
        how = {"viewport": {"width": 1100, "height": 700}, "reduced_motion": "no-preference"} | how
        self._size, self._free = how["viewport"], browser.windows.setdefault(repr(sorted(how.items())), [])
        self.page = self._free.pop() if self._free else browser.new_context(**how).new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.failures = []
        self.page.on("pageerror", self._fails)

    def _fails(self, error):
        self.failures.append(str(error))

    def until(self, condition):
        self.page.wait_for_function(condition)
        return self

    def key(self, *names):
        for name in names:
            self.page.keyboard.press(name)
        return self

    def get(self, expression):
        return self.page.evaluate(expression)

    def close(self):
        """Leave the window to the next test as it was found, or close it if it does not answer."""
        try:
            self.page.evaluate("localStorage.clear(), sessionStorage.clear()")
            self.page.goto("about:blank")
            self.page.unroute_all()
            self.page.remove_listener("pageerror", self._fails)
            self.page.mouse.move(0, 0)
            self.page.set_viewport_size(self._size)
            self._free.append(self.page)
        except PlaywrightError:
            self.page.context.close()


class Viewer(Window):
    """A person before the player."""

    def __init__(self, browser, payload, query="", script=HARNESS, embedded=None, **how):
        super().__init__(browser, **how)
        page = build(script, embedded)
        self.page.route(ADDRESS + "**", lambda route: route.fulfill(body=page, content_type="text/html"))
        self.page.goto(ADDRESS + query)
        if payload is not None:
            self.send(payload)

    def send(self, payload):
        """Hand over a payload, and wait until it is drawn."""
        before = self.frames
        self.page.evaluate("payload => player.update(payload)", payload)
        self.until(f"+(document.querySelector('.fl-grid').dataset.frames ?? 0) > {before}")
        return self

    def state(self, name):
        return self.until(f"root.dataset.state === '{name}'")

    def press(self, name):
        self.page.click(f"[data-do={name}]")
        return self

    def told(self, name):
        return [message["value"] for message in self.page.evaluate("told") if message["name"] == name]

    def rest(self):
        """Wait until the player has told that its playhead is at rest where it stands."""
        return self.until("told.filter(m => m.name === 'rest').at(-1)?.value === player.t && !player.playing")

    @property
    def frames(self):
        return int(self.get("document.querySelector('.fl-grid')?.dataset.frames ?? 0"))

    @property
    def t(self):
        return int(self.get("root.dataset.t"))

    @property
    def search(self):
        return self.get("location.search")

    def words(self, place):
        return self.page.inner_text(place)

    def slide(self, name):
        return self.page.get_attribute(".fl-timeline [role=slider]", name)

    def point(self, step, steps=1000):
        """The place of a step on the timeline."""
        box = self.page.locator(".fl-timeline [role=slider]").bounding_box()
        return box["x"] + box["width"] * step / steps, box["y"] + box["height"] / 2
