"""Pairs of texts, joined and without those that are the same."""

from kilter.core.judgments import PerturbedPairs

FIRST = PerturbedPairs(
    kinds=("order", "swap"),
    references=("a b", "c d"),
    originals=("a b", "c"),
    perturbed=("b a", "c"),
)
SECOND = PerturbedPairs(kinds=("choice",), references=("e",), originals=("e",), perturbed=("f",))


def test_joined_pairs_are_those_of_the_first_and_then_of_the_second() -> None:
    joined = FIRST.joined(SECOND)
    assert len(joined) == 3
    assert joined.kinds == ("order", "swap", "choice")
    assert joined.references == ("a b", "c d", "e")
    assert joined.originals == ("a b", "c", "e")
    assert joined.perturbed == ("b a", "c", "f")


def test_changed_pairs_have_two_different_texts() -> None:
    changed = FIRST.joined(SECOND).changed()
    assert changed.kinds == ("order", "choice")
    assert changed.references == ("a b", "e")
    assert changed.originals == ("a b", "e")
    assert changed.perturbed == ("b a", "f")
