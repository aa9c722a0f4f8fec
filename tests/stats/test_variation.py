"""Crossings, groups and entropies: the numbers of other tools, oracles and the laws of specification 20."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.stats.variation import (
    crossings,
    entropy,
    group_crossings,
    link_groups,
    renderings,
)
from tests.golden import cases
from tests.oracles import variation as oracle


def one_based(links: list[list[int]], *, turned: bool = False) -> list[tuple[int, int]]:
    pairs = [(s - 1, t - 1) for s, t in links]
    return [(t, s) for s, t in pairs] if turned else pairs


def test_cross_is_that_of_tpr_db() -> None:
    import json

    from tests.docs.pages import ROOT

    table = json.loads((ROOT / "tests/golden/tprdb_entropy_cross.json").read_text(encoding="utf-8"))
    assert len(table["cross_cases"]) == 30
    for case in table["cross_cases"]:
        inputs, expected = case["input"], case["output"]
        links = inputs["alignment_1based"]
        found = renderings(inputs["src_len"], one_based(links))
        assert [each.cross for each in found] == expected["CrossS"], case["id"]
        found = renderings(inputs["tgt_len"], one_based(links, turned=True))
        assert [each.cross for each in found] == expected["CrossT"], case["id"]


def test_groups_and_entropies_are_those_of_tpr_db() -> None:
    for case in cases("tprdb_entropy_cross"):
        source, sessions = case["input"]["source"], case["input"]["sessions"]
        for session in sessions:
            found = renderings(len(source), one_based(session["alignment_1based"]))
            for token, each in zip(session["tokens"], found, strict=True):
                target = "+".join(session["target"][k] for k in each.target) or "---"
                assert (target, "+".join(source[k] for k in each.source), each.cross) == (
                    token["TGroup"],
                    token["SGroup"],
                    token["Cross"],
                )
        expected = case["output"]["LiteralTrans_log2_lowercased"]
        for place in range(len(source)):
            tokens = [session["tokens"][place] for session in sessions]
            words = entropy(token["TGroup"].lower() for token in tokens)
            order = entropy(token["Cross"] for token in tokens)
            assert words == pytest.approx(expected["HTra"][place], abs=1e-9)
            assert order == pytest.approx(expected["HCross"][place], abs=1e-9)


def test_crossings_of_words_sequences_and_syntactic_groups_are_those_of_astred() -> None:
    parsed = 0
    for case in cases("astred"):
        inputs, expected = case["input"], case["output"]["allow_mwg"]
        links = [(s, t) for s, t in inputs["alignment"]]
        assert crossings(links) == expected["word_cross"]
        groups = link_groups(links)
        assert sorted(groups) == sorted((tuple(s), tuple(t)) for s, t, _ in expected["seq_spans"])
        assert group_crossings(groups) == expected["seq_cross"]
        if inputs["trees"]:
            heads = [[head - 1 for head, _ in inputs[side]] for side in ("src_tree", "tgt_tree")]
            groups = link_groups(links, (heads[0], heads[1]))
            assert sorted(groups) == sorted(
                (tuple(s), tuple(t)) for s, t, _ in expected["sacr_spans"]
            )
            assert group_crossings(groups) == expected["sacr_cross"]
            parsed += 1
    assert parsed == 42


LINKS = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12).map(sorted)


@given(LINKS)
def test_groups_are_those_of_the_oracle(links: list[tuple[int, int]]) -> None:
    of_source = {s: group for group in oracle.groups(links) for s in group[0]}
    for word, each in enumerate(renderings(7, links)):
        sources, targets = of_source.get(word, ({word}, set()))
        assert (set(each.source), set(each.target)) == (sources, targets)
        assert (each.cross == 0) <= (not each.target or each.cross == 0)
    assert crossings(links) == oracle.crossings(links)


@given(LINKS)
def test_groups_of_links_hold_every_link_once_and_cross_no_more_than_links(
    links: list[tuple[int, int]],
) -> None:
    groups = link_groups(links)
    for link in links:
        assert sum(link[0] in s and link[1] in t for s, t in groups) == 1
    assert group_crossings(groups) <= crossings(links)
    chain = list(range(-1, 6))
    assert group_crossings(groups) <= group_crossings(link_groups(links, (chain, chain)))


@given(st.permutations(range(6)))
def test_a_word_right_after_the_one_before_has_a_cross_of_one(order: list[int]) -> None:
    links = [(s, t) for s, t in enumerate(order)]
    for word, each in enumerate(renderings(6, links)):
        assert (each.cross == 1) == oracle.is_monotone_one_to_one(links, word)


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=9))
def test_law_entropy_is_zero_of_equal_values_and_the_same_in_any_order(values: list[str]) -> None:
    assert entropy(values) == pytest.approx(oracle.entropy(values))
    assert (entropy(values) == 0) == (len(set(values)) == 1)
    shuffled = random.Random(1).sample(values, len(values))
    assert entropy(shuffled) == entropy(values)
