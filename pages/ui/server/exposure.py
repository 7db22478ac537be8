"""The reach of the server: only this machine or others too, and what visitors may then do."""

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


def is_public() -> bool:
    """Return whether other machines can reach the server, directly or through a proxy."""
    return not is_loopback(address()) or is_forwarded(st.context.headers)


def address() -> str | None:
    """Return the address on which the server listens, None for all that this machine has."""
    given: str | None = st.config.get_option("server.address")
    return given


def is_loopback(name: str | None) -> bool:
    """Return whether a name or address is one that only this machine uses for itself. None stands for all addresses.

    >>> [is_loopback(name) for name in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "lab.example.org", None)]
    [True, True, True, False, False, False]
    """
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name or "").is_loopback
    except ValueError:
        return False


def is_forwarded(headers: Mapping[str, str]) -> bool:
    """Return whether a request came through a proxy. A proxy on this machine can let in the whole world.

    >>> is_forwarded({"X-Forwarded-For": "203.0.113.7"}), is_forwarded({"Host": "localhost:8501"})
    (True, False)
    """
    return any(name.lower() in FORWARDED for name in headers)


def may_fetch() -> bool:
    """Return whether the person on this page may have the server download data."""
    return bool(FETCH.value == "yes" or (FETCH.value == "auto" and not is_public()))
