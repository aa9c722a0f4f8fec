"""`python -m benchmarks [NAME...]`: runs the benchmarks, all or those named."""

import sys
from importlib import import_module

from benchmarks.timing import pin_to_one_core

NAMES = (
    "permutations",
    "growth",
    "streaming",
    "match",
    "em_aligner",
    "resampling",
    "score",
    "order_errors",
    "report",
    "word_error",
    "parse",
    "meaning",
    "overall",
    "cache",
    "dted",
    "derp",
    "preorder",
    "meta",
    "survey",
    "survey_load",
    "durability",
    "analyse",
    "walk",
)

pin_to_one_core()
for chosen in sys.argv[1:] or NAMES:
    import_module(f"benchmarks.{chosen}").run()
    print()
