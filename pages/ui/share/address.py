"""The address under which others reach the server, and the frame that holds a page."""

import ipaddress
import socket
from urllib.parse import urlsplit, urlunsplit

from pages.ui.plain import for_html


def own_only(address: str) -> bool:
    """Return whether an address is that of a computer for itself, which nobody else can open.

    >>> own_only("http://localhost:8501/stability"), own_only("http://192.168.1.20:8501/")
    (True, False)
    """
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        number = ipaddress.ip_address(host)
    except ValueError:  # a name
        return False
    return number.is_loopback or number.is_unspecified


def moved(address: str, server: str) -> str:
    """Return the address of the same page at another server, which may serve the app below a path.

    Raise `ValueError` if that is no address of a server.

    >>> moved("http://localhost:8501/stability?noise=0.1", "http://192.168.1.20:8501")
    'http://192.168.1.20:8501/stability?noise=0.1'
    >>> moved("http://localhost:8501/stability", "school.example/lab/")
    'http://school.example/lab/stability'
    """
    text = server.strip()
    try:
        there = urlsplit(text if "://" in text else f"http://{text}")
        good = there.scheme in ("http", "https") and bool(there.hostname) and there.port != 0
        good = good and not set(text) & set(" \"'<>\\") and not (there.query or there.fragment or there.username)
    except ValueError:  # of a port or a number that is none
        good = False
    if not good:
        raise ValueError(
            f"“{text[:60]}” is no address of a server. It begins with http:// or https://, then comes a name or a "
            "number, such as http://192.168.1.20:8501."
        )
    here = urlsplit(address)
    below = there.path.rstrip("/")
    path = f"{below}/{here.path.rsplit('/', 1)[-1]}" if below else here.path
    return urlunsplit((there.scheme, there.netloc, path, here.query, ""))


def nearby(address: str) -> str:
    """Return the server's address in its local network, with the port of this address; "" if it has no network.

    Nothing is sent.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address kept free for examples; it names the way out
            host = probe.getsockname()[0]
        except OSError:
            return ""
    here = urlsplit(address)
    found = f"{here.scheme}://{host}" + (f":{here.port}" if here.port else "")
    return "" if own_only(found) else found


def snippet(address: str, title: str) -> str:
    """Return the HTML of a frame that holds a page.

    >>> snippet("http://lab.example/stability?embed=true", "Stability lab")[:60]
    '<iframe src="http://lab.example/stability?embed=true" title='
    """
    style = 'width="100%" height="560" style="border: 0" allow="fullscreen" loading="lazy"'
    return f'<iframe src="{for_html(address)}" title="{for_html(title)}" {style}></iframe>'
