"""The part of a lab that plays: the player with its charts, the table, and the inspector of a step.

It is a fragment, which runs again only when the browser asks for something: the rest of a run that is still computed,
or what happened in the step at which the playhead has come to rest.
"""

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import streamlit as st

from learners.base import Learner
from learners.catalogue import works
from learners.spec import RunSpec
from pages.ui import follow
from pages.ui.collector import collect_garbage
from pages.ui.component import heard
from pages.ui.draw import plotly_js
from pages.ui.draw.charts import Look
from pages.ui.draw.theme import look
from pages.ui.files.choose import data_version
from pages.ui.files.sharing import load_data
from pages.ui.jobs.queue import QUEUE
from pages.ui.kept.differences import differences, label
from pages.ui.kept.run import KeptRun
from pages.ui.lab import values_table, what_if
from pages.ui.lab.ghosts import ghost
from pages.ui.lab.recorded import Opened, record
from pages.ui.papers import in_markdown
from pages.ui.plain import plain
from pages.ui.play import payload, player
from pages.ui.play.grid import KnobGrid, face
from pages.ui.play.protocol import Payload
from pages.ui.play.recording import Recording
from pages.ui.play.scenes import pictured, scene_job, shown
from pages.ui.race.change import CHANGE
from pages.ui.race.charts import ChartSpec, ChartView
from pages.ui.race.face import Face
from pages.ui.race.knob import Turning, owners
from pages.ui.race.scene import Scene
from pages.ui.recordings import made
from pages.ui.recordings.document import Document
from pages.ui.share.presentation import chrome_hidden

SOON = 0.6  # seconds: wait this long if the run is about to finish
PATIENCE = 0.3  # seconds: wait this long for a run to finish before drawing a part of it
CROWDED = 1.0  # the same while others wait, too: what is drawn twice keeps them waiting
LONG = 60.0  # seconds that a download waits for it
BUSY = 0.1  # seconds that it waits for a worker in the middle of a step


def rest_of(id: str) -> int:
    """Return the step at which the playhead of a stage has come to rest."""
    return int(st.session_state.get(f"{id}:rest", 0))


def put(id: str, t: int, by_link: bool = False) -> None:
    """Put the playhead of a stage at a step. by_link : whether the address has the step, which then counts."""
    state = st.session_state
    state[f"{id}:rest"] = t
    state[f"{id}:opened"] = opened = state.get(f"{id}:opened", 0) + 1
    state[f"{id}:put"] = 0 if by_link else opened


@dataclass
class Stage:
    """The player of a lab, with what it plays.

    id, title, thin, face : as in the `Lab`. open : returns the recording, and has it computed while it is
    not complete. specs : the charts shown. behind : kept runs, drawn as pale curves. t : the step of a link
    that has just been opened, or None. change_speed : takes an id. hidden : the parts that are not
    drawn, "scene", "table", "inspector" and the "preview" of the run before it is played.
    knobs : those of the run. locked : keys of knobs that a link locks. turn : makes a value of a knob the setting.
    near : key of the knob whose stops are computed when a link has just been opened, before a hand is near.
    fit : whether scene and first charts share one screen, as they do on a projector.
    """

    id: str
    title: str
    thin: str
    face: Face
    open: Opened
    view: ChartView
    specs: Sequence[ChartSpec]
    usual_speed: str
    behind: Sequence[KeptRun] = ()
    speed: str = ""
    t: int | None = None
    change_speed: Callable[[str], None] = lambda speed: None
    hidden: frozenset[str] = frozenset()
    knobs: Sequence[Turning] = ()
    locked: frozenset[str] = frozenset()
    turn: Callable[[Turning, Any], None] = lambda knob, value: None
    near: str = ""
    fit: bool = False

    def show(self) -> None:
        """Draw it, and draw it again whenever the browser asks."""
        state = st.session_state
        state.setdefault(self._key("rest"), 0)
        if self.t is not None:
            put(self.id, self.t, by_link=True)
            state[self._key("knob")] = self.near
            state.pop(self._key("grid"), None)
        state[self._key("came")] = self.rest  # kept, so that an unchanged payload is not resent
        st.fragment(self._draw)()

    def _key(self, name: str) -> str:
        return f"{self.id}:{name}"

    @property
    def setup(self) -> RunSpec:
        """The run."""
        return self.open.setup

    @property
    def unit(self) -> str:
        """The name of a step."""
        return self.setup.family.unit

    @property
    def scene(self) -> Scene | str | None:
        """The part above the charts that shows the step under the playhead."""
        return None if "scene" in self.hidden else self.face.scene

    @property
    def rest(self) -> int:
        """The step at which the playhead has come to rest."""
        return min(rest_of(self.id), self.setup.steps)

    @property
    def _replicate(self) -> int:
        """The replicate that is inspected, from 0."""
        return min(int(st.session_state.get(self._key("replicate"), 1)), self.setup.replicates) - 1

    def finished(self) -> Recording:
        """Return the recording, complete, or as far as it came within the time that a person waits for a download."""
        recording = self.open()
        recording.wait(LONG)
        return recording

    def _rested(self) -> None:
        if isinstance(sent := heard(self._key("player"), "rest"), dict) and isinstance(sent.get("t"), int):
            st.session_state[self._key("rest")] = max(0, sent["t"])

    def _asked(self) -> None:
        """Note which keyframes the browser has, so that only the others are sent."""
        if isinstance(sent := heard(self._key("player"), "more"), dict):
            frames = sent.get("frames")
            known = {k: n for k, n in frames.items() if isinstance(n, int)} if isinstance(frames, dict) else {}
            grid, stops = st.session_state.get(self._key("stops"), ("", 0))
            st.session_state[self._key("stops")] = grid, min(stops, known.pop("stops", 0))
            st.session_state[self._key("has")] = (sent.get("run"), known)

    def _sped(self) -> None:
        if (sent := heard(self._key("player"), "speed")) in payload.SPEEDS:
            self.change_speed(sent)

    def _knob(self) -> None:
        """Note the knob that a hand has come near, and if it has let go at another stop, make that the setting."""
        sent = heard(self._key("player"), "knob")
        knob = next((k for k in self.knobs if isinstance(sent, dict) and k.key == sent.get("key")), None)
        if knob is None or knob.key in self.locked:
            return
        if st.session_state.get(self._key("knob")) != knob.key or "value" not in sent:
            st.session_state[self._key("knob")] = knob.key
            st.session_state.pop(self._key("grid"), None)
        number = sent.get("value")
        if type(number) is int and 0 <= number < len(knob.values) and knob.values[number] != knob.value:
            self.turn(knob, knob.values[number])
            st.session_state[self._key("turned")] = True

    def _filmed(self) -> None:
        st.session_state[self._key("film")] = True

    # ---- what is drawn ------------------------------------------------------------------------------

    def _draw(self) -> None:
        if st.session_state.pop(self._key("turned"), False):
            st.rerun()  # the whole page, whose setting has changed
        try:
            recording, now = self.open(), look()
        except ValueError as error:  # it was dropped, and its data cannot be loaded again
            st.error(plain(str(error)), icon=":material/block:")
            return
        past = [self._past(run) for run in self.behind]
        with recording.showing():
            self._await(recording, past)
            sent = self._payload(recording, past, now)
        QUEUE.threads.look()  # for what follows the curves
        player.show(
            self._key("player"),
            payload.encoded(sent),
            rest=self._rested,
            ask=lambda: what_if.heard(self.id, recording, heard(self._key("player"), "ask")),
            more=self._asked,
            speed=self._sped,
            film=self._filmed,
            knob=self._knob,
        )
        if recording.long:
            self._offer_end(recording)
        whole = recording.complete
        t = min(self.rest, recording.t)
        labels = [label(differences(run.spec, self.setup)) for run in self.behind]
        rows = [
            (words, p.moment() if isinstance(p, Recording) else None) for words, p in zip(labels, past, strict=True)
        ]
        if "table" not in self.hidden:
            values_table.show(recording.moment(), self.specs, t, rows, self.view, self._key("numbers"))
        for words, p in zip(labels, past, strict=True):
            if isinstance(p, str):
                st.caption(f"The kept run “{plain(words)}” cannot be drawn. {plain(p)}")
        if "inspector" not in self.hidden:
            what_if.tell(self.id, recording, sent["events"]["list"], t)
            self._inspect(recording, t if whole else self.rest, now)
        collect_garbage()

    def _await(self, recording: Recording, past: Sequence[Recording | str]) -> None:
        """Wait for runs that are about to finish: to draw all at once is faster than to draw a part before."""
        if self._has(recording) is None or not recording.t:
            end = time.monotonic() + PATIENCE
            for job in (recording, *past):
                if isinstance(job, Recording):
                    job.wait(max(0, end - time.monotonic()))
        if not recording.complete:
            if QUEUE.threads.crowded:
                recording.wait(CROWDED)
            if 0 < recording.seconds_left() < SOON:
                recording.wait(SOON)

    def _offer_end(self, recording: Recording) -> None:
        """Draw the button that abandons a run in a step that takes too long."""
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(
                f"{recording.waiting()} You may wait for it, or abandon the run.", icon=":material/hourglass_top:"
            )
            st.button(
                "Abandon the run", icon=":material/stop:", key=self._key("abandon"), on_click=recording.give_up,
                help=f"Keeps the curves up to the last {self.unit} that is complete.",
            )  # fmt: skip

    def _past(self, run: KeptRun) -> Recording | str:
        """Return the recording of a kept run, or why there is none."""
        try:
            return record(run.run)
        except ValueError as error:
            return str(error)

    def _has(self, recording: Recording) -> dict[str, int] | None:
        """Return how many keyframes of each picture the browser has, or None if it has nothing of a run."""
        whose, has = st.session_state.get(self._key("has"), ("", {}))
        return has if whose == recording.name else None

    def _payload(
        self, recording: Recording, past: Sequence[Recording | str], now: Look, everything: bool = False
    ) -> Payload:
        """Return the part of all that is drawn which the browser does not have, or everything, for a document."""
        state, ids = st.session_state, tuple(spec.id for spec in self.specs)
        exact = self._exact(recording, ids, payload.ALL_VALUES if everything else payload.VALUES)
        films = everything or bool(state.get(self._key("film")))
        replicate = self._replicate
        drawn = (self.view, ids, now, films, replicate)
        parts, complete = recording.parts(
            drawn, lambda moment: payload.parts(moment, self.specs, self.view, now, replicate, self.thin, films), BUSY
        )
        frames_of = self._pictured(recording)
        has = {} if everything else self._has(recording) or {}
        drawn_all = frames_of.complete
        charts = []
        for chart in parts["charts"]:
            frames = frames_of.frames.get(chart["id"])
            charts.append(chart if frames is None else chart | {"frames": frames.since(has.get(chart["id"], 0))})
        sent = [(chart["id"], chart["frames"]) for chart in charts if "frames" in chart]
        scene, noted = self._scene(recording, frames_of, replicate, has, thin=not everything)
        numbers = {id: part["first"] + len(part["frames"]) for id, part in sent}
        turned = None if films else self._turned(recording, now)
        if not everything:
            state[self._key("has")] = (recording.name, numbers | noted)
            state[self._key("whole")] = recording.name if complete else ""
        pale = [
            p.parts(
                ("ghost", self.view, ids, self.setup),
                partial(ghost, run, now=self.setup, charts=self.specs, view=self.view),
                BUSY,
            )
            for run, p in zip(self.behind, past, strict=True)
            if isinstance(p, Recording)
        ]
        shown = next((spec.metric for spec in self.specs if spec.metric is not None), None)
        others = what_if.answers(self.id, recording, shown)
        # check for completeness first: more may arrive while we draw
        pending = not (complete and all(whole for _, whole in pale) and all(told["answer"] for _, told in others))
        pending |= (scene is not None and not scene["complete"]) or not drawn_all
        pending |= turned is not None and not turned["complete"]
        futures = [
            line | {"number": number}
            for number, (future, _) in enumerate(others)
            for line in future.drawn(self.specs, self.view)
        ]
        state[self._key("answers")] = answers = state.get(self._key("answers"), 0) + pending
        owned = [] if films else zip(self.knobs, owners(self.knobs, self.setup.shorts()), strict=True)
        made = parts | {
            "charts": charts, "exact": exact, "scene": scene, "script": plotly_js.url(),
            "run": recording.name, "drawn": f"{recording.name} {hash((drawn, *self.behind))}",
            "page": self.id, "title": self.title, "steps": self.setup.steps,
            "complete": complete, "pending": pending, "failed": recording.failed if complete else "",
            "answer": answers,  # the browser gets nothing, and waits, if an answer is the same as the one before
            "waiting": recording.waiting(),
            "unit": self.unit, "replicates": self.setup.replicates, "t": state.get(self._key("came"), 0),
            "preview": "preview" not in self.hidden, "present": self.view.present,
            "fit": self.fit or chrome_hidden(self.view.present),
            "opened": state.get(self._key("opened"), 0), "put": state.get(self._key("put"), 0) > 0,
            "speed": self.speed or self.usual_speed,
            "usual_speed": self.usual_speed, "speeds": payload.SPEEDS, "text": now.text,
            "grid": now.grid, "ghosts": [ghost for ghost, _ in pale], "futures": futures,
            "asked": [told for _, told in others], "other": now.other,
            "knobs": [face(knob, owner, self.setup, now, knob.key in self.locked) for knob, owner in owned],
            "turned": turned,
        }  # fmt: skip
        return cast(Payload, made)

    def _turned(self, recording: Recording, now: Look) -> dict[str, Any] | None:
        """Return the stops of the knob that a hand is near which the browser does not have; None if no hand is near.

        All runs that differ in nothing but the knob share them. With any other setting changed, the hand has gone.
        """
        state = st.session_state
        knob = next((k for k in self.knobs if k.key == state.get(self._key("knob"))), None)
        if knob is None:
            return None
        shared = knob.given(self.setup, knob.values[0]), knob.values, data_version(self.setup.dataset)
        drawn = self.view, tuple(spec.id for spec in self.specs), now
        grid = hashlib.sha256(repr((knob.key, shared, drawn)).encode()).hexdigest()[:16]
        before = state.setdefault(self._key("grid"), grid)
        if before != grid:
            state.pop(self._key("knob"))
            QUEUE.leave(("knob", before))
            return None
        job = QUEUE.open(("knob", grid), lambda: KnobGrid(recording, knob, self.specs, self.view, now, load_data))
        whose, had = state.get(self._key("stops"), ("", 0))
        complete, found = job.complete, list(job.found)
        first = min(had, len(found)) if whose == grid else 0
        state[self._key("stops")] = grid, len(found)
        return {
            "key": knob.key, "grid": grid, "first": first, "stops": found[first:], "complete": complete,
            "left_out": job.left_out, "failed": job.failed,
        }  # fmt: skip

    def _exact(self, recording: Recording, ids: tuple[str, ...], most: int) -> dict[str, Any] | None:
        """Return the values of single steps of the payload, all or those around the step where the playhead rests."""
        moment = recording.moment()
        among = payload.near(moment, self.specs, min(self.rest, moment.t), most)
        if not moment.t or not (recording.complete or self.rest):
            return None
        drawn = ("exact", self.view, ids, among)
        made, _ = recording.parts(drawn, lambda m: {"exact": payload.exact(m, self.specs, self.view, among)}, BUSY)
        found: dict[str, Any] | None = made["exact"]
        return found

    def _pictured(self, recording: Recording) -> Recording:
        """Return the recording that has the pictures: of a lab that shows none, that of the curves."""
        state, found = st.session_state, self.open.pictured() or recording
        if state.get(self._key("pictures")) != found.name:  # drawn in other colours, say: the browser has none of them
            state[self._key("pictures")] = found.name
            state[self._key("has")] = ("", {})
        if self._has_curves(recording):  # then one answer is sooner drawn than two
            found.wait(SOON)
        return found

    def _has_curves(self, recording: Recording) -> bool:
        """Return whether the browser has been sent the complete curves, and waits only for what follows them."""
        return bool(st.session_state.get(self._key("whole")) == recording.name)

    def _scene(
        self, recording: Recording, frames_of: Recording, replicate: int, has: Mapping[str, int], thin: bool
    ) -> tuple[dict[str, Any] | None, dict[str, int]]:
        """Return the scene of the payload, and how many of its steps the browser then has, as in `has`."""
        if self.scene is None:
            return None, {}
        if isinstance(self.scene, str):
            if not any(spec.id == self.scene for spec in self.specs):
                return None, {}
            return pictured(self.scene, frames_of, self.face.inspector.change, has.get(CHANGE, 0))
        state, job = st.session_state, scene_job(recording, self.scene, replicate)
        before = state.get(self._key("scene"))
        if before != job.name:
            QUEUE.leave(before)
            state[self._key("scene")] = job.name
        if self._has_curves(recording):  # then one answer is sooner drawn than two
            job.wait(SOON)
        rest = max(1, self.rest) if "scene" in has or job.complete else 0  # the charts come first, then step 1
        scene, held = shown(job, recording, has.get("scene") if before == job.name else None, rest, thin)
        return scene, {"scene": held}

    def document(self, link: str) -> Document:
        """Return the whole run as a document. Wait for it to be complete, but not for ever."""
        recording, now = self.finished(), look()
        if (drawn := self.open.pictured()) is not None:
            drawn.wait(LONG)
        if isinstance(self.scene, Scene):
            scene_job(recording, self.scene, self._replicate).wait(LONG)
        past = [self._past(run) for run in self.behind]
        sent = self._payload(recording, past, now, everything=True)
        stories = made.stories(
            sent["events"]["list"], recording.at, self.setup.labels(), self.unit, self.face.inspector, now
        )
        whole = {**sent, "complete": True, "pending": False}
        return Document.of(self.title, whole, stories, link=link, spec=self.setup)

    def _inspect(self, recording: Recording, t: int, now: Look) -> None:
        unit, labels = self.unit, self.setup.labels()
        where = f"{unit} {t:,}" if t else f"the {unit} under the playhead"
        title = f"{unit.capitalize()} inspector: what happened in {where}"
        with st.expander(title, expanded=True, key=self._key("inspect")):
            if t == 0:
                st.caption(f"Press Step or move the playhead to follow a {unit} through the lines of the algorithm.")
                return
            if t > recording.t:
                st.caption(f"What happened in {unit} {t:,} is told here as soon as it is computed.")
                return
            with st.container(horizontal=True):
                which = st.selectbox(
                    "Learner", range(len(labels)), format_func=labels.__getitem__, key=self._key("who")
                )
                place = 1
                if self.setup.replicates > 1:
                    words = "Which of the runs side by side to inspect."
                    place = st.number_input(
                        "Replicate", 1, self.setup.replicates, key=self._key("replicate"), help=words
                    )
            follow.note({self._key("who"): which, self._key("replicate"): int(place)})
            slot = min(which, len(labels) - 1)
            simulation = recording.at(slot, t)
            what_if.offer(self.id, recording, slot, t, place - 1)
            self.face.inspector.show(simulation, place - 1, now)
            learner: Learner = simulation.learner
            if learner.paper in works():
                source = f"The algorithm: [{learner.paper}] {works()[learner.paper]} {learner.section}"
                st.caption(in_markdown(source), unsafe_allow_html=True)
