"""Trees as text."""

import re

import pytest
from hypothesis import given

from kilter import Permutation
from kilter.io.permutation_tree import PermutationTreeFormat, write_tree
from tests import strategies
from tests.arrays import one_based
from tests.oracles import permutation as oracle
from tests.shapes import SHAPES
from tests.thorough import examples, tried


def written(pi: list[int], form: str) -> str:
    return write_tree(Permutation.from_one_based(pi).tree(), PermutationTreeFormat(form))


def read_bracketed(text: str) -> oracle.FlatTree:
    """Read what BRACKETED writes, with a stack."""
    open_nodes: list[tuple[oracle.Permutation, int, list[oracle.FlatTree]]] = []
    done: list[oracle.FlatTree] = []
    for head, close, leaf in re.findall(r"((?:\d+ x )?<[\d,]+>)\[|(\])|(\d+)", text):
        if head:
            times, _, operator = head.rpartition(" x ")
            open_nodes.append((tuple(map(int, operator[1:-1].split(","))), int(times or 1), []))
            continue
        node: oracle.FlatTree = int(leaf) if leaf else 0
        if close:
            operator_found, merged, below = open_nodes.pop()
            node = (operator_found, merged, tuple(below))
        (open_nodes[-1][2] if open_nodes else done).append(node)
    assert len(done) == 1
    return done[0]


@pytest.mark.parametrize(
    ("pi", "form", "text"),
    [
        ([4, 3, 2, 1], "bracketed", "3 x <2,1>[4, 3, 2, 1]"),
        ([2, 1], "bracketed", "<2,1>[2, 1]"),
        ([2, 4, 5, 6, 1, 3], "bracketed", "<2,4,1,3>[2, 2 x <1,2>[4, 5, 6], 1, 3]"),
        ([6, 2, 4, 1, 5, 3], "bracketed", "<2,1>[6, <2,4,1,5,3>[2, 4, 1, 5, 3]]"),
        ([2, 4, 5, 6, 1, 3], "penn", "(<2,4,1,3> 2 (2x<1,2> 4 5 6) 1 3)"),
        ([2, 1, 3], "qtree", r"\Tree [.{$\langle 1,2\rangle$} [.{$\langle 2,1\rangle$} 2 1 ] 3 ]"),
        ([3, 2, 1], "qtree", r"\Tree [.{$2\times \langle 2,1\rangle$} 3 2 1 ]"),
        ([1], "bracketed", "1"),
        ([1], "penn", "1"),
        ([], "bracketed", "[]"),
        ([], "penn", "()"),
        ([], "qtree", "()"),
        ([], "dot", "digraph permutation {\n}"),
    ],
)
def test_trees_are_written_as_they_are_read(pi: list[int], form: str, text: str) -> None:
    assert written(pi, form) == text


@examples(60)
@given(strategies.permutations(1, 20))
def test_brackets_hold_the_whole_flattened_tree(values: list[int]) -> None:
    pi = list(one_based(values))
    assert read_bracketed(written(pi, "bracketed")) == oracle.flat_tree(pi)


@given(strategies.permutations(1, 40))
def test_every_format_holds_the_leaves_in_order(values: list[int]) -> None:
    pi = list(one_based(values))
    tree = Permutation(values).tree()
    for branching in ("left", "right"):
        text = write_tree(tree.binary(branching), PermutationTreeFormat.PENN)
        assert [int(w) for w in re.sub(r"<[\d,]+>|[()]", " ", text).split()] == pi
        assert " x " not in write_tree(tree.binary(branching), PermutationTreeFormat.BRACKETED)
    dot = write_tree(tree, PermutationTreeFormat.DOT)
    assert [int(leaf) for leaf in re.findall(r'label="(\d+)"', dot)] == pi
    assert len(re.findall("->", dot)) == len(tree) - 1
    qtree = write_tree(tree, PermutationTreeFormat.QTREE)
    assert qtree.count("[.") == qtree.count(" ]") == int((tree.children > 0).sum())


def test_edges_of_dot_go_from_parents_to_children() -> None:
    text = written([2, 1, 3], "dot")
    labels = dict(re.findall(r'(n\d+) \[label="([^"]+)"\]', text))
    edges = [(labels[a], labels[b]) for a, b in re.findall(r"(n\d+) -> (n\d+)", text)]
    assert edges == [("<1,2>", "<2,1>"), ("<2,1>", "2"), ("<2,1>", "1"), ("<1,2>", "3")]


@pytest.mark.parametrize("form", list(PermutationTreeFormat))
@pytest.mark.parametrize("shape", ["wedge", "nested_primes"])
def test_deep_trees_are_written_without_recursion(shape: str, form: PermutationTreeFormat) -> None:
    tree = Permutation(SHAPES[shape](tried(20_000, quick=5_000))).tree()
    inner = int((tree.children > 0).sum())
    text = write_tree(tree, form)
    opening = {"bracketed": "[", "penn": "(", "qtree": "[.", "dot": 'label="<'}[form]
    assert text.count(opening) == inner
