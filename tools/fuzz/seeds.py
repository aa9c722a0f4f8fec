"""Targets that draw what they try by a seed: laws of structures, and requests to running servers."""

from __future__ import annotations

import os
import random
import sys
import time
import traceback
import warnings
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from tools.fuzz import (
    lines,
    objects,
    reorderings,
    saved_results,
    score_tables,
    text_files,
    tree_pairs,
    trees,
    web_requests,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[random.Random], None]

LAWS: dict[str, Check] = {
    "lines": lines.check,
    "objects": objects.check,
    "trees": trees.check,
    "tree_pairs": tree_pairs.check,
    "reorderings": reorderings.check,
    "text_files": text_files.check,
    "score_tables": score_tables.check,
    "saved_results": saved_results.check,
}


def run(name: str, *, seconds: float) -> int | None:
    """Return how many rounds were tried, None after a finding, whose SEED is told; SEED= repeats one round."""
    only = os.environ.get("SEED")
    start, done = int(only) if only else 0, 0
    end = time.monotonic() + seconds
    with ExitStack() as stack, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy's opinions on odd objects
        checks = LAWS
        if name == "web":
            served = stack.enter_context(web_requests.target())
            checks = {"web_requests": partial(web_requests.check, on=served)}
        while done == 0 or (only is None and time.monotonic() < end):
            for called, check in checks.items():
                try:
                    check(random.Random(start + done))
                except Exception:  # noqa: BLE001 - whatever it is, it is a finding
                    traceback.print_exc()
                    sys.stderr.write(f"found with SEED={start + done} in {called}\n")
                    return None
            done += 1
    return done
