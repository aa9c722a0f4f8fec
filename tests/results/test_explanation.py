"""What an explanation holds."""

from kilter import Permutation
from kilter.results.explanation import ExplainedScore, Explanation


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
