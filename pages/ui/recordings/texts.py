"""Rules for texts of recordings from elsewhere: no markup but that of this project, no loose ends.

The inspector's accounts and pictures without axes are HTML. It consists of few tags, with few attributes, whose values
are names, numbers, colours and pictures within the file; no tag runs, loads or leads anywhere. All other texts are
drawn as they are, except that Plotly reads some signs in the texts of a figure.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_PLAIN = "b|i|br|button|small|p|div|span|figure|figcaption|table|thead|tbody|tr|td|th|img"
_MATH = "math|mfrac|mi|mn|mo|mover|munder|mrow|msqrt|msub|msubsup|msup|mtext|mspace|mtable|mtr|mtd|munderover|mstyle"
_STYLE = r"(?:--share|--color|--maps|max-width|border-bottom|text-align|overflow-x|white-space) ?: ?[\w#.% -]*;?"
_ATTRIBUTE = "|".join((
    r'class="(?:(?:fl-[a-z-]+|shaded|outlined)(?: |(?=")))+"',
    rf'style="(?:{_STYLE} ?)*"',
    r'(?:title|alt)="[^"<>]*"',
    r'src="data:image/(?:png|gif);base64,[A-Za-z0-9+/]*={0,2}"',
    r'type="button"',
    r'data-(?:says|symbol|lesson)="[^"<>]*"',
    r'aria-hidden="true"',
    r'(?:mathvariant|stretchy|fence|form|accent|display|width|columnalign|displaystyle|rowspacing)="[\w. -]*"',
    r'xmlns="http://www\.w3\.org/1998/Math/MathML"',
))  # fmt: skip
_TAG = re.compile(rf"</(?:{_PLAIN}|{_MATH})>|<(?:{_PLAIN}|{_MATH})(?: (?:{_ATTRIBUTE}))* ?/?>")
_OF_PLOTLY = re.compile(
    r'</?(?:b|i|br|sub|sup|extra)>|</span>|<span style="color:#[0-9A-Fa-f]{6}(?:;font-size:\d{1,3}px)?">'
)
_LEADS = re.compile(r"^(?:images?|source|src|href|template|updatemenus|sliders|transforms|geojson|stylesheet)$|^__")


def problem(made: Mapping[str, Any]) -> str:
    """Return the first thing that no recording holds, as a clause, or "". The recording is as its schema wants it."""
    return next(_problems(made), "")


def _problems(made: Mapping[str, Any]) -> Iterator[str]:
    payload = made["payload"]
    last, learners = payload["reached"], len(payload["learners"])
    if last > payload["steps"]:
        yield "it has reached more steps than it has"
    kinds = {kind["id"] for kind in payload["events"]["kinds"]}
    for place, event in enumerate(payload["events"]["list"]):
        if event["kind"] not in kinds or event["slot"] >= learners or not 1 <= event["t"] <= last:
            yield f"payload.events.list[{place}] is of a kind, a learner or a step that is not there"
    for place, story in enumerate(made["stories"]):
        if not allowed(story["html"]):
            yield f"stories[{place}].html has markup that no recording has"
    for chart in payload["charts"]:
        yield from _in_chart(chart, learners)
    scene = payload["scene"]
    if scene and scene["kind"] != "picture" and len(scene.get("slots", ())) != learners:
        yield "payload.scene has not as many lists as there are learners"
    if scene and scene["kind"] == "picture" and scene.get("chart") not in {chart["id"] for chart in payload["charts"]}:
        yield "payload.scene is a chart that is not there"
    if len({chart["id"] for chart in payload["charts"]}) < len(payload["charts"]):
        yield "two charts have the same id"


def _in_chart(chart: Mapping[str, Any], learners: int) -> Iterator[str]:
    here = f"the chart {chart['id']}"
    if chart["kind"] == "curves":
        if not {"data", "layout", "lines", "format"} <= chart.keys() or "frames" in chart:
            yield f"{here} has no curves"
            return
        for trace in chart["data"]:
            if len(trace["x"]) != len(trace["y"]):
                yield f"{here} has curves with more places than values"
        for line in chart["lines"]:
            if max(line["trace"], line["band"] or 0) >= len(chart["data"]) or line["slot"] >= learners:
                yield f"{here} has a line that is of no curve or no learner"
        yield from _drawn((chart["data"], chart["layout"]), here, _OF_PLOTLY)
        return
    frames = chart.get("frames")
    if frames is None or len(frames["at"]) != len(frames["frames"]) or sorted({*frames["at"]}) != frames["at"]:
        yield f"{here} has no keyframes in order"
        return
    for path, value in (change for changes in frames["frames"] for change in changes or ()):
        if not isinstance(path, list) or not all(isinstance(part, str | int) for part in path):
            yield f"{here} has a keyframe that changes nothing"
        elif any(isinstance(part, str) and _LEADS.search(part) for part in path):
            yield f"{here} leads out of the recording"
        yield from _drawn(value, here, _TAG if chart["kind"] == "html" else _OF_PLOTLY)


def _drawn(value: Any, here: str, tags: re.Pattern[str]) -> Iterator[str]:
    """Yield what is wrong within what a chart draws; of HTML each text is a tag or has none."""
    parts = [value]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            if any(_LEADS.search(key) for key in part):
                yield f"{here} leads out of the recording"
            parts += part.values()
        elif isinstance(part, list | tuple):
            parts += part
        elif isinstance(part, str):
            bare = "" if tags is _TAG and tags.fullmatch(part) else part if tags is _TAG else tags.sub("", part)
            if "<" in bare:
                yield f"{here} has markup that no recording has"


def allowed(html: str) -> bool:
    """Return whether HTML consists of the tags above and of texts.

    >>> allowed('<p class="fl-note">1 &lt; 2</p>'), allowed("<p onclick=x>"), allowed("<script>"), allowed("a < b")
    (True, False, False, False)
    """
    return "<" not in _TAG.sub("", html)
