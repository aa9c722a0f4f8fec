"""`python -m tests.fuzz`: fuzz for SECONDS (30); a failure prints the seed that repeats it."""

import os
import random
import sys
import time
import traceback
import warnings
from functools import partial
from typing import TYPE_CHECKING

from tests.fuzz import (
    lines,
    objects,
    reorderings,
    score_tables,
    text_files,
    tree_pairs,
    trees,
    web_requests,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> int:
    """Return 0 if nothing was found."""
    warnings.simplefilter("ignore")  # numpy's opinions on odd objects
    seconds = float(os.environ.get("SECONDS", "30"))
    only = os.environ.get("SEED")
    start = int(only) if only else 0
    done = 0
    end = time.monotonic() + seconds
    with web_requests.target() as served:
        checks: dict[str, Callable[[random.Random], None]] = {
            "lines": lines.check,
            "objects": objects.check,
            "trees": trees.check,
            "tree_pairs": tree_pairs.check,
            "reorderings": reorderings.check,
            "text_files": text_files.check,
            "score_tables": score_tables.check,
            "web_requests": partial(web_requests.check, on=served),
        }
        while done == 0 or (only is None and time.monotonic() < end):
            seed = start + done
            for name, check in checks.items():
                try:
                    check(random.Random(seed))
                except Exception:  # noqa: BLE001 - whatever it is, it is a finding
                    traceback.print_exc()
                    sys.stderr.write(f"found with SEED={seed} in {name}\n")
                    return 1
            done += 1
    sys.stderr.write(f"{done} rounds, nothing found\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
