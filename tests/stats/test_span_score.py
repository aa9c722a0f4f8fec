"""Spans against spans: naive oracles of what is counted, and laws."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.spans import Side, Span
from kilter.stats.gamma import Dissimilarity, Unit, total_disorder
from kilter.stats.span_score import (
    COLUMNS,
    SpanMeasure,
    error_free_match,
    overlap,
    partial_match,
    precision_recall_f1,
    span_statistics,
    word_match,
)


def spans(limit: int = 4) -> st.SearchStrategy[list[Span]]:
    one = st.builds(
        lambda start, size, severity, side: Span(start=start, end=start + size, severity=severity, side=side),
        st.integers(0, 8), st.integers(0, 5), st.sampled_from(["minor", "major", ""]), st.sampled_from(Side),
    )  # fmt: skip
    return st.lists(one, max_size=limit)


def naive_f1(predicted: list[Span], gold: list[Span]) -> float:
    """Try every matching of the segment."""
    best = 0.0
    places = [*range(len(gold)), *[None] * len(predicted)]
    for chosen in set(permutations(places, len(predicted))):
        shares = [
            overlap(one, gold[place]) if place is not None else (0.0, 0.0)
            for one, place in zip(predicted, chosen, strict=True)
        ]
        precision = sum(p for p, _ in shares) / len(predicted) if predicted else 1.0
        recall = sum(r for _, r in shares) / len(gold) if gold else 1.0
        best = max(best, 2 * precision * recall / (precision + recall) if precision + recall else 0)
    return best


@given(spans(), spans())
def test_the_matching_is_the_best_of_all(predicted: list[Span], gold: list[Span]) -> None:
    found = precision_recall_f1(np.array(partial_match(predicted, gold)))[2]
    assert found == pytest.approx(naive_f1(predicted, gold), abs=1e-9)


@given(spans(6), spans(6))
def test_spans_agree_with_themselves_and_alike_both_ways(
    one: list[Span], other: list[Span]
) -> None:
    words = [(0, 3), (4, 8)]
    same = span_statistics(one, one, length=13, words=words).reshape(-1, COLUMNS)
    assert precision_recall_f1(same)[:, 2] == pytest.approx(1.0)
    there, back = (
        precision_recall_f1(span_statistics(*pair, length=13, words=words).reshape(-1, COLUMNS))
        for pair in ((one, other), (other, one))
    )
    assert there[:, 2] == pytest.approx(back[:, 2])
    assert np.all((there >= 0) & (there <= 1 + 1e-12))


def test_many_spans_over_the_same_characters_are_matched_in_time() -> None:
    many = [Span(start=place % 7, end=30 + place % 5) for place in range(25)]
    assert precision_recall_f1(np.array(partial_match(many, many)))[2] > 0.9


def test_words_are_touched_once_and_nothing_is_error_free() -> None:
    words = [(0, 1), (2, 5), (6, 9)]
    assert word_match([Span(start=3, end=7)], [Span(start=2, end=4)], words) == (1, 2, 1, 1)
    assert error_free_match([], []) == (1, 1, 1, 1)
    assert error_free_match([Span(start=0, end=1)], []) == (0, 0, 0, 1)
    assert len(span_statistics([], [])) == len(SpanMeasure) * COLUMNS


def units() -> st.SearchStrategy[list[Unit]]:
    one = st.builds(
        lambda s, n, c: (float(s), float(s + n), c),
        st.integers(0, 6), st.integers(1, 4), st.sampled_from("ab"),
    )  # fmt: skip
    return st.lists(one, max_size=3)


def naive_disorder(marks: list[list[Unit]], kind: Dissimilarity) -> float:
    """Try every partition of all spans into unitary alignments."""
    pairs = len(marks) * (len(marks) - 1) / 2

    def best(left: tuple[tuple[Unit, ...], ...]) -> float:
        owner = next((a for a, own in enumerate(left) if own), None)
        if owner is None:
            return 0.0
        first, found = left[owner][0], float("inf")
        others = [
            [None] if a < owner else [first] if a == owner else [None, *own]
            for a, own in enumerate(left)
        ]
        for chosen in product(*others):
            spans_ = list(chosen)
            disorder = sum(
                kind.of(spans_[a], spans_[b]) for a in range(len(marks)) for b in range(a)
            )
            rest = []
            for own, taken in zip(left, spans_, strict=True):
                kept = list(own)
                if taken is not None:
                    kept.remove(taken)
                rest.append(tuple(kept))
            found = min(found, disorder / pairs + best(tuple(rest)))
        return found

    return best(tuple(tuple(own) for own in marks))


@given(st.lists(units(), min_size=2, max_size=3))
def test_the_disorder_is_the_least_of_all_alignments(marks: list[list[Unit]]) -> None:
    kind = Dissimilarity()
    assert total_disorder(marks, kind) == pytest.approx(naive_disorder(marks, kind), abs=1e-9)


def test_many_spans_of_many_annotators_are_aligned_in_time() -> None:
    own: list[Unit] = [(float(at), float(at + 3), "a") for at in range(0, 700, 2)]
    assert total_disorder([own, own]) == 0.0
    assert total_disorder([own[:12]] * 4) == 0.0
