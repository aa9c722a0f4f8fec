"""Scores of reordered sentences: the vectors, the published figure, brute force over all readings."""

from itertools import chain, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.corpus import TokenColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.reordering import OrderMatch, TiedSpans, group_numbers
from kilter.metrics.frs import Frs, frs, order_match
from kilter.metrics.fuzzy import fuzzy
from kilter.metrics.tied_order import TiedComplete, TiedKendall
from tests import texts
from tests.golden import Case, cases
from tests.oracles import links as links_oracle
from tests.oracles import reordering as oracle
from tests.strategies import permutations as permutation_lists
from tests.strategies import tied_orders
from tests.thorough import examples
from tests.tolerance import close

Tied = tuple[list[int], list[list[int]]]


def singles(words: list[str]) -> list[list[str]]:
    return [[word] for word in words]


def of_kind(kind: str) -> list[Case]:
    return [case for case in cases("frs") if case["kind"] == kind]


@pytest.mark.parametrize("case", of_kind("words"))
def test_word_forms_reproduce_the_vectors(case: Case) -> None:
    assert frs(case["sys"], singles(case["ref"])) == close(case["frs"])
    assert oracle.form_positions(case["sys"], case["ref"]) == case["positions"]


@pytest.mark.parametrize("case", of_kind("ids"))
def test_identities_reproduce_the_vectors(case: Case) -> None:
    assert frs(case["sys"], [[place] for place in case["ref"]]) == close(case["frs"])


@pytest.mark.parametrize("case", of_kind("groups"))
def test_tied_spans_reproduce_the_vectors(case: Case) -> None:
    system, groups = case["sys"], case["groups"]
    assert frs(system, groups) == close(case["frs"])
    assert frs(system, groups, ties="local") == close(case["frs_local"])
    match = order_match(system, groups)
    assert TiedKendall().match_scores(match)[0] == close(case["kendall"])
    assert len(system) - match.joins()[0] == case["chunks"]


def test_the_published_figure_has_five_chunks() -> None:
    system = ["The", "10", "about", "Learn", "Biggest", "Mistakes", "Dog", "Trainers", "Make", "."]
    reference = [
        "Dog",
        "Trainers",
        "Make",
        "The",
        "10",
        "Biggest",
        "Mistakes",
        "about",
        "Learn",
        ".",
    ]
    assert frs(system, singles(reference)) == close(5 / 9)  # printed 0.5, misprint M9
    assert frs(reference, singles(reference)) == 1.0


def test_repeated_words_are_undervalued_by_form_and_not_by_identity() -> None:
    source = ["the", "dog", "saw", "the", "cat"]
    assert frs(source, singles(["the", "cat", "the", "dog", "saw"])) == 0.25
    assert frs([0, 1, 2, 3, 4], [[3], [4], [0], [1], [2]]) == 0.75


@given(tied_orders())
def test_the_best_reading_equals_brute_force(drawn: Tied) -> None:
    system, groups = drawn
    match = order_match(system, groups)
    assert match.joins()[0] == oracle.best_joints(system, groups)
    assert match.joins(ties=TiedSpans.LOCAL)[0] == oracle.local_joints(system, groups)
    extended = oracle.with_ends(system, groups)
    assert match.joins(ends=True)[0] == oracle.best_joints(*extended)
    assert match.joins(ties=TiedSpans.LOCAL, ends=True)[0] == oracle.local_joints(*extended)
    assert match.wrong_pairs()[0] == oracle.wrong_pairs(system, groups)


def test_the_best_reading_equals_brute_force_on_every_order_of_five_words() -> None:
    for groups in (
        [[0, 1], [2, 3, 4]],
        [[0], [1, 2, 3], [4]],
        [[0, 1, 2, 3, 4]],
        [[0, 1], [2], [3, 4]],
    ):
        for system in permutations(range(5)):
            assert order_match(system, groups).joins()[0] == oracle.best_joints(system, groups)


@given(tied_orders(max_words=12))
def test_words_that_begin_chunks_and_their_wrong_pairs_add_up(drawn: Tied) -> None:
    system, groups = drawn
    match = order_match(system, groups)
    for ties in TiedSpans:
        starts, pairs = match.misordered(ties=ties)
        assert len(system) - int(starts.sum()) == match.joins(ties=ties)[0]
        assert starts[:1].all()
        assert pairs.tolist() == oracle.word_pairs(system, groups)
    assert int(pairs.sum()) == 2 * match.wrong_pairs()[0]


@given(tied_orders())
def test_words_that_begin_chunks_are_those_of_a_reading(drawn: Tied) -> None:
    system, groups = drawn
    starts, _ = order_match(system, groups).misordered()
    found = []
    for reading in oracle.readings(groups):
        joined = [reading.index(b) == reading.index(a) + 1 for a, b in pairwise(system)]
        found.append([not join for join in joined])
    assert starts[1:].tolist() in found


@given(permutation_lists(0, 30))
def test_without_ties_it_is_the_fuzzy_score(values: list[int]) -> None:
    groups = [[place] for place in range(len(values))]
    permutation = kilter.Permutation(values)
    expected = fuzzy(permutation) if values else 1.0  # no word at all: A13 here, A2 there
    assert frs(values, groups) == close(expected)
    if values:
        assert frs(values, groups, joints="all") == close(fuzzy(permutation, joints="all"))
        match = order_match(values, groups)
        assert TiedKendall().match_scores(match)[0] == close(permutation.kendall())


@given(tied_orders())
def test_the_laws_of_tied_spans(drawn: Tied) -> None:
    system, groups = drawn
    best = frs(system, groups)
    assert best <= frs(system, groups, ties="local")
    for reading in list(oracle.readings(groups))[:50]:
        assert best >= frs(system, [[word] for word in reading])
    inside = list(chain.from_iterable(reversed(group) for group in groups))
    for joints in ("inner", "all"):
        assert frs(inside, groups, joints=joints) == 1.0
    match = order_match(inside, groups)
    assert TiedKendall().match_scores(match)[0] == TiedComplete().match_scores(match)[0] == 1.0


@given(tied_orders())
def test_complete_match_is_a_reading_of_the_reference(drawn: Tied) -> None:
    system, groups = drawn
    expected = system in list(oracle.readings(groups))
    assert TiedComplete().match_scores(order_match(system, groups))[0] == float(expected)


@pytest.mark.parametrize("jobs", [1, 3])
@examples(30)
@given(drawn=st.lists(tied_orders(max_words=20), max_size=6))
def test_a_batch_equals_its_segments(jobs: int, drawn: list[Tied]) -> None:
    match = batch(drawn, jobs)
    for metric in (Frs(), Frs(ties=TiedSpans.LOCAL), TiedKendall(), TiedComplete()):
        alone = [metric.match_scores(order_match(*each))[0] for each in drawn]
        assert metric.match_scores(match).tolist() == alone


def batch(drawn: list[Tied], jobs: int = 1) -> OrderMatch:
    group, offsets = group_numbers([list(map(len, groups)) for _, groups in drawn])
    flat = [word for _, groups in drawn for part in groups for word in part]
    system = np.array([word for words, _ in drawn for word in words], dtype=np.int32)
    reference = TokenColumn(np.array(flat, dtype=np.int32), offsets)
    return OrderMatch.of(TokenColumn(system, offsets), reference, group, jobs=jobs)


def test_mean_and_pooled_scores_of_a_corpus() -> None:
    match = batch([([0, 1, 2], [[0], [1], [2]]), ([1, 0], [[0], [1]]), ([0], [[0]]), ([], [])])
    mean, pooled = (Frs(average=average) for average in ("mean", "pooled"))  # type: ignore[arg-type]
    assert mean.match_scores(match).tolist() == [1.0, 0.0, 1.0, 1.0]
    assert mean.corpus_score(mean.match_statistics(match).sum(axis=0)) == close(0.75)
    assert pooled.corpus_score(pooled.match_statistics(match).sum(axis=0)) == close(2 / 3)
    nothing = pooled.match_statistics(batch([([], []), ([0], [[0]])]))
    assert pooled.corpus_score(nothing.sum(axis=0)) == 1.0


def test_sides_with_other_words_are_refused() -> None:
    with pytest.raises(InputError, match="'c' is not among the words of the reference"):
        frs(["a", "c"], [["a", "b"]])
    with pytest.raises(InputError, match="'b', a word of the reference, is missing"):
        frs(["a"], [["a", "b"]])
    with pytest.raises(InputError, match="0 stands once here, but 2 times in the reference"):
        frs([0, 1], [[1], [0, 0]])
    with pytest.raises(OptionError, match="ties is 'none'; it can be best, local"):
        frs([], [], ties="none")


def test_over_text_both_orders_come_from_links_with_the_source() -> None:
    whole = texts.evaluation(
        [["x", "y", "z"]],
        [["p", "q", "r"]],
        source=[["a", "a", "b"]],
        source_links=[[(0, 0), (1, 1), (2, 2)]],
        reference_links=[[[(2, 0), (0, 1), (1, 2)]]],
    )
    assert Frs(match="identity").measure(whole).scores.tolist() == [0.5]  # type: ignore[arg-type]
    assert Frs().measure(whole).scores.tolist() == [0.5]
    assert TiedKendall().measure(whole).scores.tolist() == [close(1 / 3)]


def test_over_text_words_that_are_lost_cost_if_asked_for() -> None:
    whole = texts.evaluation(
        [["x"]],
        [["p", "q"]],
        source=[["a", "b"]],
        source_links=[[(0, 0)]],
        reference_links=[[[(0, 0), (1, 1)]]],
    )
    assert Frs().measure(whole).scores.tolist() == [1.0]  # as published: both orders are the same
    punished = Frs(penalty=True)
    assert punished.measure(whole).scores.tolist() == [close(float(np.exp(-1)))]
    assert ("penalty:no" in Frs().signature(), "penalty:yes" in punished.signature()) == (
        True,
        True,
    )


def test_over_text_a_penalised_score_is_made_of_order_and_coverage() -> None:
    whole = texts.evaluation(
        [["x", "y"], ["x"], ["x"]],
        [["p", "q", "r"]] * 3,
        source=[["a", "b", "c"]] * 3,
        source_links=[[(0, 1), (1, 0)], [(0, 0)], []],
        reference_links=[[[(0, 0), (1, 1), (2, 2)]] * 3],
    )
    found = Frs(penalty=True).measure(whole)
    (parts,) = found.parts
    (term,) = parts.terms
    order, coverage = term.factors["order"], term.factors["coverage"]
    assert order[:2].tolist() == Frs().measure(whole).scores[:2].tolist()
    assert coverage.tolist() == [close(float(np.exp(-0.5))), close(float(np.exp(-2))), 0.0]
    assert (order * coverage).tolist() == found.scores.tolist()
    assert parts.evidence.tolist() == [True, True, False]
    assert Frs().measure(whole).parts == ()
    assert Frs(penalty=True, average="pooled").measure(whole).parts == ()  # type: ignore[arg-type]


def test_over_text_an_order_that_nobody_knows_scores_nothing() -> None:
    whole = texts.evaluation(
        [[], ["x"], []],
        [["p", "q"], ["p", "q"], []],
        source=[["a", "b"], ["a", "b"], ["a", "b"]],
        source_links=[[], [], []],
        reference_links=[[[(0, 0), (1, 1)], [(0, 0)], []]],
    )
    for average in ("mean", "pooled"):
        measure = Frs(average=average).measure(whole)  # type: ignore[arg-type]
        assert measure.scores.tolist() == [0.0, 0.0, 1.0]
        assert measure.statistics[:, 0].tolist() == [0.0, 0.0, 1.0]


@given(st.lists(texts.segments(references=1, one_to_one=False), min_size=1, max_size=4))
def test_over_text_it_is_the_published_score_of_both_reorderings(
    corpus: list[texts.Segment],
) -> None:
    found = Frs().measure(texts.evaluation_of(corpus, references=1)).scores.tolist()
    for score, segment in zip(found, corpus, strict=True):
        if segment.reference_links[0] and not segment.source_links:
            assert score == 0.0
            continue
        orders = [
            links_oracle.reorder(len(segment.source), each, *links_oracle.RULES["talbot"])
            for each in (segment.source_links, segment.reference_links[0])
        ]
        system, groups = ([[segment.source[w] for w in group] for group in o] for o in orders)
        assert score == frs([word for group in system for word in group], groups)
