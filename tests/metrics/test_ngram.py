"""N-grams counted once, against plain loops."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from kilter.metrics.ngram import MAXIMUM_ORDER, ngram_counts
from kilter.metrics.one_segment import one_segment

WORDS = st.lists(st.sampled_from("abc"), max_size=9)


def grams(words: list[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[k : k + order]) for k in range(len(words) - order + 1))


@given(hypothesis=WORDS, references=st.lists(WORDS, min_size=1, max_size=3))
def test_matches_are_clipped_by_the_reference_that_has_most(
    hypothesis: list[str], references: list[list[str]]
) -> None:
    (row,) = ngram_counts(one_segment(hypothesis, references)).tolist()
    closest = min((abs(len(other) - len(hypothesis)), len(other)) for other in references)[1]
    assert row[:2] == [len(hypothesis), closest]
    for order in range(1, MAXIMUM_ORDER + 1):
        own = grams(hypothesis, order)
        most: Counter[tuple[str, ...]] = Counter()
        for other in references:
            most |= grams(other, order)
        assert row[1 + order] == sum((own & most).values())
        assert row[1 + MAXIMUM_ORDER + order] == sum(own.values())


def test_one_reference_may_be_asked_for_and_nothing_is_counted_twice() -> None:
    evaluation = one_segment(["a", "b"], [["a", "b"], ["b"]])
    assert ngram_counts(evaluation, 1).tolist()[0][:3] == [2, 1, 1]
    assert ngram_counts(evaluation, 0) is ngram_counts(evaluation, 0)
    assert ngram_counts(evaluation).tolist()[0][2] == 2
