"""Rates of wrong words: counts are those of plain tables, and rates those of the best reference."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.metrics.cder import Cder
from kilter.metrics.per import Per
from kilter.metrics.wer import Wer
from kilter.metrics.wer_per import WerPer
from kilter.metrics.word_error import ErrorRate, WordError, word_errors
from tests.oracles import word_error as oracle
from tests.texts import corpora, evaluation
from tests.thorough import tried

RATES: list[tuple[ErrorRate, Any]] = [
    (Wer(), oracle.edits),
    (Per(), oracle.bag_errors),
    (Cder(), oracle.jump_edits),
]
Corpus = tuple[list[list[str]], list[list[list[str]]]]


def plain_errors(words: list[str], reference: list[str]) -> list[int]:
    return [
        oracle.edits(words, reference),
        oracle.bag_errors(words, reference),
        oracle.jump_edits(words, reference),
    ]


@given(corpora(references=1), st.integers(1, 3))
def test_counts_are_those_of_plain_tables(texts: Corpus, jobs: int) -> None:
    hypotheses, (references,) = texts
    found = word_errors(evaluation(hypotheses, references, jobs=jobs), 0)
    expected = list(map(plain_errors, hypotheses, references))
    assert found.tolist() == expected


@pytest.mark.parametrize("length", [62, 63, 64, 65, 127, 128, 129, 200])
def test_long_sentences_are_counted_in_blocks(length: int) -> None:
    chance = random.Random(length)
    for words in (2, 5, 300):
        for _ in range(tried(6, quick=1)):
            texts = [
                [str(chance.randrange(words)) for _ in range(size)]
                for size in (length, chance.randrange(2 * length))
            ]
            moved = texts[0][length // 3 :] + texts[0][: length // 3]
            for one, other in ([texts[0], texts[1]], [texts[1], texts[0]], [texts[0], moved]):
                found = word_errors(evaluation([one], [other]), 0)[0].tolist()
                assert found == plain_errors(one, other)


@pytest.mark.parametrize(("metric", "errors"), RATES, ids=lambda value: getattr(value, "name", ""))
def test_a_corpus_adds_up_errors_and_words_of_the_best_references(
    metric: ErrorRate, errors: Any
) -> None:
    @given(corpora(references=2))
    def law(texts: Corpus) -> None:
        hypotheses, references = texts
        chosen = []
        for words, *others in zip(hypotheses, *references, strict=True):
            rated = [(errors(words, other), len(other)) for other in others]
            chosen.append(min(rated, key=lambda pair: oracle.rate(*pair)))
        measure = metric.measure(evaluation(hypotheses, *references))
        assert measure.statistics.tolist() == [[float(a), float(b)] for a, b in chosen]
        assert measure.scores.tolist() == [oracle.rate(*pair) for pair in chosen]
        total, words = map(sum, zip(*chosen, strict=True))
        sums = measure.statistics.sum(axis=0)
        assert float(metric.corpus_score(sums)) == oracle.rate(total, words)

    law()


@pytest.mark.parametrize("metric", [Wer(), Per(), Cder()], ids=lambda metric: metric.name)
def test_without_a_reference_word_anything_is_an_error(metric: ErrorRate) -> None:
    whole = evaluation([["a", "b"], [], []], [[], [], ["a", "b", "c"]])
    assert metric.measure(whole).scores.tolist() == [1.0, 0.0, 1.0]


@pytest.mark.parametrize("metric", [Wer(), Per(), Cder(), WerPer()], ids=lambda m: m.name)
def test_case_counts_as_the_words_have_it(metric: ErrorRate) -> None:
    scores = metric.measure(evaluation([["A", "b"]], [["a", "b"]])).scores
    assert scores.tolist() == [0.0 if metric.name == "wer-per" else 0.5]


def test_errors_are_counted_once_for_all_rates() -> None:
    whole = evaluation([["a"]], [["b"]])
    for metric in (Wer(), Per(), Cder(), WerPer()):
        metric.measure(whole)
    assert [key for key in whole.kept if key[0] == "word errors"] == [("word errors", 0)]  # type: ignore[index]
    assert word_errors(whole, 0).dtype == np.int64
    assert list(WordError) == [0, 1, 2]
