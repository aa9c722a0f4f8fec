"""The rules that fired, put together, are the order that the rules make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.preordering.rule_file import load_rule_set, parse_rule_set, shipped_names
from kilter.preordering.rule_set import RuleSet
from kilter.results.preordering import AppliedRules
from kilter.run.preordering.explain import applied_rules
from tests import strategies
from tests.oracles.preorder import children

TREE = DependencyTree(
    ["Cats", "chase", "small", "mice", "at", "night", "."],
    [1, -1, 3, 1, 5, 1, 1],
    labels=["nsubj", "root", "amod", "obj", "case", "obl", "punct"],
    tags=["NOUN", "VERB", "ADJ", "NOUN", "ADP", "NOUN", "PUNCT"],
)
RULES = """
keep_final_punctuation = {final}
[[rule]]
head = "VERB"
order = ["nsubj", {{ labels = ["obj", "obl"], reverse = true }}, "OTHER", "HEAD"]
[[rule]]
head = "NOUN"
order = ["OTHER", "HEAD", "case"]
"""


def mine(*, final: str = "false") -> RuleSet:
    return parse_rule_set(RULES.format(final=final), where="mine.toml", name="mine")


@st.composite
def tagged(draw: st.DrawFn) -> DependencyTree:
    tree = draw(strategies.dependency_trees(max_size=12))
    size = len(tree)
    labels = draw(
        st.lists(
            st.sampled_from(["nsubj", "obj", "obl", "case", "punct", "det"]),
            min_size=size,
            max_size=size,
        )
    )
    tags = draw(
        st.lists(st.sampled_from(["VERB", "NOUN", "ADP", "PUNCT"]), min_size=size, max_size=size)
    )
    return DependencyTree(tree.words, tree.heads, labels=labels, tags=tags)


def replayed(tree: DependencyTree, applied: AppliedRules) -> list[int]:
    """Return the words in the order that the fired rules say, a child for all that hangs from it."""
    after = {fired.head: [part.word for part in fired.after] for fired in applied.fired}

    def below(head: int) -> list[int]:
        found: list[int] = []
        for word in after.get(head, sorted([head, *children(tree.heads, head)])):
            found += [head] if word == head else below(word)
        return found

    order = [word for root in children(tree.heads, -1) for word in below(root)]
    return [word for word in order if word not in applied.final] + list(applied.final)


@given(tagged(), st.sampled_from(["r3", "r4", "en-verb-final", "mine", "final"]))
def test_what_fired_is_all_there_is_to_the_new_order(tree: DependencyTree, name: str) -> None:
    if name in ("mine", "final"):
        rules = mine(final="true" if name == "final" else "false")
    else:
        rules = load_rule_set(name)
    applied = applied_rules(tree, rules)
    assert list(applied.order) == replayed(tree, applied)


@given(tagged())
def test_parts_hold_each_word_once_and_those_that_stay_keep_their_order(
    tree: DependencyTree,
) -> None:
    for fired in applied_rules(tree, mine()).fired:
        assert {part.word for part in fired.before} == {part.word for part in fired.after}
        covered = sorted(word for part in fired.before for word in part.words)
        assert covered == tree.subtree(fired.head)
        stay = [part.word for part in fired.after if not part.moved]
        assert stay == sorted(stay)
        assert fired.changed is bool(fired.moved)


@given(tagged())
def test_no_fewer_parts_could_have_moved(tree: DependencyTree) -> None:
    """What stays is the longest sequence that rises: longer ones are looked for among all choices."""
    for fired in applied_rules(tree, mine()).fired:
        order = [part.word for part in fired.after]
        longest = 0
        for choice in range(1 << min(len(order), 10)):
            kept = [word for place, word in enumerate(order) if choice >> place & 1]
            if kept == sorted(kept):
                longest = max(longest, len(kept))
        if len(order) <= 10:
            assert len(order) - len(fired.moved) == longest


def test_the_rule_for_verbs_moves_objects_and_the_verb() -> None:
    applied = applied_rules(TREE, mine())
    verb, at_night = (next(f for f in applied.fired if f.head == head) for head in (1, 5))
    assert [TREE.words[part.word] for part in verb.after] == ["Cats", "night", "mice", ".", "chase"]
    assert [(TREE.words[p.word], p.group) for p in verb.after] == [
        ("Cats", "nsubj"),
        ("night", "[obj obl] reversed"),
        ("mice", "[obj obl] reversed"),
        (".", "OTHER"),
        ("chase", "HEAD"),
    ]
    assert (verb.rule, verb.tag) == ("VERB", "VERB")
    assert [part.words for part in at_night.after] == [(5,), (4,)]


def test_final_punctuation_is_told_apart() -> None:
    applied = applied_rules(TREE, mine(final="true"))
    assert applied.final == (6,)
    assert applied.order[-1] == 6
    verb = next(fired for fired in applied.fired if fired.head == 1)
    assert [TREE.words[part.word] for part in verb.after] == ["Cats", "night", "mice", "chase"]
    assert applied_rules(TREE, mine()).final == ()


@pytest.mark.parametrize(("name", "order"), [("r1", [*range(7)]), ("r2", [*range(6, -1, -1)])])
def test_methods_that_look_at_no_head_fire_no_rule(name: str, order: list[int]) -> None:
    applied = applied_rules(TREE, load_rule_set(name))
    assert (applied.fired, list(applied.order)) == ((), order)


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_set_can_be_explained(name: str) -> None:
    applied = applied_rules(TREE, load_rule_set(name))
    assert sorted(applied.order) == [*range(7)]
    assert applied.rules


def test_a_sentence_without_words_has_no_rule() -> None:
    applied = applied_rules(DependencyTree([], []), mine())
    assert (applied.fired, applied.order, applied.final) == ((), (), ())
