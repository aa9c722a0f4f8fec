"""Metrics of order inside other metrics."""

import pytest

from kilter import Permutation
from kilter.core.errors import OptionError
from kilter.metrics.full import Full, full


def test_the_order_part_takes_options_joined_by_plus() -> None:
    links = [(0, 1), (1, 0)]
    found = full(["a", "b"], ["b", "a"], links=links, order="pef:beta=0.5+gamma=0.5", alpha=0.0)
    assert found == 0.5 == Permutation.from_one_based([2, 1]).pef(gamma=0.5)


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("full", "full: order is 'full'; it must be a metric of permutations"),
        ("bleu:order=1", "it must be a metric of permutations"),
        ("pef:penalty=false", "the brevity penalty belongs to full"),
        ("pfe", "there is no metric 'pfe'"),
        ("pef:delta=1", "pef has no option 'delta'"),
    ],
)
def test_only_metrics_of_permutations_make_an_order_part(order: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Full(order=order)
