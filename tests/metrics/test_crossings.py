"""Crossing links against their naive count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.links import LinkBatch
from kilter.metrics.crossings import Crossings, crossings
from kilter.metrics.registry import metric
from tests.metrics.linked import Drawn, from_source
from tests.oracles import links as oracle
from tests.strategies import link_sets


@pytest.mark.parametrize("words", [9, 80])
@given(data=st.data())
def test_pairs_are_counted_as_naively(words: int, data: st.DataObject) -> None:
    _, _, links = data.draw(link_sets(words))
    assert LinkBatch.of([links]).pair_counts()[0].tolist() == list(oracle.pair_counts(links))
    assert crossings(links) == oracle.pair_counts(links)[1]


@pytest.mark.parametrize("jobs", [1, 3])
@given(st.lists(link_sets(), min_size=1, max_size=5))
def test_a_batch_scores_like_its_segments(jobs: int, drawn: list[Drawn]) -> None:
    segments = [links for _, _, links in drawn]
    pairs = [len(links) * (len(links) - 1) // 2 for links in segments]
    crossed = [
        1 - crossings(links) / count if count else float(bool(links))
        for links, count in zip(segments, pairs, strict=True)
    ]
    scores = Crossings().link_scores(LinkBatch.of(segments), jobs=jobs)
    assert scores == pytest.approx(crossed)


def test_links_with_the_source_decide() -> None:
    scores = Crossings().measure(from_source()).scores
    assert scores.tolist() == [pytest.approx(1 / 3), 0.0, 1.0]
    assert Crossings(empty=1.0).measure(from_source()).scores[1] == 1.0
    assert metric("crossings").higher_is_better
