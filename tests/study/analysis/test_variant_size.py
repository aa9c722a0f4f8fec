"""Sample sizes by variant, against the formula by hand."""

from math import ceil, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.variant_size import kind_sizes, variant_sizes
from tests.study.analysis.studies import permutation, scores, study, translation

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
    b, fderp = kind_sizes(study([(0, 0, 3, 3)], SENTENCES, tools=tools), power=0.9)
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
    assert same == Undefined("both have the same mean")


def test_scores_that_do_not_vary_have_no_sample_size() -> None:
    flat = [0.5] * 3 + [0.25] * 4
    (found,) = kind_sizes(study([(0, 0, 3, 3)], SENTENCES, tools=[scores("derp", flat)]))
    assert {str(pair.needed) for pair in found.pairs[:2]} == {
        "undefined: nothing varies within them"
    }
    (alone,) = kind_sizes(study([(0, 0, 3, 3)], tools=[scores("derp", [0.5])]))
    assert (alone.pairs, alone.comparisons) == ((), 0)
    assert alone.deviation == Undefined("none of them has two values")


def test_questions_are_compared_with_each_variant() -> None:
    """By hand: answers 0, 0.5, 1 and one left out; scores of the sentences that were judged, once a judgment."""
    rows = [(0, 0, 1, 5), (0, 1, 3, 5), (1, 0, 5, 1), (1, 1, None, 3), (1, 2, None, None)]
    tools = [
        scores("dted", [0.2, 0.6, 0.9], variant="variant=b", configuration="one"),
        scores("bleu", [0.1] * 3),
    ]
    (found,) = variant_sizes(study(rows, tools=tools), power=0.9)
    assert (found.variant, found.configuration, found.scored, found.comparisons) == (
        "b",
        "one",
        4,
        2,
    )
    groups = {"holistic": [0.0, 0.5, 1.0], "order": [1.0, 1.0, 0.0, 0.5], "b": [0.2, 0.6, 0.2, 0.6]}
    means = {name: sum(values) / len(values) for name, values in groups.items()}
    squares = sum((value - means[name]) ** 2 for name, values in groups.items() for value in values)
    deviation = sqrt(squares / (2 + 3 + 3))
    assert found.deviation == pytest.approx(deviation)
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("holistic", "b"),
        ("order", "b"),
    ]
    normal = NormalDist()
    z = normal.inv_cdf(1 - 0.05 / 4) + normal.inv_cdf(0.9)
    for pair in found.pairs:
        difference = means[pair.first] - means["b"]
        assert pair.difference == pytest.approx(difference)
        assert pair.needed == ceil(2 * (z * deviation / difference) ** 2)
