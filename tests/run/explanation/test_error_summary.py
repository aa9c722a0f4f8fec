"""Order errors of a system summed up."""

from math import fsum

import pytest

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.results.explanation import ErrorGrouping, ErrorSummary
from kilter.run.explanation.error_summary import summarise_errors
from kilter.run.scoring.trees import Trees
from tests.run.explanation_texts import located_with

HYPOTHESES = ["the House red stands", "we the house saw", "a b"]
REFERENCES = ["the red House stands", "we saw the house", "a b"]


def summary(**options: object) -> ErrorSummary:
    return summarise_errors(*located_with(HYPOTHESES, REFERENCES, **options))


def named(found: ErrorSummary, grouping: ErrorGrouping) -> dict[str, tuple[int, int | None]]:
    return {group.name: (group.errors, group.occurrences) for group in found.groups[grouping]}


def test_errors_are_counted_by_kind_word_distance_and_length() -> None:
    found = summary()
    assert (found.segments, found.faulty, found.proved, found.errors) == (3, 2, 3, 2)
    assert named(found, ErrorGrouping.KIND) == {"swap": (1, None), "word": (1, None)}
    assert named(found, ErrorGrouping.WORD) == {"red": (1, 1), "saw": (1, 1)}
    assert named(found, ErrorGrouping.DISTANCE) == {"1": (1, None), "2": (1, None)}
    assert named(found, ErrorGrouping.LENGTH) == {"1-10": (2, 3)}
    assert ErrorGrouping.TAG not in found.groups


def test_losses_of_every_grouping_add_up_to_the_loss_of_the_system() -> None:
    found = summary(trees=trees())
    assert found.loss > 0
    assert set(found.groups) == set(ErrorGrouping)
    for groups in found.groups.values():
        assert fsum(group.loss for group in groups) == pytest.approx(found.loss)
        losses = [group.loss for group in groups]
        assert losses == sorted(losses, reverse=True)


def test_the_whole_loss_is_that_of_errors_that_are_not_shown_too() -> None:
    errors, evaluation = located_with(HYPOTHESES, REFERENCES)
    every = summarise_errors(errors, evaluation)
    some = summarise_errors(errors.where(errors.segments() == 0), evaluation)
    assert every.whole_loss == pytest.approx(every.loss)
    assert some.whole_loss == every.whole_loss
    assert (every.left_out, some.left_out) == (0, 1)
    assert 0 < some.loss < some.whole_loss


def test_with_trees_errors_are_counted_by_tag_relation_and_construction() -> None:
    found = summary(trees=trees())
    assert named(found, ErrorGrouping.TAG) == {"ADJ": (1, 1), "VERB": (1, 2)}
    assert named(found, ErrorGrouping.RELATION) == {"amod": (1, 1), "root": (1, 3)}
    assert named(found, ErrorGrouping.CONSTRUCTION) == {
        "amod ADJ": (1, None),
        "root VERB": (1, None),
    }


def test_a_construction_is_named_after_the_head_of_the_block() -> None:
    hypothesis, reference = "in old Rome it very often rained", "it very often rained in old Rome"
    tree = DependencyTree(
        hypothesis.split(),
        heads=[2, 2, 6, 6, 5, 6, -1],
        labels=["case", "amod", "obl", "nsubj", "advmod", "advmod", "root"],
        tags=["ADP", "ADJ", "PROPN", "PRON", "ADV", "ADV", "VERB"],
    )
    given = Trees(systems=(DependencyTreeColumn.of([tree]),))
    found = summarise_errors(*located_with([hypothesis], [reference], trees=given))
    assert named(found, ErrorGrouping.CONSTRUCTION) == {"obl PROPN": (1, None)}
    assert named(found, ErrorGrouping.RELATION) == {"case": (1, 1), "amod": (1, 1), "obl": (1, 1)}


def test_words_that_differ_in_case_are_one_word() -> None:
    hypotheses, references = ["x b The y", "x b the y"], ["x The b y", "x the b y"]
    found = summarise_errors(*located_with(hypotheses, references))
    assert {group.name for group in found.groups[ErrorGrouping.WORD]} == {"b"}
    hypotheses, references = ["x The bb y", "x the bb y"], ["The bb x y", "the bb x y"]
    found = summarise_errors(*located_with(hypotheses, references))
    assert named(found, ErrorGrouping.WORD) == {"x": (2, 2)}


def test_the_document_holds_every_group() -> None:
    found = summary()
    document = found.to_dict()
    assert document["schema"] == "kilter.order-errors/1"
    assert {*document["groups"]} == {"kind", "word", "distance", "length"}
    assert {row["name"] for row in document["groups"]["word"]} == {"red", "saw"}


def test_a_system_without_errors_has_empty_groups() -> None:
    found = summarise_errors(*located_with(["a b"], ["a b"]))
    assert (found.errors, found.loss) == (0, 0.0)
    assert not any(found.groups.values())


def trees() -> Trees:
    """Return trees of the three hypotheses."""
    column = DependencyTreeColumn.of(
        [
            DependencyTree(
                HYPOTHESES[0].split(),
                heads=[1, 3, 1, -1],
                labels=["det", "nsubj", "amod", "root"],
                tags=["DET", "NOUN", "ADJ", "VERB"],
            ),
            DependencyTree(
                HYPOTHESES[1].split(),
                heads=[3, 2, 3, -1],
                labels=["nsubj", "det", "obj", "root"],
                tags=["PRON", "DET", "NOUN", "VERB"],
            ),
            DependencyTree(
                HYPOTHESES[2].split(), heads=[-1, 0], labels=["root", "dep"], tags=["X", "X"]
            ),
        ]
    )
    return Trees(systems=(column,))
