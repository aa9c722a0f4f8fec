"""Conditions of rules: examples worked by hand, and naive evaluation word by word."""

from typing import Any

import pytest
from hypothesis import given

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import parse_rule_set
from kilter.preordering.rule_set import Group, Rule, RuleSet
from tests.oracles import preorder as oracle
from tests.preordering.conditioned import conditions, described_trees, made, with_details

# word, lemma, tag, XPOS, head (0: root), label
NEVER = [
    ("She", "she", "PRON", "PRP", 4, "nsubj"),
    ("has", "have", "AUX", "VBZ", 4, "aux"),
    ("NOT", "not", "PART", "RB", 4, "advmod"),
    ("read", "read", "VERB", "VBN", 0, "root"),
    ("the", "the", "DET", "DT", 6, "det"),
    ("letters", "letter", "NOUN", "NNS", 4, "obj"),
    ("quickly", "quickly", "ADV", "RB", 4, "advmod"),
]


def column(rows: list[tuple[str, str, str, str, int, str]]) -> DependencyTreeColumn:
    words, lemmas, tags, fine, heads, labels = zip(*rows, strict=True)
    tree = DependencyTree(words, [head - 1 for head in heads], labels=labels, tags=tags)
    return with_details(DependencyTreeColumn.of([tree]), lemmas, fine)


def reordered(order: str, *, rule: str = "") -> str:
    text = f'[[rule]]\nhead = "VERB"\n{rule}\norder = {order}\n'
    trees = column(NEVER)
    found = reorder_trees(trees, parse_rule_set(text, where="x", name="x")).order.tolist()
    return " ".join(NEVER[place][0] for place in found)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        # Without a condition both adverbs go; with one, that one whose word, in any case, lemma or place fits.
        ('["OTHER", "HEAD", "advmod"]', "She has the letters read NOT quickly"),
        ('["OTHER", "HEAD", { labels = "advmod", when = { word = "not" } }]', "She has the letters quickly read NOT"),
        ('["OTHER", "HEAD", { labels = "advmod", when = { lemma = ["never", "not"] } }]', "She has the letters quickly read NOT"),
        ('["OTHER", "HEAD", { labels = "advmod", when = { tag = "ADV" } }]', "She has NOT the letters read quickly"),
        ('["OTHER", "HEAD", { labels = "advmod", when = { side = "after" } }]', "She has NOT the letters read quickly"),
        # Any label: whatever stands before the verb, in reverse; fine tags that begin with VB.
        ('["OTHER", "HEAD", { labels = "*", when = { side = "before" }, reverse = true }]', "the letters quickly read NOT has She"),
        ('["OTHER", "HEAD", { labels = "*", when = { xpos = "VB*" } }]', "She NOT the letters quickly read has"),
        # Children and their number: the object has one, a determiner.
        ('["OTHER", "HEAD", { labels = "*", when = { children = 1 } }]', "She has NOT quickly read the letters"),
        ('["OTHER", "HEAD", { labels = "*", when = { child = { label = "det" } } }]', "She has NOT quickly read the letters"),
        ('[{ labels = "*", when = { no_child = { word = "The" } } }, "HEAD", "OTHER"]', "She has NOT quickly read the letters"),
        # The exact name before `*`, a condition before none, and the first of two that fit.
        ('[{ labels = "*", when = { tag = "ADV" } }, "HEAD", { labels = "advmod", when = { tag = "ADV" } }, "OTHER"]', "read quickly She has NOT the letters"),
        ('["HEAD", "advmod", { labels = "advmod", when = { word = "not" } }, "OTHER"]', "read quickly NOT She has the letters"),
        ('[{ labels = "advmod", when = { side = "after" } }, "HEAD", { labels = "advmod", when = { tag = "ADV" } }, "OTHER"]', "quickly read She has NOT the letters"),
        # The parent of a child is the head.
        ('["OTHER", "HEAD", { labels = "aux", when = { parent = { xpos = "VBN", child = { label = "nsubj" } } } }]', "She NOT the letters quickly read has"),
        ('["OTHER", "HEAD", { labels = "aux", when = { parent = { xpos = "VBD" } } }]', "She has NOT the letters quickly read"),
    ],
)  # fmt: skip
def test_children_of_which_a_condition_holds_stand_where_their_group_does(
    order: str, expected: str
) -> None:
    assert reordered(order) == expected


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ('{ lemma = "read" }', True),
        ('{ lemma = "write" }', False),
        ('{ label = "root", children = { least = 5 } }', True),
        ("{ children = { most = 4 } }", False),
        ('{ child = [{ label = "obj" }, { label = "aux", word = "HAS" }] }', True),
        ('{ child = [{ label = "obj" }, { label = "xcomp" }] }', False),
        ('{ no_child = { label = "obj", child = { tag = "DET" } } }', False),
        ('{ parent = { tag = "NOUN" } }', False),
        ('{ side = "before" }', False),
    ],
)
def test_a_rule_with_a_condition_orders_heads_of_which_it_holds(when: str, *, holds: bool) -> None:
    last = "She has NOT the letters quickly read" if holds else " ".join(row[0] for row in NEVER)
    assert reordered('["OTHER", "HEAD"]', rule=f"when = {when}") == last


def test_the_first_rule_that_fits_counts_and_those_for_all_others_come_last() -> None:
    text = """
    [[rule]]
    head = "*"
    order = ["HEAD", "OTHER"]
    [[rule]]
    head = "VERB"
    when = { lemma = "write" }
    order = ["obj", "OTHER", "HEAD"]
    [[rule]]
    head = ["VERB", "NOUN"]
    when = { child = { label = "aux" } }
    order = ["OTHER", "HEAD", "aux"]
    """
    found = reorder_trees(column(NEVER), parse_rule_set(text, where="x", name="x")).order.tolist()
    # The verb has the third rule, its object, without auxiliary, the rule for all others.
    assert [NEVER[place][0] for place in found] == [
        "She",
        "NOT",
        "letters",
        "the",
        "quickly",
        "read",
        "has",
    ]


@given(described_trees(), conditions, conditions, conditions)
def test_rules_with_conditions_equal_their_naive_definition(
    drawn: tuple[DependencyTree, DependencyTreeColumn, oracle.Words],
    of_rule: dict[str, Any],
    of_group: dict[str, Any],
    of_any: dict[str, Any],
) -> None:
    tree, trees, words = drawn
    plain: list[dict[str, Any]] = [{"labels": ["HEAD"]}, {"labels": ["OTHER"], "reverse": True}]
    order: list[dict[str, Any]] = [
        {"labels": ["*"], "when": of_any},
        {"labels": ["a", "b"], "when": of_group, "reverse": True},
        {"labels": ["OTHER"]},
        {"labels": ["a"]},
        {"labels": ["HEAD"]},
        {"labels": ["c", "a"], "when": of_any},
    ]
    rules: list[dict[str, Any]] = [
        {"head": ["a", "b"], "when": of_rule, "order": order},
        {"head": ["b"], "order": plain},
        {"head": ["c"], "when": of_group, "order": plain},
    ]
    written = tuple(
        Rule(
            heads=tuple(rule["head"]),
            when=made(rule["when"]) if "when" in rule else None,
            groups=tuple(
                Group(
                    labels=tuple(group["labels"]),
                    reverse=group.get("reverse", False),
                    when=made(group["when"]) if "when" in group else None,
                )
                for group in rule["order"]
            ),
        )
        for rule in rules
    )
    found = reorder_trees(trees, RuleSet(name="x", rules=written)).order.tolist()
    assert found == oracle.conditional(tree.heads, words, rules)
