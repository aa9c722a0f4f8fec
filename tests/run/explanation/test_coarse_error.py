"""Lines in which too much is out of order to locate every move."""

from random import Random

import numpy as np
import pytest

import kilter
from kilter.results.explanation import ErrorGrouping, ErrorKind, OrderErrors
from kilter.run.explanation import order_errors as coarse_error
from tests.run.explanation_texts import located

HYPOTHESES = ["b a c", "a e d c b f x", "c a b", "a b"]
REFERENCES = ["a b c", "y a b c d e f", "a b c", "a b"]
METRICS = ["ulam", "kendall"]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let six words with three moves be too much, and three words with one not."""
    monkeypatch.setattr(coarse_error, "MOST", 11)


def errors() -> OrderErrors:
    return located(HYPOTHESES, REFERENCES, metrics=METRICS)


@pytest.mark.usefixtures("few")
def test_one_error_holds_all_words_that_are_out_of_place() -> None:
    found = errors()
    assert found.coarse_segments().tolist() == [1]
    segment = found.segment(1)
    assert segment.coarse
    (error,) = segment.errors
    assert error.kind is ErrorKind.COMPLEX
    assert error.words == error.moved == (1, 2, 3, 4)
    assert (error.distance, error.belongs_before, error.share) == (3, 1, 1.0)
    assert (segment.moves, segment.lower) == (3, 3)
    assert (segment.added, segment.missing) == ((6,), (0,))


@pytest.mark.usefixtures("few")
def test_a_coarse_error_costs_all_that_is_lost() -> None:
    found = errors().segment(1)
    scores = kilter.score(HYPOTHESES[1:2], REFERENCES[1:2], metrics=METRICS, tokenize="none")
    best = kilter.score(["a b c d e f x"], REFERENCES[1:2], metrics=METRICS, tokenize="none")
    for name in METRICS:
        reached, has = best.system[name].score, scores.system[name].score
        assert reached is not None
        assert has is not None
        lost = reached - has
        assert found.errors[0].cost[name] == pytest.approx(lost)
    assert found.loss == pytest.approx(found.errors[0].cost["ulam"])


def test_other_segments_are_as_they_would_be(monkeypatch: pytest.MonkeyPatch) -> None:
    fine = errors()
    monkeypatch.setattr(coarse_error, "MOST", 11)
    coarse = errors()
    for segment in (0, 2, 3):
        assert coarse.segment(segment) == fine.segment(segment)
    assert np.array_equal(coarse.moves.moves, fine.moves.moves)
    assert fine.segment(1).moves == coarse.segment(1).moves == len(fine.segment(1).errors)


@pytest.mark.usefixtures("few")
def test_people_are_told_by_which_rule() -> None:
    note = "3 moves of 6 linked words restore the order; these are too many to locate each"
    (found,) = kilter.order_errors(HYPOTHESES, REFERENCES, metrics=METRICS)
    (told,) = found.notes
    assert told.startswith(f"system, segment 2: {note}")
    assert "words times moves are more than 11" in told
    (shown,) = kilter.explain_segments(HYPOTHESES, REFERENCES, segments=2, metrics=METRICS)
    assert any(each.startswith(note) for each in shown.notes)
    assert shown.repair[-1].words == (0, 4, 3, 2, 1, 5)
    report = kilter.report(HYPOTHESES, REFERENCES, metrics=METRICS)
    assert told in report.notes


@pytest.mark.usefixtures("few")
def test_spans_tags_and_sums_have_the_coarse_error() -> None:
    (found,) = kilter.order_errors(HYPOTHESES, REFERENCES, metrics=METRICS)
    tags = [*found.tags()]
    assert tags[1] == "OK ORDER-COMPLEX ORDER-COMPLEX ORDER-COMPLEX ORDER-COMPLEX OK OK"
    (span,) = [*found.spans()][1]["error_spans"]
    assert (span["start_i"], span["end_i"], span["category"]) == (2, 9, "order/complex")
    groups = {group.name: group.errors for group in found.summary.groups[ErrorGrouping.KIND]}
    assert groups == {"complex": 1, "swap": 1, "word": 1}


def test_a_line_of_a_hundred_thousand_words_in_disorder_is_done_in_time() -> None:
    words = [f"w{number}" for number in range(100_000)]
    mixed = words.copy()
    Random(1).shuffle(mixed)
    found = located([" ".join(mixed), "b a"], [" ".join(words), "a b"])
    assert found.coarse_segments().tolist() == [0]
    (error,) = found.segment(0).errors
    assert error.cost["kendall"] == pytest.approx(0.5, abs=0.01)
    assert found.segment(1).errors[0].kind is ErrorKind.SWAP
