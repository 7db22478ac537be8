"""Waiting for what other threads do."""

import time


def soon(true, seconds=60):
    """Wait until it is true, however busy the machine; fail where it is not after so many seconds."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.005)
