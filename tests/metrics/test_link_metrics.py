"""Tau, aligned, crossings and anticipation against the vectors and their naive definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.errors import InputError, OptionError
from kilter.metrics.aligned import Aligned, aligned
from kilter.metrics.anticipation import Anticipation, anticipation
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.crossings import Crossings, crossings
from kilter.metrics.registry import metric
from kilter.metrics.tau import Tau, TauMethod, tau
from kilter.structures.evaluation import Evaluation
from kilter.structures.link.link_batch import LinkBatch
from kilter.structures.permutation.permutation import Permutation
from kilter.structures.text.corpus import TextColumn
from kilter.structures.text.token_column import Vocabulary
from tests.golden import Case, cases
from tests.oracles import links as oracle
from tests.strategies import link_sets

Drawn = tuple[int, int, list[tuple[int, int]]]


def as_links(case: Case) -> list[tuple[int, int]]:
    return [(first, second) for first, second in case["links"]]


def evaluation(
    lengths: list[list[int]],
    links: list[list[list[tuple[int, int]]]],
    source_links: list[list[tuple[int, int]]] | None = None,
) -> Evaluation:
    """Return an evaluation of texts of given lengths: the hypothesis', then the references'."""
    vocabulary = Vocabulary()
    texts = [
        TextColumn("text", tuple("" for _ in each), vocabulary.column([["w"] * n for n in each]))
        for each in lengths
    ]
    return Evaluation(
        vocabulary,
        texts[0],
        tuple(texts[1:]),
        links=tuple(LinkBatch.of(each) for each in links),
        source_links=None if source_links is None else LinkBatch.of(source_links),
    )


@pytest.mark.parametrize("case", cases("monolingual_alignments"))
def test_tau_and_aligned_reproduce_the_vectors(case: Case) -> None:
    links = as_links(case)
    batch = LinkBatch.of([links])
    assert tau(links) == pytest.approx(case["tau"], abs=1e-12)
    assert tau(links, method="links") == pytest.approx(case["tau_links"], abs=1e-12)
    counts = [case["concordant"], case["discordant"]]
    assert batch.pair_counts(sequences=True)[0].tolist() == counts
    assert batch.pair_counts()[0].tolist() == [case["concordant_links"], case["discordant_links"]]
    assert aligned(links, (case["n_hyp"], case["n_ref"])) == pytest.approx(
        case["aligned_percentage"], abs=1e-12
    )


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
    first = [(6, 0), (2, 1), (3, 2), (4, 3), (1, 5)]
    second = [(6, 5), (2, 1), (3, 2), (4, 3), (1, 0)]
    assert tau(first) == -0.4
    assert tau([*second, (0, 4)]) == 7 / 15
    assert tau([*second, (5, 4)]) == 1.0
    assert aligned(first, (7, 6)) == 10 / 13
    assert aligned([*second, (0, 4)], (7, 6)) == 12 / 13


@pytest.mark.parametrize("words", [9, 80])
@given(data=st.data())
def test_pairs_and_words_are_counted_as_naively(words: int, data: st.DataObject) -> None:
    first, second, links = data.draw(link_sets(words))
    batch = LinkBatch.of([links])
    pairs = list(zip(*oracle.sequences(links), strict=True))
    assert batch.pair_counts()[0].tolist() == list(oracle.pair_counts(links))
    assert batch.pair_counts(sequences=True)[0].tolist() == list(oracle.pair_counts(pairs))
    assert crossings(links) == oracle.pair_counts(links)[1]
    assert aligned(links, (first, second)) == oracle.aligned(links, (first, second))
    for method in TauMethod:
        assert tau(links, method=method) == oracle.tau(links, method=method)


@given(st.permutations(range(70)), st.integers(2, 70))
def test_tau_of_one_to_one_links_is_twice_kendall_less_one(order: list[int], length: int) -> None:
    kept = sorted(order[:length])
    values = [kept.index(value) for value in order[:length]]
    expected = 2 * Permutation(values).kendall() - 1
    for method in TauMethod:
        assert tau(enumerate(order[:length]), method=method) == pytest.approx(expected, abs=1e-12)


@given(link_sets(), st.integers(1, 4))
def test_anticipation_is_the_share_of_links_that_lie_k_ahead(drawn: Drawn, k: int) -> None:
    _, _, links = drawn
    ahead = [i - k + 1 > j for i, j in links]
    assert anticipation(links, k=k) == (sum(ahead) / len(links) if links else 1.0)


@pytest.mark.parametrize("jobs", [1, 3])
@given(st.lists(link_sets(), min_size=1, max_size=5))
def test_a_batch_scores_like_its_segments(jobs: int, drawn: list[Drawn]) -> None:
    segments = [links for _, _, links in drawn]
    batch = LinkBatch.of(segments)
    assert Tau().link_scores(batch, jobs=jobs).tolist() == [tau(links) for links in segments]
    pairs = [len(links) * (len(links) - 1) // 2 for links in segments]
    crossed = [
        1 - crossings(links) / count if count else float(bool(links))
        for links, count in zip(segments, pairs, strict=True)
    ]
    assert Crossings().link_scores(batch, jobs=jobs) == pytest.approx(crossed)
    rates = Anticipation().link_scores(batch)
    assert rates.tolist() == [anticipation(links) for links in segments]


def test_the_best_of_several_references_counts() -> None:
    straight, crossed = [(0, 0), (1, 1)], [(0, 1), (1, 0)]
    both = evaluation(
        [[2, 2, 3], [2, 2, 3], [4, 2, 3]],
        [[crossed, straight, []], [straight, crossed, [(0, 0)]]],
    )
    assert Tau().measure(both).scores.tolist() == [1.0, 1.0, 0.0]
    assert Aligned().measure(both).scores.tolist() == [1.0, 1.0, pytest.approx(1 / 3)]
    assert Tau().measure(both).statistics.tolist() == [[1.0, 1.0], [1.0, 1.0], [0.0, 1.0]]


def test_source_links_decide_crossings_and_anticipation() -> None:
    given_links = [[(0, 2), (1, 0), (2, 1)], [], [(5, 0)]]
    one = evaluation([[6] * 3, [6] * 3], [[[]] * 3], given_links)
    assert Crossings().measure(one).scores.tolist() == [pytest.approx(1 / 3), 0.0, 1.0]
    assert Crossings(empty=1.0).measure(one).scores[1] == 1.0
    assert Anticipation().measure(one).scores.tolist() == [0.0, 1.0, 1.0]
    assert Anticipation(k=6, empty=0.0).measure(one).scores.tolist() == [0.0, 0.0, 0.0]


def test_undefined_tau_is_what_the_option_says() -> None:
    assert tau([(0, 0)], undefined=-1.0) == -1.0
    assert tau([(0, 0), (0, 1)], undefined=0.5) == 0.5
    with pytest.raises(OptionError, match=r"undefined is 2\.0; it must lie between -1 and 1"):
        tau([], undefined=2.0)


def test_aligned_refuses_links_outside_and_scores_nothing_0() -> None:
    assert aligned([], (0, 0)) == 0.0
    with pytest.raises(InputError, match="points past"):
        aligned([(0, 3)], (1, 3))


@pytest.mark.parametrize("name", ["tau", "aligned", "crossings", "anticipation"])
def test_the_metrics_are_registered_with_citations(name: str) -> None:
    found = metric(name)
    assert found.name == name
    assert all(key in PUBLICATIONS for key in found.citations)
    scores = found.corpus_score(np.array([[1.5, 3.0], [0.0, 0.0]]))
    assert scores.tolist() == [0.5, 0.0]


def test_lower_is_better_for_anticipation_only() -> None:
    assert not metric("anticipation").higher_is_better
    assert metric("crossings").higher_is_better
    assert metric("tau:method=links,undefined=-1").options() == {
        "method": "links",
        "undefined": "-1.0",
    }
