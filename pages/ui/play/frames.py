"""Stand-in until the pictures' branch is merged."""

from typing import Any


class Frames:
    def __init__(self) -> None:
        self.at: list[int] = []
        self.frames: list[Any] = []
        self.bytes = 0

    def add(self, t: int, picture: Any) -> None:
        self.at.append(t)
        self.frames.append(picture)

    def since(self, n: int) -> dict[str, Any]:
        return {"first": n, "at": self.at[n:], "frames": self.frames[n:]}
