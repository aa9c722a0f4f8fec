"""F1 of bags of words."""

import pytest
from hypothesis import given

from kilter.metrics.f1 import F1, f1
from tests.golden import Case, cases
from tests.oracles import lexical as oracle
from tests.texts import corpora, evaluation


@pytest.mark.parametrize(
    "case", [c for c in cases("lexical") if c["kind"] == "interpolated"], ids=str
)
def test_golden_sentences(case: Case) -> None:
    assert f1(case["sys"], case["ref"]) == pytest.approx(case["f1"], abs=1e-9)


@given(corpora())
def test_scores_are_those_of_the_definition_with_the_best_reference(
    texts: tuple[list[list[str]], list[list[list[str]]]],
) -> None:
    hypotheses, references = texts
    expected = [
        max(oracle.f1(words, other) for other in others)
        for words, *others in zip(hypotheses, *references, strict=True)
    ]
    metric, whole = F1(), evaluation(hypotheses, *references)
    assert metric.measure(whole).scores.tolist() == pytest.approx(expected)
    total = metric.measure(whole).statistics.sum(axis=0)
    assert metric.corpus_score(total) == pytest.approx(sum(expected) / len(expected))


def test_no_common_word_scores_zero() -> None:
    assert [f1([], []), f1(["a"], []), f1([], ["a"]), f1(["a"], ["b"])] == [0.0] * 4
    assert f1(["a", "b"], ["b", "a"]) == 1.0
