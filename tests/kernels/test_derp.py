"""The kernels of DERP against every path pair written out, and inputs made to defeat them."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter import _core
from tests.oracles import derp as oracle
from tests.oracles.derp import Link, Tree
from tests.strategies import heads
from tests.thorough import examples
from tests.trees import flat_heads, flat_links, random_links, random_tree

Case = tuple[Tree, Tree, list[Link]]


def numbers(trees: Sequence[Tree]) -> NDArray[np.int32]:
    return np.array([ord(label) for tree in trees for label in tree.labels], dtype=np.int32)


def tree_arrays(
    trees: Sequence[Tree],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    flat, offsets = flat_heads([[-1 if h is None else h for h in tree.heads] for tree in trees])
    return flat, numbers(trees), offsets


def rows(cases: Sequence[Case], *, labelled: bool = True, jobs: int = 1) -> list[list[int]]:
    places = np.arange(len(cases))
    hypotheses, references = [case[0] for case in cases], [case[1] for case in cases]
    found: list[list[int]] = _core.path_disparities(
        *tree_arrays(hypotheses),
        *tree_arrays(references),
        places,
        places,
        places,
        *flat_links([case[2] for case in cases]),
        labelled,
        jobs,
    ).tolist()
    return found


def flat_rows(links: Sequence[Sequence[Link]], *, jobs: int = 1) -> list[list[int]]:
    found: list[list[int]] = _core.flat_path_disparities(*flat_links(links), jobs).tolist()
    return found


def reference_rows(cases: Sequence[Case], *, jobs: int = 1) -> list[list[int]]:
    heads_of, _, offsets = tree_arrays([case[1] for case in cases])
    places = np.arange(len(cases))
    lengths = np.array([len(case[0].heads) for case in cases], dtype=np.int64)
    links = flat_links([case[2] for case in cases])
    found: list[list[int]] = _core.reference_disparities(
        heads_of, offsets, places, places, lengths, *links, jobs
    ).tolist()
    return found


@st.composite
def linked_trees(draw: st.DrawFn, most: int = 8) -> Case:
    trees = []
    for _ in range(2):
        size = draw(st.integers(0, most))
        labels = draw(st.lists(st.sampled_from("abc"), min_size=size, max_size=size))
        trees.append(Tree(draw(heads(size)), labels))
    sizes = [len(tree.heads) for tree in trees]
    if 0 in sizes:
        return trees[0], trees[1], []
    one_to_one = draw(st.booleans())
    link = st.tuples(st.integers(0, sizes[0] - 1), st.integers(0, sizes[1] - 1))
    if one_to_one:
        side = draw(st.permutations(range(sizes[1])))
        return trees[0], trees[1], list(zip(range(sizes[0]), side, strict=False))
    return trees[0], trees[1], sorted(draw(st.sets(link, max_size=most)))


@examples(150)
@given(st.lists(linked_trees(), max_size=4))
def test_sums_are_those_of_the_oracle(drawn: list[Case]) -> None:
    assert rows(drawn) == [[*oracle.sums(*case)] for case in drawn]


@given(linked_trees())
def test_without_labels_all_labels_are_equal(case: Case) -> None:
    hypothesis, reference, links = case
    one, other = (Tree(tree.heads, "x" * len(tree.heads)) for tree in (hypothesis, reference))
    expected = [*oracle.sums(one, other, links)]
    assert rows([case], labelled=False) == [expected]
    assert rows([(one, other, links)]) == [expected]


@given(linked_trees())
def test_flattened_sentences_have_a_closed_form(case: Case) -> None:
    hypothesis, reference, links = case
    flat = oracle.flat(len(hypothesis.heads)), oracle.flat(len(reference.heads))
    letters = [Tree(tree.heads, "d" * len(tree.heads)) for tree in flat]
    expected = [*oracle.sums(*flat, links)]
    assert flat_rows([links]) == [expected]
    assert rows([(letters[0], letters[1], links)]) == [expected]


@examples(200)
@given(st.lists(linked_trees(), max_size=3))
def test_positions_along_the_paths_of_the_reference_are_those_of_the_oracle(
    drawn: list[Case],
) -> None:
    expected = [[*oracle.reference_sums(case[1], case[2])] for case in drawn]
    assert reference_rows(drawn) == expected


@given(linked_trees())
def test_the_base_does_not_matter_without_many_to_many_links(case: Case) -> None:
    hypothesis, reference, links = case
    if not oracle.is_many_to_many(links):
        turned = sorted((second, first) for first, second in links)
        assert rows([case]) == rows([(reference, hypothesis, turned)])


def padded(tree: Tree, size: int) -> Tree:
    """Return a tree with further words that hang from its root."""
    root = next((word for word, head in enumerate(tree.heads) if head == -1), -1)
    more = size - len(tree.heads)
    return Tree([*tree.heads, *[root] * more], [*tree.labels, *"z" * more])


@given(st.randoms(use_true_random=False), st.sampled_from([1, 2, None]))
def test_words_without_link_change_nothing_however_long_the_sentence(
    chance: random.Random, reach: int | None
) -> None:
    """Sentences of 64 words and longer ones are compared in different ways."""
    sizes = chance.randrange(1, 65), chance.randrange(1, 65)
    first, second = (
        Tree(random_tree(size, chance, reach=reach), chance.choices("abc", k=size))
        for size in sizes
    )
    case = (first, second, random_links(*sizes, chance))
    for longer in ((padded(first, 65), second), (first, padded(second, 70))):
        other = (*longer, case[2])
        assert rows([case]) == rows([other])
        assert rows([case], labelled=False) == rows([other], labelled=False)
        assert reference_rows([case]) == reference_rows([other])
    far = [(one + 100, other + 100) for one, other in case[2]]
    assert flat_rows([far]) == flat_rows([case[2]])


@given(linked_trees(), st.randoms(use_true_random=False))
def test_links_out_of_order_are_refused(case: Case, chance: random.Random) -> None:
    hypothesis, reference, links = case
    mixed = chance.sample(links, len(links))
    if mixed == links:
        return
    with pytest.raises(ValueError, match="links are sorted, each once"):
        rows([(hypothesis, reference, mixed)])
    with pytest.raises(ValueError, match="links are sorted, each once"):
        flat_rows([mixed])
    with pytest.raises(ValueError, match="links are sorted, each once"):
        reference_rows([(hypothesis, reference, mixed)])


@given(linked_trees(), st.randoms(use_true_random=False))
def test_the_order_of_segments_and_threads_change_nothing(
    case: Case, chance: random.Random
) -> None:
    cases = [case]
    for _ in range(5):
        sizes = chance.randrange(1, 20), chance.randrange(1, 20)
        trees = [Tree(random_tree(size, chance), chance.choices("ab", k=size)) for size in sizes]
        cases.append((trees[0], trees[1], random_links(*sizes, chance)))
    alone = [rows([each])[0] for each in cases]
    assert rows(cases) == alone == rows(cases, jobs=3)
    assert flat_rows([each[2] for each in cases], jobs=3) == flat_rows([each[2] for each in cases])
    assert reference_rows(cases, jobs=3) == [reference_rows([each])[0] for each in cases]


KINDS = {kind.name.lower(): kind for kind in _core.PathKind}


def edges_of(case: Case, kind: str) -> list[list[int]]:
    hypothesis, reference, links = case
    first, labels, _ = tree_arrays([hypothesis])
    second, other_labels, _ = tree_arrays([reference])
    found: list[list[int]] = _core.path_edges(
        first, labels, second, other_labels, flat_links([links])[0], KINDS[kind]
    ).tolist()
    return found


@examples(200)
@given(linked_trees())
def test_edges_are_the_pairs_that_two_passes_choose(case: Case) -> None:
    links = case[2]
    found = edges_of(case, "labels")
    paid = [(cost, most, *words) for *words, cost, most in found if most]
    chosen = oracle.chosen_pairs(list(oracle.path_pairs(*case)), links)
    assert paid == [*chosen[0], *chosen[1]]
    for n, m, one, other, _, most in found:
        assert (one, n) in links
        assert (other, m) in links
        assert most or n == m or one == other
    joined = oracle.Parts({n for _, n in links})
    assert sum(joined.join(n, m) for n, m, *_ in found) == max(0, len(joined_words(links)) - 1)


def joined_words(links: list[Link]) -> set[int]:
    return {n for _, n in links}


@given(linked_trees(), st.sampled_from(list(KINDS)))
def test_edges_add_up_to_the_sums(case: Case, kind: str) -> None:
    found = edges_of(case, kind)
    expected = {
        "labels": lambda: rows([case]),
        "structure": lambda: rows([case], labelled=False),
        "flat": lambda: flat_rows([case[2]]),
        "reference": lambda: reference_rows([case]),
    }[kind]()
    assert [[sum(edge[4] for edge in found), sum(edge[5] for edge in found)]] == expected


def test_long_sentences_are_compared() -> None:
    chance = random.Random(0)
    size = 3000
    trees = [Tree(random_tree(size, chance), chance.choices("abcd", k=size)) for _ in range(2)]
    links = sorted(enumerate(chance.sample(range(size), size)))
    (row,) = rows([(trees[0], trees[1], links)])
    assert 0 < row[0] < row[1]
    straight = [(k, k) for k in range(size)]
    # An edge of the tree that costs nothing joins every word with its head: L_max is 1 and 1 for it.
    assert rows([(trees[0], trees[0], straight)]) == [[0, 2 * (size - 1)]]
    assert flat_rows([straight]) == [[0, 2 * (size - 1)]]


def test_segments_beyond_the_bounds_are_marked_and_the_others_computed() -> None:
    size = 12_000
    straight = [(k, k) for k in range(size)]
    assert flat_rows([straight, [(0, 0), (1, 1)]]) == [[-1, -1], [0, 2]]
    chain = Tree(range(-1, size - 1), "a" * size)
    # One table of labels would have more entries than pairs may have.
    deep = [(0, 0), (size - 1, size - 1)]
    (row,) = rows([(chain, chain, deep)])
    assert row == [-1, -1]
    far = [(0, 2**20), (1, 1)]
    with pytest.raises(ValueError, match="outside"):
        reference_rows([(Tree([-1, 0], "ab"), Tree([-1, 0], "ab"), far)])


@pytest.mark.parametrize(
    "change",
    [
        {"first_heads": [5, -1]},
        {"first_heads": [1, 0]},
        {"first_labels": [1]},
        {"first_offsets": [0, 1]},
        {"second_trees": [2]},
        {"links": [[2, 0]]},
    ],
)
def test_arrays_that_make_no_sense_are_refused(change: dict[str, list[int]]) -> None:
    given_arrays = {
        "first_heads": [-1, 0], "first_labels": [1, 2], "first_offsets": [0, 2],
        "second_heads": [-1, 0], "second_labels": [1, 1], "second_offsets": [0, 2],
        "first_trees": [0], "second_trees": [0], "segments": [0],
        "links": [[0, 0], [1, 1]], "link_offsets": [0, 2],
    } | change  # fmt: skip
    if "links" in change:
        given_arrays["link_offsets"] = [0, 1]
    narrow = ("first_heads", "first_labels", "second_heads", "second_labels", "links")
    arrays = {
        name: np.array(value, np.int32 if name in narrow else np.int64)
        for name, value in given_arrays.items()
    }
    with pytest.raises(ValueError, match=r"tree|offsets|pair|link|head|label"):
        _core.path_disparities(**arrays, labelled=True, jobs=1)  # type: ignore[arg-type]
