"""The types of the messages between a lab and the player. js/protocol.js says what each part means."""

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict


class Payload(TypedDict):
    """The payload of the player."""

    run: str
    drawn: str
    revision: str
    page: str
    title: str
    script: str
    steps: int
    reached: int
    replicates: int
    unit: str
    complete: bool
    pending: bool
    answer: int
    failed: str
    waiting: str
    t: int
    opened: int
    put: bool
    speed: str
    usual_speed: str
    speeds: Sequence[str]
    preview: bool
    present: bool
    fit: bool
    text: str
    grid: str
    other: str
    learners: list[dict[str, Any]]
    legend: list[dict[str, Any]]
    charts: list[dict[str, Any]]
    exact: dict[str, Any] | None
    events: dict[str, Any]
    film: dict[str, Any] | None
    scene: dict[str, Any] | None
    ghosts: list[dict[str, Any]]
    futures: list[dict[str, Any]]
    asked: list[dict[str, Any]]
    knobs: list[dict[str, Any]]
    turned: dict[str, Any] | None


class Sent(TypedDict):
    """The messages of the player, by name. None of them is trusted."""

    rest: NotRequired[dict[str, Any]]
    more: NotRequired[dict[str, Any]]
    ask: NotRequired[dict[str, Any]]
    knob: NotRequired[dict[str, Any]]
    speed: NotRequired[str]
    film: NotRequired[bool]
