"""How far two sets of spans agree: what adds up over segments, by several measures. Specification, section 21

[MPP] Perrella, Morales and Zaragoza 2026; character F1 of WMT 2025 and of WMT 2023.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.settings import Choice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.spans import Span

COLUMNS = 4
"""Of a measure: what precision divides by what, then what recall does."""
SEVERITY_WEIGHTS = {"neutral": 0.0, "minor": 0.2, "major": 1.0, "critical": 1.0}
"""What spans weigh for `weighted`; any other severity, or none, weighs 1."""
MISMATCH = 0.5
"""Credit of a character that is marked with another severity."""
MOST_STATES = 512
"""Beyond so many partial matchings of spans of a segment the best are followed."""
_SAME = 1e-12


class SpanMeasure(Choice):
    """What precision and recall count."""

    MPP = "mpp"
    EXACT = "exact"
    CHARACTERS = "characters"
    WORDS = "words"
    SEVERITY = "severity"
    WEIGHTED = "weighted"
    WMT23 = "wmt23"
    ERROR_FREE = "error-free"


class Counted(NamedTuple):
    """Credit and count of what precision and recall are shares of."""

    precision_credit: float
    predicted: float
    recall_credit: float
    marked: float


def span_statistics(
    predicted: Sequence[Span],
    gold: Sequence[Span],
    *,
    measures: Sequence[SpanMeasure] = tuple(SpanMeasure),
    length: int | None = None,
    words: Sequence[tuple[int, int]] = (),
    weights: Mapping[str, float] = SEVERITY_WEIGHTS,
) -> NDArray[np.float64]:
    """Return what one segment adds to each of the measures, in their order: four columns each.

    `length` is that of the text in characters, `words` where its words stand.
    """
    count: dict[SpanMeasure, Callable[[], Counted]] = {
        SpanMeasure.MPP: lambda: partial_match(predicted, gold),
        SpanMeasure.EXACT: lambda: exact_match(predicted, gold),
        SpanMeasure.CHARACTERS: lambda: character_match(predicted, gold, credit=1.0),
        SpanMeasure.WORDS: lambda: word_match(predicted, gold, words),
        SpanMeasure.SEVERITY: lambda: character_match(predicted, gold, credit=MISMATCH),
        SpanMeasure.WEIGHTED: lambda: partial_match(predicted, gold, weights=weights),
        SpanMeasure.WMT23: lambda: wmt23_match(predicted, gold, length=length),
        SpanMeasure.ERROR_FREE: lambda: error_free_match(predicted, gold),
    }
    return np.array([value for measure in measures for value in count[measure]()])


def precision_recall_f1(
    statistics: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return precision, recall and F1 of sums of four columns; nothing to divide by gives 1.

    >>> precision_recall_f1(np.array([1.0, 2.0, 1.0, 1.0])).round(4).tolist()
    [0.5, 1.0, 0.6667]
    """
    shares = []
    for column in (0, 2):
        part, whole = statistics[..., column], statistics[..., column + 1]
        share = np.ones(np.shape(part))
        np.divide(part, whole, out=share, where=whole > 0)
        shares.append(share)
    precision, recall = shares
    total = precision + recall
    f1 = np.zeros(np.shape(total))
    np.divide(2.0 * precision * recall, total, out=f1, where=total > 0)
    return np.stack([precision, recall, f1], axis=-1)


def overlap(one: Span, other: Span) -> tuple[float, float]:
    """Return the shares of two spans that both cover; one without characters is covered by its equal alone."""
    if one.side != other.side:
        return 0.0, 0.0
    if one.start == one.end or other.start == other.end:
        same = float((one.start, one.end) == (other.start, other.end))
        return same, same
    common = max(0, min(one.end, other.end) - max(one.start, other.start))
    return common / (one.end - one.start), common / (other.end - other.start)


def partial_match(
    predicted: Sequence[Span], gold: Sequence[Span], *, weights: Mapping[str, float] | None = None
) -> Counted:
    """Return partial credit for partial overlap, spans matched one to one so that F1 of the segment is best. [MPP]

    A pair gives precision the covered share of the predicted span, and recall that of the gold span; with `weights` of
    severities, times the smaller weight of both, and counts are sums of weights.
    """

    def weight(span: Span) -> float:
        return 1.0 if weights is None else weights.get(span.severity.casefold(), 1.0)

    counts = [sum(map(weight, spans)) for spans in (predicted, gold)]
    first, second = _best_matching(predicted, gold, counts, weight)
    return Counted(first, counts[0], second, counts[1])


def _best_matching(
    predicted: Sequence[Span],
    gold: Sequence[Span],
    counts: Sequence[float],
    mass: Callable[[Span], float],
) -> tuple[float, float]:
    """Return the credits of the matching with the best F1, of these with the best P + R, then P.

    Predicted spans are matched one after another from the left; a partial matching is known by the gold spans that it
    used and that a later span could still want, and of those with the same all that are not worse in both credits are
    followed. That finds the best, as F1 rises with both credits.
    """
    pairs: list[list[tuple[int, float, float]]] = []
    for one in sorted(predicted, key=lambda span: (span.side, span.start, span.end)):
        own = []
        for place, other in enumerate(gold):
            shares = overlap(one, other)
            if shares[0] > 0:
                least = min(mass(one), mass(other))
                own.append((place, shares[0] * least, shares[1] * least))
        pairs.append(own)
    last = {place: index for index, own in enumerate(pairs) for place, _, _ in own}
    states: dict[frozenset[int], list[tuple[float, float]]] = {frozenset(): [(0.0, 0.0)]}
    for index, own in enumerate(pairs):
        following: dict[frozenset[int], list[tuple[float, float]]] = {}
        for used, reached in states.items():
            open_ = frozenset(place for place in used if last[place] > index)
            following.setdefault(open_, []).extend(reached)
            for place, first, second in own:
                if place not in used:
                    key = open_ | {place} if last[place] > index else open_
                    following.setdefault(key, []).extend(
                        (a + first, b + second) for a, b in reached
                    )
        states = {used: _undominated(reached) for used, reached in following.items()}
        if sum(map(len, states.values())) > MOST_STATES:
            states = _thinned(states, counts)
    every = [credit for reached in states.values() for credit in reached]
    return max(every, key=lambda credit: _rank(credit, counts))


def _rank(credit: tuple[float, float], counts: Sequence[float]) -> tuple[float, float, float]:
    precision, recall = (
        part / whole if whole else 1.0 for part, whole in zip(credit, counts, strict=True)
    )
    total = precision + recall
    f1 = 2 * precision * recall / total if total else 0.0
    return round(f1 / _SAME), round(total / _SAME), precision


def _undominated(reached: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the pairs of credits than which no other is at least as good in both."""
    found: list[tuple[float, float]] = []
    for first, second in sorted(set(reached), reverse=True):
        if not found or second > found[-1][1]:
            found.append((first, second))
    return found


def _thinned(
    states: dict[frozenset[int], list[tuple[float, float]]], counts: Sequence[float]
) -> dict[frozenset[int], list[tuple[float, float]]]:
    listed = [(used, credit) for used, reached in states.items() for credit in reached]
    listed.sort(key=lambda each: _rank(each[1], counts), reverse=True)
    kept: dict[frozenset[int], list[tuple[float, float]]] = {}
    for used, credit in listed[:MOST_STATES]:
        kept.setdefault(used, []).append(credit)
    return kept


def exact_match(predicted: Sequence[Span], gold: Sequence[Span]) -> Counted:
    """Return how many spans have the same ends on both sides, each matched once."""
    places = [Counter((span.side, span.start, span.end) for span in spans) for spans in (predicted, gold)]  # fmt: skip
    same = float((places[0] & places[1]).total())
    return Counted(same, float(len(predicted)), same, float(len(gold)))


def character_match(predicted: Sequence[Span], gold: Sequence[Span], *, credit: float) -> Counted:
    """Return the characters that both mark; a character that n spans mark counts n times.

    One that is marked with another severity gives part `credit`. WMT 2025, [MPP] measure w25
    """
    marks = [_marks(spans) for spans in (predicted, gold)]
    same = other = 0.0
    for place in marks[0].keys() & marks[1].keys():
        ours, theirs = marks[0][place], marks[1][place]
        common = (ours & theirs).total()
        same += common
        other += min(ours.total(), theirs.total()) - common
    totals = [sum(each.total() for each in side.values()) for side in marks]
    found = same + credit * other
    return Counted(found, float(totals[0]), found, float(totals[1]))


def _marks(spans: Sequence[Span]) -> dict[tuple[str, int], Counter[str]]:
    """Return the severities that each character is marked with."""
    found: dict[tuple[str, int], Counter[str]] = {}
    for span in spans:
        for place in range(span.start, span.end):
            found.setdefault((span.side, place), Counter())[span.severity.casefold()] += 1
    return found


def word_match(
    predicted: Sequence[Span], gold: Sequence[Span], words: Sequence[tuple[int, int]]
) -> Counted:
    """Return the words of the target that both touch; spans of the source do not count."""
    touched = [
        {
            index
            for index, (start, end) in enumerate(words)
            for span in spans
            if span.side == "target" and span.start < end and span.end > start
        }
        for spans in (predicted, gold)
    ]
    same = float(len(touched[0] & touched[1]))
    return Counted(same, float(len(touched[0])), same, float(len(touched[1])))


def wmt23_match(
    predicted: Sequence[Span], gold: Sequence[Span], *, length: int | None = None
) -> Counted:
    """Return the characters that both mark, as the task of WMT 2023 counts them.

    Each character counts once: whole if a severity (minor, or any other) is on both sides, else half. A span
    without characters counts as the one at its start, also behind the end of the text.
    """
    marks: list[dict[int, set[bool]]] = []
    for spans in (predicted, gold):
        own: dict[int, set[bool]] = {}
        for span in spans:
            if span.side != "target":
                continue
            end = span.end if length is None else min(span.end, length)
            if span.start == span.end:
                end = span.start + 1
            for place in range(span.start, end):
                own.setdefault(place, set()).add(span.severity.casefold() == "minor")
        marks.append(own)
    found = sum(
        1.0 if marks[0][place] & marks[1][place] else MISMATCH
        for place in marks[0].keys() & marks[1].keys()
    )
    return Counted(found, float(len(marks[0])), found, float(len(marks[1])))


def error_free_match(predicted: Sequence[Span], gold: Sequence[Span]) -> Counted:
    """Return whether the segment is without spans on both sides, and on each."""
    free = [float(not spans) for spans in (predicted, gold)]
    both = free[0] * free[1]
    return Counted(both, free[0], both, free[1])
