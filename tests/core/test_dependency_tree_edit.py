"""The edits that turn one tree into another cost together what the distance says."""

from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.dependency_tree_edit import (
    EditKind,
    EditModel,
    EditRow,
    tree_edit_distances,
    tree_edits,
)
from kilter.core.links import LinkBatch
from tests import texts
from tests.strategies import dependency_trees

Link = tuple[int, int]
Case = tuple[DependencyTree, DependencyTree, list[Link]]


@st.composite
def linked(draw: st.DrawFn) -> Case:
    first, second = draw(dependency_trees(max_size=5)), draw(dependency_trees(max_size=5))
    return first, second, draw(texts.links(len(first), len(second)))


def cost(edits: list[EditRow], *, aligned: bool) -> int:
    return sum(edit.cost for edit in edits if edit.aligned is aligned)


@given(linked())
def test_edits_cost_as_much_as_the_distance_under_every_model(case: Case) -> None:
    first, second, links = case
    batch = LinkBatch.of([links])
    columns = DependencyTreeColumn.of([first]), DependencyTreeColumn.of([second])
    (row,) = tree_edit_distances(*columns, batch).rows.tolist()
    edits = {model: tree_edits(first, second, links, model=model) for model in EditModel}
    for model, column in ((EditModel.BASIC, 0), (EditModel.LINKED, 1)):
        assert sum(edit.cost for edit in edits[model]) == row[column]
    for model, column in ((EditModel.OPERATION, 2), (EditModel.NODE, 4)):
        found = [cost(edits[model], aligned=aligned) for aligned in (True, False)]
        assert found == row[column : column + 2]


@given(linked())
def test_every_word_of_both_trees_is_edited_once(case: Case) -> None:
    first, second, links = case
    edits = tree_edits(first, second, links)
    assert sorted(e.hypothesis.position for e in edits if e.hypothesis) == [*range(len(first))]
    assert sorted(e.reference.position for e in edits if e.reference) == [*range(len(second))]
    matched = [(e.hypothesis, e.reference) for e in edits if e.kind is EditKind.MATCH]
    assert {(one.position, other.position) for one, other in matched if one and other} <= set(links)
    assert all(one and other for one, other in matched)


def test_a_mismatch_of_two_linked_words_counts_both_where_words_count() -> None:
    many, few = DependencyTree([*"abcde"], [4, 4, 4, 4, -1]), DependencyTree([*"ab"], [-1, 0])
    links = [(0, 0), (1, 1), (2, 0), (4, 1)]
    renamed = {
        model: [
            e.cost for e in tree_edits(many, few, links, model=model) if e.kind is EditKind.RENAME
        ]
        for model in (EditModel.OPERATION, EditModel.NODE)
    }
    assert renamed == {EditModel.OPERATION: [1], EditModel.NODE: [2]}
