"""Analyses of words and classes: counted by hand, and by plain loops."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError
from kilter.preordering.analysis import Misordering, kind_rows, parser_accuracy, word_rows
from kilter.preordering.rule_file import load_rule_set
from kilter.results.preordering import RowOrder
from kilter.run.preordering.evaluate import ReorderingScorer
from tests.run.preordering.test_evaluate import in_order
from tests.strategies import dependency_trees
from tests.tolerance import close


def tree() -> DependencyTree:
    return DependencyTree(
        ["b", "a", "c", "a"], [1, -1, 3, 1], labels=["x", "r", "y", "z"], tags=["N", "V", "N", "N"]
    )


def misordered_of(
    trees: list[DependencyTree], rules: str
) -> tuple[DependencyTreeColumn, Misordering]:
    column = DependencyTreeColumn.of(trees)
    scorer = ReorderingScorer(column, in_order(trees))
    found = scorer.score(load_rule_set(rules))
    return column, Misordering.of(found.order, found.match)


def test_words_that_begin_chunks_are_counted_by_form() -> None:
    # a c a b: by form, a c a is one chunk and b another, which stands behind what it should precede.
    column, found = misordered_of([tree()], "r2")
    assert [row.to_dict() for row in word_rows(column, found)] == [
        {"word": "b", "count": 1, "misordered": 1, "rate": 1.0, "wrong_pairs": 3},
        {"word": "a", "count": 2, "misordered": 0, "rate": 0.0, "wrong_pairs": 2},
        {"word": "c", "count": 1, "misordered": 0, "rate": 0.0, "wrong_pairs": 1},
    ]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (RowOrder.WRONG_PAIRS, ["b", "a", "c", "."]),
        (RowOrder.MISORDERED, ["a", "b", ".", "c"]),
        (RowOrder.RATE, [".", "a", "b", "c"]),
        (RowOrder.COUNT, ["c", "b", "a", "."]),
    ],
)
def test_rows_are_sorted_by_what_is_asked_for(sort: RowOrder, expected: list[str]) -> None:
    # A full stop that begins a chunk and takes part in no wrong pair comes last by wrong pairs.
    words = ["a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "c", "c", "."]
    column = DependencyTreeColumn.of([DependencyTree(words, [-1] + [0] * 12)])
    starts = [True, True, False, True] + [False] * 8 + [True]
    pairs = [1, 1, 0, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0]
    found = Misordering(np.array(starts), np.array(pairs))
    assert [row.name for row in word_rows(column, found, sort=sort)] == expected


def test_rare_words_are_left_out() -> None:
    column, found = misordered_of([tree()], "r2")
    assert [row.name for row in word_rows(column, found, minimum=2)] == ["a"]


def test_classes_are_tags_labels_and_heads_with_labels() -> None:
    column, found = misordered_of([tree(), tree()], "r2")
    rows = kind_rows(column, found)
    assert {row.kind for row in rows} == {"tag", "label", "head tag > label"}
    counts = {(row.kind, row.name): row.count for row in rows}
    assert counts["tag", "N"] == 6
    assert counts["head tag > label", "V > z"] == 2
    assert counts["head tag > label", "ROOT > r"] == 2


def test_gold_trees_add_confusions() -> None:
    gold = DependencyTree(
        ["b", "a", "c", "a"], [1, -1, 3, 1], labels=["q", "r", "y", "z"], tags=["A", "V", "N", "N"]
    )
    column, found = misordered_of([tree()], "r2")
    rows = kind_rows(column, found, gold=DependencyTreeColumn.of([gold]))
    confused = {(row.kind, row.name): row.misordered for row in rows if "gold" in row.kind}
    assert confused == {("gold tag > tag", "A > N"): 1, ("gold label > label", "q > x"): 1}
    other = DependencyTreeColumn.of([DependencyTree(["x"] * 4, gold.heads)])
    with pytest.raises(InputError, match="the words are not those of"):
        kind_rows(column, found, gold=other)


@given(st.lists(dependency_trees(min_size=1, max_size=8), min_size=1, max_size=4))
def test_counts_add_up_to_all_words(trees: list[DependencyTree]) -> None:
    column, found = misordered_of(trees, "r4")
    rows = word_rows(column, found)
    forms = Counter(word for each in trees for word in each.words)
    assert {row.name: row.count for row in rows} == forms
    assert sum(row.misordered for row in rows) == int(found.starts.sum())
    kinds = kind_rows(column, found)
    for kind in ("tag", "label", "head tag > label"):
        of_kind = [row for row in kinds if row.kind == kind]
        assert sum(row.count for row in of_kind) == forms.total()
        assert sum(row.wrong_pairs for row in of_kind) == int(found.pairs.sum())


def test_nothing_is_misordered_in_source_order() -> None:
    _, found = misordered_of([tree()], "r1")
    assert not found.starts.any()
    assert not found.pairs.any()


def test_the_accuracy_of_no_words_is_perfect() -> None:
    nothing = DependencyTreeColumn.of([DependencyTree([], [])])
    assert parser_accuracy(nothing, nothing) == (1.0, 1.0, 1.0)


# Shares of right heads, labels and tags, counted word by word.


NAMES = st.lists(st.sampled_from("abc"), min_size=3, max_size=3)
HEADS = st.sampled_from([[-1, 0, 0], [1, -1, 1], [1, 2, -1]])
TREES = st.lists(
    st.builds(
        lambda heads, labels, tags: DependencyTree(
            ["x", "y", "z"], heads, labels=labels, tags=tags
        ),
        HEADS,
        NAMES,
        NAMES,
    ),
    min_size=2,
    max_size=2,
)


@given(TREES, TREES)
def test_accuracy_is_the_share_of_right_words(
    made: list[DependencyTree], gold: list[DependencyTree]
) -> None:
    words = [
        (a.heads[k] == b.heads[k], a.labels[k] == b.labels[k], a.tags[k] == b.tags[k])
        for a, b in zip(made, gold, strict=True)
        for k in range(3)
    ]
    found = parser_accuracy(DependencyTreeColumn.of(made), DependencyTreeColumn.of(gold))
    assert found.las == close(sum(head and label for head, label, _ in words) / 6)
    assert found.uas == close(sum(head for head, _, _ in words) / 6)
    assert found.tags == close(sum(tag for _, _, tag in words) / 6)
