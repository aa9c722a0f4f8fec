"""What rules look at: conditions hold of the words of which they naively do."""

from typing import Any

import pytest
from hypothesis import given

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError
from kilter.preordering.condition import Condition
from kilter.preordering.dependency_tree_lookup import DependencyTreeLookup
from tests.oracles import preorder as oracle
from tests.preordering.conditioned import conditions, described_trees, made, with_details


@pytest.mark.parametrize("field", ["lemma", "xpos"])
def test_trees_without_what_a_rule_looks_at_are_named(field: str) -> None:
    wanted = {"lemma": "no lemmas (column LEMMA)", "xpos": r"no fine tags (column XPOS)"}[field]
    condition = Condition(lemma=("x",)) if field == "lemma" else Condition(xpos=("x",))
    bare = DependencyTreeColumn.of([DependencyTree(["a"], [-1])])
    for trees in (bare, with_details(bare, ["_"], ["_"])):
        with pytest.raises(InputError) as caught:
            DependencyTreeLookup(trees).holds(condition)
        assert str(caught.value).startswith(f"the trees: has {wanted}, which a condition")


@given(described_trees(), conditions)
def test_a_condition_holds_of_the_words_of_which_it_naively_does(
    drawn: tuple[DependencyTree, DependencyTreeColumn, oracle.Words], wanted: dict[str, Any]
) -> None:
    tree, trees, words = drawn
    expected = [oracle.holds(tree.heads, words, word, wanted) for word in range(len(tree))]
    assert DependencyTreeLookup(trees).holds(made(wanted)).tolist() == expected
