"""The chunking part of METEOR."""

import pytest

from kilter.core.errors import KilterError
from kilter.metrics.meteor_chunk import meteor_chunk
from tests.tolerance import close


@pytest.mark.parametrize(
    ("links", "score"),
    [
        ([], 0.0),
        ([(0, 0)], 0.5),
        ([(k, k) for k in range(4)], 1 - 0.5 * (1 / 4) ** 3),
        ([(0, 3), (1, 2), (2, 1), (3, 0)], 0.5),
        ([(0, 2), (1, 3), (2, 0), (3, 1)], 1 - 0.5 * (2 / 4) ** 3),
        # A gap on either side ends a chunk.
        ([(0, 0), (1, 2)], 0.5),
        ([(0, 0), (2, 1)], 0.5),
    ],
)
def test_fewer_chunks_score_higher(links: list[tuple[int, int]], score: float) -> None:
    assert meteor_chunk(links) == close(score)


def test_weight_and_exponent_are_those_of_the_formula() -> None:
    links = [(0, 2), (1, 3), (2, 0), (3, 1)]
    assert meteor_chunk(links, weight=0.8, exponent=2.0) == close(1 - 0.8 * 0.25)


def test_a_word_with_two_links_is_refused() -> None:
    with pytest.raises(KilterError):
        meteor_chunk([(0, 0), (0, 1)])
