"""What an explanation holds."""

from kilter import Permutation
from kilter.results.explanation import (
    Direction,
    ErrorKind,
    ExplainedScore,
    Explanation,
    OrderError,
    WordState,
)
from tests.run.explanation_texts import located


def score(name: str) -> ExplainedScore:
    return ExplainedScore(
        name=name, score=0.5, signature=f"{name}|v:0", higher_is_better=True, working=None, reference=None
    )  # fmt: skip


def explanation(**changed: object) -> Explanation:
    given: dict[str, object] = {
        "hypothesis": ("a", "x", "b"),
        "reference": ("b", "a", "y"),
        "reference_name": "reference",
        "links": ((0, 1), (2, 0)),
        "permutation": Permutation.from_one_based([2, 1]),
        "ordered": (0, 2),
        "errors": None,
        "repair": (),
        "metrics": {"silent": score("silent")},
    }
    return Explanation(**(given | changed))  # type: ignore[arg-type]


def test_words_without_a_link_are_told_apart_by_side() -> None:
    assert explanation().unlinked_hypothesis == (1,)
    assert explanation().unlinked_reference == (2,)


def test_the_ordered_words_are_those_of_the_permutation() -> None:
    assert explanation().ordered_words == ("a", "b")


def test_a_segment_of_a_file_is_named_and_two_sentences_are_not() -> None:
    assert "system" not in explanation().to_dict()
    named = explanation(system="s", segment=3).to_dict()
    assert (named["system"], named["segment"]) == ("s", 3)


def test_json_has_positions_from_zero_and_permutations_from_one() -> None:
    found = explanation().to_dict()
    assert found["links"] == [[0, 1], [2, 0]]
    assert found["permutation"] == [2, 1]
    assert found["unlinked"] == {"hypothesis": [1], "reference": [2]}
    assert explanation(permutation=None, ordered=()).to_dict()["permutation"] is None


def test_a_metric_that_does_not_tell_has_no_working() -> None:
    assert explanation().to_dict()["metrics"]["silent"]["working"] is None


# Order errors as types: names, documents, columns.


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
