"""Dependency trees of one sentence."""

import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import ROOT, DependencyTree, cycle_of
from kilter.core.errors import InputError, KilterWarning
from tests import strategies
from tests.golden.test_tree_examples import BECOMING
from tests.strategies import dependency_trees
from tests.thorough import examples


def tree(*heads: int) -> DependencyTree:
    return DependencyTree([f"w{k}" for k in range(len(heads))], heads)


def climbed(found: DependencyTree, word: int) -> list[int]:
    head = found.heads[word]
    return [] if head == ROOT else [head, *climbed(found, head)]


@given(dependency_trees())
def test_ancestors_depths_and_subtrees_are_what_climbing_says(found: DependencyTree) -> None:
    words = range(len(found))
    above = [climbed(found, word) for word in words]
    assert [found.ancestors(word) for word in words] == above
    assert found.depths() == [len(listed) for listed in above]
    for word in words:
        assert found.subtree(word) == [
            other for other in words if other == word or word in above[other]
        ]
        assert found.children(word) == [other for other in words if found.heads[other] == word]


@given(dependency_trees(min_size=1), st.data())
def test_a_path_goes_up_to_the_lowest_common_ancestor_and_down(
    found: DependencyTree, data: st.DataObject
) -> None:
    words = st.integers(0, len(found) - 1)
    first, second = data.draw(words), data.draw(words)
    up, down = found.path(first, second)
    top = found.heads[up[-1]] if up else first
    assert top == (found.heads[down[0]] if down else second)
    assert [found.heads[word] for word in up] == [*up[1:], top][: len(up)]
    assert [found.heads[word] for word in down] == [top, *down[:-1]][: len(down)]
    assert not set(up) & set(down)
    assert found.path(second, first) == (down[::-1], up[::-1])


@given(dependency_trees())
def test_a_flattened_sentence_is_a_chain_that_keeps_words_and_tags(found: DependencyTree) -> None:
    flat = found.flattened()
    assert flat.heads == tuple(range(-1, len(found) - 1))
    assert set(flat.labels) <= {"DEP"}
    assert (flat.words, flat.tags) == (found.words, found.tags)
    assert flat.flattened() == flat
    assert flat.depths() == list(range(len(found)))


@given(dependency_trees())
def test_a_tree_is_projective_if_every_subtree_is_a_run_of_words(found: DependencyTree) -> None:
    runs = [found.subtree(word) for word in range(len(found))]
    assert found.is_projective == all(run[-1] - run[0] + 1 == len(run) for run in runs)


def test_crossing_edges_are_allowed_and_not_projective() -> None:
    assert not tree(2, 3, -1, 2).is_projective
    assert tree(1, -1, 1).is_projective


def test_heads_may_be_counted_from_one() -> None:
    given_heads = DependencyTree.from_one_based(["a", "b", "c"], [2, 0, 2])
    assert given_heads == DependencyTree(["a", "b", "c"], [1, -1, 1])
    assert given_heads.root == 1
    assert given_heads.labels == given_heads.tags == ("_", "_", "_")


def test_a_sentence_without_words_is_a_tree() -> None:
    nothing = tree()
    assert (len(nothing), nothing.root, nothing.depths()) == (0, -1, [])
    assert nothing.flattened() == nothing
    assert nothing.is_projective


def test_further_roots_are_attached_to_the_first_with_a_warning() -> None:
    with pytest.warns(KilterWarning, match=r"words 1, 2, 4 are roots; all but 1 were attached"):
        found = DependencyTree(list("abcde"), [1, -1, -1, 2, -1], labels=list("vwxyz"))
    assert found.heads == (1, -1, 1, 2, 1)
    assert found.labels == ("v", "w", "dep", "y", "dep")


def test_one_root_is_no_reason_to_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tree(-1, 0).heads == (-1, 0)


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([0], "words 0 -> 0 hang from one another in a cycle"),
        ([-1, 2, 1], "words 1 -> 2 -> 1 hang from one another in a cycle"),
        ([2, 0, 1], "words 0 -> 2 -> 1 -> 0 hang"),
        (
            [-1, 5],
            "the head of word 1 is 5; heads of 2 words lie between 0 and 1, and -1 is the root",
        ),
        ([-2, 0], "the head of word 0 is -2"),
    ],
)
def test_heads_that_make_no_tree_are_refused(heads: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        tree(*heads)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a"], []), "the numbers of words and heads are 1 and 0"),
        (("a", [-1]), "words are one string; give a list of strings"),
        ((["a"], ["-1"]), "heads are whole numbers"),
        ((["a"], [-1.0]), "heads are whole numbers"),
        (([1], [-1]), "words hold 1, which is no string"),
    ],
)
def test_what_is_no_tree_at_all_is_refused(arguments: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        DependencyTree(*arguments)
    with pytest.raises(InputError, match="the numbers of words and labels are 1 and 2"):
        DependencyTree(["a"], [-1], labels=["b", "c"])


@given(
    st.integers(1, 8).flatmap(lambda n: st.lists(st.integers(-1, n - 1), min_size=n, max_size=n))
)
def test_a_cycle_is_found_if_and_only_if_there_is_one(heads: list[int]) -> None:
    found = cycle_of(heads)

    def reaches_a_root(word: int) -> bool:
        for _ in heads:
            word = heads[word] if word != ROOT else ROOT
        return word == ROOT

    assert bool(found) == (not all(map(reaches_a_root, range(len(heads)))))
    assert [heads[word] for word in found] == [*found[1:], *found[:1]]
    assert not found or found[0] == min(found)


@pytest.mark.parametrize("word", [-1, 2])
def test_words_outside_the_tree_are_refused(word: int) -> None:
    tree = DependencyTree(["cats", "sleep"], [1, -1])
    for question in (tree.children, tree.ancestors):
        with pytest.raises(InputError, match=f"there is no word {word} in a tree of 2 words"):
            question(word)


# Dependency trees drawn in characters can be read back.


def test_the_tree_of_the_thesis_is_drawn() -> None:
    assert BECOMING.draw().splitlines() == [
        "   ┌──── DET    the",
        " ┌─●──── NSUBJ  detective",
        " ├────── AUX    is",
        "─●────── root   becoming",
        " │   ┌── DET    a",
        " │ ┌─●── CMP    Sherlock",
        " └─●──── DOBJ   Holmes",
    ]


def test_lines_that_only_cross_make_a_plus_sign() -> None:
    tree = DependencyTree([*"abcd"], [2, 3, -1, 2], labels=[*"xyrz"])
    assert tree.draw().splitlines() == [
        " ┌──── x  a",
        " │ ┌── y  b",
        "─●─┼── r  c",
        " └─●── z  d",
    ]


def heads_read(drawn: str) -> list[int]:
    """Return the heads of a drawing: from the left end of a word's line along its column to a dot."""
    rows = drawn.splitlines()
    heads = []
    for place, row in enumerate(rows):
        start = next(at for at, sign in enumerate(row) if sign in "┌├└─")
        # Lines of other heads may pass on the left; a word's own line begins with a corner or at the margin.
        starts = [at for at, sign in enumerate(row) if sign in "┌├└"]
        if not starts:
            assert start == 0
            heads.append(-1)
            continue
        column = starts[0]
        step = -1 if row[column] == "└" else 1
        found = _follow(rows, place, column, step)
        if found is None:
            found = _follow(rows, place, column, -step)
        assert found is not None
        heads.append(found)
    return heads


def _follow(rows: list[str], place: int, column: int, step: int) -> int | None:
    at = place + step
    while 0 <= at < len(rows) and rows[at][column] in "├│┼┌└●":
        if rows[at][column] == "●":
            return at
        if rows[at][column] == (
            "└" if step > 0 else "┌"
        ):  # where a line ends that comes from there
            return None
        at += step
    return None


@examples(200)
@given(strategies.dependency_trees(max_size=25))
def test_the_tree_is_read_back_from_its_drawing(tree: DependencyTree) -> None:
    named = DependencyTree(
        [f"w{place}" for place in range(len(tree))], tree.heads, labels=["r"] * len(tree)
    )
    if not len(tree):
        assert named.draw() == "(no words)"
        return
    drawn = named.draw()
    assert [line.split()[-1] for line in drawn.splitlines()] == list(named.words)
    assert heads_read(drawn) == list(tree.heads)


@pytest.mark.parametrize("word", ["日本語", "שלום", "a\u0301"])
def test_words_of_any_script_stand_last_and_shift_nothing(word: str) -> None:
    drawn = DependencyTree([word, "b"], [1, -1], labels=["nsubj", "root"]).draw()
    assert drawn.splitlines() == [f" ┌── nsubj  {word}", "─●── root   b"]
