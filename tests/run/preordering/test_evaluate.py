"""Parsers x rule sets: scores as the parts give them, marks by the bootstrap, what does not fit."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.reordering import PrintedOrder, group_numbers
from kilter.io.conllu import Treebank
from kilter.metrics.frs import Frs, frs
from kilter.metrics.reordering_metric import WordMatch
from kilter.metrics.tied_order import TiedKendall
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import load_rule_set
from kilter.results.comparison import SignificanceTest
from kilter.run.preordering.analyse import analyse_preorder
from kilter.run.preordering.evaluate import evaluate_preorder
from kilter.run.preordering.select import select_parses
from kilter.stats.resampling import Resampling
from kilter.stats.significance import MarkRule, p_mark, share_mark
from tests.oracles.resampling import indices
from tests.strategies import dependency_trees
from tests.thorough import examples
from tests.tolerance import close

RULES = [load_rule_set(name) for name in ("r1", "r2", "r3")]
Groups = list[list[int]]


def reference_of(trees: list[DependencyTree], groups: list[Groups]) -> PrintedOrder:
    group, offsets = group_numbers([list(map(len, each)) for each in groups])
    order = [place for each in groups for part in each for place in part]
    words = tuple(
        tuple(tree.words[place] for part in each for place in part)
        for tree, each in zip(trees, groups, strict=True)
    )
    return PrintedOrder("reference", group, offsets, words, np.array(order, dtype=np.int32))


def in_order(trees: list[DependencyTree]) -> PrintedOrder:
    return reference_of(trees, [[[place] for place in range(len(tree))] for tree in trees])


@examples(25)
@given(st.lists(dependency_trees(min_size=1, max_size=7), min_size=1, max_size=4), st.data())
def test_every_score_is_that_of_its_parser_and_rules(
    trees: list[DependencyTree], data: st.DataObject
) -> None:
    groups = [[[p] for p in data.draw(st.permutations(range(len(tree))))] for tree in trees]
    flat = [tree.flattened() for tree in trees]
    reference = reference_of(trees, groups)
    for match in WordMatch:
        found = evaluate_preorder(
            {"one": DependencyTreeColumn.of(trees), "flat": DependencyTreeColumn.of(flat)},
            RULES,
            reference,
            metrics=[Frs(match=match), TiedKendall(match=match)],
            resampling=Resampling(resamples=20),
        )
        names = ["P1R1", "P1R2", "P1R3", "P2R1", "P2R2", "P2R3"]
        assert [system.name for system in found.systems] == names
        place = 0
        for parsed in (trees, flat):
            for rules in RULES:
                scores = []
                for tree, expected in zip(parsed, groups, strict=True):
                    order = reorder_trees(DependencyTreeColumn.of([tree]), rules).order.tolist()
                    if match is WordMatch.IDENTITY:
                        scores.append(frs(order, expected))
                    else:
                        named = [[tree.words[p] for p in part] for part in expected]
                        scores.append(frs([tree.words[p] for p in order], named))
                metric = found.comparison.metrics[0]
                assert metric.intervals[place].value == close(sum(scores) / len(scores))
                assert found.scores[metric.name, names[place]].tolist() == close(scores)
                place += 1


def chain(size: int) -> DependencyTree:
    return DependencyTree([f"w{k}" for k in range(size)], range(-1, size - 1))


def test_marks_mean_the_same_as_in_a_comparison_of_systems() -> None:
    trees = [chain(size) for size in (2, 3, 5, 6, 4, 3, 7)]
    found = evaluate_preorder(
        {"p": DependencyTreeColumn.of(trees)}, RULES, in_order(trees), resampling=Resampling()
    )
    assert found.comparison.marks is MarkRule.CORRECTED
    for metric in found.comparison.metrics:
        for pair in metric.pairs:
            p = pair.holm[SignificanceTest.BOOTSTRAP]
            assert p is not None
            assert pair.mark is p_mark(pair.difference or 0.0, p)


def test_published_marks_are_shares_of_resamples_in_which_the_second_is_better() -> None:
    trees = [chain(size) for size in (2, 3, 5, 6, 4, 3, 7)]
    groups = [
        [[p] for p in (range(len(tree)) if len(tree) % 3 else range(len(tree))[::-1])]
        for tree in trees
    ]
    drawn = Resampling(resamples=200, seed=3)
    found = evaluate_preorder(
        {"p": DependencyTreeColumn.of(trees)},
        RULES[:2],
        reference_of(trees, groups),
        resampling=drawn,
        marks=MarkRule.SHARE,
    )
    (pair,) = found.comparison.metrics[0].pairs
    one, other = (found.scores["frs", name] for name in ("P1R1", "P1R2"))
    rows = [indices(len(trees), drawn.seed, resample) for resample in range(drawn.count)]
    differences = [float((other[row] - one[row]).mean()) for row in rows]
    better, worse = (
        sum(sign * d > 1e-12 for d in differences) / len(differences) for sign in (1, -1)
    )
    assert pair.share == close(better)
    assert pair.mark is share_mark(better, worse)


def test_accuracy_against_gold_trees() -> None:
    gold = [
        DependencyTree(
            ["a", "b", "c", "d"], [-1, 0, 0, 2], labels=["r", "x", "y", "z"], tags=list("ABCD")
        )
    ]
    other = [
        DependencyTree(
            ["a", "b", "c", "d"], [-1, 0, 1, 2], labels=["r", "x", "y", "q"], tags=list("ABCX")
        )
    ]
    found = evaluate_preorder(
        {"gold": DependencyTreeColumn.of(gold), "other": DependencyTreeColumn.of(other)},
        RULES[:1],
        in_order(gold),
        gold=DependencyTreeColumn.of(gold),
    )
    assert found.accuracies["gold"] == (1.0, 1.0, 1.0)
    assert found.accuracies["other"] == (0.5, 0.75, 0.75)
    first, second = found.to_dict()["systems"]
    assert (first["las"], second["las"]) == (1.0, 0.5)


def test_without_gold_trees_accuracy_is_unknown() -> None:
    trees = [chain(3)]
    found = evaluate_preorder({"p": DependencyTreeColumn.of(trees)}, RULES, in_order(trees))
    assert found.to_dict()["systems"][0]["uas"] is None


def test_of_several_parses_the_first_counts() -> None:
    best = chain(3)
    worst = DependencyTree(best.words, [1, 2, -1])
    found = evaluate_preorder(
        {"p": DependencyTreeColumn.of([[best, worst]])}, RULES[2:], in_order([best])
    )
    assert found.scores["frs", "P1R1"].tolist() == [0.0]


@pytest.mark.parametrize(
    ("trees", "reference", "reason"),
    [
        (
            [chain(2)],
            [chain(2), chain(2)],
            "the trees: has trees for 1 sentence, but reference has 2",
        ),
        ([chain(2)], [chain(3)], "reference:1: 'w2' is not among the words of tree 1"),
        ([chain(3)], [chain(2)], "reference:1: 'w2', a word of tree 1, is missing"),
    ],
)
def test_trees_and_references_hold_the_same_words(
    trees: list[DependencyTree], reference: list[DependencyTree], reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        evaluate_preorder({"p": DependencyTreeColumn.of(trees)}, RULES, in_order(reference))


def test_gold_trees_hold_the_same_words() -> None:
    trees, gold = [chain(2)], [DependencyTree(["x", "y"], [-1, 0])]
    with pytest.raises(InputError, match="tree 1: the words are not those of tree 1"):
        evaluate_preorder(
            {"p": DependencyTreeColumn.of(trees)},
            RULES,
            in_order(trees),
            gold=DependencyTreeColumn.of(gold),
        )
    with pytest.raises(InputError, match="has trees for 1 sentence, but the gold trees has 2"):
        evaluate_preorder(
            {"p": DependencyTreeColumn.of(trees)},
            RULES,
            in_order(trees),
            gold=DependencyTreeColumn.of(trees * 2),
        )


def positions_of(trees: list[DependencyTree]) -> PrintedOrder:
    return replace(in_order(trees), words=None)


@pytest.mark.parametrize("reference", [in_order, positions_of])
@pytest.mark.parametrize("match", WordMatch)
def test_all_parses_have_the_same_words_in_the_same_order(
    match: WordMatch, reference: Callable[[list[DependencyTree]], PrintedOrder]
) -> None:
    trees = [chain(3)]
    anagram = [DependencyTree(["w2", "w1", "w0"], [-1, 0, 1])]
    parses = {"one": DependencyTreeColumn.of(trees), "other": DependencyTreeColumn.of(anagram)}
    expected = reference(trees)
    reason = "tree 1: the words are not those of tree 1; first trees and trees must be split"
    with pytest.raises(InputError, match=reason):
        evaluate_preorder(parses, RULES, expected, metrics=[Frs(match=match)])
    with pytest.raises(InputError, match=reason):
        analyse_preorder(parses, RULES[0], expected, match=match)
    banks = [Treebank.of(column) for column in parses.values()]
    with pytest.raises(InputError, match=reason):
        select_parses(banks, RULES[0], expected, metric=Frs(match=match))


def test_by_identity_the_source_of_references_is_that_of_the_trees() -> None:
    trees, others = [chain(2), chain(3)], [chain(2), DependencyTree(["x", "y", "z"], [-1, 0, 1])]
    expected = replace(in_order(others), sources=tuple(tree.words for tree in others))
    by_identity = [Frs(match=WordMatch.IDENTITY)]
    with pytest.raises(InputError, match="reference:2: the source words are not those of tree 2"):
        evaluate_preorder(
            {"p": DependencyTreeColumn.of(trees)}, RULES, expected, metrics=by_identity
        )
    assert evaluate_preorder(
        {"p": DependencyTreeColumn.of(others)}, RULES, expected, metrics=by_identity
    )


def test_rule_sets_are_given_by_name_too() -> None:
    trees = [chain(3)]
    column, reference = DependencyTreeColumn.of(trees), in_order(trees)
    found = evaluate_preorder({"p": column}, ["r1", RULES[2]], reference)
    assert [system.rules for system in found.systems] == ["r1", "r3"]
    assert analyse_preorder({"p": column}, "r3", reference).rules == "r3"
    assert select_parses([Treebank.of(column)], "r1", reference).means()["first"] == 1.0
    with pytest.raises(InputError, match="two rule sets are called 'r3'"):
        evaluate_preorder({"p": column}, ["r3", RULES[2]], reference)


def test_something_must_be_evaluated() -> None:
    with pytest.raises(OptionError, match="at least one rule set"):
        evaluate_preorder({"p": DependencyTreeColumn.of([chain(2)])}, [], in_order([chain(2)]))
