"""`python -m tests.fuzz`: fuzz for SECONDS (30); a failure prints the seed that repeats it."""

import os
import random
import sys
import time
import traceback
import warnings

from tests.fuzz import lines, objects, reorderings, score_tables, text_files, tree_pairs, trees


def main() -> int:
    """Return 0 if nothing was found."""
    warnings.simplefilter("ignore")  # numpy's opinions on odd objects
    seconds = float(os.environ.get("SECONDS", "30"))
    only = os.environ.get("SEED")
    start = int(only) if only else 0
    done = 0
    end = time.monotonic() + seconds
    while done == 0 or (only is None and time.monotonic() < end):
        seed = start + done
        for check in (
            lines.check,
            objects.check,
            trees.check,
            tree_pairs.check,
            reorderings.check,
            text_files.check,
            score_tables.check,
        ):
            try:
                check(random.Random(seed))
            except Exception:  # noqa: BLE001 - whatever it is, it is a finding
                traceback.print_exc()
                sys.stderr.write(f"found with SEED={seed} in {check.__module__}\n")
                return 1
        done += 1
    sys.stderr.write(f"{done} rounds, nothing found\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
