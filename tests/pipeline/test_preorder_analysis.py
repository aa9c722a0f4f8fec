"""Analyses of sentences and rules."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kilter.errors import OptionError
from kilter.metrics.frs import Frs
from kilter.pipeline.preorder import ReorderingScorer
from kilter.pipeline.preorder_analysis import Analysis, analyse_preorder
from kilter.preorder.rule_file import load_rule_set, parse_rule_set
from kilter.structures.dependency_tree import DependencyTree
from kilter.structures.resampling import Resampling
from kilter.structures.tree_column import TreeColumn
from tests.oracles.preorder import children
from tests.pipeline.test_preorder import chain, in_order
from tests.strategies import dependency_trees

RULES = parse_rule_set(
    """
labels = "any"
tags = "any"
[[rule]]
head = "a"
order = ["b", "OTHER", "HEAD", "c"]
[[rule]]
head = ["b", "c"]
order = ["HEAD", { labels = ["a"], reverse = true }, "OTHER"]
""",
    where="x",
    name="x",
)
DRAWN = Resampling(resamples=50)


@settings(max_examples=25)
@given(st.lists(dependency_trees(min_size=1, max_size=8), min_size=1, max_size=4))
def test_rules_with_without_and_alone_are_those_of_changed_sets(
    trees: list[DependencyTree],
) -> None:
    column, reference = TreeColumn.of(trees), in_order(trees)
    result = analyse_preorder(
        {"p": column}, RULES, reference, analyses=[Analysis.RULES], resampling=DRAWN
    )
    rows = {(row["rule"], row["group"]): row for row in result.analyses[Analysis.RULES]}
    assert set(rows) == {("a", None), ("a", "b"), ("a", "c"), ("b c", None), ("b c", "a reversed")}
    scorer = ReorderingScorer(column, reference)
    whole = Frs().match_scores(scorer.score(RULES).match)
    for place, name in enumerate(("a", "b c")):
        row = rows[name, None]
        heads = [
            [h for h in range(len(t)) if t.tags[h] in name.split() and children(t.heads, h)]
            for t in trees
        ]
        assert row["fires"] == sum(map(len, heads))
        assert row["sentences"] == sum(map(bool, heads))
        without = Frs().match_scores(scorer.score(RULES.without_rule(place)).match)
        assert row["with"] == pytest.approx(whole.mean())
        assert row["without"] == pytest.approx(without.mean())
        fired = [k for k, listed in enumerate(heads) if listed]
        if fired:
            assert row["difference"] == pytest.approx((whole - without)[fired].mean())
            assert row["low"] <= row["difference"] + 1e-9
            assert row["high"] >= row["difference"] - 1e-9
        else:
            assert row["difference"] is None
    group = rows["a", "b"]
    assert group["fires"] == sum(
        any(t.labels[c] == "b" for c in children(t.heads, h))
        for t in trees
        for h in range(len(t))
        if t.tags[h] == "a"
    )


def test_sets_without_rules_have_no_analysis_of_them() -> None:
    trees = [chain(3)]
    result = analyse_preorder({"p": TreeColumn.of(trees)}, load_rule_set("r3"), in_order(trees))
    assert result.analyses[Analysis.RULES] == []
    assert result.score == 0.0
    assert set(result.to_dict()["analyses"]) == {"words", "classes", "sentences", "rules"}


def test_the_worst_sentences_come_first_then_those_with_more_chunks() -> None:
    trees = [chain(2), DependencyTree(["x", "y"], [1, -1]), chain(4)]
    result = analyse_preorder(
        {"p": TreeColumn.of(trees)},
        load_rule_set("r3"),
        in_order(trees),
        analyses=[Analysis.SENTENCES],
    )
    rows = result.analyses[Analysis.SENTENCES]
    assert [(row["segment"], row["chunks"]) for row in rows] == [(3, 4), (1, 2), (2, 1)]
    assert rows[0]["source"] == rows[0]["reference"] == "w0 w1 w2 w3"
    assert rows[0]["system"] == "w3 w2 w1 w0"
    assert "tree" not in rows[0]


def test_two_parsers_are_compared_by_their_largest_differences() -> None:
    one = [chain(2), chain(3)]
    other = [chain(2), DependencyTree(["w0", "w1", "w2"], [1, 2, -1])]
    result = analyse_preorder(
        {"one": TreeColumn.of(one), "other": TreeColumn.of(other)},
        load_rule_set("r3"),
        in_order(one),
        analyses=[Analysis.SENTENCES],
    )
    first, second = result.analyses[Analysis.SENTENCES]
    assert (first["segment"], first["score"], first["other_score"]) == (2, 0.0, 1.0)
    assert first["difference"] == 1.0
    assert first["other_system"] == "w0 w1 w2"
    assert first["tree"].startswith("w0/_/0:")
    assert first["other_tree"].startswith("w0/_/2:")
    assert second["difference"] == 0.0


def test_three_parsers_are_too_many() -> None:
    column = TreeColumn.of([chain(2)])
    with pytest.raises(OptionError, match="one parser, or compare two"):
        analyse_preorder({"a": column, "b": column, "c": column}, RULES, in_order([chain(2)]))
