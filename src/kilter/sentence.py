"""Metrics of one sentence: a function for each metric that needs no more.

>>> import kilter
>>> kilter.sentence.kendall(kilter.Permutation.from_one_based([1, 3, 2, 4]))
0.8333333333333334
"""

from __future__ import annotations

from kilter.metrics.aligned import aligned
from kilter.metrics.anticipation import anticipation
from kilter.metrics.bleu import bleu
from kilter.metrics.chrf import chrf
from kilter.metrics.complete import complete
from kilter.metrics.crossings import crossings
from kilter.metrics.derp import derp, derp_tree
from kilter.metrics.derp_reference import derp_reference
from kilter.metrics.dted import dted, dted_edits
from kilter.metrics.f1 import f1
from kilter.metrics.frs import frs
from kilter.metrics.full import full
from kilter.metrics.fuzzy import fuzzy
from kilter.metrics.hamming import hamming
from kilter.metrics.kendall import kendall
from kilter.metrics.lr import lr
from kilter.metrics.max_op import max_op
from kilter.metrics.meteor import meteor
from kilter.metrics.meteor_chunk import meteor_chunk
from kilter.metrics.pef import pef
from kilter.metrics.pet import pet
from kilter.metrics.pet_count import pet_count
from kilter.metrics.pet_size import pet_size
from kilter.metrics.ribes import ribes, ribes_positions
from kilter.metrics.sen import sen
from kilter.metrics.spearman import footrule, spearman
from kilter.metrics.tau import tau
from kilter.metrics.ter import ter
from kilter.metrics.ulam import ulam

__all__ = [
    "aligned",
    "anticipation",
    "bleu",
    "chrf",
    "complete",
    "crossings",
    "derp",
    "derp_reference",
    "derp_tree",
    "dted",
    "dted_edits",
    "f1",
    "footrule",
    "frs",
    "full",
    "fuzzy",
    "hamming",
    "kendall",
    "lr",
    "max_op",
    "meteor",
    "meteor_chunk",
    "pef",
    "pet",
    "pet_count",
    "pet_size",
    "ribes",
    "ribes_positions",
    "sen",
    "spearman",
    "tau",
    "ter",
    "ulam",
]
