"""A page with a lesson beside the player, both as the app runs them, without a server."""

import json

import numpy as np
import orjson

from pages.ui.draw import plotly_js
from pages.ui.draw.charts import Axis, Curve, line_chart
from pages.ui.lessons import cards
from pages.ui.modules import joined
from pages.ui.play import assets
from pages.ui.recordings.takeaway import _DARK, _LIGHT, _VARIABLES
from tests.browser.player import Window, event, recording
from tests.scripts import PLAYER

ADDRESS = "http://lesson.test/"
STEPS = 400
_T = np.arange(1, STEPS + 1)
VALUES = {"regret": (1 / np.sqrt(_T), 0.5 + 0 * _T), "rank": (1 + 9 * (_T % 60 > 40), 1 + 0 * _T)}

_PLAYER = """
globalThis.told = [];
const note = name => value => told.push({ name, value });
globalThis.root = document.querySelector('.fl-player');
globalThis.player = new Player(root, {
  rest: note('rest'), more: note('more'), speed: note('speed'), film: note('film'),
});
"""
# the component as Streamlit calls it: again with each change of its data
_LESSON = """
globalThis.sent = [];
const component = data => ({ data, parentElement: document.body,
  setTriggerValue: (name, value) => sent.push({ name, value }) });
globalThis.give = data => {
  flConnect(component(data));
  globalThis.lesson = document.querySelector('.fl-lesson').lesson;
};
"""
_COLUMNS = """
* { box-sizing: border-box; } body { margin: 0; padding: 3.9rem clamp(1rem, 3vw, 2.5rem) 1rem; line-height: 1.5;
  font-family: system-ui, sans-serif; color: var(--st-text-color); background: var(--st-background-color); }
.columns { display: flex; gap: 1.4rem; } .columns > * { flex: 3; min-width: 0; } .columns > :first-child { flex: 2; }
.st-key-stability-noise, .st-key-stability-inspect { padding: .5rem; }
@media (max-width: 640px) { .columns { flex-direction: column; } .columns > * { flex: none !important; } }
"""


def page(dark=False):
    """The page: two scripts that know each other only by what they put into the window."""
    player = joined(PLAYER)
    lesson = cards.script().replace("export default function", "const flConnect = function")
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lesson</title>
<meta name="viewport" content="width=device-width"><style>:root {{ {_VARIABLES % (_DARK if dark else _LIGHT)} }}
{_COLUMNS}{assets.style()}{cards.style()}</style></head><body><div class="columns">
<div data-testid="stColumn"><div class="fl-lesson"></div></div>
<div data-testid="stColumn"><div class="st-key-stability-noise"><label>Noise <input type="range"></label></div>
<div class="fl-player"></div><div class="fl-hand"></div>
<div class="st-key-stability-inspect">What happened in the step</div></div></div>
<script src="plotly.js"></script><script type="module">{player}{_PLAYER}</script>
<script type="module">{lesson}{_LESSON}</script></body></html>"""


def chart(id, title, reversed=False):
    """A chart of two learners, drawn as the server draws it."""
    names = ("perceptron", "3PR")
    curves = [Curve(name, i, _T, VALUES[id][i][:, None]) for i, name in enumerate(names)]
    limits = {"y_range": (10.5, 0.5)} if reversed else {}
    figure = line_chart(curves, Axis(title, x_max=STEPS, **limits))
    lines = [
        {"trace": i, "slot": names.index(t["name"]), "name": t["name"], "faint": False, "bound": 0, "band": None}
        for i, t in enumerate(figure["data"]) if t.get("name") in names
    ]  # fmt: skip
    made = {"id": id, "title": title, "help": "What it shows.", "wide": False, "kind": "curves", "format": ".3g",
            "lines": lines, **figure}  # fmt: skip
    return orjson.loads(orjson.dumps(made, option=orjson.OPT_SERIALIZE_NUMPY))


def run(name="a", **more):
    charts = [chart("regret", "Average regret"), chart("rank", "Rank of the best document", reversed=True)]
    events = [event(57), event(120, "regained"), event(300)]
    return recording(run=name, steps=STEPS, speed="100", usual_speed="100", charts=charts, events=events, **more)


def ask(kind, after="<p>This is why.</p>", **more):
    return {"kind": kind, "question": "<p>What do you expect?</p>", "after": after, **more}


CARDS = [
    {"id": "meet", "title": "A user who clicks", "t": 0, "done": "read", "point": "timeline",
     "text": "<p>A user looks for <em>one</em> document, and clicks what looks best.</p>"},
    {"id": "flip", "title": "One wrong click", "done": "answered", "play": {"to": 57, "speed": "250"},
     "point": "event:lost", "text": "<p>In step 57 the user clicks a wrong document.</p>",
     "ask": ask("choice", options=["It stays first.", "It falls to <em>the last</em> place."], right=1,
                wrong={"0": "<p>One click looks small. It changes every weight.</p>"})},
    {"id": "often", "title": "How often?", "done": "read", "play": {"speed": "max"}, "point": "chart:rank",
     "text": "<p>The run goes on for 400 steps.</p>",
     "ask": ask("number", low=0, high=20, step=1, unit="flips")},
    {"id": "draw", "title": "The price of a flip", "done": "read", "play": {"speed": "max"},
     "text": "<p>Regret is what the user misses, on average.</p>",
     "ask": ask("curve", chart="regret", learner=1)},
    {"id": "jump", "title": "Marked events", "done": "event", "text": "<p>Each flip is marked.</p>",
     "point": "event:regained"},
    {"id": "pause", "title": "Stop it yourself", "t": 0, "done": "paused", "play": {"speed": "10"},
     "text": "<p>Pause where you like.</p>"},
    {"id": "noise", "title": "Change the noise", "done": "changed:noise", "point": "setting:noise",
     "controls": ["noise"], "text": "<p>Make the user err more often.</p>"},
    {"id": "hand", "title": "Be the user", "done": "clicked", "hand": {"queries": 2}, "text": "<p>Now you click.</p>"},
    {"id": "end", "title": "What to remember", "done": "read", "text": "<p>One click flips a ranking.</p>"},
]  # fmt: skip
LESSON = {
    "id": "flip", "number": 1, "title": "Why a perceptron flips", "lab": "stability", "cards": CARDS,
    "next": [{"text": "Halve <strong>the noise</strong>.", "href": "stability?noise=0.1"},
             {"text": "Try 3PR.", "href": "stability?learner-1=3pr"}],
    "free": "stability?noise=0.2",
}  # fmt: skip


class Student(Window):
    """A person before a lesson."""

    def __init__(self, browser, query="", dark=False, **how):
        super().__init__(browser, **{"viewport": {"width": 1280, "height": 720}} | how)
        self.dark, self.data = dark, {}
        self.page.route(ADDRESS + "**", self._serve)
        self.open(query)

    def _serve(self, route):
        if "plotly" in route.request.url:
            route.fulfill(body=plotly_js.source(), content_type="text/javascript")
        else:
            route.fulfill(body=page(self.dark), content_type="text/html")

    def open(self, query=""):
        self.page.goto(f"{ADDRESS}lessons?lesson=flip{query}")
        self.page.wait_for_function("globalThis.give && globalThis.player")
        self.answered = 0
        return self

    def begin(self, card=0, payload=None, **more):
        """The message of the server when the page is opened."""
        self.play_run(payload or run())
        first = {"truths": {}, "tally": None, "code": "", "changed": [], "hand": None}
        return self.give(**first | {"lesson": LESSON, "card": card, "run": "a"} | more)

    def play_run(self, payload):
        before = self.get("+(document.querySelector('.fl-grid')?.dataset.frames ?? 0)")
        self.page.evaluate("payload => player.update(payload)", payload)
        self.until(f"+(document.querySelector('.fl-grid').dataset.frames ?? 0) > {before}")
        return self

    def give(self, **data):
        """The message of the server when something has changed."""
        self.data |= data
        self.page.evaluate("data => give(data)", json.loads(json.dumps(self.data)))
        return self

    def follow(self, **more):
        """The server answers the last change of the card."""
        return self.give(card=self.sent("card")[-1], **more)

    def at(self, name):
        """Go to a card by its id, as a link does."""
        return self.give(card=[card["id"] for card in CARDS].index(name))

    def sent(self, name):
        return [message["value"] for message in self.get("sent") if message["name"] == name]

    def press(self, name):
        self.page.click(f".fl-card [data-do={name}]")
        return self

    def next(self, **more):
        return self.press("next").follow(**more)

    def can(self, name):
        """Whether a button of the card can be pressed."""
        button = self.page.locator(f".fl-card [data-do={name}]")
        return button.is_visible() and button.get_attribute("aria-disabled") != "true"

    def rest(self, t):
        return self.until(f"player.t === {t} && !player.playing")

    def words(self, place=".fl-card"):
        return " ".join(self.page.inner_text(place).split())

    @property
    def title(self):
        return self.page.locator(".fl-card h2").evaluate("e => e.lastChild.textContent")

    @property
    def focused(self):
        return self.get("document.activeElement.dataset.do ?? document.activeElement.tagName.toLowerCase()")

    @property
    def kept(self):
        return json.loads(self.get("localStorage.getItem('fl-lesson:flip')"))
