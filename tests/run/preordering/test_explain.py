"""One sentence explained: by one rule set, by two, with a reference and without."""

import pytest

import kilter
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import OptionError
from kilter.run.preordering.explain import explain_preorder
from tests.preordering.test_rule_file import TREE, mine

TREES = DependencyTreeColumn.of([TREE, TREE.flattened()])


def test_the_order_is_that_of_apply() -> None:
    explained = explain_preorder(TREES, [mine()], segment=1)
    assert explained.text(explained.applied[0].order) == "Cats night at small mice . chase"
    applied = kilter.preorder.apply(TREES, mine())
    assert kilter.reorder.lines(applied)[0] == explained.text(explained.applied[0].order)
    assert explained.text() == "Cats chase small mice at night ."
    assert (explained.differences, explained.score, explained.reference) == ((), None, None)


def test_two_sets_differ_where_their_orders_do() -> None:
    explained = explain_preorder(TREES, ["en-verb-final", "r1"], segment=1)
    assert [TREE.words[difference.head] for difference in explained.differences] == [
        "chase",
        "night",
    ]
    assert all(difference.second is None for difference in explained.differences)
    same = explain_preorder(TREES, [mine(), mine()], segment=1)
    assert same.differences == ()
    assert [each.rules for each in same.applied] == ["mine (1)", "mine (2)"]


def test_a_reference_scores_the_sentence_before_and_after() -> None:
    lines = ["Cats night at small mice chase .", " ".join(TREE.words)]
    explained = kilter.preorder.explain(TREES, ["r1", "en-verb-final"], segment=1, reference=lines)
    found = kilter.preorder.evaluate({"p": TREES}, ["r1", "en-verb-final"], lines)
    assert explained.score == explained.applied[0].score
    assert [each.score for each in explained.applied] == [
        found.scores["frs", name][0] for name in ("P1R1", "P1R2")
    ]
    assert explained.applied[1].score == 1.0
    assert explained.reference == lines[0]


def test_the_document_holds_every_number_and_place() -> None:
    explained = explain_preorder(TREES, [mine(), "r1"], segment=1)
    document = explained.to_dict()
    assert document["schema"] == "kilter.preordering.explanation/1"
    assert document["tree"]["heads"] == [1, -1, 3, 1, 5, 1, 1]
    first = document["applied"][0]
    assert first["order"] == [0, 5, 4, 2, 3, 6, 1]
    assert first["text"] == "Cats night at small mice . chase"
    assert first["fired"][0]["after"][1]["words"] == [4, 5]
    assert [each["head"] for each in document["differences"]] == [1, 5]
    assert document["differences"][0]["second"] is None


@pytest.mark.parametrize("segment", [0, 3, -1])
def test_a_sentence_that_is_not_there_is_refused(segment: int) -> None:
    with pytest.raises(OptionError, match=f"no sentence {segment}; .* 2 sentences, counted from 1"):
        explain_preorder(TREES, [mine()], segment=segment)


@pytest.mark.parametrize("sets", [[], ["r1", "r2", "r3"]])
def test_one_set_or_two_are_explained(sets: list[str]) -> None:
    with pytest.raises(OptionError, match="one rule set, or two"):
        explain_preorder(TREES, sets, segment=1)
