"""Rate limits by network address for those who lead or follow a class, so that no network fills the server.

A school sends all its classes from one address. So the limits of an address are wide, and only what nobody does by
mistake is limited: codes of classes that do not exist, one after another.
"""

import ipaddress
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable

PAGES = 1500  # of one network that lead or follow at a time: three classes as large as they may be
WRONG, EVERY = 30, 10.0  # codes of no class that a network may try at once, and seconds until it may try one more
BEGUN, AGAIN = 60, 1.0  # classes that a network may begin, or go on with, at once, and seconds until one more
KNOWN = 10_000  # networks that are remembered

Clock = Callable[[], float]


def network(host: str | None) -> str:
    """Return the network from which a connection comes: an IPv4 address, or the 64 bits that a household has in IPv6.

    >>> [network(host) for host in ("203.0.113.7", "::ffff:203.0.113.7", "2001:db8:1:2::9", "127.0.0.1", None)]
    ['203.0.113.7', '203.0.113.7', '2001:db8:1:2::', '', '']
    """
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return ""
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback:
        return ""  # Streamlit names no address for this machine
    if address.version == 4:
        return str(address)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)).network_address)


class TokenBucket:
    """Lets everybody do something `most` times at once, and then once in `seconds`: a token bucket for each.

    >>> now = [0.0]
    >>> bucket = TokenBucket(2, 10.0, lambda: now[0])
    >>> [bucket.lets("a") for _ in range(3)], bucket.lets("b")
    ([True, True, False], True)
    >>> now[0] = 10.0
    >>> [bucket.lets("a") for _ in range(2)]
    [True, False]
    """

    def __init__(self, most: int, seconds: float, clock: Clock = time.monotonic) -> None:
        self.most, self.seconds, self._clock = most, seconds, clock
        self._full_at: OrderedDict[Hashable, float] = OrderedDict()  # when the bucket of somebody is full again
        self._lock = threading.Lock()

    def lets(self, who: Hashable = "") -> bool:
        """Return whether somebody may do it now, and count it."""
        with self._lock:
            now = self._clock()
            at = max(now, self._full_at.get(who, now)) + self.seconds
            if at - now > self.most * self.seconds * (1 + 1e-9):
                return False
            self._full_at[who] = at
            self._full_at.move_to_end(who)
            while len(self._full_at) > KNOWN:
                self._full_at.popitem(last=False)
        return True


class Limits:
    """The counts of requests by network. clock : function that returns the time in seconds."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._here: Counter[str] = Counter()  # connections
        self._guesses, self._begun = TokenBucket(WRONG, EVERY, clock), TokenBucket(BEGUN, AGAIN, clock)
        self._tried: OrderedDict[tuple[str, str], None] = OrderedDict()  # codes that a network has tried

    def come(self, network: str) -> str:
        """Count a connection. Return why it is refused, "" if it is not; every one must `go`."""
        self._here[network] += 1
        if self._here[network] > PAGES:
            return f"{PAGES:,} pages of your network lead or follow on this server already. Try again later."
        return ""

    def go(self, network: str) -> None:
        """Count a connection out."""
        self._here[network] -= 1
        if self._here[network] <= 0:
            del self._here[network]

    def tries(self, network: str, code: str, led: bool) -> bool:
        """Return whether a network may try a code now.

        led : whether the class has somebody in this network already; then nobody guesses. Nor does who tries again a
        code that was tried before, as the page of a student does until the teacher comes.
        """
        if led or (network, code) in self._tried:
            return True
        if not self._guesses.lets(network):
            return False
        self._tried[network, code] = None
        while len(self._tried) > KNOWN:
            self._tried.popitem(last=False)
        return True

    def begins(self, network: str) -> bool:
        """Return whether a network may begin a class, or go on with one, now."""
        return self._begun.lets(network)

    def __len__(self) -> int:
        return self._here.total()


TOO_MANY_CODES = f"Your network has tried many codes of classes that nobody leads. Try again in {EVERY:.0f} seconds."
TOO_MANY_CLASSES = "Many classes were begun from your network just now. Try again in a moment."
LIMITS = Limits()
