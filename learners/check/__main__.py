"""`python -m learners.check mine.py` says which promises the classes of a file keep, and how long a step takes."""

import argparse
import sys
from pathlib import Path

from learners.check.report import SECONDS, check_file, tell


def main() -> int:
    """Check files, and return 1 if anything does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE", help="Python files with learners, users or data sets")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="that a file may take (%(default)s)")
    parser.add_argument("--tell", type=Path, help=argparse.SUPPRESS)  # in the process that checks
    given = parser.parse_args()
    if given.tell:
        tell(given.files[0], given.tell)
        return 0
    found = [check_file(file, given.seconds) for file in given.files]
    print("\n\n".join("\n".join(file.lines()) for file in found))
    return int(any(file.reason for file in found))


if __name__ == "__main__":
    sys.exit(main())
