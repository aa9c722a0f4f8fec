"""Tables of edits name every word once and add up to the distance. [TH] table 4.1"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.dependency_tree_edit import (
    EditedWord,
    EditKind,
    EditModel,
    edit_table,
    tree_edit_distances,
)
from kilter.core.links import Link, LinkBatch
from kilter.metrics.dted import Dted, DtedVariant, dted, dted_table
from tests import texts
from tests.golden.test_tree_examples import CELLIST, CELLIST_LINKS, MS
from tests.strategies import dependency_trees

Case = tuple[DependencyTree, DependencyTree, list[Link]]


@st.composite
def linked(draw: st.DrawFn) -> Case:
    first, second = draw(dependency_trees(max_size=6)), draw(dependency_trees(max_size=6))
    return first, second, draw(texts.links(len(first), len(second)))


def test_the_table_of_the_cellist_has_the_printed_sums() -> None:
    """[TH] tables 4.1 and 4.2: 10 without links, 7 with them, of which 2 on linked words."""
    basic = edit_table(CELLIST, MS, CELLIST_LINKS, model=EditModel.BASIC)
    assert basic.distance == 10
    for model in (EditModel.LINKED, EditModel.OPERATION, EditModel.NODE):
        table = edit_table(CELLIST, MS, CELLIST_LINKS, model=model)
        sums = table.distance, table.aligned_distance, table.unaligned_distance
        assert sums == (7, 2, 5)
    assert (table.words, table.linked, table.linked_share) == ((7, 9), (5, 5), 0.625)


def test_the_edits_of_the_cellist_are_the_printed_ones() -> None:
    """[TH] 4.5 prints them for c, co and cl: one rename, four free matches, two words out and four in."""
    table = edit_table(CELLIST, MS, CELLIST_LINKS)
    by_kind = {
        kind: [
            tuple(word.text for word in (row.hypothesis, row.reference) if word)
            for row in table.rows
            if row.kind is kind
        ]
        for kind in EditKind
    }
    assert by_kind[EditKind.RENAME] == [("The", "Ms")]
    assert by_kind[EditKind.MATCH] == [
        ("Mälkki", "Mälkki"), ("began", "started"), ("career", "career"), (".", "."),
    ]  # fmt: skip
    assert by_kind[EditKind.DELETE] == [("cellist",), ("of",)]
    assert by_kind[EditKind.INSERT] == [("her",), ("as",), ("a",), ("cellist",)]
    assert {row.cost for row in table.rows if row.kind is EditKind.MATCH} == {0}


def test_the_sums_lead_to_the_printed_scores() -> None:
    """[TH] 4.9 to 4.12, with the misprints M15 to M17 put right."""
    table = dted_table(CELLIST, MS, links=CELLIST_LINKS, variant="cl")
    linked, unlinked = sum(table.linked), sum(table.words) - sum(table.linked)
    aligned, rest = table.aligned_distance / linked, table.unaligned_distance / unlinked
    assert 1 - aligned == dted(CELLIST, MS, links=CELLIST_LINKS, variant="co") == 0.8
    weight = Dted(variant=DtedVariant.WEIGHTED).unlinked_weight(table.linked_share)
    assert weight == pytest.approx(0.2371, abs=5e-5)
    score = 1 - ((1 - weight) * aligned + weight * rest)
    assert score == pytest.approx(0.6498, abs=5e-5)
    assert score == pytest.approx(dted(CELLIST, MS, links=CELLIST_LINKS, variant="cl"))


@given(linked(), st.sampled_from(EditModel))
def test_costs_add_up_to_the_distance_and_words_appear_once(case: Case, model: EditModel) -> None:
    first, second, links = case
    table = edit_table(first, second, links, model=model)
    columns = DependencyTreeColumn.of([first]), DependencyTreeColumn.of([second])
    distances = tree_edit_distances(*columns, LinkBatch.of([links]))
    row = distances.rows[0].tolist()
    if model in (EditModel.BASIC, EditModel.LINKED):
        assert table.distance == row[int(model)]
    else:
        column = 2 if model is EditModel.OPERATION else 4
        assert [table.aligned_distance, table.unaligned_distance] == row[column : column + 2]
    assert [[*table.words], [*table.linked]] == [
        distances.words[0].tolist(),
        distances.linked[0].tolist(),
    ]
    for tree, words in (
        (first, [row.hypothesis for row in table.rows]),
        (second, [row.reference for row in table.rows]),
    ):
        found = sorted((word for word in words if word), key=lambda word: word.position)
        assert [(word.text, word.relation) for word in found] == [
            *zip(tree.words, tree.labels, strict=True)
        ]


def test_a_root_has_no_head() -> None:
    tree = DependencyTree(["cats", "sleep"], [1, -1], labels=["nsubj", "root"])
    assert EditedWord.of(tree, 1) == EditedWord(1, "sleep", "root", None)


def test_sentences_without_words_need_no_edit() -> None:
    none = DependencyTree([], [])
    table = edit_table(none, none, [])
    assert (table.rows, table.distance, table.linked_share) == ((), 0, 0.0)


def test_flattened_sentences_have_the_relations_of_a_chain() -> None:
    table = dted_table(CELLIST, MS, links=CELLIST_LINKS, variant="c", flat=True)
    assert table.distance == 7
    assert {row.hypothesis.relation for row in table.rows if row.hypothesis} == {"DEP"}
