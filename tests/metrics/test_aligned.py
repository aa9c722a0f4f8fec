"""The share of linked words against the vectors and its naive definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.metrics.aligned import Aligned, aligned
from tests.golden import Case, cases
from tests.metrics.linked import as_links, two_references
from tests.oracles import links as oracle
from tests.strategies import link_sets


@pytest.mark.parametrize("case", cases("monolingual_alignments"))
def test_the_vectors_come_out(case: Case) -> None:
    found = aligned(as_links(case), (case["n_hyp"], case["n_ref"]))
    assert found == pytest.approx(case["aligned_percentage"], abs=1e-12)


def test_the_worked_examples_of_the_thesis_come_out() -> None:
    second = [(6, 5), (2, 1), (3, 2), (4, 3), (1, 0)]
    assert aligned([(6, 0), (2, 1), (3, 2), (4, 3), (1, 5)], (7, 6)) == 10 / 13
    assert aligned([*second, (0, 4)], (7, 6)) == 12 / 13


@pytest.mark.parametrize("words", [9, 80])
@given(data=st.data())
def test_words_are_counted_as_naively(words: int, data: st.DataObject) -> None:
    first, second, links = data.draw(link_sets(words))
    assert aligned(links, (first, second)) == oracle.aligned(links, (first, second))


def test_the_best_of_several_references_counts() -> None:
    scores = Aligned().measure(two_references()).scores
    assert scores.tolist() == [1.0, 1.0, pytest.approx(1 / 3)]


def test_links_outside_are_refused_and_nothing_scores_0() -> None:
    assert aligned([], (0, 0)) == 0.0
    with pytest.raises(InputError, match="points past"):
        aligned([(0, 3)], (1, 3))
