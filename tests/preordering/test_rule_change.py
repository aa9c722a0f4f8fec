"""Small changes of rules: each is a rule set, and another one."""

import numpy as np
import pytest

from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.preordering.rule_change import Topic, changes, estimated_rules, topics
from kilter.preordering.rule_file import load_rule_set, parse_rule_set, rule_set_text
from kilter.preordering.rule_set import HEAD, OTHER, RuleSet
from tests.preordering.searched import hidden_rules, small_trees

SHIPPED = load_rule_set("en-verb-final")


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> DependencyTreeColumn:
    return small_trees(tmp_path_factory.mktemp("trees"))


@pytest.mark.parametrize(
    "topic",
    [
        Topic(),
        Topic("VERB"),
        Topic("VERB", "obj"),
        Topic("VERB", "aux:*"),
        Topic("NOUN", "acl:relcl"),
        Topic("INTJ"),
    ],
    ids=str,
)
def test_every_change_is_another_rule_set_that_can_be_written(topic: Topic) -> None:
    found = list(changes(SHIPPED, topic))
    assert found
    assert len({change.what for change in found}) == len(found)
    for change in found:
        assert change.rules != SHIPPED
        text = rule_set_text(change.rules)
        assert parse_rule_set(text, where="text", name="x") == change.rules
        for rule in change.rules.rules:
            listed = [label for group in rule.groups for label in group.labels]
            assert listed.count(HEAD) == listed.count(OTHER) == 1


def test_a_category_that_shares_a_rule_gets_its_own_and_the_others_keep_theirs() -> None:
    for change in changes(SHIPPED, Topic("AUX", "obj")):
        assert change.rules.rules[change.rules.rule_of("AUX")].heads == ("AUX",)
        kept = change.rules.rules[change.rules.rule_of("VERB")]
        assert kept.groups == SHIPPED.rules[SHIPPED.rule_of("VERB")].groups


def test_a_label_is_tried_at_every_place() -> None:
    rules = hidden_rules()
    tried = {
        tuple(map(str, change.rules.rules[0].groups))
        for change in changes(rules, Topic("VERB", "obj"))
    }
    moved = {
        ("obj", "HEAD", "nsubj", "OTHER"),
        ("HEAD", "nsubj", "obj", "OTHER"),
        ("HEAD", "nsubj", "OTHER", "obj"),
        ("HEAD", "nsubj", "OTHER"),
        ("HEAD", "obj reversed", "nsubj", "OTHER"),
    }
    assert tried == moved


def test_topics_are_what_occurs_often_enough_the_most_frequent_first(
    trees: DependencyTreeColumn,
) -> None:
    found = topics(trees, fewest=1)
    assert found[0] == Topic()
    assert {topic.head for topic in found[1:]} == {"VERB", "NOUN"}
    assert Topic("VERB", "nsubj:*") in found
    counts = [_count(trees, topic) for topic in found[1:]]
    assert counts == sorted(counts, reverse=True)
    most = max(_count(trees, topic) for topic in found[1:] if topic.label)
    assert all(not topic.label for topic in topics(trees, fewest=most + 1))


def _count(trees: DependencyTreeColumn, topic: Topic) -> int:
    count = 0
    for tree in range(trees.trees):
        own = trees.tree(tree)
        for word, head in enumerate(own.heads):
            if head >= 0 and own.tags[head] == topic.head:
                count += topic.label in ("", f"{own.labels[word]}:*")
    return count


def test_estimated_rules_stand_as_words_do_in_the_sentences(trees: DependencyTreeColumn) -> None:
    starts = np.repeat(trees.offsets[:-1], np.diff(trees.offsets))
    here = (np.arange(len(starts)) - starts).astype(np.float64)
    everything = np.ones(len(here), dtype=np.bool_)
    found = estimated_rules(trees, here, everything, fewest=1)
    order = [str(group) for group in found["VERB"].groups if str(group) != OTHER]
    assert order == ["nsubj:*", "obj:*", HEAD, "punct:*"]
    turned = estimated_rules(trees, -here, everything, fewest=1)
    assert [str(group) for group in turned["VERB"].groups if str(group) != OTHER] == order[::-1]
    assert estimated_rules(trees, here, ~everything, fewest=1) == {}


def test_a_category_without_rule_begins_with_what_was_estimated() -> None:
    rules = RuleSet(name="none", rules=())
    estimate = {"VERB": hidden_rules().rules[0]}
    (first, *_) = changes(rules, Topic("VERB"), [estimate])
    assert first.rules.rules == (hidden_rules().rules[0],)
    assert list(changes(rules, Topic("VERB", "obj"), [estimate])) == []


def test_children_of_a_plain_label_go_where_its_label_with_subtypes_is_put() -> None:
    start = parse_rule_set(
        '[[rule]]\nhead = "NOUN"\norder = ["case", "nmod", "OTHER", "HEAD"]\n',
        where="text",
        name="x",
    )
    moved = [change.rules.rules[0] for change in changes(start, Topic("NOUN", "case:*"))]
    orders = {tuple(map(str, rule.groups)) for rule in moved}
    assert ("nmod", "OTHER", "HEAD", "case:*") in orders
    assert not any("case" in group.labels for rule in moved for group in rule.groups)


def test_of_a_plain_label_and_its_subtypes_in_one_rule_the_plain_one_is_moved() -> None:
    start = parse_rule_set(
        '[[rule]]\nhead = "NOUN"\norder = ["case", "case:*", "OTHER", "HEAD"]\n',
        where="text",
        name="x",
    )
    orders = {
        tuple(map(str, change.rules.rules[0].groups))
        for change in changes(start, Topic("NOUN", "case:*"))
    }
    assert ("case:*", "OTHER", "HEAD", "case") in orders
