"""Ways to damage the bytes of a file, each drawn from a seeded generator of random numbers."""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Callable

LARGEST = 400_000  # bytes that a mutation may make of a small file
Mutation = Callable[[random.Random, bytes], bytes]

CONTROL = [bytes([b]) for b in (0, 1, 7, 8, 9, 11, 12, 13, 26, 27, 28, 29, 30, 31, 127)] + [b"\r\n", b"\n\n"]
ODD = [
    text.encode("utf-8", "surrogatepass")
    for text in (
        "\ufeff", "\u2028", "\u2029", "\x85", "\xa0", "\u202e", "\u200b", "\u0663", "²", "½", "é", "𝟗", "\ud800",
    )
] + [b"\xff", b"\xfe\xff", b"\xc3\x28", b"\xf8\x88\x80\x80\x80", b"\xe9"]  # fmt: skip
ABSURD = (
    "nan inf -inf 1e400 -1e400 1e308 1e31 5e-324 1e-320 0x10 1_000 -1 -0 +1 00 1.5 1,5 1e 1e5 .5 5. . - 1..2 True ? NA "
    "99999999999999999999 9223372036854775807 9223372036854775808 -9223372036854775809 1" + "0" * 400
).split()
HUGE = [
    "3000", "3001", "19999", "20000", "65536", "1000000", "2000000", "2000001", "99999999", "100000000",
    "2147483647", "2147483648", "4294967296",
]  # fmt: skip
MARKS = [
    b'"', b"'", b"{", b"}", b"%", b"@", b"#", b":", b"|", b",", b";", b"\t", b"::", b"\\", b"<", b"&",
    b"<!DOCTYPE x>",
]  # fmt: skip
_NUMBER = re.compile(rb"[-+]?\d[\d.]*(?:[eE][-+]?\d+)?")
_WORD = re.compile(rb"[A-Za-z_][\w-]*")


def flip(draw: random.Random, data: bytes) -> bytes:
    """Flip a few bits."""
    changed = bytearray(data)
    for _ in range(draw.randint(1, 6)):
        if changed:
            changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def cut(draw: random.Random, data: bytes) -> bytes:
    """Leave out the end, the beginning, or something in the middle."""
    a, b = _slice(draw, data)
    return draw.choice((data[:a], data[b:], data[:a] + data[b:]))


def swap(draw: random.Random, data: bytes) -> bytes:
    """Put two neighbouring pieces into the other order."""
    a, b = _slice(draw, data)
    c = draw.randint(b, len(data))
    return data[:a] + data[b:c] + data[a:b] + data[c:]


def repeat(draw: random.Random, data: bytes) -> bytes:
    """Repeat a piece."""
    a, b = _slice(draw, data)
    return data[:a] + data[a:b] * draw.choice((2, 2, 5, 100)) + data[b:]


def insert(draw: random.Random, data: bytes) -> bytes:
    """Insert control characters, odd letters or marks."""
    for _ in range(draw.randint(1, 3)):
        a = draw.randint(0, len(data))
        data = data[:a] + draw.choice(draw.choice((CONTROL, ODD, MARKS))) * draw.choice((1, 1, 2)) + data[a:]
    return data


def absurd(draw: random.Random, data: bytes) -> bytes:
    """Write something absurd or huge in the place of a number or two."""
    for _ in range(draw.randint(1, 2)):
        data = _put(draw, data, _NUMBER, draw.choice(draw.choice((ABSURD, HUGE))).encode())
    return data


def rename(draw: random.Random, data: bytes) -> bytes:
    """Write another word, nothing or something very long in the place of a word."""
    words = (b"", b"0", b"x" * 201, b"y" * 30_000, b"class", b"nan", b"\xc3\xa9", b"{a,b}", b"'", b"qid", b"1:1")
    return _put(draw, data, _WORD, draw.choice(words))


def encode(draw: random.Random, data: bytes) -> bytes:
    """Write the whole text in another encoding."""
    text = data.decode("latin-1")
    return text.encode(draw.choice(("utf-16", "utf-16-be", "utf-32", "utf-8-sig", "utf-7"))) if data else data


def lines(draw: random.Random, data: bytes) -> bytes:
    """Leave out, double, mix, join or break lines."""
    found = data.split(b"\n")
    a = draw.randrange(len(found))
    way = draw.randrange(7)
    if way == 0:
        del found[a]
    elif way == 1:
        found[a:a] = [found[a]] * draw.choice((1, 2, 3000))
    elif way == 2:
        draw.shuffle(found)
    elif way == 3:
        found[a : a + 2] = [b"".join(found[a : a + 2])]
    elif way == 4:
        found[a] = found[a][: draw.randint(0, len(found[a]))]
    elif way == 5:
        found[a] = b" ".join([found[a]] * draw.choice((2, 500)))
    return draw.choice((b"\r", b"\r\n", b"\x0b")).join(found) if way == 6 else b"\n".join(found)


def separate(draw: random.Random, data: bytes) -> bytes:
    """Write one separator for another everywhere, or take it away somewhere."""
    one, other = draw.sample([b",", b";", b"\t", b" ", b":", b"::", b"|", b"\n"], 2)
    return data.replace(one, other, draw.choice((-1, 1, 3)))


def empty(draw: random.Random, data: bytes) -> bytes:
    """Leave nothing, or only blanks."""
    return draw.choice((b"", b" ", b"\n\n", b"\xef\xbb\xbf", b"#\n%\n", data[:1]))


def zip_field(draw: random.Random, data: bytes) -> bytes:
    """Change a field of a zip file's headers: flags, method, checksum, sizes, lengths, offsets, names."""
    changed = bytearray(data)
    fields = {
        b"PK\x03\x04": (4, 6, 8, 14, 18, 22, 26, 28, 30),
        b"PK\x01\x02": (6, 8, 10, 16, 20, 24, 28, 30, 32, 42, 46),
        b"PK\x05\x06": (8, 10, 12, 16, 20),
    }
    for _ in range(draw.randint(1, 2)):
        mark = draw.choice(list(fields))
        places = [found.start() for found in re.finditer(re.escape(mark), data)]
        if not places:
            continue
        start = draw.choice(places)
        at = start + draw.choice(fields[mark])
        value = draw.choice(
            (0, 1, 2, 6, 8, 9, 12, 14, 93, 97, 98, 99, 0x800, 0x801, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 200_000_000)
        )
        wide = draw.choice((struct.pack("<H", value & 0xFFFF), struct.pack("<I", value & 0xFFFFFFFF)))
        changed[at : at + len(wide)] = wide
        if draw.random() < 0.3 and mark == b"PK\x01\x02":  # a name that is said to be UTF-8 and is not
            changed[start + 8 : start + 10] = struct.pack("<H", 0x800)
            changed[start + 46 : start + 47] = b"\xff"
    return bytes(changed[: max(len(data), 1)])


def tail(draw: random.Random, data: bytes) -> bytes:
    """Append the file once more, or rubbish."""
    return data + draw.choice((data, b"\0" * 100, b"rubbish", data[: len(data) // 2], b"PK\x05\x06" + b"\0" * 18))


TEXT: tuple[Mutation, ...] = (
    flip, cut, swap, repeat, insert, insert, absurd, absurd, absurd, rename, encode, lines, lines, separate, empty,
)  # fmt: skip
PACKED: tuple[Mutation, ...] = (flip, flip, flip, cut, swap, repeat, insert, tail, empty)
ZIPPED: tuple[Mutation, ...] = (*PACKED, zip_field, zip_field, zip_field, zip_field)


def damaged(draw: random.Random, data: bytes, ways: tuple[Mutation, ...]) -> tuple[bytes, str]:
    """Return the bytes after one to three mutations, and the names of these."""
    names = []
    for _ in range(draw.choice((1, 1, 2, 3))):
        way = draw.choice(ways)
        data = way(draw, data)[:LARGEST]
        names.append(way.__name__)
    return data, "+".join(names)


def _slice(draw: random.Random, data: bytes) -> tuple[int, int]:
    """Return where a piece begins and ends; most are short."""
    a = draw.randint(0, len(data))
    return a, min(len(data), a + draw.choice((1, 2, 5, 20, 100, len(data))))


def _put(draw: random.Random, data: bytes, pattern: re.Pattern[bytes], given: bytes) -> bytes:
    """Write something in the place of one match of a pattern."""
    found = list(pattern.finditer(data))
    if not found:
        return data
    a, b = draw.choice(found).span()
    return data[:a] + given + data[b:]
