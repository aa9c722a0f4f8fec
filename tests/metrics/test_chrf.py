"""chrF: sacreBLEU's scores, bit by bit."""

import random
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics.chrf import CHRF

from kilter.metrics.chrf import Chrf, chrf
from tests.metrics.test_bleu import AWKWARD
from tests.texts import evaluation

OPTIONS = [
    ({}, {}),
    ({"words": 2}, {"word_order": 2}),
    ({"characters": 3, "beta": 1}, {"char_order": 3, "beta": 1}),
    ({"lowercase": True, "whitespace": True}, {"lowercase": True, "whitespace": True}),
]


@pytest.mark.parametrize(("ours", "theirs"), OPTIONS)
@pytest.mark.parametrize("references", [1, 2])
def test_scores_are_those_of_sacrebleu(
    ours: dict[str, Any], theirs: dict[str, Any], references: int
) -> None:
    generator = random.Random(4)
    lines = [
        AWKWARD
        + ["".join(generator.choices("ab cD.", k=generator.randint(0, 30))) for _ in range(40)]
        for _ in range(references + 1)
    ]
    generator.shuffle(lines[0])
    metric, scorer = Chrf(**ours), CHRF(**theirs)
    statistics = metric.counts(lines[0], lines[1:])
    whole = scorer.corpus_score(lines[0], lines[1:]).score
    assert 100 * float(metric.corpus_score(statistics.sum(axis=0))) == whole
    for line, *others in zip(*lines, strict=True):
        assert 100 * chrf(line, others, **ours) == scorer.sentence_score(line, others).score


def test_many_sums_at_once_score_as_each_by_itself() -> None:
    metric = Chrf()
    sums = np.random.default_rng(5).integers(0, 3, (3, 50, 18)).astype(float)
    sums[..., 2::3] = np.minimum(sums[..., 2::3], np.minimum(sums[..., ::3], sums[..., 1::3]))
    found = metric.corpus_score(sums)
    scorer: Any = CHRF()
    for place in np.ndindex(3, 50):
        assert 100 * found[place] == scorer._compute_f_score(sums[place].tolist())


def test_an_evaluation_is_scored_on_its_lines_once() -> None:
    whole = evaluation([["the", "mat"], []], [["the", "cat"], ["a"]])
    metric = Chrf()
    assert metric.measure(whole).scores.tolist() == [chrf("the mat", ["the cat"]), 0.0]


def test_no_segment_at_all_scores_zero() -> None:
    metric = Chrf()
    statistics = metric.measure(evaluation([], [])).statistics
    assert statistics.shape == (0, 18)
    assert metric.corpus_score(statistics.sum(axis=0)) == 0.0
