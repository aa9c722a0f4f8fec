"""Rule sets as values: which group a label falls into, rules taken away."""

import pytest

from kilter.preordering.rule_set import Group, Rule, RuleSet


def group(*labels: str, reverse: bool = False) -> Group:
    return Group(labels=labels, reverse=reverse)


RULE = Rule(
    heads=("VERB", "AUX"),
    groups=(
        group("nsubj:*"),
        group("obl"),
        group("OTHER"),
        group("nsubj:pass", "aux"),
        group("HEAD"),
    ),
)


@pytest.mark.parametrize(
    ("label", "place"),
    [
        ("nsubj", 0),
        ("nsubj:outer", 0),
        ("nsubj:pass", 3),
        ("obl", 1),
        ("obl:tmod", 2),
        ("x", 2),
        ("aux", 3),
    ],
)
def test_a_label_falls_into_the_group_that_names_it_most_closely(label: str, place: int) -> None:
    assert RULE.slot(label) == place


def test_a_rule_less_a_group_or_with_it_only() -> None:
    assert RULE.without_group(1).slot("obl") == RULE.without_group(1).place("OTHER")
    assert list(map(str, RULE.with_only_group(0).groups)) == ["nsubj:*", "OTHER", "HEAD"]


def test_rules_are_found_by_category() -> None:
    rules = RuleSet(name="x", rules=(RULE, Rule(heads=("*",), groups=RULE.groups)))
    assert [rules.rule_of(tag) for tag in ("AUX", "VERB", "NOUN")] == [0, 0, 1]
    assert RuleSet(name="x", rules=(RULE,)).rule_of("NOUN") == -1


def test_a_set_less_a_rule_falls_back_on_the_rule_for_all_others() -> None:
    rest = Rule(heads=("*",), groups=RULE.groups)
    rules = RuleSet(name="x", rules=(RULE, rest))
    assert rules.without_rule(0) == RuleSet(name="x", rules=(rest,))
    assert rules.without_rule(1) == rules.with_only_rule(RULE) == RuleSet(name="x", rules=(RULE,))
    assert rules.with_only_rule(rest).rule_of("VERB") == 0


def test_groups_are_named_as_they_are_written() -> None:
    assert str(group("aux", "neg", reverse=True)) == "[aux neg] reversed"
    assert str(group("aux")) == "aux"
