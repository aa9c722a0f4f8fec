"""Sample sizes by variant, against the formula by hand."""

from math import ceil, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.variant_size import variant_sizes
from tests.survey.analysis.studies import permutation, scores, study, translation

SENTENCES = [
    *(translation(f"t{k}") for k in range(3)),
    *(permutation(f"o{k}", "order", 1) for k in range(2)),
    *(permutation(f"c{k}", "choice", 1) for k in range(2)),
]
VALUES = [0.1, 0.2, 0.3, 0.5, 0.7, 0.6, np.nan]


def test_every_pair_of_kinds_has_its_sample_size_at_a_shared_level() -> None:
    tools = [
        scores("dted", VALUES, variant="variant=b", configuration="one"),
        scores("derp", VALUES, variant="flat=true"),
        scores("bleu", VALUES),
        scores("dted (external)", VALUES, external=True),
    ]
    b, fderp = variant_sizes(study([(0, 0, 3, 3)], SENTENCES, tools=tools), power=0.9)
    assert (b.variant, b.configuration, b.scored, b.comparisons) == ("b", "one", 6, 3)
    assert fderp.variant == "fderp"
    # Squares within: 0.02 of translations, 0.02 of order, none of the single choice.
    deviation = sqrt(0.04 / 3)
    assert b.deviation == pytest.approx(deviation)
    pairs = {(str(each.first), str(each.second)): each for each in b.pairs}
    assert {*pairs} == {("translation", "order"), ("translation", "choice"), ("order", "choice")}
    found = pairs["translation", "order"]
    assert found.difference == pytest.approx(0.2 - 0.6)
    normal = NormalDist()
    z = normal.inv_cdf(1 - 0.05 / 6) + normal.inv_cdf(0.9)
    assert found.needed == ceil(2 * (z * deviation / 0.4) ** 2)
    same = pairs["order", "choice"].needed
    assert same == Undefined("both kinds of sentences have the same mean score")


def test_scores_that_do_not_vary_have_no_sample_size() -> None:
    flat = [0.5] * 3 + [0.25] * 4
    (found,) = variant_sizes(study([(0, 0, 3, 3)], SENTENCES, tools=[scores("derp", flat)]))
    assert {str(pair.needed) for pair in found.pairs[:2]} == {
        "undefined: scores do not vary within kinds of sentences"
    }
    (alone,) = variant_sizes(study([(0, 0, 3, 3)], tools=[scores("derp", [0.5])]))
    assert (alone.pairs, alone.comparisons) == ((), 0)
    assert alone.deviation == Undefined("no kind of sentences has two scores")
