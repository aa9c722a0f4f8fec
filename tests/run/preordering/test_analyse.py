"""Analyses of sentences and rules."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import OptionError
from kilter.io.conllu import read_trees
from kilter.io.reordering import read_reorderings
from kilter.io.stream import ByteSource
from kilter.metrics.frs import Frs
from kilter.preordering.rule_file import load_rule_set, parse_rule_set
from kilter.preordering.rule_set import RuleSet
from kilter.results.preordering import Analysis
from kilter.run.preordering.analyse import analyse_preorder
from kilter.run.preordering.evaluate import ReorderingScorer
from kilter.stats.resampling import Resampling
from tests.oracles.preorder import children
from tests.run.preordering.test_evaluate import chain, in_order
from tests.strategies import dependency_trees
from tests.thorough import examples

WRITTEN = (
    '[[rule]]\nhead = "a"\norder = ["b", "OTHER", "HEAD", "c"]\n',
    '[[rule]]\nhead = ["b", "c"]\norder = ["HEAD", { labels = ["a"], reverse = true }, "OTHER"]\n',
    '[[rule]]\nhead = "*"\norder = ["OTHER", "c", "HEAD"]\n',
)


def rule_set(*rules: str) -> RuleSet:
    return parse_rule_set('labels = "any"\ntags = "any"\n' + "".join(rules), where="x", name="x")


def fits(tag: str, name: str) -> bool:
    """Return whether a head with this tag falls under the rule with this name."""
    return tag not in "abc" if name == "*" else tag in name.split()


RULES = rule_set(*WRITTEN)
DRAWN = Resampling(resamples=50)


@examples(25)
@given(st.lists(dependency_trees(min_size=1, max_size=8), min_size=1, max_size=4))
def test_rules_with_without_and_alone_are_those_of_changed_sets(
    trees: list[DependencyTree],
) -> None:
    column, reference = DependencyTreeColumn.of(trees), in_order(trees)
    result = analyse_preorder(
        {"p": column}, RULES, reference, analyses=[Analysis.RULES], resampling=DRAWN
    )
    rows = {(row["rule"], row["group"]): row for row in result.to_dict()["analyses"]["rules"]}
    assert set(rows) == {
        *(("a", None), ("a", "b"), ("a", "c"), ("b c", None), ("b c", "a reversed")),
        *(("*", None), ("*", "c")),
    }
    scorer = ReorderingScorer(column, reference)
    whole = Frs().match_scores(scorer.score(RULES).match)
    for place, (name, written) in enumerate(zip(("a", "b c", "*"), WRITTEN, strict=True)):
        row = rows[name, None]
        heads = [
            [h for h in range(len(t)) if fits(t.tags[h], name) and children(t.heads, h)]
            for t in trees
        ]
        assert row["fires"] == sum(map(len, heads))
        assert row["sentences"] == sum(map(bool, heads))
        left = [other for other in WRITTEN if other != written]
        without, alone = (
            Frs().match_scores(scorer.score(rule_set(*listed)).match)
            for listed in (left, [written])
        )
        assert RULES.without_rule(place) == rule_set(*left)
        assert row["alone"] == pytest.approx(alone.mean())
        assert row["with"] == pytest.approx(whole.mean())
        assert row["without"] == pytest.approx(without.mean())
        fired = [k for k, listed in enumerate(heads) if listed]
        if len(fired) == 1:
            assert row["low"] is row["high"] is None
        elif fired:
            assert row["difference"] == pytest.approx((whole - without)[fired].mean())
            assert row["low"] <= row["difference"] + 1e-9
            assert row["high"] >= row["difference"] - 1e-9
        else:
            assert row["difference"] is row["low"] is None
    group = rows["a", "b"]
    assert group["fires"] == sum(
        any(t.labels[c] == "b" for c in children(t.heads, h))
        for t in trees
        for h in range(len(t))
        if t.tags[h] == "a"
    )


def test_sets_without_rules_have_no_analysis_of_them() -> None:
    trees = [chain(3)]
    result = analyse_preorder(
        {"p": DependencyTreeColumn.of(trees)}, load_rule_set("r3"), in_order(trees)
    )
    assert result.to_dict()["analyses"]["rules"] == []
    assert result.score == 0.0
    assert set(result.to_dict()["analyses"]) == {"words", "classes", "sentences", "rules"}


def test_the_worst_sentences_come_first_then_those_with_more_chunks() -> None:
    trees = [chain(2), DependencyTree(["x", "y"], [1, -1]), chain(4)]
    result = analyse_preorder(
        {"p": DependencyTreeColumn.of(trees)},
        load_rule_set("r3"),
        in_order(trees),
        analyses=[Analysis.SENTENCES],
    )
    rows = result.to_dict()["analyses"]["sentences"]
    assert [(row["segment"], row["chunks"]) for row in rows] == [(3, 4), (1, 2), (2, 1)]
    assert rows[0]["source"] == rows[0]["reference"] == "w0 w1 w2 w3"
    assert rows[0]["system"] == "w3 w2 w1 w0"
    assert "tree" not in rows[0]


def test_two_parsers_are_compared_by_their_largest_differences() -> None:
    one = [chain(2), chain(3)]
    other = [chain(2), DependencyTree(["w0", "w1", "w2"], [1, 2, -1])]
    result = analyse_preorder(
        {"one": DependencyTreeColumn.of(one), "other": DependencyTreeColumn.of(other)},
        load_rule_set("r3"),
        in_order(one),
        analyses=[Analysis.SENTENCES],
    )
    first, second = result.to_dict()["analyses"]["sentences"]
    assert (first["segment"], first["score"], first["other_score"]) == (2, 0.0, 1.0)
    assert first["difference"] == 1.0
    assert first["other_system"] == "w0 w1 w2"
    assert first["tree"].startswith("w0/_/0:")
    assert first["other_tree"].startswith("w0/_/2:")
    assert second["difference"] == 0.0


@pytest.mark.parametrize(
    ("rules", "row"),
    [
        (
            {"*": ["obj", "OTHER", "HEAD"], "NOUN": ["OTHER", "HEAD"]},
            {"rule": "NOUN", "without": {"*": ["obj", "OTHER", "HEAD"]}},
        ),
        (
            {"*": ["case", "OTHER", "HEAD"], "VERB": ["nsubj:*", "OTHER", "HEAD", "punct"]},
            {"rule": "VERB", "without": {"*": ["case", "OTHER", "HEAD"]}},
        ),
    ],
)
def test_without_a_rule_its_categories_fall_to_the_rule_for_all_others(
    rules: dict[str, list[str]], row: dict[str, Any]
) -> None:
    trees = read_trees(ByteSource("examples/trees.conllu"))
    reference = read_reorderings(ByteSource("examples/references.txt"))
    found = analyse_preorder(
        {"p": trees}, toml(rules), reference, analyses=[Analysis.RULES], resampling=DRAWN
    ).to_dict()["analyses"]["rules"]
    named, rest = (
        next(each for each in found if (each["rule"], each["group"]) == (rule, None))
        for rule in (row["rule"], "*")
    )
    expected = Frs().match_scores(
        ReorderingScorer(trees, reference).score(toml(row["without"])).match
    )
    assert named["without"] == rest["alone"] == pytest.approx(expected.mean())


def toml(rules: dict[str, list[str]]) -> RuleSet:
    return rule_set(
        *(f'[[rule]]\nhead = "{head}"\norder = {order}\n' for head, order in rules.items())
    )


def test_three_parsers_are_too_many() -> None:
    column = DependencyTreeColumn.of([chain(2)])
    with pytest.raises(OptionError, match="one parser, or compare two"):
        analyse_preorder({"a": column, "b": column, "c": column}, RULES, in_order([chain(2)]))
