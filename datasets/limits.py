"""Limits that every reader of files keeps: the length and number of names, and the memory that the data take.

Reading a file of at most 100 MB, packed or not, takes less than 1 GB and 30 seconds, or one sentence refuses it.
"""

from math import ceil

from datasets.variables import DATA_MB

MAX_NAME = 200  # characters of the name of a class, label, column, value or document
MAX_NAMES = 100_000  # names in one file, those of columns and of their values together
PEAK_MB, READ_SECONDS = 1000, 30  # what reading a file of at most 100 MB may take, above the process without it
_SHARE = 0.85  # of the peak that the large arrays may take, the rest is for blocks of text and copies of parts
_SHOWN = 30  # characters of a name that is too long


def check_bytes(file: str, needed: float) -> None:
    """Raise ValueError if the data of a file need more bytes than one data set may take; call it before they do.

    >>> check_bytes("mine.csv", 8e6)
    >>> check_bytes("mine.csv", 8e12)
    Traceback (most recent call last):
    ValueError: mine.csv needs 8,000,000 MB of memory or more; at most 500 MB are allowed here (FEEDBACK_LAB_DATA_MB)
    """
    if needed > DATA_MB.value * 1e6:
        raise ValueError(
            f"{file} needs {ceil(needed / 1e6):,} MB of memory or more; at most {DATA_MB.value:,} MB are allowed here "
            f"({DATA_MB.name})"
        )


def check_peak(file: str, needed: float) -> None:
    """Raise ValueError if reading a file needs more bytes at once than `PEAK_MB`; call it before they are allocated.

    >>> check_peak("mine.csv", 2e9)
    Traceback (most recent call last):
    ValueError: mine.csv needs 2,000 MB of memory or more while it is read; at most 850 MB are allowed
    """
    allowed = _SHARE * PEAK_MB
    if needed > allowed * 1e6:
        raise ValueError(
            f"{file} needs {ceil(needed / 1e6):,} MB of memory or more while it is read; at most {allowed:,.0f} MB are "
            "allowed"
        )


def name(file: str, line: int, text: str, what: str = "name") -> str:
    """Return a name that was read from a file; raise ValueError if it is longer than `MAX_NAME` characters.

    file : the file's name. line : the number of its line, or 0 if that is not known. what : what the name is called.

    >>> name("mine.csv", 1, "weight", "column name")
    'weight'
    >>> name("mine.csv", 1, "a" * 201, "column name")
    Traceback (most recent call last):
    ValueError: mine.csv, line 1: a column name may have at most 200 characters, got 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'
    """
    if len(text) > MAX_NAME:
        where = f"{file}, line {line}" if line else file
        raise ValueError(f"{where}: a {what} may have at most {MAX_NAME} characters, got {text[:_SHOWN] + '…'!r}")
    return text


def check_names(file: str, count: int) -> None:
    """Raise ValueError if a file has more than `MAX_NAMES` names.

    >>> check_names("mine.arff", 100_001)
    Traceback (most recent call last):
    ValueError: mine.arff has more than the 100,000 names of columns and values that are allowed
    """
    if count > MAX_NAMES:
        raise ValueError(f"{file} has more than the {MAX_NAMES:,} names of columns and values that are allowed")
