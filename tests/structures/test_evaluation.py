"""What a metric may look at."""

import pytest

from kilter.errors import InputError
from kilter.metrics.one_segment import one_segment
from kilter.metrics.registry import metric


@pytest.mark.parametrize(
    ("name", "missing"),
    [("crossings", "links to the source"), ("frs", "no source text"), ("dted", "no trees")],
)
def test_what_a_metric_needs_and_is_not_there_is_named(name: str, missing: str) -> None:
    evaluation = one_segment(["a", "b"], [["b", "a"]], links=[[(0, 1), (1, 0)]])
    with pytest.raises(InputError, match=missing):
        metric(name).measure(evaluation)
