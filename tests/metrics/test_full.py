"""FullMetric."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.metrics.full import Full, full
from tests.golden import Case, cases
from tests.metrics.interpolated import ORDERS, ordering, pieces
from tests.oracles import lexical as oracle
from tests.texts import evaluation, one_to_one_links, sentences


@pytest.mark.parametrize(
    "case", [c for c in cases("lexical") if c["kind"] == "interpolated"], ids=str
)
def test_golden_sentences(case: Case) -> None:
    hypothesis, reference, links = pieces(case)
    found = full(hypothesis, reference, links=links, order=case["ordering"], alpha=case["alpha"])
    assert found == pytest.approx(case["full_metric"], abs=1e-9)


@given(st.data(), sentences(max_size=7), st.lists(sentences(max_size=7), min_size=2, max_size=2))
def test_references_are_pooled_for_words_and_the_best_counts_for_order(
    data: st.DataObject, words: list[str], others: list[list[str]]
) -> None:
    links = [data.draw(one_to_one_links(len(words), len(other))) for other in others]
    name = data.draw(st.sampled_from(ORDERS))
    whole = evaluation([words], *([other] for other in others), links=[[each] for each in links])
    order = max(
        oracle.brevity(len(each), len(other)) * ordering(name, each)
        for each, other in zip(links, others, strict=True)
    )
    expected = 0.3 * oracle.bleu([words], [others], order=1) + 0.7 * order
    assert Full(order=name, alpha=0.3).measure(whole).scores[0] == pytest.approx(expected)


def test_empty_sides_score_zero() -> None:
    assert full([], ["a"], links=[]) == full(["a"], [], links=[]) == full([], [], links=[]) == 0.0
    assert full(["a", "b"], ["a", "b"], links=[]) == 0.5
