"""Who may reach the server: the one at this machine alone, or others as well. What others may do follows from it."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

import streamlit as st

from datasets.variables import Variable

FETCH = Variable(
    "FEEDBACK_LAB_FETCH", "choice", "auto", choices=("auto", "yes", "no"),
    help="Whether people may have the server download public data. With auto they may while nobody from another "
    "machine can reach it.",
)  # fmt: skip
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")  # set by proxies


def expected() -> bool:
    """Return whether others than the one at this machine may be here: whether the server or a proxy lets them in."""
    return not local(address()) or forwarded(st.context.headers)


def address() -> str | None:
    """Return the address on which the server listens, None for all that this machine has."""
    given: str | None = st.config.get_option("server.address")
    return given


def local(name: str | None) -> bool:
    """Return whether a name or address is one that only this machine uses for itself. None stands for all addresses.

    >>> [local(name) for name in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "lab.example.org", None)]
    [True, True, True, False, False, False]
    """
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name or "").is_loopback
    except ValueError:
        return False


def forwarded(headers: Mapping[str, str]) -> bool:
    """Return whether a request came through a proxy. A proxy on this machine can let in the whole world.

    >>> forwarded({"X-Forwarded-For": "203.0.113.7"}), forwarded({"Host": "localhost:8501"})
    (True, False)
    """
    return any(name.lower() in FORWARDED for name in headers)


def may_fetch() -> bool:
    """Return whether the person on this page may have the server download data."""
    return bool(FETCH.value == "yes" or (FETCH.value == "auto" and not expected()))
