"""Sets of spans against what people marked."""

import pytest

from kilter.core.errors import InputError
from kilter.core.spans import MarkedSegment, Span, Spans
from kilter.run.span_scores import contested, score_spans
from kilter.stats.resampling import Resampling

LINES = [f"he has the {word} cat seen number {place}" for place, word in enumerate("abcdefgh" * 5)]
FEW = Resampling(resamples=200)


def marked(places: dict[int, tuple[int, int]], *, annotator: str = "", system: str = "a") -> Spans:
    return Spans(
        tuple(
            MarkedSegment(
                segment=place + 1,
                system=system,
                annotator=annotator,
                target=line,
                spans=(Span.of(line, *places[place]),) if place in places else (),
            )
            for place, line in enumerate(LINES)
        )
    )


EVERY = dict.fromkeys(range(0, 40, 2), (4, 7))
GOLD = marked(EVERY)


def test_what_is_right_is_better_than_what_is_wrong_and_than_controls() -> None:
    wrong = marked(dict.fromkeys(range(1, 40, 2), (15, 18)))
    found = score_spans(GOLD, {"right": GOLD, "wrong": wrong}, resampling=FEW)
    right = found.score("right", "mpp")
    assert right.f1.triple == (1.0, 1.0, 1.0)
    assert found.score("wrong", "mpp").f1.value == 0.0
    assert found.score("right", "error-free").f1.value == 1.0
    (difference,) = found.differences
    assert difference.difference.value == 1.0
    assert difference.difference.p == pytest.approx(1 / 201, abs=0.01)
    controls = {each.spans for each in found.scores if each.control}
    assert controls == {"random right", "random wrong", "every short word", "everything"}
    assert 0.0 < (found.score("random right", "mpp").f1.value or 0) < 0.5
    assert found.score("everything", "characters").recall.value == 1.0
    assert (found.score("every short word", "words").recall.value or 0) == 1.0
    assert "control everything" in str(found)


def test_annotators_are_compared_with_the_others_and_gamma_tells_how_far_they_agree() -> None:
    one, other = marked(EVERY, annotator="ann"), marked(EVERY, annotator="ben")
    found = score_spans(Spans((*one, *other)), {}, controls=False, resampling=FEW)
    assert found.gamma.value == 1.0
    assert found.score("ann", "mpp").f1.value == 1.0
    apart = marked(dict.fromkeys(range(1, 40, 2), (15, 18)), annotator="ben")
    assert (score_spans(Spans((*one, *apart)), {}, resampling=FEW).gamma.value or 0) < 0.2


def test_the_only_system_of_both_may_be_called_otherwise_and_two_may_not() -> None:
    again = marked(EVERY, system="other name")
    assert score_spans(GOLD, {"x": again}, resampling=FEW).score("x", "mpp").f1.value == 1.0
    two = Spans((*GOLD, *marked(EVERY, system="b")))
    with pytest.raises(InputError, match="no segment is in all"):
        score_spans(two, {"x": Spans((*marked({}, system="c"), *marked({}, system="d")))})


def test_other_texts_are_refused_and_missing_segments_told() -> None:
    other = Spans((MarkedSegment(segment=1, system="a", target="something else"),))
    with pytest.raises(InputError, match="different texts"):
        score_spans(GOLD, {"x": other})
    few = Spans(GOLD.segments[:3])
    found = score_spans(GOLD, {"x": few}, resampling=FEW)
    assert found.segments == 3
    assert any("37 marked segments" in note for note in found.notes)
    with pytest.raises(InputError, match="one annotator"):
        score_spans(GOLD, {})


def test_ratings_without_text_are_compared_by_characters() -> None:
    bare = Spans(
        tuple(MarkedSegment(segment=1, system="a", spans=(Span(start=0, end=4),)) for _ in "a")
    )
    found = score_spans(bare, {"x": bare}, measures=["characters"], resampling=FEW)
    assert found.score("x", "characters").f1.value == 1.0


def test_the_most_contested_segments_are_those_whose_spans_differ_most() -> None:
    other = EVERY | {2: (15, 18), 4: (5, 7)}
    spans = Spans((*marked(EVERY, annotator="ann"), *marked(other, annotator="ben")))
    found = contested(spans, 5)
    assert [each.segment for each in found] == [3, 5]
    assert not any(each.spans or each.annotator for each in found)
    assert [each.segment for each in contested(spans, 1)] == [3]
