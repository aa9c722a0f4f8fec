"""NIST: the definition, and the weights of the corpus."""

from math import exp, log, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.metrics.nist import Nist, nist
from tests.oracles import word_error as oracle
from tests.texts import corpora, evaluation

Corpus = tuple[list[list[str]], list[list[list[str]]]]


@given(corpora(references=2), st.integers(1, 9))
def test_scores_are_those_of_the_definition(texts: Corpus, order: int) -> None:
    hypotheses, references = texts
    by_segment = list(zip(*references, strict=True))
    metric, whole = Nist(order=order), evaluation(hypotheses, *references)
    measure = metric.measure(whole)
    expected = oracle.nist(hypotheses, by_segment, order=order)
    found = float(metric.corpus_score(measure.statistics.sum(axis=0)))
    assert found == pytest.approx(expected, abs=1e-12)
    alone = [
        oracle.nist(hypotheses, by_segment, order=order, segments=[place])
        for place in range(len(hypotheses))
    ]
    assert measure.scores.tolist() == pytest.approx(alone, abs=1e-12)


@given(corpora(references=2, max_segments=5), st.data())
def test_any_segments_of_a_corpus_keep_its_weights(texts: Corpus, data: st.DataObject) -> None:
    hypotheses, references = texts
    drawn = data.draw(st.lists(st.integers(0, len(hypotheses) - 1), min_size=1, max_size=6))
    expected = oracle.nist(hypotheses, list(zip(*references, strict=True)), segments=drawn)
    metric = Nist()
    rows = metric.measure(evaluation(hypotheses, *references)).statistics
    assert float(metric.corpus_score(rows[drawn].sum(axis=0))) == pytest.approx(expected, abs=1e-12)


def test_rare_continuations_tell_more() -> None:
    # `the` is half of the words and tells one bit; what follows it, one of two words, one bit each.
    reference = ["the", "cat", "the", "mat"]
    bits = (log2(4 / 2) + log2(4)) / 2 + log2(2 / 1)
    assert nist(["the", "cat"], [reference], order=2) == pytest.approx(bits * exp(
        -log(2) * (log(2) / log(1.5)) ** 2
    ))  # fmt: skip
    assert nist(["the"], [["the", "the"]]) == 0.0  # what is certain tells nothing


def test_two_thirds_of_the_length_cost_half_the_score() -> None:
    metric = Nist(order=1)
    rows = np.array([[2.0, 3.0, 6.0, 2.0], [3.0, 3.0, 6.0, 2.0], [0.0, 3.0, 0.0, 0.0]])
    assert metric.corpus_score(rows).tolist() == pytest.approx([1.5, 3.0, 0.0])


def test_the_length_to_reach_is_the_mean_of_the_references() -> None:
    whole = evaluation([["a", "b"]], [["a"]], [["a", "b", "c"]])
    assert Nist().measure(whole).statistics[0, :2].tolist() == [2.0, 2.0]


def test_empty_sides_score_zero() -> None:
    assert [nist([], [[]]), nist(["a"], [[]]), nist([], [["a"]])] == [0.0] * 3
