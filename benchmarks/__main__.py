"""`python -m benchmarks [NAME...]`: runs the benchmarks, all or those named."""

import argparse
from importlib import import_module

from benchmarks.timing import pin_to_one_core

NAMES = (
    "permutations",
    "growth",
    "streaming",
    "score_stream",
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

parser = argparse.ArgumentParser(
    prog="python -m benchmarks",
    description="Runs benchmarks one after another: all, or those named. Answers are asserted before they are timed. "
    "The report beside all peers is `python -m benchmarks.comparison`, which `make bench` runs.",
)
parser.add_argument("names", nargs="*", choices=[[], *NAMES], metavar="NAME", help=", ".join(NAMES))
asked = parser.parse_args().names
pin_to_one_core()
for chosen in asked or NAMES:
    import_module(f"benchmarks.{chosen}").run()
    print()
