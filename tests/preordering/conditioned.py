"""Trees with lemmas and fine tags, and conditions of their words, drawn."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.preordering.condition import Condition
from tests.oracles import preorder as oracle
from tests.strategies import dependency_trees


def with_details(trees: DependencyTreeColumn, lemmas: Any, fine: Any) -> DependencyTreeColumn:
    number = trees.vocabulary.numbers
    return replace(trees, lemmas=number(lemmas), fine_tags=number(fine))


names = st.lists(st.sampled_from("abcA"), min_size=1, max_size=2).map(list)
patterns = st.lists(st.sampled_from(["a", "b", "c", "a:*", "b:*"]), min_size=1, max_size=2)
fine = st.lists(st.sampled_from(["a", "b*", "*", "ab"]), min_size=1, max_size=2)
conditions = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "word": names,
            "lemma": names,
            "tag": names,
            "xpos": fine,
            "label": patterns,
            "side": st.sampled_from(["before", "after"]),
            "children": st.tuples(st.integers(0, 2), st.integers(2, 4)),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "tag": names,
            "parent": inner,
            "child": st.lists(inner, max_size=2),
            "no_child": st.lists(inner, max_size=2),
        },
    ),
    max_leaves=4,
)


def made(wanted: dict[str, Any]) -> Condition:
    fields: dict[str, Any] = {
        name: tuple(value) for name, value in wanted.items() if isinstance(value, (list, tuple))
    }
    for name in ("child", "no_child"):
        fields[name] = tuple(map(made, wanted.get(name, ())))
    if "parent" in wanted:
        fields["parent"] = made(wanted["parent"])
    if "side" in wanted:
        fields["side"] = wanted["side"]
    return Condition(**fields)


def described(tree: DependencyTree, lemmas: str, fine_tags: list[str]) -> oracle.Words:
    return [
        {"word": word, "lemma": lemma, "tag": tag, "xpos": xpos, "label": label}
        for word, lemma, tag, xpos, label in zip(
            tree.words, lemmas, tree.tags, fine_tags, tree.labels, strict=True
        )
    ]


@st.composite
def described_trees(draw: st.DrawFn) -> tuple[DependencyTree, DependencyTreeColumn, oracle.Words]:
    tree = draw(dependency_trees(max_size=9))
    lemmas = draw(st.text("abB", min_size=len(tree), max_size=len(tree)))
    fine_tags = draw(
        st.lists(st.sampled_from(["a", "ab", "b"]), min_size=len(tree), max_size=len(tree))
    )
    trees = with_details(DependencyTreeColumn.of([tree]), list(lemmas), fine_tags)
    return tree, trees, described(tree, lemmas, fine_tags)
