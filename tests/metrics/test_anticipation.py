"""Links that lie ahead against their naive share."""

from hypothesis import given
from hypothesis import strategies as st

from kilter.core.links import LinkBatch
from kilter.metrics.anticipation import Anticipation, anticipation
from kilter.metrics.registry import metric
from tests.metrics.linked import Drawn, from_source
from tests.strategies import link_sets


@given(link_sets(), st.integers(1, 4))
def test_it_is_the_share_of_links_that_lie_k_ahead(drawn: Drawn, k: int) -> None:
    _, _, links = drawn
    ahead = [i - k + 1 > j for i, j in links]
    assert anticipation(links, k=k) == (sum(ahead) / len(links) if links else 1.0)


@given(st.lists(link_sets(), min_size=1, max_size=5))
def test_a_batch_scores_like_its_segments(drawn: list[Drawn]) -> None:
    segments = [links for _, _, links in drawn]
    rates = Anticipation().link_scores(LinkBatch.of(segments))
    assert rates.tolist() == [anticipation(links) for links in segments]


def test_links_with_the_source_decide() -> None:
    one = from_source()
    assert Anticipation().measure(one).scores.tolist() == [0.0, 1.0, 1.0]
    assert Anticipation(k=6, empty=0.0).measure(one).scores.tolist() == [0.0, 0.0, 0.0]


def test_lower_is_better() -> None:
    assert not metric("anticipation").higher_is_better
