"""Evaluations of one sentence."""

from typing import Any

import pytest

from kilter.core.errors import InputError
from kilter.metrics.one_segment import one_segment, reference_lines


def test_a_sentence_and_its_references_share_a_vocabulary() -> None:
    evaluation = one_segment(["a", "b"], [["b", "a"], []], links=[[(0, 1)], []])
    assert len(evaluation) == 1
    assert evaluation.hypothesis.tokens.ids.tolist() == [0, 1]
    assert [text.tokens.ids.tolist() for text in evaluation.references] == [[1, 0], []]
    assert evaluation.links[0].segment(0) == [(0, 1)]


def test_links_must_fit_their_sentences() -> None:
    with pytest.raises(InputError, match="link 2-0 points past the 2 words"):
        one_segment(["a", "b"], [["a"]], links=[[(2, 0)]])


@pytest.mark.parametrize("references", ["a b", [], [["a"], "b"], 3])
def test_references_are_a_list_of_lists(references: Any) -> None:
    with pytest.raises(InputError):
        one_segment(["a"], references)


def test_lines_of_references_are_a_list_that_is_not_empty() -> None:
    assert reference_lines(["a b", ""]) == ("a b", "")
    for wrong in (list[str](), "a b"):
        with pytest.raises(InputError, match="a list of reference strings"):
            reference_lines(wrong)
