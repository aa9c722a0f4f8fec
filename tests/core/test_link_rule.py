"""The rules against the specification's vectors, its worked examples and naive definitions."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError, OptionError, SeveralLinksError
from kilter.core.link_rule import LinkRule, NullWords, OrderRule, Ties, reorder
from kilter.core.links import LinkBatch
from kilter.core.reordering import Reordering
from kilter.io.reordering import reordering_text
from tests.golden import Case, cases
from tests.oracles import links as oracle
from tests.strategies import link_sets

SENTENCES = {
    "A Mortgage {{ Tax Deduction }} For I Qualify How Can ?": (
        "How Can I Qualify For A Mortgage Tax Deduction ?"
    ),
    "I How A Mortgage {{ Tax Deduction }} For Qualify Can ?": (
        "How Can I Qualify For A Mortgage Tax Deduction ?"
    ),
    "any disease cure , prevent or treat claim to We do not .": (
        "We do not claim to cure , prevent or treat any disease ."
    ),
    "We any disease cure , prevent or treat claim to do not .": (
        "We do not claim to cure , prevent or treat any disease ."
    ),
}


def one(links: list[tuple[int, int]], length: int, **options: str) -> Reordering:
    return reorder(LinkBatch.of([links]), np.array([length]), **options)  # type: ignore[arg-type]


def as_links(case: Case) -> list[tuple[int, int]]:
    return [(source, target) for source, target in case["links"]]


@pytest.mark.parametrize("case", cases("alignments"))
def test_birch_and_talbot_reproduce_the_vectors(case: Case) -> None:
    links, length = as_links(case), case["n_source"]
    assert (one(links, length).ranks()[0] + 1).tolist() == case["birch"]
    talbot = one(links, length, rule="talbot")
    assert talbot.groups(0) == case["talbot_groups"]
    assert talbot.orders()[0].tolist() == case["talbot_order"]
    assert (talbot.ranks()[0] + 1).tolist() == case["talbot_ranks"]


@pytest.mark.parametrize("case", cases("alignments"))
def test_the_oracles_reproduce_the_vectors(case: Case) -> None:
    links, length = as_links(case), case["n_source"]
    assert oracle.birch(length, links) == case["birch"]
    assert oracle.talbot(length, links) == case["talbot_groups"]


@pytest.mark.parametrize(
    "case", [c for c in cases("alignments") if "FRS" in c["note"]], ids=lambda c: c["note"][:40]
)
def test_the_published_reorderings_are_written_as_printed(case: Case) -> None:
    printed = case["note"].partition(": ")[2]
    groups = one(as_links(case), case["n_source"], rule="talbot").groups(0)
    assert reordering_text(SENTENCES[printed].split(), groups) == printed


@given(link_sets())
def test_the_published_rules_equal_their_wording(
    drawn: tuple[int, int, list[tuple[int, int]]],
) -> None:
    length, _, links = drawn
    assert (one(links, length).ranks()[0] + 1).tolist() == oracle.birch(length, links)
    assert one(links, length, rule="talbot").groups(0) == oracle.talbot(length, links)


@pytest.mark.parametrize(("null", "ties"), list(product(NullWords, Ties)))
@pytest.mark.parametrize("rule", oracle.RULES)
@given(link_sets())
def test_every_rule_with_every_option_equals_its_naive_definition(
    rule: str, null: NullWords, ties: Ties, drawn: tuple[int, int, list[tuple[int, int]]]
) -> None:
    length, _, links = drawn
    key, own_null, own_ties = oracle.RULES[rule]
    found = one(links, length, rule=rule, null=null, ties=ties)
    assert found.groups(0) == oracle.reorder(length, links, key, null, ties)
    own = one(links, length, rule=rule)
    assert own.groups(0) == oracle.reorder(length, links, key, own_null, own_ties)


@pytest.mark.parametrize("jobs", [1, 3])
@given(st.lists(link_sets(), max_size=6))
def test_a_batch_equals_its_segments(
    jobs: int, drawn: list[tuple[int, int, list[tuple[int, int]]]]
) -> None:
    batch = LinkBatch.of([links for _, _, links in drawn])
    lengths = np.array([length for length, _, _ in drawn], dtype=np.int64)
    for rule in set(LinkRule) - {LinkRule.ONE_TO_ONE}:
        whole = reorder(batch, lengths, rule=rule, jobs=jobs)
        single = [one(links, length, rule=rule) for length, _, links in drawn]
        assert [whole.groups(k) for k in range(len(drawn))] == [s.groups(0) for s in single]


@given(link_sets())
def test_ranks_and_orders_undo_one_another(drawn: tuple[int, int, list[tuple[int, int]]]) -> None:
    length, _, links = drawn
    for rule in set(LinkRule) - {LinkRule.ONE_TO_ONE}:
        found = one(links, length, rule=rule)
        ranks, orders = found.ranks()[0], found.orders()[0]
        assert orders[ranks].tolist() == list(range(len(ranks)))
        assert sorted(found.order.tolist()) == sorted(set(found.order.tolist()))


@given(st.permutations(range(6)), st.integers(0, 6))
def test_one_to_one_orders_the_linked_words(targets: list[int], count: int) -> None:
    links = list(enumerate(targets))[:count]
    found = one(links, 8, rule="one-to-one")
    assert found.ranks()[0].tolist() == LinkBatch.of([links]).permutations()[0].tolist()
    assert found.order.tolist() == [s for s, _ in sorted(links, key=lambda link: link[1])]


def test_one_to_one_refuses_a_word_with_two_links_and_any_option() -> None:
    with pytest.raises(
        SeveralLinksError,
        match="segment 1: word 0 of the first sentence is linked with words 0 and 1 of the second",
    ):
        one([(0, 0), (0, 1)], 2, rule="one-to-one")
    with pytest.raises(OptionError, match="one-to-one"):
        one([], 2, rule="one-to-one", null="next")
    with pytest.raises(OptionError, match="one-to-one"):
        one([], 2, rule="one-to-one", ties="group")


def test_spans_tie_what_overlaps_and_the_words_between() -> None:
    # 0-[0,2] and 1-[1,3] overlap, 3-[4,4] does not; 2 has no link and goes with the next word.
    links = [(0, 0), (0, 2), (1, 1), (1, 3), (3, 4)]
    assert one(links, 5, rule="span").groups(0) == [[0, 1], [2, 3, 4]]
    assert one(links, 5, rule="span", null="previous").groups(0) == [[0, 1, 2], [3, 4]]
    assert one([], 3, rule="span").groups(0) == [[0, 1, 2]]


def test_the_mean_sees_all_links_of_a_word() -> None:
    links = [(0, 0), (0, 4), (1, 1), (2, 2)]
    assert one(links, 3, rule="mean").order.tolist() == [1, 0, 2]
    assert one(links, 3, rule="drop").order.tolist() == [0, 1, 2]


def test_a_link_outside_the_source_and_a_missing_length_are_named() -> None:
    with pytest.raises(
        InputError, match="segment 1: link 3-0 points past the 3 words of the first sentence"
    ):
        one([(3, 0)], 3)
    with pytest.raises(InputError, match="links of 1 segment and lengths of 2"):
        reorder(LinkBatch.of([[]]), np.array([1, 1]))
    with pytest.raises(OptionError, match="rule is 'moses'; it can be birch, talbot"):
        one([], 1, rule="moses")
    with pytest.raises(OptionError, match="null is 'left'"):
        one([], 1, null="left")
    with pytest.raises(OptionError, match="ties is 'none'"):
        one([], 1, ties="none")


@pytest.mark.parametrize("null", [None, *NullWords])
@pytest.mark.parametrize("rule", oracle.RULES)
@given(drawn=link_sets())
def test_a_rule_for_texts_gives_the_ranks_of_the_oracle(
    rule: str, null: str | None, drawn: tuple[int, int, list[tuple[int, int]]]
) -> None:
    length, _, links = drawn
    key, own_null, _ = oracle.RULES[rule]
    chosen = OrderRule.parse(rule if null is None else f"{rule}:null={null}")
    assert chosen.signature() == f"{rule}(null:{null or own_null})"
    found = chosen.permutations(LinkBatch.of([links]), np.array([length]))[0]
    # A permutation has no ties: in which way the rule treats them must not matter.
    for ties in Ties:
        groups = oracle.reorder(length, links, key, null or own_null, ties)
        order = [word for group in groups for word in group]
        assert found.tolist() == [order.index(word) for word in sorted(order)]


@given(st.permutations(range(6)), st.integers(0, 6))
def test_one_to_one_links_give_one_permutation_under_every_rule_that_drops_words(
    targets: list[int], count: int
) -> None:
    links = LinkBatch.of([list(enumerate(targets))[:count]])
    expected = links.permutations()[0].tolist()
    for rule in ("one-to-one", "mean", "drop", "birch:null=drop", "talbot:null=drop"):
        found = OrderRule.parse(rule).permutations(links, np.array([8]))
        assert found[0].tolist() == expected


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("moses", "rule is 'moses'; it can be birch, talbot, one-to-one, mean, span, drop"),
        ("mean:null=left", "null is 'left'; it can be previous, next, drop"),
        ("mean:ties=group", "the rule mean has no option 'ties'; it has null"),
        ("mean:null", "write options as name=value, not 'null'"),
        ("one-to-one:null=next", "the one-to-one rule drops words without link"),
    ],
)
def test_a_rule_that_does_not_exist_is_refused(specification: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        OrderRule.parse(specification)


def test_the_default_is_one_to_one() -> None:
    assert OrderRule.parse("one-to-one") == OrderRule()
    assert OrderRule.parse("one-to-one:null=drop") == OrderRule()
