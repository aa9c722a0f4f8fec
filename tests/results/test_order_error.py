"""Order errors as types: names, documents, columns."""

from kilter.results.explanation import Direction, ErrorKind, OrderError, WordState
from tests.run.explanation_texts import located


def test_numbers_of_columns_are_read_as_words() -> None:
    assert [*map(str, ErrorKind)] == ["swap", "word", "phrase", "inversion", "complex"]
    assert [*map(str, Direction)] == ["left", "right"]
    assert [*map(str, WordState)] == ["linked", "added", "missing", "unlinked"]


def test_an_error_is_an_entry_of_the_document_of_an_explanation() -> None:
    error = OrderError(
        kind=ErrorKind.SWAP,
        words=(1, 3),
        moved=(3,),
        span=(1, 4),
        distance=1,
        direction=Direction.LEFT,
        belongs_before=1,
        cost={"kendall": 0.5},
        share=1.0,
        certainty=0.75,
    )
    assert error.to_dict() == {
        "type": "swap",
        "words": [1, 3],
        "moved": [3],
        "span": [1, 4],
        "distance": 1,
        "direction": "left",
        "belongs_before": 1,
        "cost": {"kendall": 0.5},
        "share": 1.0,
        "certainty": 0.75,
    }


def test_columns_and_segments_say_the_same() -> None:
    found = located(["b a c", "a b", "c b a x"], ["a b c", "a b", "a b c y"])
    assert len(found) == 3
    assert found.segments().tolist() == [0, 2, 2]
    errors = [error for segment in found for error in segment.errors]
    assert errors == [found.error(row) for row in range(3)]
    assert [segment.exact for segment in found] == [True, True, True]
    assert found.segment(2).unlinked == (3,)
    assert repr(found) == (
        "OrderErrors(system: 3 segments, swap=2, word=1, phrase=0, inversion=0, complex=0)"
    )
