"""Tau against the vectors and its naive definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError, OptionError
from kilter.core.links import LinkBatch
from kilter.core.permutation import Permutation
from kilter.metrics.registry import metric
from kilter.metrics.tau import Tau, TauMethod, tau
from tests.golden import Case, cases
from tests.metrics.linked import Drawn, as_links, two_references
from tests.oracles import links as oracle
from tests.strategies import link_sets


@pytest.mark.parametrize("case", cases("monolingual_alignments"))
def test_the_vectors_come_out(case: Case) -> None:
    links = as_links(case)
    batch = LinkBatch.of([links])
    assert tau(links) == pytest.approx(case["tau"], abs=1e-12)
    assert tau(links, method="links") == pytest.approx(case["tau_links"], abs=1e-12)
    counts = [case["concordant"], case["discordant"]]
    assert batch.pair_counts(sequences=True)[0].tolist() == counts
    assert batch.pair_counts()[0].tolist() == [case["concordant_links"], case["discordant_links"]]


@pytest.mark.parametrize("case", cases("monolingual_alignments"))
def test_the_oracles_and_permutations_reproduce_the_vectors(case: Case) -> None:
    links = as_links(case)
    assert list(oracle.sequences(links)) == case["sequences"]
    assert oracle.tau(links) == pytest.approx(case["tau"])
    if case["permutation"] is None:
        with pytest.raises(InputError, match="one-to-one"):
            LinkBatch.of([links]).permutations()
    else:
        found = LinkBatch.of([links]).permutations()[0]
        assert (found + 1).tolist() == case["permutation"]


def test_the_worked_examples_of_the_thesis_come_out() -> None:
    second = [(6, 5), (2, 1), (3, 2), (4, 3), (1, 0)]
    assert tau([(6, 0), (2, 1), (3, 2), (4, 3), (1, 5)]) == -0.4
    assert tau([*second, (0, 4)]) == 7 / 15
    assert tau([*second, (5, 4)]) == 1.0


def test_both_ends_of_its_range_are_reached_and_none_further() -> None:
    words = range(4)
    ends = [tau([(word, 3 - word) for word in words]), tau([(word, word) for word in words])]
    assert list(Tau.range) == ends == [-1.0, 1.0]


@pytest.mark.parametrize("words", [9, 80])
@given(data=st.data())
def test_pairs_are_counted_as_naively(words: int, data: st.DataObject) -> None:
    _, _, links = data.draw(link_sets(words))
    pairs = list(zip(*oracle.sequences(links), strict=True))
    batch = LinkBatch.of([links])
    assert batch.pair_counts(sequences=True)[0].tolist() == list(oracle.pair_counts(pairs))
    for method in TauMethod:
        assert tau(links, method=method) == oracle.tau(links, method=method)


@given(st.permutations(range(70)), st.integers(2, 70))
def test_tau_of_one_to_one_links_is_twice_kendall_less_one(order: list[int], length: int) -> None:
    kept = sorted(order[:length])
    values = [kept.index(value) for value in order[:length]]
    expected = 2 * Permutation(values).kendall() - 1
    for method in TauMethod:
        assert tau(enumerate(order[:length]), method=method) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("jobs", [1, 3])
@given(st.lists(link_sets(), min_size=1, max_size=5))
def test_a_batch_scores_like_its_segments(jobs: int, drawn: list[Drawn]) -> None:
    segments = [links for _, _, links in drawn]
    scores = Tau().link_scores(LinkBatch.of(segments), jobs=jobs)
    assert scores.tolist() == [tau(links) for links in segments]


def test_the_best_of_several_references_counts() -> None:
    measured = Tau().measure(two_references())
    assert measured.scores.tolist() == [1.0, 1.0, 0.0]
    assert measured.statistics.tolist() == [[1.0, 1.0], [1.0, 1.0], [0.0, 1.0]]


def test_undefined_tau_is_what_the_option_says() -> None:
    assert tau([(0, 0)], undefined=-1.0) == -1.0
    assert tau([(0, 0), (0, 1)], undefined=0.5) == 0.5
    with pytest.raises(OptionError, match=r"undefined is 2\.0; it must lie between -1 and 1"):
        tau([], undefined=2.0)


def test_options_are_those_of_the_specification() -> None:
    chosen = metric("tau:method=links,undefined=-1")
    assert chosen.options() == {"method": "links", "undefined": "-1.0"}
