"""Measure the memory that this process takes and has left, and refuse a run whose state would not fit."""

from pathlib import Path

from learners.base import Shape

SMALL_STATE = (
    100_000_000  # bytes of state for which nobody asks how much memory there is, or whether copies can be kept
)
MEMINFO = Path("/proc/meminfo")
STATM = Path("/proc/self/statm")
CONTAINER = Path("/sys/fs/cgroup")  # of a container, or of the machine as a whole


def taken() -> int | None:
    """Return the resident memory of this process in MB, None where the system does not say."""
    try:
        pages = int(STATM.read_text("ascii").split()[1])
        import resource  # not on every system
    except (OSError, ImportError):
        return None
    return round(pages * resource.getpagesize() / 1e6)


def free() -> float | None:
    """Return how many MB are left, the less of what the machine and the container have; None where nobody says."""
    left = [mb for mb in (_machine(), _container()) if mb is not None]
    return min(left, default=None)


def check_room(id: str, needed: float, shape: Shape, replicates: int) -> None:
    """Raise ValueError if the state of a learner needs more bytes than are left, before it is made."""
    left = free() if needed > SMALL_STATE else None
    if left is not None and needed > left * 1e6:
        raise ValueError(
            f"{id} would hold about {needed / 1e9:,.1f} GB for {replicates:,} replicates of {shape.features:,} "
            f"features, and {left / 1e3:,.1f} GB are free; choose fewer of them"
        )


def _machine() -> float | None:
    try:
        for line in MEMINFO.read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024 / 1e6
    except (OSError, ValueError, IndexError):
        pass
    return None


def _container() -> float | None:
    """Return what is left of the container's limit; files that the system only keeps in memory do not count."""
    try:
        limit = int((CONTAINER / "memory.max").read_text("ascii"))  # "max" is no limit
        used = int((CONTAINER / "memory.current").read_text("ascii"))
        told = dict(line.split() for line in (CONTAINER / "memory.stat").read_text("ascii").splitlines())
        return (limit - used + int(told.get("inactive_file", 0))) / 1e6
    except (OSError, ValueError):
        return None
