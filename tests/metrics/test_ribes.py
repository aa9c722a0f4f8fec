"""RIBES: its definition, and another program's scores."""

import math
import random

import pytest
from hypothesis import given

from kilter.metrics.ribes import Ribes, ribes, ribes_positions
from tests.oracles import ribes as oracle
from tests.texts import corpora, evaluation, sentences
from tests.thorough import tried


@given(sentences(max_size=16), sentences(max_size=16))
def test_words_are_matched_as_the_publication_says(words: list[str], reference: list[str]) -> None:
    found = ribes_positions(words, reference, lowercase=False)
    assert found == oracle.positions(words, reference)


@given(sentences("ab", max_size=16), sentences("ab", max_size=16))
def test_words_that_repeat_a_lot_are_matched_too(words: list[str], reference: list[str]) -> None:
    found = ribes_positions(words, reference, lowercase=False)
    assert found == oracle.positions(words, reference)


@given(corpora())
def test_scores_are_those_of_the_definition_with_the_best_reference(
    texts: tuple[list[list[str]], list[list[list[str]]]],
) -> None:
    hypotheses, references = texts
    metric, whole = Ribes(alpha=0.5, beta=0.3, lowercase=False), evaluation(hypotheses, *references)
    expected = [
        max(oracle.ribes(words, other, alpha=0.5, beta=0.3) for other in others)
        for words, *others in zip(hypotheses, *references, strict=True)
    ]
    assert metric.measure(whole).scores.tolist() == pytest.approx(expected)
    total = metric.measure(whole).statistics.sum(axis=0)
    assert metric.corpus_score(total) == pytest.approx(sum(expected) / len(expected))


def test_long_repetitive_sentences_are_matched_as_short_ones() -> None:
    generator, length = random.Random(7), tried(150, quick=100)
    for vocabulary in ("ab", "abcdefghijklmnopqrst"):
        words, reference = ([generator.choice(vocabulary) for _ in range(length)] for _ in range(2))
        reference[20:80] = words[30:90]
        assert ribes_positions(words, reference) == oracle.positions(words, reference)
        assert ribes(words, [reference]) == pytest.approx(oracle.ribes(words, reference))


def test_context_grows_to_the_left_before_the_right() -> None:
    words, reference = ["a", "x", "b", "x"], ["x", "b", "c", "a", "x"]
    assert (
        ribes_positions(words, reference) == [3, 4, 1, None] == oracle.positions(words, reference)
    )


def test_fewer_than_two_matches_score_zero_unless_the_reference_is_that_word() -> None:
    assert ribes(["a"], [["a"]]) == 1.0
    assert ribes(["a", "b"], [["a"]]) == pytest.approx(0.5**0.25)
    assert ribes(["a"], [["a", "b"]]) == 0.0
    assert [ribes([], [["a"]]), ribes(["a"], [[]]), ribes([], [[]])] == [0.0] * 3
    assert ribes(["a", "a"], [["a"]]) == 0.0


def test_case_is_folded_unless_told_otherwise() -> None:
    words, reference = ["The", "cat"], ["the", "CAT"]
    assert ribes(words, [reference]) == 1.0
    assert ribes(words, [reference], lowercase=False) == 0.0


def test_a_short_translation_pays_for_its_length() -> None:
    assert ribes(["a", "b", "c"], [["a", "b", "c", "d", "e", "f"]]) == pytest.approx(
        math.exp(-1) ** 0.1
    )


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_threads_change_nothing(jobs: int) -> None:
    generator = random.Random(8)
    texts = [
        [[generator.choice("abcdE") for _ in range(generator.randint(0, 20))] for _ in range(40)]
        for _ in range(3)
    ]
    found = Ribes().measure(evaluation(*texts, jobs=jobs)).scores.tolist()
    assert found == Ribes().measure(evaluation(*texts)).scores.tolist()


def test_compare_mt_gives_the_same_scores() -> None:
    scorers = pytest.importorskip("compare_mt.scorers", reason="needs compare-mt and nltk")
    generator = random.Random(9)
    for vocabulary in ("abc", "abcdefghijkl", "ABCdefghijklmnopqrstuvwxyz"):
        for _ in range(200):
            words, reference = (
                [generator.choice(vocabulary) for _ in range(generator.randint(2, 20))]
                for _ in range(2)
            )
            expected, _ = scorers.RibesScorer().score_sentence(reference, words)
            assert 100 * ribes(words, [reference], lowercase=False) == pytest.approx(expected)
