"""Runs the whole campaign: links, files, calls, extremes, and says how often each ended how.

python -m tests.attack                        # all of it, an hour or two; writes tests/attack/campaign.json
python -m tests.attack --only files calls --workers 2
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import time
from pathlib import Path
from typing import Any

from tests.attack.tally import OUTCOMES

FILE = Path(__file__).with_name("campaign.json")
# modules, each with campaign(seed, workers) -> Tally
GENERATORS = ("extremes", "calls", "files", "bombs", "links", "follow", "markup", "folders")


def main() -> int:
    """Run the generators, and keep what they counted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=GENERATORS, default=GENERATORS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    rows: dict[str, Any] = json.loads(FILE.read_text("utf-8")) if FILE.is_file() else {}
    faults = 0
    for name in given.only:
        began = time.perf_counter()
        tally = importlib.import_module(f"tests.attack.{name}").campaign(given.seed, given.workers)
        tally.seconds = time.perf_counter() - began
        rows[name] = tally.row() | {"seed": given.seed, "python": platform.python_version()}
        faults += tally.faults
        FILE.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    for row in rows.values():
        print(f"{row['name']:10} {row['cases']:8,} cases  " + ", ".join(f"{o} {row[o]:,}" for o in OUTCOMES if row[o]))
    return int(faults > 0)


if __name__ == "__main__":
    raise SystemExit(main())
