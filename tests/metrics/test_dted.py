"""DTED: laws, policies, references and parses."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn, GivenDependencyTrees
from kilter.core.dependency_tree_edit import EditKind, can_list_edits
from kilter.core.errors import InputError, OptionError
from kilter.core.evaluation import Evaluation
from kilter.metrics.dependency_tree_metric import CorpusWeight
from kilter.metrics.dted import Dted, DtedVariant, dted, dted_edits
from kilter.metrics.registry import metric
from tests import texts
from tests.oracles import tree_edit as oracle
from tests.strategies import dependency_trees
from tests.tolerance import close

VARIANTS = ("b", "c", "co", "cl")
MISMATCHES = ("operation", "node")
Link = tuple[int, int]
Pair = tuple[DependencyTree, DependencyTree, list[Link]]


@st.composite
def linked(draw: st.DrawFn, most: int = 7) -> Pair:
    first, second = (draw(dependency_trees(max_size=most)) for _ in range(2))
    return first, second, draw(texts.links(len(first), len(second)))


@given(
    pair=linked(),
    variant=st.sampled_from(VARIANTS),
    mismatch=st.sampled_from(MISMATCHES),
    flat=st.booleans(),
)
def test_scores_are_those_of_the_oracle(
    pair: Pair, variant: str, mismatch: str, *, flat: bool
) -> None:
    first, second, links = pair
    found = dted(
        first,
        second,
        links=links,
        variant=variant,
        mismatch=mismatch,
        flat=flat,
        no_evidence="published",
    )
    heads = [oracle.flat(tree.heads) if flat else tree.heads for tree in (first, second)]
    assert found == close(oracle.score(heads[0], heads[1], links, variant, node=mismatch == "node"))


@given(linked())
def test_the_laws_of_the_specification_hold(pair: Pair) -> None:
    first, second, links = pair
    sizes = len(first) + len(second)
    scores = {variant: dted(first, second, links=links, variant=variant) for variant in VARIANTS}
    assert scores["b"] <= scores["c"]
    assert scores["b"] <= 0.5 or sizes == 0
    distance = (1 - scores["b"]) * sizes
    assert distance >= max(len(first), len(second)) - 1e-9
    turned = [(b, a) for a, b in links]
    for variant in VARIANTS:
        assert scores[variant] == dted(second, first, links=turned, variant=variant)


@given(linked())
def test_flattened_c_is_the_edit_distance_of_strings(pair: Pair) -> None:
    first, second, links = pair
    row = list(range(len(second) + 1))
    for i in range(len(first)):
        above, row = row, [i + 1]
        for j in range(len(second)):
            renamed = above[j] + ((i, j) not in links)
            row.append(min(above[j + 1] + 1, row[j] + 1, renamed))
    sizes = len(first) + len(second)
    expected = 1 - row[-1] / sizes if sizes else 1.0
    assert dted(first, second, links=links, flat=True) == close(expected)
    flat = first.flattened(), second.flattened()
    assert dted(*flat, links=links) == close(expected)


@given(dependency_trees(min_size=1))
def test_a_tree_that_is_linked_word_by_word_with_itself_scores_one(tree: DependencyTree) -> None:
    links = [(word, word) for word in range(len(tree))]
    for variant in ("c", "co", "cl"):
        assert dted(tree, tree, links=links, variant=variant) == 1.0
    assert dted(tree, tree, links=links, variant="b") == 0.5


def test_labels_words_and_tags_play_no_role() -> None:
    first = DependencyTree(["a", "b"], [1, -1], labels=["x", "root"], tags=["T", "U"])
    second = DependencyTree(["c", "d"], [1, -1])
    assert dted(first, second, links=[(0, 0), (1, 1)]) == 1.0


NOTHING, ONE = DependencyTree([], []), DependencyTree(["a"], [-1])


@pytest.mark.parametrize(
    ("variant", "policy", "expected"),
    [
        ("b", "zero", 0.0), ("c", "zero", 0.0), ("co", "zero", 0.0), ("cl", "zero", 0.0),
        ("b", "published", 0.0), ("c", "published", 0.0), ("co", "published", 1.0), ("cl", "published", 0.0),
    ],
)  # fmt: skip
def test_an_empty_hypothesis_wins_only_where_the_published_rule_is_asked_for(
    variant: str, policy: str, expected: float
) -> None:
    assert dted(NOTHING, ONE, links=[], variant=variant, no_evidence=policy) == expected
    assert dted(ONE, NOTHING, links=[], variant=variant, no_evidence=policy) == expected
    assert dted(NOTHING, NOTHING, links=[], variant=variant, no_evidence=policy) == 1.0


def test_sentences_without_links_score_zero_where_links_are_all_that_counts() -> None:
    assert [dted(ONE, ONE, links=[], variant=variant) for variant in VARIANTS] == [
        0.5,
        0.5,
        0.0,
        0.0,
    ]
    published = [dted(ONE, ONE, links=[], variant=v, no_evidence="published") for v in VARIANTS]
    assert published == [0.5, 0.5, 1.0, 0.5]


def test_the_weight_of_unlinked_words_has_a_base_a_cap_and_a_plain_form() -> None:
    first = DependencyTree(["a", "b"], [-1, 0])
    options: dict[str, Any] = {"links": [(0, 0)], "variant": "cl"}
    # One of two words is linked on each side, and the other two are renamed: dist_na / na = 1 / 2.
    assert dted(first, first, **options) == close(1 - 0.1**0.5 / 2)
    assert dted(first, first, base=0.25, **options) == close(1 - 0.5 / 2)
    assert dted(first, first, cap=0.2, **options) == close(1 - 0.2 / 2)
    plain = dted(first, first, weight="proportional", **options)
    assert plain == close(1 - (1 - 0.5) / 2)  # A24: one minus the share of linked words


@given(
    pair=linked(),
    variant=st.sampled_from(VARIANTS),
    mismatch=st.sampled_from(MISMATCHES),
    flat=st.booleans(),
)
def test_edits_add_up_to_the_distance(
    pair: Pair, variant: str, mismatch: str, *, flat: bool
) -> None:
    first, second, links = pair
    edits = dted_edits(first, second, links=links, variant=variant, mismatch=mismatch, flat=flat)
    heads = [oracle.flat(tree.heads) if flat else tree.heads for tree in (first, second)]
    price = oracle.prices(variant, links, node=mismatch == "node")
    aligned, rest = oracle.distance(heads[0], heads[1], price)
    assert sum(edit.cost for edit in edits) == aligned + rest
    if variant in ("co", "cl"):
        assert sum(edit.cost for edit in edits if edit.aligned) == aligned
    places = [
        [word.position if word else None for word in (edit.hypothesis, edit.reference)]
        for edit in edits
    ]
    assert [one for one, _ in places if one is not None] == list(range(len(first)))
    assert sorted(other for _, other in places if other is not None) == list(range(len(second)))
    for edit, (one, other) in zip(edits, places, strict=True):
        expected = EditKind.INSERT if one is None else EditKind.RENAME
        if other is None:
            expected = EditKind.DELETE
        assert edit.kind is (EditKind.MATCH if (one, other) in links else expected)
    assert edits == dted_edits(
        first, second, links=links[::-1], variant=variant, mismatch=mismatch, flat=flat
    )


def test_links_outside_the_sentences_are_refused() -> None:
    with pytest.raises(InputError, match="link 0-1 points past the"):
        dted(ONE, ONE, links=[(0, 1)])
    with pytest.raises(InputError, match="link 0-1 points past the"):
        dted_edits(ONE, ONE, links=[(0, 1)])


def test_sentences_that_are_too_long_are_named() -> None:
    long = DependencyTree(["w"] * 12_000, range(-1, 11_999))
    with pytest.raises(
        InputError, match=r"segment 1: trees of 12000 and 12000 words are too large"
    ):
        dted(long, long, links=[])
    with pytest.raises(InputError, match="too large for a list of edits"):
        dted_edits(long, long, links=[])
    assert dted(long, long, links=[], flat=True) == 0.5


def test_trees_that_are_too_deep_for_a_list_of_edits_have_a_distance() -> None:
    size = 1200
    spine = range(size // 2, size // 2 + size)
    heads = [*spine[::2], -1, *spine[:-1], *spine[1::2][::-1]]
    deep = DependencyTree(["w"] * len(heads), heads)
    short = DependencyTree(["w"] * 2, [-1, 0])
    assert can_list_edits(deep, short)
    assert not can_list_edits(deep, deep)
    with pytest.raises(InputError, match="too large for a list of edits"):
        dted_edits(deep, deep, links=[])


def evaluation(parses: list[list[DependencyTree]], reference: list[DependencyTree]) -> Evaluation:
    """Return one segment per list of parses, every word linked with the word in its place."""
    size = len(reference[0])
    words = [["w"] * size] * len(parses)
    links = [[[(k, k) for k in range(size)]] * len(parses)]
    made = texts.evaluation(words, words, links=links)
    columns = {
        made.hypothesis: DependencyTreeColumn.of(parses),
        made.references[0]: DependencyTreeColumn.of([reference] * len(parses)),
    }
    return replace(made, trees=GivenDependencyTrees(columns))


def test_the_best_parse_of_either_side_counts() -> None:
    chain, star = (DependencyTree(["w"] * 3, heads) for heads in ([-1, 0, 1], [-1, 0, 0]))
    made = evaluation([[chain], [star], [chain, star], [star, chain]], [chain])
    alone = dted(star, chain, links=[(0, 0), (1, 1), (2, 2)])
    assert alone < 1.0
    assert Dted().measure(made).scores.tolist() == [1.0, alone, 1.0, 1.0]
    both = evaluation([[chain], [star]], [chain, star])
    assert Dted().measure(both).scores.tolist() == [1.0, 1.0]


def test_a_corpus_may_weigh_segments_by_their_linked_words() -> None:
    words, other = [["a", "b", "c"], ["d"]], [["a", "b", "c"], ["e"]]
    links: list[list[list[Link]]] = [[[(0, 0), (1, 1), (2, 2)], []]]
    made = texts.evaluation(words, other, links=links)
    metric = Dted(flat=True)
    assert metric.measure(made).scores.tolist() == [1.0, 0.5]
    assert metric.corpus_score(metric.measure(made).statistics.sum(axis=0)) == 0.75
    heavy = replace(metric, corpus=CorpusWeight.LINKED)
    assert heavy.measure(made).statistics.tolist() == [[6.0, 6.0, 1.0, 1.0], [0.0, 0.0, 0.5, 1.0]]
    assert heavy.corpus_score(heavy.measure(made).statistics.sum(axis=0)) == 1.0
    assert heavy.corpus_score(np.zeros(4)) == 0.0


def test_a_corpus_without_linked_words_scores_the_plain_mean() -> None:
    heavy = Dted(flat=True, corpus=CorpusWeight.LINKED)
    nothing = texts.evaluation([[], []], [[], []], links=[[[], []]])
    rows = heavy.measure(nothing).statistics
    assert heavy.corpus_score(rows.sum(axis=0)) == 1.0
    # Draws of a bootstrap are scored row by row, each by its own rule.
    sums = np.array([[0.0, 0.0, 1.5, 2.0], [2.0, 4.0, 1.0, 1.0]])
    assert heavy.corpus_score(sums).tolist() == [0.75, 0.5]


def test_flattened_sentences_need_no_trees() -> None:
    assert Dted().needed(set()) == ("links", "trees")
    assert Dted(flat=True).needed(set()) == ("links",)
    for weight in CorpusWeight:
        needs = Dted(variant=DtedVariant.BASIC, corpus=weight).needed(set())
        assert ("links" in needs) == (weight is CorpusWeight.LINKED)
    made = texts.evaluation([["a"]], [["a"]], links=[[[(0, 0)]]])
    assert Dted(flat=True).measure(made).scores.tolist() == [1.0]
    with pytest.raises(InputError, match="hypothesis: there are no trees of this text"):
        Dted().measure(made)


@pytest.mark.parametrize("flat", ["", "f"])
@pytest.mark.parametrize(
    ("flags", "variant"),
    [("b", "b"), ("c", "c"), ("co", "co"), ("o", "co"), ("cl", "cl"), ("l", "cl")],
)
def test_flags_of_the_thesis_mean_what_they_mean_there(flags: str, variant: str, flat: str) -> None:
    asked = metric(f"dted:variant={flat}{flags}")
    assert asked == Dted(variant=DtedVariant(variant), flat=bool(flat))
    assert f"|variant:{variant}|" in asked.signature()
    assert f"|flat:{'yes' if flat else 'no'}|" in asked.signature()


@pytest.mark.parametrize("flags", ["f", "bc", "ff", "oc", "lo", "fbc", ""])
def test_flags_that_make_no_variant_are_refused(flags: str) -> None:
    with pytest.raises(OptionError, match=r"dted: variant is .*; it can be b, c, co, cl"):
        metric(f"dted:variant={flags}")
