"""What a metric may look at."""

import pytest

from kilter.core.errors import InputError
from kilter.metrics.one_segment import one_segment
from kilter.metrics.registry import metric


@pytest.mark.parametrize(
    ("name", "missing"),
    [("crossings", "links to the source"), ("frs", "no source text"), ("dted", "no trees")],
)
def test_what_a_metric_needs_and_is_not_there_is_named(name: str, missing: str) -> None:
    evaluation = one_segment(["a", "b"], [["b", "a"]], links=[[(0, 1), (1, 0)]])
    with pytest.raises(InputError, match=missing):
        metric(name).measure(evaluation)


def test_permutations_of_links_are_made_once() -> None:
    evaluation = one_segment(list("abc"), [list("cab")], links=[[(0, 1), (1, 2), (2, 0)]])
    made = evaluation.permutations(0)
    assert made.values.tolist() == [1, 2, 0]
    assert evaluation.permutations(0) is made


def test_a_word_with_several_links_has_no_order_and_is_counted_once() -> None:
    evaluation = one_segment(list("ab"), [list("aba")], links=[[(0, 0), (0, 2), (1, 1)]])
    assert evaluation.linked_words(0).tolist() == [2]
    for ask in (evaluation.permutations, evaluation.one_to_one_links):
        with pytest.raises(InputError):
            ask(0)


def test_trees_that_were_not_given_are_named() -> None:
    evaluation = one_segment(["a"], [["a"]])
    with pytest.raises(InputError, match="reference 1: there are no trees of this text"):
        evaluation.trees_of(evaluation.references[0])
