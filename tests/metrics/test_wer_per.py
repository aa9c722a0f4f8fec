"""WER minus PER: what the right order would save."""

from hypothesis import given

from kilter.metrics.per import Per, per
from kilter.metrics.wer import Wer, wer
from kilter.metrics.wer_per import WerPer, wer_per
from tests.oracles import word_error as oracle
from tests.texts import corpora, evaluation

Corpus = tuple[list[list[str]], list[list[list[str]]]]


def test_it_is_the_difference_of_both_rates() -> None:
    words, reference = (
        ["on", "the", "mat", "sat", "a", "dog"],
        ["the", "cat", "sat", "on", "the", "mat"],
    )
    assert wer_per(words, [reference]) == wer(words, [reference]) - per(words, [reference])
    assert wer_per(["on", "the", "mat", "the", "cat", "sat"], [reference]) == 1.0


def test_wrong_words_are_no_error_of_order() -> None:
    assert wer_per(["a", "x", "c"], [["a", "b", "c"]]) == 0.0
    assert wer_per([], [["a", "b", "c"]]) == 0.0
    assert wer_per(["x", "y"], [["a", "b"]]) == 0.0


def test_the_reference_with_the_lowest_word_error_rate_counts() -> None:
    # Against the second reference no word is right, hence none out of order.
    references = [["b", "a", "c"], ["x", "y", "z"]]
    assert wer_per(["a", "b", "c"], references) == wer_per(["a", "b", "c"], references[:1]) == 2 / 3


@given(corpora(references=1))
def test_a_corpus_has_the_difference_of_its_rates(texts: Corpus) -> None:
    hypotheses, (references,) = texts
    whole = evaluation(hypotheses, references)
    sums = WerPer().measure(whole).statistics.sum(axis=0)
    words = sum(map(len, references))
    lost = sum(map(oracle.edits, hypotheses, references))
    bags = sum(map(oracle.bag_errors, hypotheses, references))
    assert float(WerPer().corpus_score(sums)) == oracle.rate(lost - bags, words)
    rates = [m.corpus_score(m.measure(whole).statistics.sum(axis=0)) for m in (Wer(), Per())]
    assert abs(float(rates[0] - rates[1]) - oracle.rate(lost - bags, words)) < 1e-12
