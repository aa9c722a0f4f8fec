"""The word order of treebanks: oracles by plain loops, and what is refused."""

from collections import defaultdict
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.run.reordering.profile import crossing_arcs
from tests.oracles.variation import crossings

FEW = kilter.Resampling(resamples=30)
LABELS = ("root", "punct", "obj", "det")


@st.composite
def trees(draw: st.DrawFn) -> kilter.DependencyTree:
    """Return a tree in which every word but the first of some order hangs on an earlier one of it."""
    size = draw(st.integers(1, 7))
    order = draw(st.permutations(range(size)))
    heads = [-1] * size
    for place, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, place - 1))]
    labels = ["root" if head < 0 else draw(st.sampled_from(LABELS[1:])) for head in heads]
    return kilter.DependencyTree(["w"] * size, heads, labels=labels)


def naive_crossing(heads: list[int]) -> list[bool]:
    arcs = [(min(word, head), max(word, head)) for word, head in enumerate(heads)]
    return [any(a < c < b < d or c < a < d < b for c, d in arcs) for a, b in arcs]


@given(st.lists(trees(), min_size=1, max_size=4))
def test_measures_are_those_of_plain_loops(sentences: list[kilter.DependencyTree]) -> None:
    column = kilter.DependencyTreeColumn.of(sentences)
    bank = kilter.reorder.profile({"a": column}, resampling=FEW).treebanks["a"]
    arcs = [
        (label, word, head)
        for tree in sentences
        for word, (head, label) in enumerate(zip(tree.heads, tree.labels, strict=True))
        if head >= 0 and label != "punct"
    ]
    crossing = [naive_crossing(list(tree.heads)) for tree in sentences]
    found = bank.measures
    assert found["projective"].value == sum(not any(each) for each in crossing) / len(sentences)
    words = sum(map(len, crossing))
    assert found["crossing arcs"].value == pytest.approx(sum(map(sum, crossing)) / words)
    assert (bank.sentences, bank.words) == (len(sentences), words)
    if not arcs:
        assert found["length"].value is None
        return
    assert found["length"].value == pytest.approx(sum(abs(w - h) for _, w, h in arcs) / len(arcs))
    assert found["head final"].value == pytest.approx(sum(w < h for _, w, h in arcs) / len(arcs))
    by_label = defaultdict(list)
    for label, word, head in arcs:
        by_label[label].append(word < head)
    entropies = {}
    for label, sides in by_label.items():
        shares = [sides.count(side) / len(sides) for side in (True, False) if side in sides]
        entropies[label] = -sum(share * log2(share) for share in shares)
    whole = sum(len(sides) * entropies[label] for label, sides in by_label.items()) / len(arcs)
    assert found["entropy"].value == pytest.approx(whole)
    assert {each.name: each.words for each in bank.relations} == {
        label: len(sides) for label, sides in by_label.items()
    }
    for each in bank.relations:
        assert each.entropy.value == pytest.approx(entropies[each.name])


@given(trees())
def test_arcs_that_cross_are_those_of_plain_loops(tree: kilter.DependencyTree) -> None:
    found = crossing_arcs(np.array(tree.heads, dtype=np.int64))
    assert found.tolist() == naive_crossing(list(tree.heads))


def test_links_of_two_treebanks_give_crossings() -> None:
    tree = kilter.DependencyTree(["a", "b", "c"], [1, -1, 1])
    column = kilter.DependencyTreeColumn.of([tree, tree])
    listed = [[(0, 1), (1, 0), (2, 2)], []]
    found = kilter.reorder.profile(
        {"one": column, "other": column, "third": column},
        links=kilter.LinkBatch.of(listed),
        resampling=FEW,
    ).treebanks
    assert found["one"].measures["crossing links"].value == crossings(listed[0]) / 3
    assert found["other"].measures["crossing links"].value == crossings(listed[0]) / 3
    assert found["third"].measures["crossing links"].value is None


def test_what_does_not_fit_is_refused() -> None:
    column = kilter.DependencyTreeColumn.of([kilter.DependencyTree(["a"], [-1])])
    with pytest.raises(OptionError, match="there is nothing to measure"):
        kilter.reorder.profile({})
    links = kilter.LinkBatch.of([[(0, 1)]])
    with pytest.raises(OptionError, match="links join two treebanks; give both"):
        kilter.reorder.profile({"a": column}, links=links)
    with pytest.raises(InputError, match="points past the 1 word"):
        kilter.reorder.profile({"a": column, "b": column}, links=links)
    with pytest.raises(InputError, match="links for 2 sentences, but the treebanks have 1 and 1"):
        kilter.reorder.profile({"a": column, "b": column}, links=kilter.LinkBatch.of([[], []]))
